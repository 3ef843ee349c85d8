// How the page looks and reads: sizes, schemes, motion, and what axe-core finds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { figure } from "./support/figure.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds, one line each. */
async function findings(page) {
  // Through the driver: the page's policy lets nothing be added to it.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any.concat(node.all, node.none).map((check) => check.message).join("; ")}`));
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { select, button, assertion } = figure(page);
        assert.deepEqual(await findings(page), [], "as it opens");
        await assertion("declared").click();
        assert.deepEqual(await findings(page), [], "with evidence");
        await select("break").selectOption({ label: "an undeclared key" });
        assert.deepEqual(await findings(page), [], "with a rule broken");
        await select("break").selectOption({ label: "an empty capture" });
        assert.deepEqual(await findings(page), [], "with an empty capture");
        await button("Reset").click();
        assert.deepEqual(await findings(page), [], "with nothing asserted");
      },
      { context: { colorScheme } },
    ));
}

for (const width of [1280, 1200, 1000, 900, 861, 700, 480, 320]) {
  test(`nothing jumps, whatever the reader does, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const { button, select, root, details } = figure(page);
        await allAlive(page);
        const height = () => root.evaluate((figure) => figure.getBoundingClientRect().height);
        const tops = () => page.evaluate(() => [...document.querySelectorAll(".emq-slots, .emq-scroll, .emq-assertion")].map((part) => part.getBoundingClientRect().top + scrollY));
        const [tall, places] = [await height(), await tops()];
        const same = async (when) => {
          // Less than a pixel is how the page's scrolling is rounded.
          (await tops()).forEach((top, at) => assert.ok(Math.abs(top - places[at]) < 0.75, `${when}: ${top} instead of ${places[at]}`));
          assert.ok(Math.abs((await height()) - tall) < 0.5, `${when}: ${await height()} instead of ${tall} pixels high`);
        };
        await button("Reset").click();
        await same("reset");
        for (let step = 0; step < 5; step++) {
          await button("Step").click();
          await same(`step ${step + 1}`);
        }
        for (const option of await select("break").locator("option").allTextContents()) {
          await select("break").selectOption({ label: option });
          await same(option);
          const rows = await details.locator("button.emq-place").all();
          for (const row of [...rows.slice(0, 1), ...rows.slice(-1)]) {
            await row.click();
            await same(`${option}: ${await row.textContent()}`);
          }
        }
      },
      { context: { viewport: { width, height: 1000 } } },
    ));
}

test("the page ends where its text ends", () =>
  withPage(async (page) => {
    const { select } = figure(page);
    await select("break").selectOption({ label: "an undeclared key" });
    const [page_end, text_end] = await page.evaluate(() => [document.documentElement.scrollHeight, document.querySelector("main").getBoundingClientRect().bottom + scrollY]);
    assert.ok(page_end - text_end < 1.5, `${page_end - text_end} empty pixels`);
  }));

test("320 pixels are enough", () =>
  withPage(
    async (page) => {
      const { button, select } = figure(page);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(await wide(), 320);
      for (const option of await select("break").locator("option").allTextContents()) {
        await select("break").selectOption({ label: option });
        assert.equal(await wide(), 320, option);
        const cut = await page.evaluate(() => [...document.querySelectorAll(".emq-slots text")].filter((label) => label.getBoundingClientRect().left < 0 || label.getBoundingClientRect().right > 320).map((label) => label.textContent));
        assert.deepEqual(cut, [], `${option}: labels of the strip are cut off`);
      }
      await page.evaluate(() => document.querySelector(".emq-details").scrollIntoView());
      assert.ok(await button("Step").evaluate((step) => step.getBoundingClientRect().bottom > 0), "the controls are out of reach");
    },
    { context: { viewport: { width: 320, height: 700 } } },
  ));

test("nothing moves for a reader who asks for that", () =>
  withPage(
    async (page) => {
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll("*")].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return transitionDuration.split(", ").some((time) => parseFloat(time) > 0) || animationName !== "none";
        }).length,
      );
      assert.equal(moving, 0);
    },
    { context: { reducedMotion: "reduce" } },
  ));

test("the focus can be seen", () =>
  withPage(async (page) => {
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      const [style, width] = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return [outlineStyle, parseFloat(outlineWidth)];
      });
      assert.ok(style !== "none" && width >= 2, `${await page.evaluate(() => document.activeElement.className)} has no ring`);
    }
  }));
