// The gallery: every page that its guide tells authors to copy, built by the tool that it is for, and alive.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { hears, useBrowser, withPage } from "./support/browser.mjs";
import { read, serve, stem } from "./support/server.mjs";

useBrowser();

const built = fileURLToPath(new URL("../../dist-gallery", import.meta.url));
const axe = readFileSync(fileURLToPath(new URL("../browser/node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const sources = fileURLToPath(new URL("../../docs/gallery", import.meta.url));
if (!existsSync(join(built, "index.html"))) throw new Error("there is no gallery in dist-gallery: build it first (make gallery)");

// What docs/embed.md says that a page has to allow, of one that has the package among its own files.
const POLICY = { "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src blob:" };

/** Opens a page of the gallery, which comes from its own server alone, with the headers that this sends. */
const open = async (path, use, { headers, ...options } = {}) => {
  const server = await serve((path) => read(built, path.endsWith("/") ? `${path}index.html` : path), headers);
  try {
    await withPage("", async (page, { requests }) => {
      requests.length = 0;
      await page.goto(server.address + path);
      await use(page);
      assert.deepEqual(requests.filter((url) => !url.startsWith(server.address)), [], "it needs nothing from elsewhere");
    }, { script: false, ...options });
  } finally {
    await server.close();
  }
};

const errors = (page) => page.evaluate(() => window.heard.filter(({ name }) => name === "emq-error"));

test("the gallery shows the code that its pages are built from, all of it, and each page live", () =>
  open("index.html", async (page) => {
    const shown = await page.locator("code[data-file]").evaluateAll((all) => all.map((code) => [code.dataset.file, code.textContent]));
    for (const [file, text] of shown) assert.equal(text, readFileSync(join(sources, file), "utf8"), file);
    const own = readdirSync(sources, { recursive: true }).filter((file) => statSync(join(sources, file)).isFile() && !/^README\.md$|SUMMARY\.md$/.test(file));
    assert.deepEqual(shown.map(([file]) => file).sort(), own.sort(), "a file that no reader sees, or one that is not there");
    // A frame is loaded when the reader comes to it.
    const frames = page.locator("iframe");
    for (let at = 0; at < (await frames.count()); at += 1) {
      await frames.nth(at).scrollIntoViewIfNeeded();
      const frame = await (await frames.nth(at).elementHandle()).contentFrame();
      await frame.waitForFunction(() => window.heard?.some(({ name }) => name === "emq-ready"), null, { timeout: 20_000 });
    }
    assert.equal(await frames.count(), 5);
    // What is copied is what is shown.
    await page.getByRole("button", { name: "Copy html/index.html" }).click();
    await page.locator("#html .copy", { hasText: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), readFileSync(join(sources, "html/index.html"), "utf8"));
  }, { context: { permissions: ["clipboard-read", "clipboard-write"] } }));

test("axe finds nothing in the gallery's own page, on light and on dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await open("index.html", async (page) => {
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await globalThis.axe.run(document, { iframes: false })).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
      assert.deepEqual(found, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, "the page is wider than a phone");
    }, { context: { colorScheme, viewport: { width: 320, height: 900 } } });
  }
});

test("every page loads the package by the name that it has", () => {
  for (const file of readdirSync(sources, { recursive: true }).filter((file) => statSync(join(sources, file)).isFile())) {
    for (const [name] of readFileSync(join(sources, file), "utf8").matchAll(/\bemq-\d+\.\d+\.\d+(?=\.js)/g)) assert.equal(name, stem(), file);
  }
});

test("the page in plain HTML has all five figures", () => {
  // As it was written, and nothing done to it.
  assert.equal(readFileSync(join(built, "html/index.html"), "utf8"), readFileSync(join(sources, "html/index.html"), "utf8"));
  return open("html/index.html", async (page) => {
    for (const kind of ["conformance", "fleet", "v1-flaw", "script", "capture"]) {
      const figure = page.locator(`emq-${kind}`);
      await figure.scrollIntoViewIfNeeded();
      await figure.locator(".emq-figure").waitFor();
    }
    const verdicts = await hears(page, "emq-verdict", 5);
    assert.deepEqual(verdicts.map(({ tag, verdict }) => `${tag} ${verdict}`).sort(), [
      "emq-capture fail",
      "emq-conformance pass",
      "emq-fleet pass",
      "emq-script fail",
      "emq-v1-flaw fail",
    ]);
    assert.deepEqual(await errors(page), []);
  });
});

test("a book by mdBook has figures on each page, and its arrow keys turn pages only outside of them", () =>
  open("mdbook/figures.html", async (page) => {
    await hears(page, "emq-ready");
    const figure = page.locator("emq-conformance");
    await figure.locator(".emq-figure").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("emq-conformance").state === "step:1,show:keyspace");
    assert.match(page.url(), /figures\.html$/);
    // The book's own bar does not lie over the buttons.
    const top = await figure.locator(".emq-controls").evaluate((controls) => parseFloat(getComputedStyle(controls).top));
    assert.equal(top, await page.locator("#mdbook-menu-bar, #menu-bar").first().evaluate((bar) => bar.clientHeight));
    // A book that its reader turns dark.
    await page.evaluate(() => document.documentElement.classList.replace("light", "navy"));
    await page.waitForFunction(() => document.querySelector("emq-conformance").shadowRoot.querySelector(".emq-root").dataset.scheme === "dark");
    assert.deepEqual(await errors(page), []);
    await figure.locator(".emq-figure").evaluate((focused) => focused.blur());
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/more\/chapter\.html$/);
    await page.locator("emq-v1-flaw .emq-figure").waitFor();
    await page.locator("emq-script").scrollIntoViewIfNeeded();
    await page.locator("emq-script .emq-figure").waitFor();
    assert.deepEqual(await errors(page), []);
  }));

test("HTML in Markdown becomes figures", () =>
  open("markdown/index.html", async (page) => {
    const [ready] = await hears(page, "emq-ready");
    assert.deepEqual([ready.tag, ready.state], ["emq-conformance", "step:3"]);
    assert.equal(await page.getByText("Our traffic").isVisible(), true, "until the reader asks");
    await page.getByRole("button", { name: "Show the figure" }).click();
    const last = (await hears(page, "emq-verdict", 2)).at(-1);
    assert.deepEqual([last.tag, last.verdict, last.queue], ["emq-capture", "fail", "mail"]);
    assert.deepEqual(await errors(page), []);
  }));

test("a page in React moves its figure, and hears of it", () =>
  open("react/index.html", async (page) => {
    await page.locator("#said", { hasText: "emq:{payments}:" }).waitFor();
    const before = await page.locator("#said").textContent();
    await page.locator("#next").click();
    await page.waitForFunction((before) => document.querySelector("#said").textContent !== before, before);
    assert.match(await page.evaluate(() => document.querySelector("emq-conformance").state), /^step:2/);
    assert.equal(await page.locator("emq-conformance .emq-buttons").isVisible(), false);
    assert.deepEqual(await errors(page), []);
  }, { headers: POLICY }));

test("a page in Vue gives its figure data and a policy, and hears what comes of it", () =>
  open("vue/index.html", async (page) => {
    await page.locator("#said", { hasText: "fail" }).waitFor();
    await page.locator("#policy").selectOption("rooted");
    await page.locator("#said", { hasText: "pass" }).waitFor();
    assert.match(await page.locator("emq-script [role=status]").textContent(), /^script\.lua · derived · rooted: conforms/);
    assert.deepEqual(await errors(page), []);
  }, { headers: POLICY }));
