// What goes into the page while it is built: the figures, and the captures as the page loads them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { top } from "./dist.mjs";

const recordings = join(top, "fixtures/recordings");

/** Prerenders a page with these captures, and these files in the run of the fleet, in a folder of its own; hands on what came of it. */
function prerender(captures, use, fleet = {}) {
  const folder = mkdtempSync(join(tmpdir(), "emq-prerender-"));
  try {
    mkdirSync(join(folder, "captures"));
    writeFileSync(join(folder, "index.html"), '<main><div data-figure="conformance"></div><div data-figure="fleet"></div><div data-figure="v1-flaw"></div><div data-figure="script"></div><div data-figure="capture"></div><div data-figure="practice"></div></main>');
    cpSync(join(top, "fixtures/fleet/recorded"), join(folder, "fleet"), { recursive: true });
    for (const [name, content] of Object.entries(fleet)) writeFileSync(join(folder, "fleet", name), content);
    for (const name of readdirSync(recordings)) copyFileSync(join(recordings, name), join(folder, "captures", name));
    for (const [name, content] of Object.entries(captures)) {
      const file = join(folder, "captures", `${name}.json`);
      if (content === null) copyFileSync(join(top, "fixtures/captures", `${name}.json`), file);
      else writeFileSync(file, content);
    }
    const cargo = ["run", "--locked", "--quiet", "--no-default-features", "--features", "prerender", "--bin", "emq-prerender"];
    const { status, stderr } = spawnSync("cargo", [...cargo, "--", folder, ...Object.keys(captures)], { cwd: top });
    const read = (name) => readFileSync(join(folder, name), "latin1");
    use({ status, stderr: stderr.toString(), read });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a capture taken for this build is offered beside the fixed one, and a damaged one with what is wrong", () =>
  prerender({ payments: null, latest: '{"format":"emq-capture/1",\n"events":7}' }, ({ status, stderr, read }) => {
    assert.equal(status, 0, stderr);
    assert.match(read("index.html"), /data-files="captures\/payments\.bin captures\/latest\.bin" data-later="captures\/bullmq-bull\.bin captures\/bullmq-emq\.bin captures\/echomq\.bin"/);
    assert.match(read("captures/latest.bin"), /latest\.json: line 2, column \d+: .*a list of events/);
    assert.doesNotMatch(read("captures/payments.bin"), /line/);
  }));

test("a page whose fixed capture is damaged is not built", () =>
  prerender({ payments: "{}" }, ({ status, stderr }) => {
    assert.equal(status, 1);
    assert.match(stderr, /the fixed capture cannot be shown: payments\.json: line 1, column 2: missing field/);
  }));

test("a page whose run of the fleet is damaged is not built", () =>
  prerender(
    { payments: null },
    ({ status, stderr }) => {
      assert.equal(status, 1);
      assert.match(stderr, /the recorded run of the fleet cannot be shown: plain\.json: expected/);
    },
    { "plain.json": "no" },
  ));
