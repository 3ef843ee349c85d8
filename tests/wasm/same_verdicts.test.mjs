// One core, two builds: for every fixture, the page's wasm gives the report of the command line, byte for byte, and for
// what is no input at all the same words. It hears the trace: the analysis of scripts needs more stack than a page has.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";

import { commandLine, filesBelow, loadWasm, top } from "./dist.mjs";

let program, judge;

before(async () => {
  program = commandLine();
  ({ judge } = await loadWasm("emq-judge"));
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
    return { report: judge(readFileSync(join(top, file)), JSON.stringify({ source: file, ...options })) };
  } catch (error) {
    return { error: error.message };
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
      "half.json": '{"format":"emq-capture/1",\n "events":[{"seq":1,',
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
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the page's wasm does nothing where there is no page", async () => {
  for (const name of ["emq-page", "emq-lesson"]) await loadWasm(name);
});
