// A page in React, built by Vite as the gallery's is, with the package taken from npm's folder.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import config from "../../docs/gallery/react/vite.config.js";
import { hears, useBrowser, withPage } from "./support/browser.mjs";
import { folder } from "./support/server.mjs";

useBrowser();

const root = fileURLToPath(new URL("pages/react", import.meta.url));

const options = { ...config, root, configFile: false, logLevel: "warn" };

// What docs/embed.md says that a page has to allow, of one that has the package among its own files.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src blob:";

/** Vite, with the package where npm would put it. */
async function vite() {
  const place = join(root, "../node_modules", "echomq-conformance-figures");
  rmSync(place, { recursive: true, force: true });
  symlinkSync(folder, place);
  return import("./pages/node_modules/vite/dist/node/index.js");
}

/** Builds the page, and gives back the folder that it is in. */
async function built() {
  const { build } = await vite();
  const outDir = mkdtempSync(join(tmpdir(), "emq-react-"));
  await build({ ...options, build: { ...config.build, outDir, emptyOutDir: true } });
  return outDir;
}

const TYPES = { ".js": "text/javascript", ".html": "text/html", ".css": "text/css", ".wasm": "application/wasm" };

test("both pages of the gallery that Vite builds are built as the guide says", () => {
  const guide = readFileSync(join(folder, "README.md"), "utf8");
  const said = ["assetsInlineLimit: 0", 'optimizeDeps: { exclude: ["echomq-conformance-figures"] }'];
  for (const page of ["react", "vue"]) {
    const written = readFileSync(fileURLToPath(new URL(`../../docs/gallery/${page}/vite.config.js`, import.meta.url)), "utf8");
    for (const option of said) for (const text of [guide, written]) assert.ok(text.includes(option), `${page}: ${option}`);
  }
});

test("a page in React that Vite builds has live figures under a strict policy, which come and go with its state", async () => {
  const page = await built();
  try {
    const files = readdirSync(page, { recursive: true }).filter((name) => extname(name));
    assert.ok(files.some((name) => /^assets\/emq-[\d.]+-[\w-]+\.wasm$/.test(name)), files.join(" "));
    const pages = Object.fromEntries(files.map((name) => [`/${name}`, { body: readFileSync(join(page, name)), headers: { "content-type": TYPES[extname(name)] ?? "application/octet-stream" } }]));
    // Also what this page does not load.
    const inlined = files.filter((name) => /["'`]data:/.test(readFileSync(join(page, name), "latin1")));
    assert.deepEqual(inlined, [], "a policy stops what stands in an address");
    assert.ok(existsSync(join(page, "index.html")));
    await withPage("", async (tab, { requests, package: origin }) => {
      const ready = await hears(tab, "emq-ready", 2);
      assert.deepEqual(ready.map(({ tag }) => tag).sort(), ["emq-conformance", "emq-script"]);
      await tab.locator("#said", { hasText: "pass" }).waitFor();
      await tab.locator("#next").click();
      await tab.waitForFunction(() => document.querySelector("emq-conformance").state === "step:1");
      await tab.locator("#next").click();
      await tab.waitForFunction(() => document.querySelector("emq-conformance").state === "step:2");
      await tab.locator("#toggle").click();
      assert.equal(await tab.locator("emq-conformance").count(), 0);
      await tab.locator("#toggle").click();
      await tab.waitForFunction(() => document.querySelector("emq-conformance")?.state === "step:2");
      assert.deepEqual(await tab.evaluate(() => window.heard.filter(({ name }) => name === "emq-error")), []);
      assert.deepEqual(requests.filter((url) => url.startsWith(origin)), [], "all comes from the page's own files");
    }, { html: readFileSync(join(page, "index.html"), "utf8"), pages, csp: POLICY });
  } finally {
    rmSync(page, { recursive: true });
  }
});

test("and so has the same page while it is written, on Vite's own server", async () => {
  const { createLogger, createServer } = await vite();
  const warned = [];
  const customLogger = Object.assign(createLogger("warn"), { warn: (line) => warned.push(line), warnOnce: (line) => warned.push(line) });
  const cacheDir = mkdtempSync(join(tmpdir(), "emq-react-"));
  // What the guide says, and that the package lies outside the page's folder here.
  const server = await createServer({ ...options, customLogger, cacheDir, optimizeDeps: { exclude: ["echomq-conformance-figures"] }, server: { port: 0, host: "127.0.0.1", hmr: false, fs: { strict: false } } });
  try {
    await server.listen();
    await withPage("", async (tab) => {
      await tab.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
      await hears(tab, "emq-ready", 2);
      assert.deepEqual(await tab.evaluate(() => window.heard.filter(({ name }) => name === "emq-error")), []);
      assert.deepEqual(warned, [], "what the package has is nothing to be warned of");
    });
  } finally {
    await server.close();
    rmSync(cacheDir, { recursive: true, force: true });
  }
});
