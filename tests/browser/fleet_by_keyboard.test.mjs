// The fleet by keyboard alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, useBrowser, withPage } from "./support/browser.mjs";
import { fleet } from "./support/figure.mjs";

useBrowser();

/** Presses Tab until the element that matches has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

const FIGURE = "[data-figure=fleet] .emq-figure";

/** Goes down the page by Tab alone until the fleet has come alive and has the focus. */
async function arrive(page) {
  await tabTo(page, "[data-figure=conformance] .emq-details");
  await fleet(page).root.locator(".emq-button:enabled").first().waitFor();
  await tabTo(page, FIGURE);
}

test("the focus that comes near brings it to life, and the arrows step its four phases", () =>
  withPage(async (page) => {
    const { says, phases, lit, keys, details } = fleet(page);
    await arrive(page);
    await says(/^4 of 4 · reference → node-iovalkey · pass: 13 payloads crossed/);
    const words = ["add: pass: row emq:{fleet}:", "take: pass: job ", "complete: pass: once, by event ", "take again: pass: no job waits"];
    let before = 0;
    for (const [index, word] of words.entries()) {
      await page.keyboard.press("ArrowRight");
      await says(new RegExp(`^${index + 1} of 4 · reference → node-iovalkey · ${word}`));
      assert.deepEqual(await phases(), [0, 1, 2, 3].map((at) => (at <= index ? "pass" : "not stepped")));
      assert.ok((await lit.count()) > 0, `${word} lights no key`);
      assert.ok((await keys.count()) >= before, "keys are lost");
      before = await keys.count();
      assert.match(await details.textContent(), /its commands, as recorded\d+/);
    }
    await page.keyboard.press("ArrowRight");
    await says(/^4 of 4 .* take again/);
    await page.keyboard.press("ArrowLeft");
    await says(/^3 of 4 .* complete/);
    await page.keyboard.press("Home");
    await says(/^1 of 4 .* add/);
    await page.keyboard.press("End");
    await says(/^4 of 4 .* take again/);
    await page.keyboard.press("r");
    await says("0 of 4 · reference → node-iovalkey · nothing stepped yet");
    assert.equal(await keys.count(), 0);
    await page.keyboard.press("a");
    await says(/^4 of 4 .* pass: 13 payloads/);
    await page.keyboard.press("Enter");
    assert.match(await details.textContent(), /^1 · add/);
    await page.keyboard.press("Escape");
    assert.match(await details.textContent(), /the five assertions/);
    await page.keyboard.press("s");
    await says(/node-iovalkey → reference · pass/);
  }));

test("who comes by Tab before it is alive comes to its beginning, stays there, and goes on to all that is in it", () =>
  withPage(
    async (page, { release }) => {
      const { root } = fleet(page);
      const has = (selector) => page.evaluate((wanted) => document.activeElement.matches(wanted), selector);
      // What comes last before it is the link below the figure before.
      await page.locator("[data-figure=fleet]").evaluate((place) => {
        const before = [...document.querySelectorAll(".emq-link a")].filter((link) => link.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
        before.at(-1).focus();
      });
      await page.keyboard.press("Tab");
      assert.ok(await has(FIGURE), await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80)));
      release();
      await root.locator(".emq-button:enabled").first().waitFor();
      await page.waitForFunction((wanted) => document.activeElement.matches(wanted), FIGURE);
      for (const next of ["select[name=producer]", "select[name=consumer]", ".emq-button"]) {
        await page.keyboard.press("Tab");
        assert.ok(await has(`${FIGURE} ${next}`), next);
      }
    },
    { hold: "**/emq-lesson*.wasm" },
  ));

test("with a modifier the keys are the browser's", () =>
  withPage(async (page) => {
    const { says, status } = fleet(page);
    await arrive(page);
    const before = await status.textContent();
    for (const key of ["Shift+ArrowRight", "Control+ArrowRight", "Alt+Enter"]) {
      await page.keyboard.press(key);
      await settled(page);
      await says(before, key);
    }
  }));

test("Tab reaches one cell of the matrix, and the arrows all others", () =>
  withPage(async (page) => {
    const { says, root } = fleet(page);
    await arrive(page);
    await tabTo(page, ".emq-cell");
    const here = () => page.evaluate(() => document.activeElement.dataset.cell);
    assert.equal(await here(), "0-1");
    for (const [key, cell] of [["ArrowDown", "1-1"], ["ArrowDown", "2-1"], ["ArrowRight", "2-2"], ["ArrowLeft", "2-1"], ["ArrowUp", "1-1"]]) {
      await page.keyboard.press(key);
      assert.equal(await here(), cell, key);
    }
    // Nothing is stepped or chosen by moving.
    await says(/^4 of 4 · reference → node-iovalkey/);
    for (let press = 0; press < 8; press++) await page.keyboard.press("ArrowDown");
    assert.equal(await here(), "5-1");
    // Nor where there is none further.
    for (let press = 0; press < 8; press++) await page.keyboard.press("ArrowLeft");
    assert.equal(await here(), "5-0");
    await says(/^4 of 4 · reference → node-iovalkey/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await says(/^echomq-node → node-iovalkey · not-run: nothing to run: echomq-node: proposed/);
    assert.equal(await here(), "5-1");
    assert.equal(await root.locator(".emq-cell[tabindex='0']").count(), 1);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
    await says(/bullmq → node-iovalkey · fail/);
  }));

test("both lists choose, and a pair that did not meet is no way to walk", () =>
  withPage(async (page) => {
    const { says, phases, control, keys } = fleet(page);
    await arrive(page);
    await tabTo(page, "select[name=consumer]");
    for (let press = 0; press < 2; press++) await page.keyboard.press("ArrowDown");
    await says(/^reference → echomq-elixir · not-run: nothing to run: echomq-elixir: claims v2, not verified here$/);
    assert.deepEqual(await phases(), Array(4).fill("nothing ran"));
    assert.equal(await keys.count(), 0);
    for (const name of ["◀ Back", "Step ▶", "All", "Reset"]) {
      assert.equal(await control(name).getAttribute("aria-disabled"), "true", name);
    }
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Escape");
    await says(/^reference → echomq-elixir/);
  }));

test("what is done is said once, in a polite region", () =>
  withPage(async (page) => {
    const { root, status, says } = fleet(page);
    await arrive(page);
    assert.equal(await root.locator("[aria-live], [role=status], [role=alert]").count(), 1);
    assert.equal(await status.getAttribute("aria-live"), "polite");
    await status.evaluate((region) => {
      window.said = [];
      new MutationObserver(() => window.said.push(region.textContent)).observe(region, { subtree: true, childList: true, characterData: true });
    });
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press("ArrowRight");
      await says(new RegExp(`^${step + 1} of `));
      await settled(page);
    }
    assert.equal((await page.evaluate(() => window.said)).length, 3);
  }));

test("the focus can be seen wherever Tab brings it", () =>
  withPage(async (page) => {
    await arrive(page);
    for (let presses = 0; presses < 16; presses++) {
      await page.keyboard.press("Tab");
      const [inside, style, width, name] = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return [document.activeElement.closest("[data-figure=fleet]") !== null, outlineStyle, parseFloat(outlineWidth), document.activeElement.className];
      });
      if (inside) assert.ok(style !== "none" && width >= 2, `${name} has no ring`);
    }
  }));
