// Whatever way a reader takes through the figure, some things always hold.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, useBrowser, withPage } from "./support/browser.mjs";
import { figure } from "./support/figure.mjs";

useBrowser();

/** Numbers that look like chance and are the same each time. */
function* chance(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const KEYS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "a", "r", "Enter", "Escape", "Tab", "Shift+Tab"];
const CLICKED = [".emq-assertion", ".emq-line", ".emq-details button", ".emq-missing", ".emq-button"];

for (const seed of [1, 2, 3]) {
  test(`the lists, the focus and the details follow, way ${seed}`, () =>
    withPage(async (page) => {
      const { select, root } = figure(page);
      const numbers = chance(seed);
      const pick = (things) => things[Math.floor(numbers.next().value * things.length)];
      const subject = () => page.evaluate(() => {
        const details = document.querySelector(".emq-details");
        const [about] = details.children;
        const [asserted] = document.querySelector("[role=status]").textContent.split(" · ");
        const heading = about.tagName === "H5" ? about.textContent : "";
        return { about: [about.className, heading, asserted, document.querySelector("select[name=break]").value].join(" "), top: details.scrollTop };
      });
      const way = [];
      await root.focus();
      for (let step = 0; step < 150; step++) {
        // The lists keep keys for themselves, so a way that is in one is led on.
        if (await page.evaluate(() => !document.activeElement.closest("[data-figure=conformance]"))) await root.focus();
        await page.evaluate(() => (document.querySelector(".emq-details").scrollTop = 1e6));
        const before = await subject();
        const kind = numbers.next().value;
        let did;
        if (kind < 0.55) {
          did = pick(KEYS);
          await page.keyboard.press(did);
        } else if (kind < 0.75) {
          // What the capture breaks already cannot be chosen.
          did = `break: ${pick(await select("break").locator("option:enabled").allTextContents())}`;
          await select("break").selectOption({ label: did.slice(7) });
        } else {
          did = pick(CLICKED);
          const all = await root.locator(did).all();
          // A button that is of no use now can be clicked too.
          if (all.length > 0) await pick(all).click({ force: true });
        }
        way.push(did);
        await settled(page);
        const so = () => `after ${way.slice(-6).join(", ")} (step ${step})`;
        const said = await root.locator("[role=status]").textContent();
        const changed = said.match(/changed: ([^·]*?)(?:, (?:not )?caught|, nothing can| ·)/)?.[1] ?? "none";
        const chosen = await select("break").evaluate((list) => list.selectedOptions[0].label);
        const pointed = / · (line \d+|what was read aside): /.test(said);
        if (!pointed) assert.equal(chosen, changed, `the list says another rule than the status line ${so()}: ${said}`);
        const measured = await root.locator(".emq-measured").textContent();
        assert.equal(measured.includes("changed"), chosen !== "none", `${measured} ${so()}`);
        if (!did.endsWith("Tab")) {
          assert.ok(await page.evaluate(() => document.activeElement.closest("[data-figure=conformance]") !== null), `the focus is lost ${so()}`);
        }
        const after = await subject();
        if (after.about !== before.about) assert.equal(after.top, 0, `the details do not start at their top ${so()}`);
      }
    }));
}

test("no key that takes away what has the focus takes the focus away", () =>
  withPage(async (page) => {
    const { assertion, details, select, root, button } = figure(page);
    for (const key of ["Escape", "r", "a", "ArrowRight", "ArrowLeft", "Home", "End"]) {
      await select("break").selectOption({ label: "an undeclared key" });
      await button("Assert all").click();
      await assertion("keyspace").click();
      await details.locator("button.emq-place").last().focus();
      await page.keyboard.press(key);
      await page.waitForFunction(() => document.activeElement.matches(".emq-assertion, .emq-figure"), null, { timeout: 5000 });
      await select("break").selectOption({ label: "an undeclared key" });
      await root.locator(".emq-missing").last().focus();
      await page.keyboard.press(key);
      assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY", `${key} on a key that is not in KEYS`);
    }
    await assertion("declared").focus();
    await page.keyboard.press("Enter");
    await details.locator("button.emq-place").first().focus();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement.id === "emq-assertion-declared");
  }));
