//! What `lint` reads: files, folders, patterns, standard input, and what they include.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::common::command::{Run, emq, run_with_input};
use crate::common::folder::Folder;
use serde_json::Value;

const FINE: &str = "return redis.call('GET', KEYS[1])\n";
const BAD: &str = "return redis.call('GET', ARGV[1])\n";

/// Lints in a folder.
fn lint(folder: &Folder, arguments: &[&str]) -> Run {
    let arguments = [&["lint"], arguments].concat();
    emq(&arguments).current_dir(folder.path("")).output().expect("it runs").into()
}

/// The scripts that are judged, in their order.
fn paths(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let run = lint(folder, &[&["--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    let files = report["files"].as_array().expect("files");
    files.iter().map(|file| file["path"].as_str().expect("text").to_owned()).collect()
}

fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in files {
        folder.write(name, text);
    }
    folder
}

#[test]
fn folders_files_and_patterns_name_scripts_once_and_in_order() {
    let folder =
        folder(&[("b.lua", FINE), ("a/z.lua", FINE), ("a/c/y.lua", FINE), ("a/x.txt", FINE), ("a.b/w.lua", FINE)]);
    assert_eq!(paths(&folder, &["."]), ["a/c/y.lua", "a/z.lua", "a.b/w.lua", "b.lua"]);
    assert_eq!(paths(&folder, &["b.lua", "./a", "a/../b.lua", "a/z.lua"]), ["b.lua", "a/c/y.lua", "a/z.lua"]);
    assert_eq!(paths(&folder, &["a/x.txt"]), ["a/x.txt"]);
    assert_eq!(paths(&folder, &["a/*"]), ["a/x.txt", "a/z.lua"]);
    assert_eq!(paths(&folder, &["**/*.lua"]), ["a/c/y.lua", "a/z.lua", "a.b/w.lua", "b.lua"]);
    assert_eq!(paths(&folder, &["{b,a/z}.lua"]), ["a/z.lua", "b.lua"]);
    lint(&folder, &["q*.lua"]).expect(2).says(&["q*.lua: matches no file"]);
    lint(&folder, &["["]).expect(2).says(&["[: "]);
    // A file of such a name is a file.
    folder.write("[x]*.lua", BAD);
    assert_eq!(paths(&folder, &["[x]*.lua"]), ["[x]*.lua"]);
}

#[test]
fn what_git_ignores_is_left_out_of_folders_and_patterns() {
    let folder = folder(&[
        (".gitignore", "/vendor/\n*.gen.lua\n!keep.gen.lua\n"),
        ("vendor/a.lua", BAD),
        ("b.gen.lua", BAD),
        ("keep.gen.lua", FINE),
        ("c/.ignore", "d.lua\n"),
        ("c/d.lua", BAD),
        (".hidden/e.lua", FINE),
        (".git/f.lua", BAD),
    ]);
    for path in [".", "**/*.lua"] {
        assert_eq!(paths(&folder, &[path]), [".hidden/e.lua", "keep.gen.lua"], "{path}");
        let all = [".hidden/e.lua", "b.gen.lua", "c/d.lua", "keep.gen.lua", "vendor/a.lua"];
        assert_eq!(paths(&folder, &[path, "--no-ignore"]), all, "{path}");
    }
    assert_eq!(paths(&folder, &["b.gen.lua"]), ["b.gen.lua"], "what is named is judged");
    lint(&folder, &["c"]).expect(2).says(&["c: has no file that ends in .lua", "--no-ignore"]);
}

#[test]
fn links_lead_to_files_and_to_no_folder() {
    let folder = folder(&[("a/b.lua", FINE)]);
    symlink("a/b.lua", folder.path("link.lua")).expect("a link");
    symlink("../a", folder.path("a/round.lua")).expect("a link");
    symlink("nowhere", folder.path("a/lost.lua")).expect("a link");
    assert_eq!(paths(&folder, &["."]), ["a/b.lua", "link.lua"]);
    lint(&folder, &["a/lost.lua"]).expect(2).says(&["a/lost.lua: cannot be read: No such file"]);
}

#[test]
fn what_cannot_be_read_hides_no_other_result() {
    let folder = folder(&[("a.lua", BAD), ("b.lua", FINE)]);
    let run = lint(&folder, &["a.lua", "none.lua", "b.lua", "--report", "json=r.json"]).expect(2);
    assert!(run.stdout.contains("✕ a.lua") && run.stdout.contains("✓ b.lua"), "{}", run.stdout);
    assert!(run.stdout.contains("! not read: none.lua: cannot be read: No such file"), "{}", run.stdout);
    let report: Value = serde_json::from_str(&folder.read("r.json")).expect("JSON");
    assert_eq!((&report["unread"][0]["path"], &report["summary"]["files"]), (&"none.lua".into(), &2.into()));
    let run = lint(&folder, &["none.lua"]).expect(2).says(&["none.lua: cannot be read"]);
    assert_eq!(run.stdout, "", "nothing was judged");
}

#[test]
fn a_named_pipe_is_not_waited_for() {
    let folder = folder(&[("a.lua", FINE)]);
    let pipe = folder.path("pipe.lua");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    lint(&folder, &["pipe.lua"]).expect(2).says(&["pipe.lua: cannot be read: it is a named pipe"]);
    assert_eq!(paths(&folder, &["."]), ["a.lua"]);
}

#[test]
fn standard_input_has_a_name_and_includes_beside_it() {
    let folder = folder(&[("s/includes/get.lua", "local function get() return redis.call('GET', ARGV[1]) end")]);
    let script = b"--- @include \"includes/get\"\nreturn get()\n";
    let mut child = emq(&["lint", "-", "--stdin-name", "s/claim.lua"]);
    child.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), script).expect("it reads");
    let run = Run::from(child.wait_with_output().expect("it ends")).expect(1);
    assert!(
        run.stdout.contains("✕ s/claim.lua") && run.stdout.contains("--> s/includes/get.lua:1:47"),
        "{}",
        run.stdout
    );
    let run = run_with_input(&["lint", "-"], script).expect(1);
    assert!(run.stdout.contains("includes/get cannot be included"), "{}", run.stdout);
    run_with_input(&["lint", "-"], FINE.as_bytes()).expect(0);
    lint(&folder, &["s", "--stdin-name", "x.lua"]).expect(2).says(&["give - as a path"]);
    lint(&folder, &["-", "-"]).expect(2).says(&["- is given twice"]);
}

#[test]
fn what_a_script_of_a_folder_includes_is_no_script_of_its_own() {
    let folder = folder(&[
        ("a.lua", "--- @include \"includes/b\"\nreturn b()\n"),
        ("includes/b.lua", "--- @include \"c\"\nlocal function b() return c() end\n"),
        ("includes/c.lua", "local function c() return redis.call('GET', ARGV[1]) end\n"),
        ("includes/unused.lua", FINE),
    ]);
    assert_eq!(paths(&folder, &["."]), ["a.lua", "includes/unused.lua"]);
    assert_eq!(paths(&folder, &["a.lua", "includes"]), ["a.lua", "includes/unused.lua"]);
    assert_eq!(paths(&folder, &["includes"]), ["includes/b.lua", "includes/unused.lua"], "nothing here includes b");
    assert_eq!(paths(&folder, &[".", "includes/c.lua"]), ["a.lua", "includes/c.lua", "includes/unused.lua"]);
    // Two that only include each other would otherwise be parts of nothing.
    folder.write("x/y.lua", "--- @include \"z\"\n");
    folder.write("x/z.lua", "--- @include \"y\"\n");
    assert_eq!(paths(&folder, &["x"]), ["x/y.lua", "x/z.lua"]);
    assert!(lint(&folder, &["x"]).expect(1).stdout.contains("include-cycle"));
}

#[test]
fn includes_are_put_together_as_the_loader_does_it() {
    let folder = folder(&[
        // Each file once, where it comes first; blanks, semicolons and either quote; a pattern; no line feed at an end.
        (
            "a.lua",
            "local log = ''\n--- @include \"i/one\"\n-- @include 'i/t*.lua';  \n--- @include \"i/sub/three\"\nreturn log\n",
        ),
        ("i/one.lua", "-- @include \"sub/three\"\nredis.call('SET', KEYS[1], '1')"),
        ("i/two.lua", "redis.call('SET', ARGV[2], '2') -- @include \"no/start/of/a/line\""),
        ("i/tzwei.lua", "redis.call('SET', ARGV[3], '2')"),
        ("i/sub/three.lua", "redis.call('SET', ARGV[1], '3') -- ends without a line feed"),
        ("i/tx.txt", "not Lua"),
    ]);
    let report: Value = lint(&folder, &["a.lua", "--format", "json"]).expect(1).json();
    let file = &report["files"][0];
    assert_eq!(file["includes"], serde_json::json!(["i/one.lua", "i/sub/three.lua", "i/two.lua", "i/tzwei.lua"]));
    let findings = file["findings"].as_array().expect("findings").iter();
    let found: Vec<String> = findings.map(|one| format!("{} {}", one["path"], one["line"])).collect();
    assert_eq!(found, ["i/sub/three.lua", "i/two.lua", "i/tzwei.lua"].map(|path| format!("{path:?} 1")));
    assert_eq!(file["calls"], 4);
}

#[test]
fn what_goes_on_in_another_file_ends_with_its_own() {
    let folder = folder(&[
        (
            "a.lua",
            "-- A call of which a part is included.\nreturn redis.call('SORT', KEYS[1],\n--- @include \"rest\"\n",
        ),
        ("rest.lua", "ARGV[1],\n'one',\n'two',\n'three')"),
    ]);
    let report: Value = lint(&folder, &["a.lua", "--format", "json"]).expect(4).json();
    let finding = &report["files"][0]["findings"][0];
    let place = ["line", "column", "end_line", "end_column"].map(|field| finding[field].as_u64());
    assert_eq!((&finding["rule"], place), (&"unknown-key".into(), [2, 8, 4, 1].map(Some)));
}

#[test]
fn the_limit_on_size_counts_the_whole() {
    const LIMIT: usize = 1 << 20;
    let folder = Folder::new();
    let script = "--- @include \"part\"\nreturn redis.call('GET', KEYS[1])\n";
    // The line that includes is replaced, without its end.
    let rest = script.len() - "--- @include \"part\"".len();
    for (size, verdict) in [(LIMIT - rest, "declared"), (LIMIT - rest + 1, "unknown")] {
        folder.write("a.lua", script);
        folder.write("part.lua", format!("--{}", "x".repeat(size - 2)));
        let report = lint(&folder, &["a.lua", "--format", "json", "--allow-indeterminate"]).expect(0).json();
        assert_eq!(report["files"][0]["verdict"], verdict, "{size}");
    }
    let message = lint(&folder, &["a.lua"]).expect(4).stdout;
    assert!(message.contains("more than 1048576 bytes with what it includes"), "{message}");
}

#[test]
fn includes_are_no_weapon() {
    let folder = Folder::new();
    // A chain of files, one that includes itself in every line, and a device that never ends.
    for n in 0..2_000 {
        folder.write(&format!("{n}.lua"), format!("--- @include \"{}\"\n", n + 1));
    }
    folder.write("2000.lua", BAD);
    let report = lint(&folder, &["0.lua", "--format", "json"]).expect(1).json();
    assert_eq!(report["files"][0]["findings"][0]["path"], "2000.lua");
    folder.write("self.lua", "--- @include \"self\"\n".repeat(40_000));
    let report = lint(&folder, &["self.lua", "--format", "json"]).expect(1).json();
    assert_eq!(report["files"][0]["findings"].as_array().map(Vec::len), Some(100));
    symlink("/dev/zero", folder.path("zero.lua")).expect("a link");
    folder.write("device.lua", "--- @include \"zero\"\n");
    assert!(lint(&folder, &["device.lua"]).expect(1).stdout.contains("zero.lua is no file"));
}

#[test]
fn a_name_that_is_not_text_is_a_name() {
    for name in [&b"a\xff.lua"[..], b"a\x1b[2J.lua", b"a\ng: forged.lua", "a\u{202e}.lua".as_bytes()] {
        let folder = Folder::new();
        let file = folder.path("").join(OsStr::from_bytes(name));
        fs::write(&file, "--- @include \"b\"\nreturn b()\n").expect("written");
        folder.write("b.lua", "local function b() return redis.call('GET', ARGV[1]) end\n");
        for format in ["text", "json", "junit", "tap", "sarif", "github", "markdown"] {
            let mut command: Command = emq(&["lint", ".", "--format", format]);
            let run = Run::from(command.current_dir(folder.path("")).output().expect("it runs")).expect(1);
            let odd = run.stdout.chars().find(|c| c.is_control() && *c != '\n');
            let forged = run.stdout.lines().any(|line| line.starts_with("g: forged"));
            assert!(odd.is_none() && !forged, "{format}: {:?}", run.stdout);
        }
    }
}

#[test]
fn many_scripts_are_judged_in_the_order_of_their_names() {
    let folder = Folder::new();
    for n in 0..10_000 {
        folder.write(&format!("{}/{n:05}.lua", n % 10), if n % 100 == 0 { BAD } else { FINE });
    }
    let report = lint(&folder, &[".", "--format", "json"]).expect(1).json();
    assert_eq!((&report["summary"]["files"], &report["summary"]["undeclared"]), (&10_000.into(), &100.into()));
    let files = report["files"].as_array().expect("files");
    assert!(files.is_sorted_by_key(|file| file["path"].as_str()));
    assert!(
        files.iter().all(|file| (file["verdict"] == "undeclared")
            == file["path"].as_str().is_some_and(|path| path.ends_with("00.lua")))
    );
}
