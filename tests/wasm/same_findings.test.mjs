// One analysis, two builds: for every script of the fixtures, the analyzer's wasm gives the report of the command line,
// byte for byte. A script that needs more stack than this program has ends in an error, and the next one in a fresh module.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { commandLine, filesBelow, loadWasm, top } from "./dist.mjs";

let program, lint;

before(async () => {
  program = commandLine();
  ({ lint } = await loadWasm("emq-analyzer"));
});

/** What the command line prints for a script of that name on standard input. */
function native(path, input, policy) {
  const options = ["lint", "--format", "json", "--policy", policy, "--stdin-name", path, "-"];
  const { status, stdout, stderr } = spawnSync(program, options, { cwd: top, input, maxBuffer: 64 * 1024 * 1024 });
  assert.ok([0, 1, 4].includes(status), `${path}: exit ${status}: ${stderr}`);
  return stdout.toString();
}

function same(path, input, policy = "strict") {
  const report = lint(input, path, policy);
  assert.equal(report, native(path, input, policy), `${path}, ${policy}`);
  return JSON.parse(report).files[0].verdict;
}

// The worker has no other file to put in.
const includes = (text) => /^\s*--+\s*@include/m.test(text);
const isScript = (file) => file.endsWith(".lua") && !file.includes("/includes/");
const scripts = ["fixtures/lint", "fixtures/scripts", "fixtures/page-scripts", "fixtures/flaw", "fixtures/lint-reports"]
  .flatMap(filesBelow)
  .filter(isScript)
  .map((file) => [file, readFileSync(join(top, file))])
  .filter(([, text]) => !includes(text.toString("latin1")));

test("every script gets the same report, byte for byte", () => {
  const verdicts = new Map();
  for (const [file, text] of scripts) {
    const verdict = same(file, text);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  for (const verdict of ["declared", "derived", "undeclared", "unknown", "invalid"]) {
    assert.ok(verdicts.get(verdict) > 0, `no script is ${verdict}`);
  }
  console.log(`${scripts.length} scripts: ${[...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`);
});

test("policies mean the same", () => {
  const some = scripts.filter(([file]) => /derived-key|slot-obligation|undeclared-argv/.test(file));
  assert.ok(some.length > 5, "too few");
  for (const [file, text] of some) for (const policy of ["rooted", "slot-rooted"]) same(file, text, policy);
});

test("hostile scripts get the same report, and no trap", () => {
  const nested = (open, close, count) => open.repeat(count) + close.repeat(count);
  const hostile = {
    "as deep as the engine takes": `return ${"(".repeat(198)}1${")".repeat(198)}`,
    "deeper": `return ${"(".repeat(10_000)}1${")".repeat(10_000)}`,
    "tables within tables": `return ${nested("{", "}", 199)}`,
    "functions within functions": nested("return function() ", " end ", 99),
    "blocks within blocks": nested("if x then ", " end ", 198),
    "many additions": `return 1${" + 1".repeat(5_000)}`,
    "a NUL byte": "return redis.call('GET', 'a\0b')",
    "bytes that are no text": Buffer.from([0x72, 0x65, 0xff, 0xfe, 0x00, 0x22]),
    "nothing": "",
    "never ending text": "return [==[ x",
    "letters that turn the line around": "return redis.call('GET', '\u202e\u2066k')",
    "the end of a script element": "-- </script><script>alert(1)</script>\nreturn redis.call('GET', KEYS[1])",
    "as large as it may be": `--${"x".repeat((1 << 20) - 2)}`,
    "larger": `--${"x".repeat(1 << 20)}`,
  };
  for (const [name, text] of Object.entries(hostile)) same(`${name}.lua`, Buffer.from(text));
});

test("a script that needs more stack than there is ends in an error", async () => {
  const { lint: another } = await loadWasm("emq-analyzer");
  const chain = Array.from({ length: 60 }, (_, at) => {
    const [open, close] = ["if x then ".repeat(100), " end".repeat(100)];
    const call = at ? `f${at - 1}(x)` : "redis.call('GET', x)";
    return `local function f${at}(x) ${open} return ${call} ${close} end\n`;
  });
  const text = Buffer.from(`${chain.join("")}f59(KEYS[1])`);
  assert.throws(() => another(text, "chain.lua", "strict"), RangeError);
  assert.match(native("chain.lua", text, "strict"), /"files": \[/);
  const { lint: fresh } = await loadWasm("emq-analyzer");
  assert.match(fresh(Buffer.from("return redis.call('GET', KEYS[1])"), "-", "strict"), /"verdict": "declared"/);
});
