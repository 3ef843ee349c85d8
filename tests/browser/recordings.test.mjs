// What other runtimes did, as recorded, in the conformance figure.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { top } from "../wasm/dist.mjs";
import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { CAPTURES, IDS, allCome, figure } from "./support/figure.mjs";

useBrowser();

/** The report that lies beside each recording. */
const REPORTS = {
  "BullMQ 5.65.1, prefix bull": "bullmq-5.65.1-bull.capture.strict",
  "BullMQ 5.65.1, prefix emq": "bullmq-5.65.1-emq.capture.strict",
  "EchoMQ 2.4.2, strict": "echomq-2.4.2-roundtrip.monitor.strict",
  "EchoMQ 2.4.2, slot-rooted": "echomq-2.4.2-roundtrip.monitor.slot-rooted",
};

test("verdict, sentence and evidence of each recording are those of the report beside it", () =>
  withPage(async (page) => {
    const { root, select, assertion, details } = figure(page);
    await allCome(page);
    for (const [label, file] of Object.entries(REPORTS)) {
      await select("capture").selectOption({ label });
      const report = JSON.parse(readFileSync(join(top, `fixtures/recordings/${file}.report.json`)));
      assert.equal(await root.locator(".emq-assertions .emq-pane-head .emq-id").textContent(), `${report.profile} · ${report.policy}`);
      for (const { id, verdict, summary, evidence } of report.assertions) {
        if ((await assertion(id).getAttribute("aria-expanded")) === "false") await assertion(id).click();
        assert.equal(await assertion(id).locator(".emq-sentence").textContent(), `${verdict} · ${summary}`, label);
        const shown = await details.locator(".emq-evidence > li").allTextContents();
        evidence.forEach(({ seq, line, command, why }, index) => {
          assert.ok(shown[index].startsWith(`${line ?? seq ?? "–"}${command} `), `${label}: ${shown[index]}`);
          assert.ok(shown[index].endsWith(`: ${why}`), `${label}: ${shown[index]}`);
        });
      }
    }
  }));

test("what an assertion is called is so on the wire of the recording", () =>
  withPage(async (page) => {
    const { select, assertion, details } = figure(page);
    await allCome(page);
    const wires = { "BullMQ 5.65.1, prefix bull": ["meta.version reads echomq:2.0.0", 0], "EchoMQ 2.4.2, strict": ["{emq}:version is echomq:2.x", 1] };
    for (const [label, [version, notes]] of Object.entries(wires)) {
      await select("capture").selectOption({ label });
      if ((await assertion("version").getAttribute("aria-expanded")) === "false") await assertion("version").click();
      assert.ok((await assertion("version").locator(".emq-assertion-title").textContent()).endsWith(` ${version}`), label);
      assert.ok((await details.locator("h5").textContent()).endsWith(` ${version}`), label);
      assert.equal(await details.getByText("What follows is stated of the course’s own wire, emq.1:").count(), notes, label);
    }
  }));

test("each says where it was recorded", () =>
  withPage(async (page) => {
    const { root, select } = figure(page);
    await allCome(page);
    const measured = async (label) => {
      await select("capture").selectOption({ label });
      return root.locator(".emq-measured").textContent();
    };
    const command = () => root.locator("p.emq-aside code").textContent();
    const probe = "emq-conform probe --queue payments --runtime 'node tests/testsuite/common/bullmq/round_trip.cjs'";
    const bullmq = "measured stock BullMQ 5.65.1 on valkey 8.0.1, 2026-11-29";
    assert.equal(await measured("BullMQ 5.65.1, prefix bull"), bullmq);
    assert.equal(await command(), probe);
    assert.equal(await measured("BullMQ 5.65.1, prefix emq"), bullmq);
    assert.equal(await command(), `BULLMQ_PREFIX=emq ${probe}`);
    for (const label of ["EchoMQ 2.4.2, strict", "EchoMQ 2.4.2, slot-rooted"]) {
      assert.match(await measured(label), /public recording, .*echomq:2\.4\.2 on valkey 8\.0\.1; texts of scripts removed, their source not known, 2026-11-29$/);
    }
  }));

test("by keyboard alone a recording is chosen, stepped and its evidence opened", () =>
  withPage(async (page) => {
    const { select, says, details, words } = figure(page);
    await allCome(page);
    await select("capture").focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowDown");
    await says(/^5 of 5 · declared · fail: 9 of 13 operand keys/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowRight");
    assert.deepEqual(await words(), ["pass", "pass", "pass", "fail", "not asserted"]);
    assert.match(await details.textContent(), /18HINCRBY …:job:\w+ \(write\): not in KEYS of 2319de1e/);
  }));

test("a rule is broken where that shows something, and elsewhere the list says why not", () =>
  withPage(async (page) => {
    const { select, words, says } = figure(page);
    await allCome(page);
    const options = async (label) => {
      await select("capture").selectOption({ label });
      return select("break").locator("option").evaluateAll((all) => all.map((option) => [option.label, option.disabled]));
    };
    for (const { label, fails } of CAPTURES) {
      const all = await options(label);
      IDS.forEach((id, at) => {
        const [says, disabled] = all[at + 1];
        const allowed = label.endsWith("slot-rooted") && id === "declared";
        assert.equal(disabled, fails.includes(id) || allowed, `${label}: ${says}`);
        if (disabled) assert.match(says, allowed ? /: slot-rooted allows it$/ : /: fails already$/);
      });
      for (const [at, id] of IDS.entries()) {
        if (all[at + 1][1]) continue;
        await select("break").selectOption(String(at + 1));
        assert.equal((await words())[at], "fail", `${label}: ${id}`);
      }
      await select("break").selectOption("0");
    }
    // What was broken before and shows nothing here is mended.
    await select("capture").selectOption({ label: "payments, fixed" });
    await select("break").selectOption({ label: "a wrong version" });
    await select("capture").selectOption({ label: "BullMQ 5.65.1, prefix bull" });
    assert.equal(await select("break").inputValue(), "0");
    await says(/^5 of 5 · keyspace · fail: 0 of 19 keys/);
  }));

test("one that is chosen before it is there says so, and comes by itself; nothing is asked for later", () =>
  withPage(
    async (page, { release, requests }) => {
      const { select, says, root, button } = figure(page);
      await select("capture").selectOption({ label: "BullMQ 5.65.1, prefix emq" });
      await says(/^no capture to judge · it is loading, and comes by itself$/);
      assert.match(await root.locator(".emq-capture").textContent(), /No capture to show: it is loading/);
      release();
      await says("5 of 5 · 5 fail");
      await allAlive(page);
      await page.waitForFunction(() => history.state !== null);
      const loaded = requests.length;
      for (const { label } of CAPTURES) {
        await select("capture").selectOption({ label });
        await button("Reset").click();
        for (let step = 0; step < 5; step++) await button("Step").click();
      }
      await page.waitForLoadState("networkidle");
      assert.equal(requests.length, loaded, "requests after the page was loaded");
    },
    { hold: /bullmq-|echomq-.*\.bin/ },
  ));

test("one that cannot be had says why, and the others are there", () =>
  withPage(
    async (page) => {
      const { select, says } = figure(page);
      await allCome(page);
      await select("capture").selectOption({ label: "BullMQ 5.65.1, prefix bull" });
      await says(/^no capture to judge · captures\/bullmq-bull\.bin: /);
      await select("capture").selectOption({ label: "EchoMQ 2.4.2, slot-rooted" });
      await says("5 of 5 · 5 pass");
    },
    { abort: /bullmq-bull-.*\.bin/, expected: /ERR_FAILED/ },
  ));

for (const width of [320, 360, 500, 700, 861, 1000, 1300]) {
  test(`nothing jumps and nothing is cut, whatever is chosen, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const { root, select, button, guess } = figure(page);
        await allCome(page);
        // Not the buttons, which keep to the top of the screen.
        const parts = ".emq-slots, .emq-pane, .emq-assertion, .emq-details";
        const tops = () => page.locator(".emq-figure").first().evaluate((root, parts) => [...root.querySelectorAll(parts)].map((part) => [part.className.baseVal ?? part.className, part.getBoundingClientRect().top + scrollY, part.getBoundingClientRect().width].join(" ")), parts);
        const places = (await tops()).map((line) => line.replace(/ emq-(lit|selected)/g, ""));
        const same = async (when) => {
          const now = (await tops()).map((line) => line.replace(/ emq-(lit|selected)/g, ""));
          assert.deepEqual(now.map((line, index) => near(line, places[index])), places, when);
          assert.ok(await root.evaluate((figure) => figure.scrollWidth <= figure.clientWidth), `${when}: something leaves the figure`);
        };
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        for (const { label } of CAPTURES) {
          await select("capture").selectOption({ label });
          await same(label);
          await button("Reset").click();
          for (let step = 0; step < 5; step++) {
            await guess("indeterminate").click();
            await same(`${label}, guess ${step}`);
            await button("Step").click();
            await same(`${label}, step ${step}`);
          }
          assert.ok(Math.abs((await page.evaluate(() => document.documentElement.scrollHeight)) - height) < 1.5, `${label}: the page's height changes`);
        }
      },
      { context: { viewport: { width, height: 1000 } } },
    ));
}

/** A line, as it was before where no number is another by a pixel: less is how scrolling is rounded. */
function near(line, before = "") {
  const numbers = (line) => (line.match(/\d+(\.\d+)?/g) ?? []).map(Number);
  const words = (line) => line.replace(/\d+(\.\d+)?/g, "");
  const [now, then] = [numbers(line), numbers(before)];
  return words(line) === words(before) && now.every((number, index) => Math.abs(number - then[index]) < 1) ? before : line;
}
