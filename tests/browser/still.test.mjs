// Figures that stand still, as `emq-conform figure` writes them: pictures in pages that run nothing of them, and pieces of HTML in pages of
// any colours.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { useBrowser, withBlank } from "./support/browser.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = fileURLToPath(new URL("../../fixtures/figures/", import.meta.url));
const all = (ending) => readdirSync(folder).filter((name) => name.endsWith(ending));
const read = (name) => readFileSync(folder + name, "utf8");
const GROUND = { light: [255, 255, 255], dark: [19, 31, 53] };
const PAGES = {
  white: "background: #fff; color: #222; font: 16px/1.5 sans-serif",
  navy: "background: #0e1728; color: #f1e9d8; font: 16px/1.5 serif",
  grey: "background: #1c1c1c; color: #d4d4d4; font: 18px/1.4 sans-serif",
  paper: "background: #f4ecd8; color: #3b2f20; font: 15px/1.6 serif",
};

/** What axe-core finds, one line each. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any.concat(node.all, node.none).map((check) => check.message).join("; ")}`));
}

const around = (body, style = "") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><style>body { margin: 16px; ${style} }</style></head><body><main>${body}</main></body></html>`;

for (const colorScheme of ["light", "dark"]) {
  test(`each picture is drawn in an <img>, in the reader's colours, ${colorScheme}`, () =>
    withBlank(
      async (page, { requests }) => {
        for (const name of all(".svg")) {
          const address = `data:image/svg+xml;base64,${Buffer.from(read(name)).toString("base64")}`;
          await page.setContent(around(`<img src="${address}" alt="a figure">`));
          const drawn = await page.evaluate(async () => {
            const image = document.querySelector("img");
            await image.decode();
            const { naturalWidth: width, naturalHeight: height } = image;
            const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
            pen.drawImage(image, 0, 0);
            const { data } = pen.getImageData(0, 0, width, height);
            const colours = new Set();
            for (let at = 0; at < data.length; at += 4) colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
            // Where nothing is drawn but the ground.
            const corner = [...pen.getImageData(4, 6, 1, 1).data.slice(0, 3)];
            return { width, height, corner, colours: colours.size };
          });
          const [, width, height] = /width="(\d+)" height="(\d+)" role="img"/.exec(read(name));
          assert.deepEqual([drawn.width, drawn.height], [Number(width), Number(height)], name);
          assert.deepEqual(drawn.corner, GROUND[colorScheme], name);
          assert.ok(drawn.colours > 20, `${name}: ${drawn.colours} colours`);
        }
        assert.deepEqual(requests, []);
      },
      { colorScheme },
    ));
}

test("letters of a picture fill their columns, in whatever font", () =>
  withBlank(async (page) => {
    for (const name of all(".svg")) {
      for (const family of ["monospace", "'Courier New', monospace", "serif"]) {
        await page.setContent(around(read(name), `} .emq-still.emq-still text { font-family: ${family}`));
        const wrong = await page.evaluate(() => {
          const told = [...document.querySelectorAll("svg text")].map((text) => [text.getBBox().width, text.textLength.baseVal.value, text.textContent]);
          return told.filter(([is, said, text]) => text.length > 1 && Math.abs(is - said) > 4).map((one) => one.join(" "));
        });
        assert.deepEqual(wrong, [], `${name} in ${family}`);
      }
    }
  }));

test("a picture that is opened by itself has a name, and text that can be selected", () =>
  withBlank(async (page) => {
    await page.setContent(around(read("script-v1-style.svg")));
    const picture = page.getByRole("img", { name: /^Which keys a script can touch: v1-style\.lua · undeclared/ });
    assert.equal(await picture.count(), 1);
    await page.keyboard.press("Control+A");
    const selected = await page.evaluate(() => String(getSelection()));
    assert.ok(selected.includes("local jobKey = keyPrefix .. jobId"), selected);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing in a whole page, ${colorScheme}`, () =>
    withBlank(
      async (page) => {
        assert.ok(all(".page").length > 1);
        for (const name of all(".page")) {
          await page.setContent(read(name));
          assert.deepEqual(await findings(page), [], name);
        }
      },
      { colorScheme },
    ));
}

for (const [look, style] of Object.entries(PAGES)) {
  test(`axe-core finds nothing in a piece of HTML on a page that is ${look}`, () =>
    withBlank(async (page) => {
      for (const name of all(".html")) {
        await page.setContent(around(`<h1>A page</h1>${read(name)}`, style));
        assert.deepEqual(await findings(page), [], name);
      }
    }));
}

for (const width of [1200, 700, 320]) {
  test(`a piece is as wide as there is room, and leaves the page alone, ${width} pixels wide`, () =>
    withBlank(
      async (page) => {
        for (const name of all(".html")) {
          await page.setContent(around(`<p id="own">Text <b>of</b> the <code>page</code></p>${read(name)}`, PAGES.white));
          const { over, own } = await page.evaluate(() => ({
            over: document.documentElement.scrollWidth - innerWidth,
            own: [...document.querySelectorAll("#own, #own *")].map((element) => {
              const { color, fontFamily, margin, padding } = getComputedStyle(element);
              return [color, fontFamily, margin, padding].join(" ");
            }),
          }));
          assert.ok(over <= 0, `${name}: ${over} pixels too wide`);
          await page.setContent(around(`<p id="own">Text <b>of</b> the <code>page</code></p>`, PAGES.white));
          const alone = await page.evaluate(() =>
            [...document.querySelectorAll("#own, #own *")].map((element) => {
              const { color, fontFamily, margin, padding } = getComputedStyle(element);
              return [color, fontFamily, margin, padding].join(" ");
            }),
          );
          assert.deepEqual(own, alone, name);
        }
      },
      { viewport: { width, height: 800 } },
    ));
}

test("a piece takes the colour of the text around it", () =>
  withBlank(async (page) => {
    const colours = {};
    for (const [look, style] of Object.entries(PAGES)) {
      await page.setContent(around(read("script-v1-style.html"), style));
      colours[look] = await page.evaluate(() => [getComputedStyle(document.querySelector(".emq-still")).color, getComputedStyle(document.body).color, getComputedStyle(document.querySelector(".emq-still .fail")).color]);
      assert.equal(colours[look][0], colours[look][1], look);
    }
    assert.equal(new Set(Object.values(colours).map(([, , fail]) => fail)).size, 4, JSON.stringify(colours));
  }));

test("without its style a piece is lists and tables in their order", () =>
  withBlank(async (page) => {
    await page.setContent(around(read("fleet.html").replace(/<style>[^]*<\/style>/, "")));
    const text = await page.locator("figure").innerText();
    const order = ["The fleet", "who handed a job to whom", "1 reference", "who there is", "the honest seam", "36 pairs"].map((part) => text.indexOf(part));
    assert.ok(order.every((at, index) => at >= 0 && (index === 0 || at > order[index - 1])), text);
    assert.equal(await page.getByRole("cell", { name: "pass" }).count(), 4);
  }));
