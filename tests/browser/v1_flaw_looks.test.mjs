// How the v1 flaw looks: sizes, schemes, paper, and what axe-core finds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { flaw } from "./support/figure.mjs";
import { ROOTS, fitsEveryWidth } from "./support/fits.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCRIPTS = ["take-2", "take-4", "passed-4", "claim-4"];

/** Every call, each once its script is analysed. */
async function everyCall({ choose, says }, use) {
  for (const [passes, name] of SCRIPTS.entries()) {
    await choose("passes", passes);
    await says(new RegExp(`${name}\\.lua · `));
    for (const names of [0, 1, 2]) {
      for (const faster of [0, 1]) {
        await choose("names", names);
        await choose("faster", faster);
        await use(`${name}, names ${names}, faster ${faster}`);
      }
    }
  }
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { comeNear, choose, says, control } = flaw(page);
        await comeNear();
        // Through the driver: the page's policy lets nothing be added to it.
        await page.evaluate(axe);
        const clean = async (when) => {
          const { violations } = await page.evaluate(() => window.axe.run("#v1-flaw", { resultTypes: ["violations"] }));
          assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], when);
        };
        await clean("as it opens");
        await control("Reset").click();
        await clean("with nothing stepped");
        for (let step = 0; step < 5; step++) await control("Step ▶").click();
        await clean("in the middle");
        await choose("passes", 3);
        await says(/claim-4\.lua · declared/);
        await clean("with v2's script");
      },
      { context: { colorScheme } },
    ));
}

for (const width of [1280, 1000, 900, 700, 480, 320]) {
  test(`nothing jumps, whatever the reader does, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const parts = flaw(page);
        const { comeNear, root, control } = parts;
        await comeNear();
        const state = () =>
          root.evaluate((figure) => {
            const parts = [...figure.querySelectorAll(".emq-verdicts, .emq-halves, .emq-called, .emq-called dd, .emq-anchors > li")];
            return [figure.getBoundingClientRect().height, ...parts.map((part) => part.getBoundingClientRect().top + scrollY)];
          });
        const before = await state();
        // Less than a pixel is how the page's scrolling is rounded.
        const same = async (when) =>
          (await state()).forEach((now, at) => assert.ok(Math.abs(now - before[at]) < 0.75, `${when}: ${now} instead of ${before[at]}, part ${at}`));
        await everyCall(parts, same);
        await control("Reset").click();
        await same("reset");
        for (let step = 0; step < 12; step++) {
          if (step % 3 > 0) await control("fail").click();
          await control("Step ▶").click();
          await same(`step ${step + 1}`);
        }
      },
      { context: { viewport: { width, height: 1000 } } },
    ));
}

for (const root of ROOTS) {
  test(`it fits at every width, root font ${root} pixels`, () =>
    withPage(async (page) => {
      const { comeNear, root: figure } = flaw(page);
      await comeNear();
      await fitsEveryWidth(page, figure, root, ".emq-heading *, .emq-controls *, .emq-halves *, .emq-called *, .emq-anchors *, .emq-status");
    }));
}

test("on paper everything is there", () =>
  withPage(
    async (page) => {
      const { comeNear, root, control } = flaw(page);
      await comeNear();
      await control("Reset").click();
      await page.emulateMedia({ media: "print" });
      const cut = await root.evaluate((figure) => [...figure.querySelectorAll(".emq-scroll, .emq-told")].filter((pane) => pane.scrollHeight > pane.clientHeight + 1).map((pane) => pane.className));
      assert.deepEqual(cut, []);
      assert.equal(await flaw(page).shown(), 12, "what is not stepped yet is on paper too");
    },
    { context: { viewport: { width: 718, height: 1000 } } },
  ));

test("in forced colours the way and what is selected are seen", () =>
  withPage(
    async (page) => {
      const { comeNear, anchor, root } = flaw(page);
      await comeNear();
      await anchor(1).click();
      const bars = await root.locator(".emq-row-of-code, .emq-anchors .emq-place").evaluateAll((parts) =>
        parts.filter((part) => getComputedStyle(part).borderLeftColor !== getComputedStyle(document.body).backgroundColor).map((part) => part.classList.contains("emq-selected")),
      );
      assert.deepEqual(bars, [true, true]);
      assert.equal(await root.locator(".emq-code .emq-stop").count(), 4);
    },
    { context: { forcedColors: "active" } },
  ));
