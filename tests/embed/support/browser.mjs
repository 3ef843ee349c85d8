// Pages that know nothing of the figures but two lines of HTML, in a real browser.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before } from "node:test";

import { chromium } from "../../browser/node_modules/playwright-core/index.mjs";
import { fixtures, folder, read, serve, stem } from "./server.mjs";

const ARGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

let browser;

/** Starts one browser for a test file, with further arguments where it needs some, and ends it. Whatever it did, the package is as it was. */
export function useBrowser(...further) {
  // What is put into a folder, and taken out again, changes its time.
  const changed = () => statSync(folder).mtimeMs;
  let built;
  before(async () => {
    built = changed();
    browser = await chromium.launch({ executablePath: process.env.EMQ_CHROMIUM ?? "/usr/bin/chromium", args: [...ARGS, ...further] });
  });
  after(async () => {
    await browser?.close();
    assert.equal(changed(), built, "a test wrote into the package");
  });
}

/** Notes what the figures say, and how many wasm instances there are, from before any script of the page. */
function note() {
  window.heard = [];
  for (const name of ["emq-ready", "emq-step", "emq-verdict", "emq-error"]) {
    addEventListener(name, (event) => window.heard.push({ name, tag: event.target.localName, id: event.target.id, composed: event.composed, ...event.detail }));
  }
  window.instances = 0;
  if (!globalThis.WebAssembly) return;
  const { instantiate } = WebAssembly;
  window.memories = [];
  WebAssembly.instantiate = async (...given) => {
    window.instances += 1;
    const made = await instantiate.apply(WebAssembly, given);
    window.memories.push(...Object.values(made.exports).filter((one) => one instanceof WebAssembly.Memory));
    return made;
  };
}

/**
 * Opens a page whose body is `body`, with the module of the package in its head, and hands it to `use`. The package comes from another
 * origin. `head` stands in the head too, `csp` is the page's policy (`PACKAGE` in it is the package's origin), `reports` one that only reports, `abort` a pattern of
 * addresses that are blocked, `instead` what the package's server gives for some of its files, `pages` are further pages by their paths,
 * `init` runs before any script of the page, `expected` is a pattern of errors that are meant.
 */
export async function withPage(body, use, { head = "", html, csp, reports, abort, instead = {}, pages = {}, context = {}, expected = null, script = true, init } = {}) {
  const name = stem();
  const other = await serve((path) => (path.slice(1) in instead ? instead[path.slice(1)] : read(folder, path)), { "access-control-allow-origin": "*" });
  const module = `<script type="module" src="${other.address}${name}.js"></script>`;
  const content = html ?? `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${script ? module : ""}${head}</head><body>${body}</body></html>`;
  const filled = (text) => text.replaceAll("PACKAGE/", other.address).replaceAll("MODULE", `${other.address}${name}.js`).replaceAll("PACKAGE", other.address.slice(0, -1));
  const headers = {};
  if (csp) headers["content-security-policy"] = filled(csp);
  if (reports) headers["content-security-policy-report-only"] = filled(reports);
  const own = await serve((path) => {
    if (path === "/") return { body: filled(content), headers };
    if (path in pages) return typeof pages[path] === "string" ? filled(pages[path]) : pages[path];
    return path.startsWith("/fixtures/") ? read(fixtures, path.slice("/fixtures".length)) : null;
  });
  const opened = await browser.newContext({ viewport: { width: 1200, height: 1000 }, ...context });
  try {
    const page = await opened.newPage();
    page.setDefaultTimeout(20_000);
    const wrong = [];
    const requests = [];
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()} ${message.location().url}`));
    page.on("request", (request) => request.url().startsWith("blob:") || requests.push(request.url()));
    if (abort) await page.route(abort, (route) => route.abort());
    await page.addInitScript(note);
    if (init) await page.addInitScript(init);
    await page.goto(own.address);
    await use(page, { address: own.address, package: other.address, module: `${other.address}${name}.js`, requests });
    const meant = (line) => expected?.test(line) || /favicon\.ico/.test(line);
    assert.deepEqual(wrong.filter((line) => !meant(line)), [], "errors in the page");
  } finally {
    await opened.close();
    await own.close();
    await other.close();
  }
}

/** What was heard so far, of one name. */
export const heard = (page, name) => page.evaluate((name) => window.heard.filter((one) => one.name === name), name);

/** Waits until so many events of a name were heard, and gives them back; says what was heard instead. */
export async function hears(page, name, count = 1) {
  const enough = page.waitForFunction(([name, count]) => window.heard.filter((one) => one.name === name).length >= count, [name, count], { timeout: 20_000 });
  await enough.catch(async () => assert.fail(`${count} ${name}: ${JSON.stringify(await page.evaluate(() => window.heard))}`));
  return heard(page, name);
}
