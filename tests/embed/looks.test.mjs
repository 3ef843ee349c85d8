// A figure in an author's look, and in a page whose styles mean it ill.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

const AXE = readFileSync(fileURLToPath(new URL("../browser/node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const KINDS = ["conformance", "fleet", "v1-flaw", "script", "capture"];
/** A figure, with its name for its id. */
const one = (kind) => `<emq-${kind} id="${kind}" loading="eager"></emq-${kind}>`;
const ALL = KINDS.map(one).join("");
const ready = (page) => hears(page, "emq-ready", KINDS.length);

/** What a figure's look comes to, as far as other styles could change it. */
const look = (page, id) =>
  page.locator(`#${id}`).evaluate((element) => {
    const root = element.shadowRoot;
    const seen = [];
    for (const name of [".emq-figure", "h3", ".emq-button", ".emq-status", "code", "select", ".emq-scroll"]) {
      const style = getComputedStyle(root.querySelector(name));
      seen.push([name, ...["fontSize", "fontWeight", "letterSpacing", "textTransform", "textAlign", "whiteSpace", "display", "direction", "visibility", "cursor", "textIndent", "wordSpacing", "borderTopStyle"].map((property) => style[property])].join(" "));
    }
    const figure = root.querySelector(".emq-figure").getBoundingClientRect();
    return { seen, width: Math.round(figure.width), height: Math.round(figure.height) };
  });

/** Whether something sticks out of a figure, to the side. */
const sticksOut = (page, id) =>
  page.locator(`#${id}`).evaluate((element) => {
    const figure = element.shadowRoot.querySelector(".emq-figure");
    const { left, right } = figure.getBoundingClientRect();
    const scrolls = (one) => one.closest(".emq-scroll, textarea, .emq-hidden, svg, .emq-slots, .emq-next, .emq-wide");
    return [...figure.querySelectorAll("*")].filter((one) => !scrolls(one)).filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
    }).map((one) => one.className);
  });

const HOSTILE = `
  html { font-size: 62.5%; }
  body { font-size: 16px; margin: 8px; }
  * { all: unset; }
  head, script, style, title, meta { display: none; }
  body { display: block; font-size: 16px; margin: 8px; text-align: right; letter-spacing: 0.5em; text-transform: uppercase; white-space: pre; word-spacing: 2em; text-indent: 5em; cursor: wait; line-height: 4; }
  [class], [part], div, button, select, code, h3 { display: none !important; font: 90px fantasy !important; color: red !important; }
`;

test("hostile styles change nothing in a figure", async () => {
  const looks = {};
  for (const [name, head] of [["plain", "<style>body { font-size: 16px }</style>"], ["hostile", `<style>${HOSTILE}</style>`]]) {
    await withPage(ALL, async (page) => {
      await ready(page);
      looks[name] = await Promise.all(KINDS.map((kind) => look(page, kind)));
    }, { head });
  }
  assert.deepEqual(looks.hostile, looks.plain);
});

test("in text that is huge or tiny, and in a narrow or shrinking box, a figure can be read and nothing sticks out", async () => {
  for (const [style, size] of [["* { font-size: 90px !important }", "32px"], ["* { font-size: 4px !important }", "13px"], ["html { font-size: 200% }", "32px"], ["html { font-size: 62.5% } body { font-size: 1.8rem }", "18px"]]) {
    for (const box of ["", "width: 300px", "display: flex", "display: grid; grid-template-columns: auto 20px", "float: left", "display: inline-block; max-width: 500px"]) {
      await withPage(KINDS.map((kind) => `<div style="${box}">${one(kind)}</div>`).join(""), async (page) => {
        await ready(page);
        const where = `${style} ${box}`;
        assert.equal(await page.locator("#conformance .emq-figure").evaluate((figure) => getComputedStyle(figure).fontSize), size, where);
        for (const kind of KINDS) {
          const { width } = await look(page, kind);
          assert.ok(width >= 280, `${where}: ${kind} is ${width} wide`);
          if (!/90px|200%/.test(style) || box === "") assert.deepEqual(await sticksOut(page, kind), [], `${where}: ${kind}`);
        }
      }, { head: `<style>${style}</style>`, context: { viewport: { width: 900, height: 700 } } });
      // The other boxes are tried once.
      if (style !== "html { font-size: 62.5% } body { font-size: 1.8rem }") break;
    }
  }
});

test("a figure changes nothing of the page", () =>
  withPage('<p class="emq-figure emq-status" id="own">own</p><div id="place"></div>', async (page) => {
    const outside = () => page.evaluate(() => [document.adoptedStyleSheets.length, document.styleSheets.length, document.head.children.length, document.querySelector("#own").outerHTML, JSON.stringify(Object.fromEntries([...getComputedStyle(document.querySelector("#own"))].map((name) => [name, getComputedStyle(document.querySelector("#own"))[name]])))]);
    const before = await outside();
    await page.evaluate((all) => (document.querySelector("#place").innerHTML = all), ALL);
    await ready(page);
    assert.deepEqual(await outside(), before);
  }));

test("before a figure is there, and where it cannot be, its place and what is said in it have their look", () =>
  withPage(
    '<emq-conformance id="click" loading="click"></emq-conformance><emq-fleet id="failed" loading="eager" src="x"></emq-fleet><div style="font-size: 90px"><emq-script id="huge" loading="click"></emq-script></div>',
    async (page) => {
      await hears(page, "emq-error");
      const say = (id) =>
        page.locator(`#${id}`).evaluate((element) => {
          const { paddingTop, paddingLeft, fontSize, borderTopWidth } = getComputedStyle(element.shadowRoot.querySelector(".emq-say"));
          return [element.getBoundingClientRect().height >= 400, paddingTop, paddingLeft, fontSize, borderTopWidth].join(" ");
        });
      assert.deepEqual([await say("click"), await say("failed"), await say("huge")], ["true 8.64px 11.52px 14.4px 1px", "true 8.64px 11.52px 14.4px 1px", "true 17.28px 23.04px 28.8px 1px"]);
    },
    { head: "<style>body { font-size: 16px } [id] { min-height: 400px }</style>" },
  ));

test("fonts and colours are those of the text around, on light and on dark", async () => {
  const colours = (page) =>
    page.locator("#conformance .emq-figure").evaluate((figure) => {
      const { color, backgroundColor, fontFamily } = getComputedStyle(figure);
      return { color, backgroundColor, fontFamily };
    });
  await withPage(one("conformance"), async (page) => {
    await hears(page, "emq-ready");
    assert.deepEqual(await colours(page), { color: "rgb(10, 20, 60)", backgroundColor: "rgb(255, 255, 255)", fontFamily: "Georgia" });
    // A page that turns dark by a class of its own.
    await page.evaluate(() => document.body.classList.add("night"));
    await page.waitForFunction(() => document.querySelector("#conformance").shadowRoot.querySelector(".emq-root").dataset.scheme === "dark");
    assert.deepEqual(await colours(page), { color: "rgb(250, 240, 220)", backgroundColor: "rgb(19, 31, 53)", fontFamily: "Georgia" });
    // And text that grows.
    await page.evaluate(() => (document.body.style.fontSize = "22px"));
    await page.waitForFunction(() => getComputedStyle(document.querySelector("#conformance").shadowRoot.querySelector(".emq-figure")).fontSize === "22px");
    // An author who says so has it their way.
    await page.evaluate(() => document.querySelector("#conformance").setAttribute("theme", "light"));
    await page.waitForFunction(() => document.querySelector("#conformance").shadowRoot.querySelector(".emq-root").dataset.scheme === "light");
    assert.deepEqual((await colours(page)).backgroundColor, "rgb(255, 255, 255)");
    assert.deepEqual((await colours(page)).color, "rgb(0, 0, 0)", "the text of the dark page is not for a light figure");
  }, { head: "<style>body { font-family: Georgia; color: rgb(10, 20, 60); background: #fff } .night { color: rgb(250, 240, 220); background: #101828 }</style>" });
  await withPage(one("conformance"), async (page) => {
    await hears(page, "emq-ready");
    assert.equal((await colours(page)).backgroundColor, "rgb(19, 31, 53)");
  }, { head: "<style>:root { color-scheme: light dark }</style>", context: { colorScheme: "dark" } });
});

test("on paper a figure of a dark page is light, and has all evidence", () =>
  withPage(ALL, async (page) => {
    await ready(page);
    const rows = () => page.locator("#conformance .emq-evidence > li").evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).length);
    const onScreen = await rows();
    await page.emulateMedia({ media: "print" });
    assert.deepEqual([onScreen, await rows()], [0, 34]);
    for (const kind of KINDS) {
      const { color, backgroundColor } = await page.locator(`#${kind} .emq-figure`).evaluate((figure) => ({ ...getComputedStyle(figure) }));
      assert.deepEqual([color, backgroundColor], ["rgb(0, 0, 0)", "rgb(255, 255, 255)"], kind);
    }
  }, { head: "<style>body { color: rgb(250, 240, 220); background: #101828 }</style>" }));

test("custom properties and parts are an author's handles", () =>
  withPage(ALL, async (page) => {
    await ready(page);
    const style = (id, name, property) => page.locator(`#${id}`).evaluate((element, [name, property]) => getComputedStyle(element.shadowRoot.querySelector(name))[property], [name, property]);
    assert.equal(await style("conformance", ".emq-mark.emq-is-pass", "backgroundColor"), "rgb(1, 2, 3)");
    assert.equal(await style("conformance", ".emq-figure", "fontSize"), "19px");
    assert.equal(await style("conformance", ".emq-status", "backgroundColor"), "rgb(4, 5, 6)");
    assert.equal(await style("script", ".emq-keyword", "color"), "rgb(7, 8, 9)");
    assert.equal(await style("script", ".emq-button", "borderTopWidth"), "5px");
    // Each piece has its part, also what is drawn later.
    for (const kind of ["conformance", "fleet", "v1-flaw"]) await page.locator(`#${kind}`).getByRole("button", { name: "Step ▶" }).click();
    await hears(page, "emq-step", 3);
    const without = await page.evaluate((kinds) =>
      kinds.flatMap((id) => {
        const pieces = [...document.querySelector(`#${id}`).shadowRoot.querySelectorAll("[data-figure] [class^=emq-]")];
        return pieces.filter((piece) => piece.getAttribute("part") !== piece.getAttribute("class").replaceAll("emq-", "").replaceAll(/\s+/g, " ").trim()).map((piece) => `${id} ${piece.className}`);
      }), KINDS);
    assert.deepEqual(without, []);
  }, { head: "<style>emq-conformance, emq-script { --emq-pass: rgb(1, 2, 3); --emq-size: 19px; --emq-keyword: rgb(7, 8, 9) } emq-conformance::part(status) { background: rgb(4, 5, 6) } ::part(button) { border-width: 5px }</style>" }));

test("controls are as many as an author wants", () =>
  withPage('<emq-conformance id="steps" controls="steps" loading="eager"></emq-conformance><emq-conformance id="none" controls="none" loading="eager"></emq-conformance><emq-fleet id="fleet" controls="steps" loading="eager"></emq-fleet><emq-capture id="bench" controls="none" loading="eager"></emq-capture>', async (page) => {
    await hears(page, "emq-ready", 4);
    const buttons = await page.locator("#fleet .emq-buttons button").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
    assert.deepEqual(buttons, ["◀ Back", "Step ▶", "All", "Reset"]);
    const worked = await page.locator("#bench").locator("select, textarea, input, button").evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    assert.equal(worked, 0);
    const visible = (id) => page.locator(`#${id}`).locator("select, .emq-guess, .emq-button:not(.emq-guess), .emq-keys").evaluateAll((all) => [...new Set(all.filter((one) => one.checkVisibility()).map((one) => one.className))]);
    assert.deepEqual(await visible("steps"), ["emq-button"]);
    assert.deepEqual(await visible("none"), []);
    await page.evaluate(() => document.querySelector("#none").removeAttribute("controls"));
    assert.equal((await visible("none")).length, 4);
  }));

test("in a page that is read from the right a figure is read as its language is, in its place", () =>
  withPage(ALL, async (page) => {
    await ready(page);
    for (const id of KINDS) {
      const { seen } = await look(page, id);
      assert.ok(seen.every((one) => / ltr /.test(one)), seen.join("; "));
      assert.equal(await page.locator(`#${id} .emq-root`).getAttribute("lang"), "en");
      assert.deepEqual(await sticksOut(page, id), []);
    }
  }, { html: `<!doctype html><html lang="ar" dir="rtl"><head><title>صفحة</title><script type="module" src="MODULE"></script></head><body>${ALL}</body></html>` }));

test("nothing moves for who wants no motion, and forced colours are kept", async () => {
  await withPage(ALL, async (page) => {
    await ready(page);
    const moving = (id) => page.evaluate((id) => [...document.querySelector(`#${id}`).shadowRoot.querySelectorAll("[data-figure] *")].filter((one) => getComputedStyle(one).transitionDuration !== "0s" || getComputedStyle(one).animationName !== "none").length, id);
    for (const kind of KINDS) assert.equal(await moving(kind), 0, kind);
  }, { context: { reducedMotion: "reduce" } });
  await withPage(ALL, async (page) => {
    await ready(page);
    const [text, canvas] = await page.evaluate(() => ["CanvasText", "Canvas"].map((name) => ((document.body.style.color = name), getComputedStyle(document.body).color)));
    for (const kind of KINDS) {
      const { color, background } = await page.locator(`#${kind} .emq-figure`).evaluate((figure) => ({ color: getComputedStyle(figure).color, background: getComputedStyle(figure).backgroundColor }));
      assert.deepEqual([color, background], [text, canvas], kind);
      assert.notEqual(await page.locator(`#${kind} .emq-mark:not(.emq-is-open)`).first().evaluate((mark) => getComputedStyle(mark).backgroundColor), canvas, kind);
    }
  }, { context: { forcedColors: "active" } });
});

/** How much one colour stands out from another, as WCAG counts it. */
function contrast(one, other) {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("who asks for more contrast gets it, whatever the page's colours are", async () => {
  for (const body of ["color: #777; background: #fff", "color: #999; background: #222"]) {
    const seen = {};
    for (const contrast of ["no-preference", "more"]) {
      await withPage(ALL, async (page) => {
        await ready(page);
        seen[contrast] = await page.evaluate((kinds) =>
          kinds.map((id) => {
            const root = document.querySelector(`#${id}`).shadowRoot;
            const style = (name) => getComputedStyle(root.querySelector(name));
            const { color, backgroundColor, borderTopColor } = style(".emq-figure");
            return { kind: id, background: backgroundColor, colours: [color, borderTopColor, style(".emq-origin").color, style("[class*=emq-is-]:not(.emq-word)").backgroundColor] };
          }), KINDS);
      }, { head: `<style>body { ${body} }</style>`, context: { contrast } });
    }
    const weakest = (figure) => Math.min(...figure.colours.map((colour) => contrast(colour, figure.background)));
    for (const [at, figure] of seen.more.entries()) {
      assert.ok(weakest(figure) >= 7, `${figure.kind}: ${weakest(figure)}: ${figure.colours.join(", ")} on ${figure.background}`);
      assert.ok(weakest(seen["no-preference"][at]) < 7, "the page's own colours are weaker");
    }
  }
});

test("axe finds nothing, on light and on dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withPage(`<main><h1>A page</h1><h2>Figures</h2>${ALL}</main>`, async (page) => {
      await ready(page);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
      assert.deepEqual(found, []);
    }, { head: "<style>:root { color-scheme: light dark }</style>", context: { colorScheme } });
  }
});

test("axe finds nothing either where a figure waits to be asked for, or cannot be", async () => {
  const waits = KINDS.map((kind) => `<emq-${kind} loading="click"></emq-${kind}><emq-${kind} loading="click"><p>until then</p></emq-${kind}><emq-${kind} loading="eager" src="http://["></emq-${kind}>`).join("");
  for (const colorScheme of ["light", "dark"]) {
    await withPage(`<main><h1>A page</h1><h2>Figures</h2>${waits}</main>`, async (page) => {
      await hears(page, "emq-error", KINDS.length);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
      assert.deepEqual(found, []);
      assert.equal(await page.locator(".emq-say").filter({ visible: true }).count(), 3 * KINDS.length);
    }, { head: "<style>:root { color-scheme: light dark }</style>", context: { colorScheme } });
  }
});
