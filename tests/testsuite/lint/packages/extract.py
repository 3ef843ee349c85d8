"""The Lua scripts within Python files: text that calls the engine. Arguments: where to, and the files."""
import ast
import pathlib
import re
import sys

to, *files = sys.argv[1:]
pathlib.Path(to).mkdir(parents=True, exist_ok=True)
for file in files:
    tree = ast.parse(pathlib.Path(file).read_text())
    # A text with parts that only the program knows is no script yet.
    open_parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in open_parts]
    values = [node.value.decode() if isinstance(node.value, bytes) else node.value for node in constants]
    texts = [value for value in values if isinstance(value, str)]
    scripts = [text for text in texts if re.search(r"redis\.p?call\s*\(", text)]
    for index, text in enumerate(scripts, 1):
        pathlib.Path(to, f"{pathlib.Path(file).stem}.{index}.lua").write_text(text)
