// The page's colours: the system's, or those that a reader or a link chooses; on paper always for paper.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { figure } from "./support/figure.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const COLOURS = { light: ["rgb(255, 253, 248)", "rgb(29, 36, 51)"], dark: ["rgb(14, 23, 40)", "rgb(241, 233, 216)"] };
const colours = (page) => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".emq-assertion")).color]);
const kept = (page, hash) => page.waitForFunction((hash) => location.hash === hash, hash, { timeout: 10_000 });

for (const system of ["light", "dark"]) {
  test(`the system's colours until a reader chooses others, by keyboard, ${system}`, () =>
    withPage(
      async (page) => {
        const other = system === "light" ? "dark" : "light";
        await allAlive(page);
        await page.waitForFunction(() => history.state !== null);
        assert.deepEqual(await colours(page), COLOURS[system]);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.value), "system");
        assert.equal(await page.getByRole("radio", { name: "system" }).isChecked(), true);
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        if (other === "light") await page.keyboard.press("ArrowLeft");
        await kept(page, `#v1;theme=${other}`);
        assert.equal(await page.getByRole("radio", { name: other }).isChecked(), true);
        assert.deepEqual(await colours(page), COLOURS[other]);
        // The step does not take the colours along, and Back does not take them away.
        await figure(page).button("Step").click();
        await kept(page, `#v1;conformance=step:1,show:keyspace;theme=${other}`);
        await page.goBack();
        await figure(page).says("5 of 5 · 5 pass");
        assert.deepEqual(await colours(page), COLOURS[other]);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), []);
        await page.emulateMedia({ media: "print", colorScheme: system });
        assert.equal((await colours(page))[1], COLOURS.light[1]);
        await page.emulateMedia({ media: "screen", colorScheme: system });
        await page.getByRole("radio", { name: "system" }).check();
        assert.deepEqual(await colours(page), COLOURS[system]);
        await page.emulateMedia({ colorScheme: other });
        assert.deepEqual(await colours(page), COLOURS[other], "the system changes, and the page with it");
        assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
      },
      { context: { colorScheme: system } },
    ));

  test(`a link's colours are there before anything is drawn, on a system that is ${system}`, () =>
    withPage(
      async (page, { release }) => {
        const other = system === "light" ? "dark" : "light";
        // No program of the page has come yet.
        await page.waitForFunction(() => document.querySelector("#references"));
        assert.deepEqual(await colours(page), COLOURS[other]);
        release();
        await page.waitForFunction((other) => document.querySelector(`[value=${other}]`).checked, other);
        assert.deepEqual(await colours(page), COLOURS[other]);
        assert.equal(await page.locator("#note").textContent(), "");
      },
      { context: { colorScheme: system }, hold: "**/{emq,address}-*.js", alive: false, at: `#v1;conformance=step:1;theme=${system === "light" ? "dark" : "light"}` },
    ));

  test(`without JavaScript the choice works all the same, ${system}`, () =>
    withPage(
      async (page) => {
        const look = async () => COLOURS.dark[0] === (await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor));
        assert.equal(await look(), system === "dark");
        await page.getByRole("radio", { name: "dark" }).check();
        assert.equal(await look(), true);
        await page.getByRole("radio", { name: "light" }).check();
        assert.equal(await look(), false);
      },
      { context: { colorScheme: system, javaScriptEnabled: false }, alive: false },
    ));
}

test("an author's data-theme on one figure is that figure's", () =>
  withPage(
    async (page) => {
      await page.locator("[data-figure=conformance]").evaluate((place) => (place.dataset.theme = "dark"));
      const [body, figure] = await page.evaluate(() => [document.body, document.querySelector(".emq-figure")].map((part) => getComputedStyle(part).backgroundColor));
      assert.deepEqual([body, figure], [COLOURS.light[0], "rgb(19, 31, 53)"]);
    },
    { context: { colorScheme: "light" } },
  ));
