// Many figures on one page, and figures that come and go.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";
import { CYCLES, NO_COMPILERS, leavesNothing } from "./support/cycles.mjs";

useBrowser(NO_COMPILERS);

const KINDS = ["conformance", "fleet", "v1-flaw", "script", "capture"];

test("thirty figures of all kinds share one wasm instance of each program, and each file is asked for once", () =>
  withPage(KINDS.map((kind) => `<emq-${kind} loading="eager"></emq-${kind}>`.repeat(kind === "conformance" ? 10 : 5)).join(""), async (page, { requests }) => {
    await hears(page, "emq-ready", 30);
    const wasm = requests.filter((url) => /\.wasm$/.test(url)).map((url) => url.split("/").pop().replace(/^emq-[\d.]+\d/, ""));
    assert.deepEqual(wasm.sort(), ["-analyzer.wasm", "-capture.wasm", "-fleet.wasm", "-further.wasm", "-judge.wasm", ".wasm"]);
    assert.equal(await page.evaluate(() => window.instances), 4, "one for the v1 flaws and the script benches, one for each other kind");
    assert.equal(new Set(requests).size, requests.length, "a file was asked for twice");
    // Each is worked for itself.
    const figures = page.locator("emq-conformance");
    await figures.nth(3).getByRole("button", { name: "Step ▶" }).click();
    await hears(page, "emq-step");
    const said = await figures.locator("[role=status]").allTextContents();
    assert.deepEqual(said.map((words) => words.slice(0, 6)).filter((words) => words !== "5 of 5"), ["1 of 5"]);
    // By keys too, though all have the same names inside.
    await figures.nth(7).locator(".emq-figure").focus();
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.querySelectorAll("emq-conformance")[7].state === "step:0");
    assert.equal((await heard(page, "emq-error")).length, 0);
  }));

test("a figure that is moved goes on as it was, and one that is put back starts again", () =>
  withPage('<div id="a"><emq-conformance loading="eager"></emq-conformance></div><div id="b"></div>', async (page) => {
    await hears(page, "emq-ready");
    await page.evaluate(async () => {
      const element = document.querySelector("emq-conformance");
      await element.step();
      document.querySelector("#b").append(element);
      await new Promise((passed) => setTimeout(passed, 50));
    });
    assert.match(await page.locator("#b emq-conformance").locator("[role=status]").textContent(), /^1 of 5/);
    assert.equal((await heard(page, "emq-ready")).length, 1);
    await page.locator("#b emq-conformance").getByRole("button", { name: "Step ▶" }).click();
    await page.waitForFunction(() => document.querySelector("emq-conformance").state === "step:2,show:hashtag");
    await page.evaluate(async () => {
      window.kept = document.querySelector("emq-conformance");
      window.kept.remove();
      await new Promise((passed) => setTimeout(passed, 50));
      document.body.append(window.kept);
    });
    await hears(page, "emq-ready", 2);
    assert.match(await page.locator("emq-conformance").locator("[role=status]").textContent(), /^5 of 5/);
  }));

for (const kind of ["conformance", "fleet"]) test(`${CYCLES} of ${kind} that came and went leave nothing behind`, () => leavesNothing(kind, CYCLES));
