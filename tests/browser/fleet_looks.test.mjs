// How the fleet looks: sizes, schemes, paper, and what axe-core finds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { fleet } from "./support/figure.mjs";
import { ROOTS, fitsEveryWidth } from "./support/fits.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PAIRS = [["reference", "reference"], ["bullmq", "bullmq"], ["reference", "bullmq"], ["node-iovalkey", "reference"], ["echomq-go", "echomq-node"]];

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { comeNear, choose, control, act } = fleet(page);
        await comeNear();
        // Through the driver: the page's policy lets nothing be added to it.
        await page.evaluate(axe);
        const findings = async () => {
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
        };
        assert.deepEqual(await findings(), [], "as it opens");
        await control("Reset").click();
        assert.deepEqual(await findings(), [], "with nothing stepped");
        for (const [producer, consumer] of PAIRS.slice(1)) {
          await choose(producer, consumer);
          assert.deepEqual(await findings(), [], `${producer} → ${consumer}`);
        }
        await choose("bullmq", "bullmq");
        await act(1).click();
        assert.deepEqual(await findings(), [], "with a phase of BullMQ");
      },
      { context: { colorScheme } },
    ));
}

for (const width of [1280, 1000, 900, 700, 480, 320]) {
  test(`nothing jumps, whatever the reader does, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const { comeNear, root, control, choose } = fleet(page);
        await comeNear();
        const state = () =>
          root.evaluate((figure) => {
            const parts = [...figure.querySelectorAll(".emq-keyspace, .emq-act, .emq-matrix, .emq-details, .emq-roster, .emq-seam")];
            return [figure.getBoundingClientRect().height, ...parts.map((part) => part.getBoundingClientRect().top + scrollY)];
          });
        const before = await state();
        // Less than a pixel is how the page's scrolling is rounded.
        const same = async (when) =>
          (await state()).forEach((now, at) => assert.ok(Math.abs(now - before[at]) < 0.75, `${when}: ${now} instead of ${before[at]}, part ${at}`));
        for (const [producer, consumer] of PAIRS) {
          await choose(producer, consumer);
          await same(`${producer} → ${consumer}`);
          if (producer.startsWith("echomq")) continue;
          await control("Reset").click();
          await same("reset");
          for (let step = 0; step < 4; step++) {
            await control("Step ▶").click();
            await same(`${producer} → ${consumer}, step ${step + 1}`);
          }
        }
      },
      { context: { viewport: { width, height: 1000 } } },
    ));
}

test("320 pixels are enough, and nothing in it scrolls sideways", () =>
  withPage(
    async (page) => {
      const { comeNear, root, choose, act, control } = fleet(page);
      await comeNear();
      for (const [producer, consumer] of PAIRS) {
        await choose(producer, consumer);
        if (!producer.startsWith("echomq")) await act(1).click();
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
        const wide = await root.evaluate((figure) =>
          [figure, ...figure.querySelectorAll("*")]
            .filter((part) => !part.closest("svg, select, .emq-hidden") && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline")
            .map((part) => `${part.tagName} ${part.className}`),
        );
        assert.deepEqual(wide, [], `${producer} → ${consumer}`);
      }
      await root.locator(".emq-roster").scrollIntoViewIfNeeded();
      const { y, height } = await control("Step ▶").boundingBox();
      assert.ok(y >= -0.5 && y + height <= 700, "the controls are out of reach");
    },
    { context: { viewport: { width: 320, height: 700 } } },
  ));

for (const root of ROOTS) {
  test(`it fits at every width, root font ${root} pixels`, () =>
    withPage(async (page) => {
      const { comeNear, choose, act, root: figure } = fleet(page);
      await comeNear();
      await choose("bullmq", "bullmq");
      await act(1).click();
      await fitsEveryWidth(page, figure, root, ".emq-heading *, .emq-controls *, .emq-party *, .emq-act, .emq-act *, .emq-touched *, .emq-details, .emq-roster *, .emq-seam, .emq-status", ".emq-act");
    }));
}

test("on paper everything is there", () =>
  withPage(
    async (page) => {
      const { comeNear, choose, root } = fleet(page);
      await comeNear();
      await choose("bullmq", "bullmq");
      await page.emulateMedia({ media: "print" });
      const cut = await root.evaluate((figure) => [...figure.querySelectorAll(".emq-pane, .emq-scroll")].filter((pane) => pane.scrollHeight > pane.clientHeight + 1).map((pane) => pane.className));
      assert.deepEqual(cut, []);
    },
    { context: { viewport: { width: 718, height: 1000 } } },
  ));
