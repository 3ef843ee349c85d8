// One core, two builds: for every fixture, the page's wasm gives the report of the command line, byte for byte, and for
// what is no input at all the same words. It hears the trace: the analysis of scripts needs more stack than a page has.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";

import { commandLine, filesBelow, loadWasm, top } from "./dist.mjs";

let program, judge, Reader;

before(async () => {
  program = commandLine();
  ({ judge, Reader } = await loadWasm("emq-judge"));
});

/** What the command line prints for an input, or the error it gives. */
function native(file, ...options) {
  const { status, stdout, stderr } = spawnSync(program, ["check", "--witness", "trace", "--format", "json", ...options, file], { cwd: top });
  if (status === 2) return { error: stderr.toString().replace(/^emq-conform: /, "").trimEnd() };
  assert.ok([0, 1, 4].includes(status), `${file}: exit ${status}: ${stderr}`);
  return { report: stdout.toString() };
}

/** The same from the page's wasm. */
function wasm(file, options = {}) {
  try {
    return { report: judge(readFileSync(resolve(top, file)), JSON.stringify({ source: file, ...options })) };
  } catch (error) {
    return { error: error.message };
  }
}

/** The same once more, piece by piece as a worker reads it, under each of several options without reading it again. */
function inPieces(file, size, ...asked) {
  const bytes = readFileSync(resolve(top, file));
  const options = asked.map((one) => JSON.stringify({ source: file, ...one }));
  try {
    const reader = new Reader(options[0]);
    for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
    const input = reader.end();
    return options.map((one) => ({ report: input.judge(one, true)[1], markdown: input.judge(one, true)[2] }));
  } catch (error) {
    return options.map(() => ({ error: error.message }));
  }
}

const isInput = (file) => /\.(log|json)$/.test(file) && !file.endsWith(".report.json");
const inputs = ["fixtures/captures", "fixtures/check"].flatMap(filesBelow).filter(isInput);

test("there are captures and logs to compare", () => {
  assert.ok(inputs.filter((file) => file.endsWith(".json")).length >= 1, "no capture");
  assert.ok(inputs.filter((file) => file.endsWith(".log")).length >= 20, "too few logs");
});

test("every fixture gets the same report, byte for byte", () => {
  const verdicts = new Map();
  for (const file of inputs) {
    const expected = native(file);
    assert.deepEqual(wasm(file), expected, file);
    if (expected.report) {
      const { verdict } = JSON.parse(expected.report);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
  }
  // A comparison of nothing but passes would not show much.
  for (const verdict of ["pass", "fail", "indeterminate"]) assert.ok(verdicts.get(verdict) > 0, `no fixture is ${verdict}`);
  console.log(`${inputs.length} inputs: ${[...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`);
});

test("an input that comes in pieces gets the same report, byte for byte, and the same markdown", () => {
  const recordings = filesBelow("fixtures/recordings").filter(isInput);
  for (const file of [...inputs, ...recordings]) {
    const expected = native(file);
    for (const size of [61, 4096, 1 << 18]) {
      const [{ report, error }] = inPieces(file, size, {});
      assert.deepEqual(error ? { error } : { report }, expected, `${file}, pieces of ${size}`);
    }
    if (!expected.report) continue;
    const printed = spawnSync(program, ["check", "--witness", "trace", "--format", "markdown", file], { cwd: top });
    assert.equal(inPieces(file, 4096, {})[0].markdown, printed.stdout.toString(), file);
  }
});

test("an input that is read once is judged again by other rules as the command line judges it", () => {
  for (const file of [...inputs, ...filesBelow("fixtures/recordings").filter(isInput)]) {
    const [first, second] = inPieces(file, 1000, { policy: "slot-rooted", queue: "payments" }, { policy: "rooted", db: 0 });
    const both = [native(file, "--policy", "slot-rooted", "--queue", "payments"), native(file, "--policy", "rooted", "--db", "0")];
    assert.deepEqual([first, second].map(({ report, error }) => (error ? { error } : { report })), both, file);
  }
});

test("options mean the same", () => {
  for (const file of inputs) {
    for (const policy of ["rooted", "slot-rooted"]) {
      assert.deepEqual(wasm(file, { policy, queue: "payments" }), native(file, "--policy", policy, "--queue", "payments"), `${file}, ${policy}`);
    }
    const asked = { expect_version: "echomq:2.1.0", legacy_prefix: ["old:", "{payments}:", "bull:"], all_clients: true };
    const said = ["--expect-version", "echomq:2.1.0", "--legacy-prefix", "old:", "--legacy-prefix", "{payments}:", "--legacy-prefix", "bull:", "--all-clients"];
    assert.deepEqual(wasm(file, asked), native(file, ...said), file);
    assert.deepEqual(wasm(file, { client: ["worker-1"] }), native(file, "--client", "worker-1"), file);
  }
});

test("what is no input is refused in the same words", () => {
  const folder = mkdtempSync(join(tmpdir(), "emq-bad-"));
  try {
    const bad = {
      "empty.json": "{}",
      "half.json": '{"format":"emq-capture/1",\n "even',
      "long.txt": `hello${" ".repeat(70_000)}`,
      "version.json": '{"format":"emq-capture/2","events":[]}',
      "report.json": '{"format":"emq-report/1"}',
      "order.json": '{"format":"emq-capture/1","events":[\n{"seq":2,"origin":"client","argv":["PING"]},\n{"seq":1,"origin":"client","argv":["PING"]}]}',
      "reply.json": '{"format":"emq-capture/1","events":[],\n"reads":[{"argv":["GET","k"],"reply":1.5}]}',
      "notes.txt": "hello\n",
      "packed.gz": Buffer.from([0x1f, 0x8b, 8, 0]),
    };
    for (const [name, content] of Object.entries(bad)) {
      const file = join(folder, name);
      writeFileSync(file, content);
      const expected = native(file);
      assert.ok(expected.error, `${name} was taken: ${expected.report}`);
      let actual;
      try {
        judge(readFileSync(file), JSON.stringify({ source: file }));
      } catch (error) {
        actual = error.message;
      }
      assert.equal(actual, expected.error);
      assert.equal(inPieces(file, 100, {})[0].error, expected.error, `${name}, in pieces`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a capture that is cut short gets the same report", () => {
  const folder = mkdtempSync(join(tmpdir(), "emq-cut-"));
  try {
    const whole = readFileSync(join(top, "fixtures/captures/payments.json"));
    for (const part of [0.5, 0.8, 0.9]) {
      const file = join(folder, `cut-${part}.json`);
      writeFileSync(file, whole.subarray(0, whole.length * part));
      const expected = native(file);
      assert.match(expected.report ?? "", /cut short/, `nothing is read of the first ${part}`);
      assert.equal(judge(readFileSync(file), JSON.stringify({ source: file })), expected.report);
      assert.equal(inPieces(file, 777, {})[0].report, expected.report);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the page's wasm does nothing where there is no page", async () => {
  for (const name of ["emq-page", "emq-lesson"]) await loadWasm(name);
});
