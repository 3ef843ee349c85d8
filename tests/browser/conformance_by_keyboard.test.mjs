// The conformance figure by keyboard alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, useBrowser, withPage } from "./support/browser.mjs";
import { BREAKS, IDS, figure } from "./support/figure.mjs";

useBrowser();

/** Presses Tab until the element that matches has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

test("Tab reaches the figure, and the arrows step through all five", () =>
  withPage(async (page) => {
    const { status, says, words, lit, details } = figure(page);
    await says("5 of 5 · 5 pass");
    await tabTo(page, ".emq-figure");
    for (const [index, id] of IDS.entries()) {
      await page.keyboard.press("ArrowRight");
      const text = await status.textContent();
      assert.match(text, new RegExp(`^${index + 1} of 5 · ${id} · pass: .*\\d`), text);
      const expected = IDS.map((_, at) => (at <= index ? "pass" : "not asserted"));
      assert.deepEqual(await words(), expected);
      assert.ok((await lit.count()) > 0, `${id} lights nothing in the capture`);
      assert.match(await details.textContent(), /holds/);
    }
    await page.keyboard.press("ArrowRight");
    await says(/^5 of 5 · version/);
    await page.keyboard.press("ArrowLeft");
    await says(/^4 of 5 · declared/);
    await page.keyboard.press("Home");
    await says(/^1 of 5 · keyspace/);
    await page.keyboard.press("End");
    await says(/^5 of 5 · version/);
    await page.keyboard.press("r");
    await says("0 of 5 · nothing asserted yet");
    assert.deepEqual(await words(), Array(5).fill("not asserted"));
    await page.keyboard.press("a");
    await says("5 of 5 · 5 pass");
  }));

test("with a modifier the keys are the browser's", () =>
  withPage(async (page) => {
    const { status, says, line } = figure(page);
    await tabTo(page, ".emq-figure");
    const before = await status.textContent();
    for (const modifier of ["Shift", "Control", "Alt", "Meta"]) {
      for (const key of modifier === "Shift" ? ["ArrowRight", "ArrowLeft", "Home", "End", "Enter"] : ["a", "ArrowRight", "End"]) {
        // Back in the browser's history is not what is looked at here.
        if (modifier === "Alt" && key.startsWith("Arrow")) continue;
        await page.keyboard.press(`${modifier}+${key}`);
        await settled(page);
        await says(before, `${modifier}+${key}`);
      }
    }
    // Nor do they move the focus from a line.
    await line(2).focus();
    for (const key of ["Control+End", "Control+Home", "Shift+ArrowDown", "Meta+ArrowUp", "Alt+ArrowDown"]) {
      await page.keyboard.press(key);
      await settled(page);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "event-2", key);
    }
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "event-3");
    await page.keyboard.press("Shift+R");
    await says(/^0 of 5/);
  }));

test("Enter opens evidence and Esc closes it", () =>
  withPage(async (page) => {
    const { details, lit } = figure(page);
    await tabTo(page, ".emq-figure");
    await page.keyboard.press("Home");
    await page.keyboard.press("Escape");
    assert.equal(await lit.count(), 0);
    assert.doesNotMatch(await details.textContent(), /lies in/);
    await page.keyboard.press("Enter");
    assert.match(await details.textContent(), /lies in emq:{payments}:/);
    assert.ok((await lit.count()) > 0);
    await page.keyboard.press("Escape");
    assert.equal(await lit.count(), 0);
  }));

test("an assertion, a piece of its evidence and a line of the capture are reached and opened", () =>
  withPage(async (page) => {
    const { assertion, details, says, root } = figure(page);
    await tabTo(page, "#emq-assertion-declared");
    await page.keyboard.press("Enter");
    assert.equal(await assertion("declared").getAttribute("aria-expanded"), "true");
    await tabTo(page, ".emq-details .emq-place");
    await page.keyboard.press("Enter");
    assert.equal(await root.locator(".emq-line.emq-selected").count(), 1);
    await page.keyboard.press("Escape");

    await page.locator("h1").click();
    await tabTo(page, ".emq-line");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.line), "3");
    await page.keyboard.press("Enter");
    await says(/line \d+ is evidence for .*keyspace/);
    assert.match(await details.textContent(), /is evidence for/);
    assert.ok((await root.locator(".emq-assertion.emq-lit").count()) > 0);
  }));

test("in the capture, Home and End go to its first and its last line, and step nothing", () =>
  withPage(async (page) => {
    const { status, says, root, inSight } = figure(page);
    await tabTo(page, ".emq-line");
    const before = await status.textContent();
    const last = (await root.locator(".emq-line").count()) - 1;
    for (const [key, line] of [["End", last], ["Home", 0], ["ArrowDown", 1], ["End", last], ["ArrowDown", last], ["ArrowUp", last - 1]]) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.line), `${line}`, key);
      assert.ok(await inSight(page.locator(":focus")), `${key}: the line is out of sight`);
    }
    await says(before);
  }));

test("every rule can be broken, and the assertion meant catches it", () =>
  withPage(async (page) => {
    const { status, says, assertion, details, words } = figure(page);
    await tabTo(page, "select[name=break]");
    for (const { title, opens, fails } of BREAKS) {
      await page.keyboard.press("ArrowDown");
      const text = await status.textContent();
      assert.ok(text.includes(`changed: ${title}`), text);
      const expected = IDS.map((id) => (fails.length === 0 ? "indeterminate" : fails.includes(id) ? "fail" : "pass"));
      assert.deepEqual(await words(), expected, title);
      if (fails.length > 0) {
        assert.ok(text.includes(`caught by ${fails.join(", ")}`), text);
        assert.match(await details.textContent(), /To mend it:/);
      } else {
        assert.match(text, /nothing can be told/);
        assert.match(await details.textContent(), /To settle it:/);
      }
      assert.equal(await assertion(opens).getAttribute("aria-expanded"), "true");
      assert.doesNotMatch(await details.textContent(), /`/);
    }
    await page.keyboard.press("Home");
    await says("5 of 5 · 5 pass");
  }));

test("what the buttons say is said once, in a polite region", () =>
  withPage(async (page) => {
    const { root, status, says } = figure(page);
    assert.equal(await root.locator("[aria-live], [role=status], [role=alert]").count(), 1);
    assert.equal(await status.getAttribute("aria-live"), "polite");
    await page.evaluate(() => {
      window.said = [];
      const region = document.querySelector("[role=status]");
      new MutationObserver(() => window.said.push(region.textContent)).observe(region, { subtree: true, childList: true, characterData: true });
    });
    await tabTo(page, ".emq-figure");
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press("ArrowRight");
      await says(new RegExp(`^${step + 1} of `));
      await settled(page);
    }
    assert.equal((await page.evaluate(() => window.said)).length, 3);
  }));

for (const [width, height] of [[900, 600], [900, 800], [1200, 700], [360, 740]]) {
  test(`what has the focus is not under the bars, ${width} by ${height}`, () =>
    withPage(
      async (page) => {
        const { line } = figure(page);
        await line(1).focus();
        const keys = [...Array(24).fill("ArrowDown"), ...Array(24).fill("ArrowUp")];
        for (const [presses, key] of keys.entries()) {
          await page.keyboard.press(key);
          const covered = await page.evaluate(() => {
            const { left, top, bottom, width } = document.activeElement.getBoundingClientRect();
            const at = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
            return !document.activeElement.contains(at) && (at?.className ?? "out of sight");
          });
          assert.equal(covered, false, `after ${presses + 1} presses`);
        }
      },
      { context: { viewport: { width, height } } },
    ));
}
