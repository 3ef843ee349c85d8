// At every width and with larger text nothing leaves the page, is cut, or lies over something else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { IDS, figure } from "./support/figure.mjs";

useBrowser();

/** What does not fit, one line each. */
const misfits = (page) =>
  page.evaluate(() => {
    const found = [];
    const root = document.querySelector(".emq-figure");
    const edge = root.getBoundingClientRect();
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) found.push(`the page is ${wide} pixels too wide`);
    for (const part of root.querySelectorAll(".emq-heading *, .emq-controls *, .emq-keys, .emq-keys *, .emq-slots *, .emq-pane, .emq-assertion, .emq-assertion *, .emq-status")) {
      const { left, right, width } = part.getBoundingClientRect();
      if (width > 0 && (left < edge.left - 0.5 || right > edge.right + 0.5)) found.push(`${part.className.baseVal ?? part.className} ${part.textContent} leaves the figure`);
    }
    for (const pane of root.querySelectorAll(".emq-scroll")) {
      if (pane.scrollWidth > pane.clientWidth) found.push(`${pane.className} scrolls sideways`);
    }
    const details = root.querySelector(".emq-details").getBoundingClientRect();
    const room = parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (details.height < Math.min(14 * room, innerHeight / 2)) found.push(`the details are ${details.height} pixels high`);
    const right = root.querySelector(".emq-right").getBoundingClientRect();
    for (const row of root.querySelectorAll(".emq-assertion")) {
      const box = row.getBoundingClientRect();
      if (box.bottom > details.top + 1 || box.bottom > right.bottom) found.push(`${row.id} lies outside its pane`);
      for (const part of row.querySelectorAll(".emq-sentence, .emq-assertion-title")) {
        if (part.scrollHeight > part.clientHeight + 1 && part.clientHeight > 0) found.push(`${part.textContent} is cut`);
      }
    }
    const range = document.createRange();
    for (const number of root.querySelectorAll(".emq-number")) {
      range.selectNodeContents(number);
      if (range.getClientRects().length > 1) found.push(`the number ${number.textContent} is broken`);
    }
    const marks = [...root.querySelectorAll(".emq-dot, .emq-slots text")].map((mark) => [mark, mark.getBoundingClientRect()]);
    for (const [one, a] of marks) {
      for (const [other, b] of marks) {
        const over = one !== other && one.tagName === "text" && a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        if (over) found.push(`${one.textContent} lies over ${other.textContent || "a dot"}`);
      }
    }
    return found;
  });

for (const root of [16, 24, 32]) {
  test(`it fits at every width, root font ${root} pixels`, () =>
    withPage(async (page) => {
      const { select, assertion } = figure(page);
      // Through the object model: the page's policy lets no style be written.
      await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), root);
      for (const broken of ["none", "a read of a bull: key", "an empty capture"]) {
        await page.setViewportSize({ width: 1300, height: 900 });
        await select("break").selectOption({ label: broken });
        if (broken === "none") await assertion("declared").click();
        for (let width = 320; width <= 1300; width += 20) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await misfits(page), [], `${width} pixels wide, ${broken}`);
        }
      }
    }));
}

test("it fits with the text spacing that a reader may ask for", () =>
  withPage(async (page) => {
    const { assertion } = figure(page);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }");
      document.adoptedStyleSheets = [sheet];
    });
    for (const width of [320, 480, 700, 861, 930, 1200]) {
      await page.setViewportSize({ width, height: 900 });
      for (const id of IDS) {
        await assertion(id).click();
        assert.deepEqual(await misfits(page), [], `${width} pixels wide, ${id}`);
      }
    }
  }));

test("controls and status line are in sight wherever the reader is in the panes", () =>
  withPage(async (page) => {
    const { root, button, status } = figure(page);
    for (const [width, height] of [[1280, 720], [900, 700], [320, 600]]) {
      await page.setViewportSize({ width, height });
      const places = await root.locator(".emq-pane").evaluateAll((panes) => panes.map((pane) => pane.getBoundingClientRect().top + scrollY));
      for (const place of places) {
        await page.evaluate((top) => scrollTo(0, top - innerHeight / 3), place);
        for (const part of [button("Step"), status]) {
          const { y, height: tall } = await part.boundingBox();
          assert.ok(y >= -0.5 && y + tall <= height + 0.5, `${width} × ${height}: ${y} to ${y + tall}`);
        }
      }
    }
  }));

test("the overview is not cut at 1200 pixels", () =>
  withPage(async (page) => {
    const { details } = figure(page);
    assert.ok(await details.evaluate((pane) => pane.scrollHeight <= pane.clientHeight));
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`on paper everything is there, in colours for paper, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { assertion } = figure(page);
        await assertion("keyspace").click();
        await page.emulateMedia({ media: "print", colorScheme });
        const [cut, ink, marks, sticky] = await page.evaluate(() => {
          const style = (part) => getComputedStyle(document.querySelector(part));
          const cut = [...document.querySelectorAll(".emq-pane, .emq-scroll")].filter((pane) => pane.scrollHeight > pane.clientHeight + 1 || getComputedStyle(pane).overflowY !== "visible");
          const last = document.querySelector("[data-place=read-0]").getBoundingClientRect();
          const pane = document.querySelector(".emq-capture").getBoundingClientRect();
          if (last.bottom > pane.bottom) cut.push({ className: "the last line" });
          return [cut.map((pane) => pane.className), [style("body").color, style(".emq-word").color, style(".emq-assertion").color], style(".emq-mark").printColorAdjust, style(".emq-status").position];
        });
        assert.deepEqual(cut, []);
        assert.deepEqual(ink, ["rgb(29, 36, 51)", "rgb(23, 105, 74)", "rgb(29, 36, 51)"]);
        assert.equal(marks, "exact");
        assert.equal(sticky, "static");
      },
      { context: { colorScheme, viewport: { width: 718, height: 1000 } } },
    ));
}

test("in forced colours a bar beside a line means that it is selected", () =>
  withPage(
    async (page) => {
      const { assertion, details } = figure(page);
      await assertion("keyspace").click();
      await details.locator("button.emq-place").first().click();
      const bars = await page.evaluate(() =>
        [...document.querySelectorAll("[data-figure=conformance] :is(.emq-line, .emq-assertion, button.emq-place)")].filter((part) => {
          const { borderLeftColor } = getComputedStyle(part);
          return borderLeftColor !== getComputedStyle(document.body).backgroundColor;
        }).map((part) => part.classList.contains("emq-selected")),
      );
      assert.deepEqual(bars, [true, true, true]);
    },
    { context: { forcedColors: "active" } },
  ));
