// The pictures in docs/screenshots, for looking at before a change goes in: EMQ_SCREENSHOTS=1 takes them again.

import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { useBrowser, withPage } from "./support/browser.mjs";
import { allCome, captures, figure, flaw, fleet, practice, script } from "./support/figure.mjs";

const shots = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
const [light, dark, narrow] = [["light", 1200], ["dark", 1200], ["light", 320]];

/** Shows a recording after so many steps, of which the last was predicted wrongly, and the next is predicted too. */
const predicted = (label, steps) => async ({ select, button, guess }, page) => {
  await allCome(page);
  await select("capture").selectOption({ label });
  await button("Reset").click();
  for (let step = 1; step < steps; step++) await button("Step").click();
  await guess("pass").click();
  await button("Step").click();
  if (steps < 5) await guess("fail").click();
};
const broken = (label) => async ({ select }) => select("break").selectOption({ label });

const walked = (steps) => async ({ control, root }) => {
  await control("Reset").click();
  for (let step = 0; step < steps; step++) await control("Step ▶").click();
  for (const code of await root.locator(".emq-code").all()) await code.evaluate((pane) => (pane.scrollTop = 0));
};

const judged = (example) => async ({ choose, says }) => {
  await choose("example", example);
  await says(/^[^:]* · (pass|fail)/);
};

/** Shows one of the practice set once the reader said what it comes to. */
const answered = (index, word) => async ({ title, guess }) => {
  await title(index).click();
  await guess(word).click();
};

/** What is on a picture: the figure alone, or with what stands before it on the page. */
const PICTURES = [
  ["light", light, figure, async ({ assertion }) => assertion("hashtag").click()],
  ["dark", dark, figure, broken("an undeclared key")],
  ["320px", narrow, figure, broken("a second hash tag")],
  ["recording-light", light, figure, predicted("BullMQ 5.65.1, prefix bull", 2)],
  ["recording-dark", dark, figure, predicted("EchoMQ 2.4.2, strict", 4)],
  ["recording-320px", narrow, figure, predicted("BullMQ 5.65.1, prefix emq", 1)],
  ["fleet-light", light, fleet, walked(2)],
  ["fleet-dark", dark, fleet, async ({ choose }) => choose("reference", "bullmq")],
  ["fleet-320px", narrow, fleet, async ({ choose, act }) => (await choose("bullmq", "bullmq"), await act(0).click())],
  ["v1-flaw-light", light, flaw, walked(5)],
  ["v1-flaw-dark", dark, flaw, async () => {}],
  ["v1-flaw-320px", narrow, flaw, async ({ choose, says }) => (await choose("passes", 1), await choose("faster", 1), await says(/take-4\.lua · undeclared/))],
  ["script-light", light, script, async () => {}],
  ["script-dark", dark, script, async ({ choose, says }) => (await choose("example", 2), await says(/^rate-limit-1\.lua · /))],
  ["script-320px", narrow, script, async () => {}],
  ["capture-light", light, captures, judged(0)],
  ["capture-dark", dark, captures, judged(3)],
  ["capture-320px", narrow, captures, judged(1)],
  ["practice-light", light, practice, answered(1, "pass")],
  ["practice-dark", dark, practice, answered(4, "pass")],
  ["practice-320px", narrow, practice, answered(2, "fail")],
];

if (process.env.EMQ_SCREENSHOTS) {
  useBrowser();
  mkdirSync(shots, { recursive: true });
}
for (const [name, [colorScheme, width], parts, show] of process.env.EMQ_SCREENSHOTS ? PICTURES : []) {
  test(`picture: ${name}`, () =>
    withPage(
      async (page) => {
        const of = parts(page);
        await of.comeNear?.();
        await show(of, page);
        await page.mouse.move(0, 0);
        await page.evaluate(() => document.activeElement.blur());
        // As high as the page, so that no bar sticks over what it belongs under.
        await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
        const { x, y, height, bottom, ...box } = await of.root.evaluate((root) => root.getBoundingClientRect().toJSON());
        // The first figure stands below the page's own beginning.
        const clip = parts === figure ? { x: 0, y: 0, width, height: bottom + 6 } : { x, y, width: box.width, height };
        await page.screenshot({ path: `${shots}${name}.png`, clip });
      },
      { context: { colorScheme, viewport: { width, height: 1000 }, reducedMotion: "reduce" } },
    ));
}
