// How the capture bench looks: sizes, schemes, paper, and what axe-core finds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { captures } from "./support/figure.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Takes the bench through what it can say; calls `look` at each. */
async function tour(page, look) {
  const { comeNear, choose, says, drop, button } = captures(page);
  await comeNear();
  await look("as it opens");
  await choose("example", 4);
  await says(/^bullmq.* · fail/);
  await look("with all failing");
  await choose("example", 1);
  await says(/^echomq/);
  await look("with a log");
  await drop("hello.txt", "hello ".repeat(100));
  await says(/^cannot read hello\.txt/);
  await look("with a refusal");
  await drop(`${"n".repeat(200)}.log`, `1.000001 [0 a:1] "GET" "emq:{${"q".repeat(128)}}:${"k".repeat(500)}"\n`);
  await says(/^nnn.* · (fail|indeterminate)/);
  await look("with long names");
  await drop("none.log", "");
  await says(/^none\.log · indeterminate/);
  await look("with nothing");
  await choose("example", 0);
  await says(/^payments/);
  return button;
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        await page.evaluate(axe);
        const { root } = captures(page);
        const clean = async (when) => {
          const { violations } = await page.evaluate(() => window.axe.run("[data-figure=capture]", { resultTypes: ["violations"] }));
          assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], when);
        };
        await tour(page, clean);
        await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
        await captures(page).button("Copy markdown").click();
        await root.locator(".emq-copy textarea").waitFor();
        await clean("with a text to copy");
        assert.equal(await root.locator("[aria-live]").count(), 1);
      },
      { context: { colorScheme } },
    ));
}

for (const width of [1200, 700, 320]) {
  test(`nothing jumps and nothing scrolls sideways, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const { root } = captures(page);
        const state = () =>
          root.evaluate((figure) => {
            const parts = [...figure.querySelectorAll(".emq-own, .emq-brought, .emq-verdicts, .emq-slots, .emq-halves, .emq-repeat, .emq-copy, .emq-status")];
            return [["figure", figure.getBoundingClientRect().height], ...parts.map((part) => [part.className, part.getBoundingClientRect().top + scrollY])];
          });
        let before;
        await tour(page, async (when) => {
          const now = await state();
          before ??= now;
          now.forEach(([name, at], index) => assert.ok(Math.abs(at - before[index][1]) < 0.75, `${when}: ${name} at ${at} instead of ${before[index][1]}`));
          assert.ok((await root.evaluate((figure) => figure.getBoundingClientRect().right)) <= width, when);
          const wide = await root.evaluate((figure) =>
            [...figure.querySelectorAll("*")]
              .filter((part) => !part.closest("svg, select, textarea, .emq-hidden") && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline")
              .map((part) => `${part.tagName} ${part.className}`),
          );
          assert.deepEqual(wide, [], when);
        });
      },
      { context: { viewport: { width, height: 1000 } } },
    ));
}

test("what comes alive is what stood there: nothing moves, and the words stay", () =>
  withPage(async (page, { address }) => {
    const { comeNear, root } = captures(page);
    await comeNear();
    assert.equal(await page.evaluate(() => window.shift), 0);
    const words = (page) => page.locator("[data-figure=capture]").evaluate((place) => [...place.querySelectorAll("li, h3, option:checked, .emq-repeat, svg text, .emq-brought")].map((part) => part.textContent));
    const still = await page.context().browser().newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 1000 } });
    try {
      const other = await still.newPage();
      await other.goto(address);
      assert.deepEqual(await words(page), await words(other));
      const size = async (page) => Object.values(await page.locator("[data-figure=capture] .emq-figure").boundingBox()).slice(2);
      assert.deepEqual(await size(page), await size(other));
    } finally {
      await still.close();
    }
    assert.equal(await root.locator("[aria-live]").count(), 1);
  }));

test("on paper everything is there", () =>
  withPage(
    async (page) => {
      const { comeNear, choose, says, root } = captures(page);
      await comeNear();
      await choose("example", 4);
      await says(/^bullmq/);
      await page.emulateMedia({ media: "print" });
      const cut = await root.evaluate((figure) => [...figure.querySelectorAll(".emq-scroll, .emq-status")].filter((pane) => pane.scrollHeight > pane.clientHeight + 1).map((pane) => pane.className));
      assert.deepEqual(cut, []);
    },
    { context: { viewport: { width: 718, height: 1000 } } },
  ));

test("by keyboard alone: everything is reached in reading order, and each has a ring", () =>
  withPage(async (page) => {
    const { comeNear, select } = captures(page);
    await comeNear();
    await select("example").focus();
    const reached = [];
    for (let step = 0; step < 12; step++) {
      reached.push(
        await page.evaluate(() => {
          const { activeElement: at } = document;
          const ringed = at.type === "file" ? at.parentElement : at;
          if (getComputedStyle(ringed).outlineStyle === "none") return `no ring: ${at.outerHTML.slice(0, 80)}`;
          return at.name || at.getAttribute("aria-label") || at.labels?.[0]?.textContent.trim() || at.textContent;
        }),
      );
      await page.keyboard.press("Tab");
    }
    const order = ["example", "profile", "policy", "queue", "capture", "file", "predict first", "the five assertions", "the keys by slot", "Copy markdown", "Copy JSON", "Copy command"];
    assert.deepEqual(reached, order);
  }));
