// Chromium, driven by Playwright, and a page that notes everything it should not do.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { chromium } from "playwright-core";

import { serve } from "./server.mjs";

const ARGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

let browser;

/** Pages whose scripts run. */
const scripted = new WeakSet();

/** Makes everything that a test does in a page wait until the figures have done what it asks for. */
async function waitsForFigures() {
  const page = await browser.newPage();
  const after = (prototype, names, pageOf) => {
    for (const name of names) {
      const act = prototype[name];
      prototype[name] = async function (...args) {
        const result = await act.apply(this, args);
        // A page that was left meanwhile has nothing to wait for.
        if (scripted.has(pageOf(this))) await settled(pageOf(this)).catch(() => {});
        return result;
      };
    }
  };
  after(page.locator("html").constructor.prototype, ["click", "fill", "focus", "press", "selectOption", "check"], (locator) => locator.page());
  after(page.keyboard.constructor.prototype, ["press"], (keyboard) => keyboard._page);
  assert.ok(page.keyboard._page === page, "Playwright’s keyboard does not know its page");
  await page.close();
}

/** Starts one browser for a test file, and ends it. */
export function useBrowser() {
  before(async () => {
    browser = await chromium.launch({ executablePath: process.env.EMQ_CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
    await waitsForFigures();
  });
  after(() => browser?.close());
}

/** Notes what goes wrong in a page, and what it asks of others than itself: its own addresses begin so. */
function watch(page, own) {
  const wrong = [];
  const requests = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(`console: ${message.text()}`));
  page.on("request", (request) => request.url().startsWith(own) || requests.push(request.url()));
  return { wrong, requests };
}

/**
 * Opens the built page in a context of its own, hands it to `use`, and checks that nothing went wrong meanwhile.
 * `context` are Playwright's options of the context, `server` those of the server, `alive: false` does not wait for the
 * controls, `expected` is a pattern of errors that are meant, `abort` one of addresses that are blocked, `hold` one of
 * addresses that answer only once `use` calls `release`, `at` what comes behind the page's address.
 */
export async function withPage(use, { context = {}, server = {}, alive = true, expected = null, abort = null, hold = null, at = "" } = {}) {
  const { address, close } = await serve(server);
  const opened = await browser.newContext({ viewport: { width: 1200, height: 1000 }, ...context });
  try {
    const page = await opened.newPage();
    // What the page keeps for its workers is asked of nobody.
    const { wrong, requests } = watch(page, "blob:");
    if (abort) await page.route(abort, (route) => route.abort());
    let release;
    const released = new Promise((resolve) => (release = resolve));
    if (hold) await page.route(hold, (route) => released.then(() => route.continue()));
    if (context.javaScriptEnabled !== false) {
      scripted.add(page);
      await page.addInitScript(() => {
        window.violations = [];
        window.shift = 0;
        document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
        window.moves = [];
        const named = (node) => `${node?.nodeName}.${node?.className} of ${node?.closest?.("[data-figure]")?.dataset.figure}`;
        const add = (entries) =>
          entries.forEach(({ value, sources }) => {
            window.shift += value;
            for (const { node, previousRect, currentRect } of sources) window.moves.push(`${named(node)} from ${previousRect.y} to ${currentRect.y}`);
          });
        window.shifts = new PerformanceObserver((list) => add(list.getEntries()));
        window.shifts.observe({ type: "layout-shift", buffered: true });
        window.addShifts = () => add(window.shifts.takeRecords());
      });
    }
    await page.goto(address + at, { waitUntil: hold ? "domcontentloaded" : "load" });
    if (alive) await page.locator(".emq-button:enabled").first().waitFor();
    await use(page, { address, requests, release });
    if (context.javaScriptEnabled !== false) {
      assert.deepEqual(await page.evaluate(() => window.violations), [], "violations of the page's security policy");
    }
    // Where no script runs, what is loaded ahead for one is of no use.
    const idle = context.javaScriptEnabled === false ? /preloaded using link preload/ : null;
    assert.deepEqual(wrong.filter((line) => !expected?.test(line) && !idle?.test(line)), [], "errors in the page");
    for (const url of requests) assert.ok(url.startsWith(address), `a request to elsewhere: ${url}`);
  } finally {
    await opened.close();
    await close();
  }
}

/**
 * Opens a page of nobody's, hands it to `use` with what it asked of others, and checks that nothing went wrong meanwhile. `context` are
 * Playwright's options of the context.
 */
export async function withBlank(use, context = {}) {
  const opened = await browser.newContext({ viewport: { width: 1200, height: 1000 }, ...context });
  try {
    const page = await opened.newPage();
    const { wrong, requests } = watch(page, "data:");
    await use(page, { requests });
    assert.deepEqual(wrong, [], "errors in the page");
  } finally {
    await opened.close();
  }
}

/** Waits until what was asked of the figures is done: they may draw in one turn, and move the focus and scroll in the next. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done)))));

/** Waits until every figure of the page works; gives back their names. */
export async function allAlive(page) {
  const names = await page.locator("[data-figure]").evaluateAll((places) => places.map((place) => place.dataset.figure));
  for (const name of names) await page.locator(`[data-figure=${name}] .emq-figure :enabled`).first().waitFor({ timeout: 20_000 });
  // What a figure offers besides comes once it lives.
  await page.waitForFunction(() => !document.querySelector("[data-later]"), null, { timeout: 20_000 });
  await settled(page);
  return names;
}

/** How far things moved since the page was opened, once that can be known. */
export async function shift(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  return page.evaluate(() => (window.addShifts(), window.shift));
}

/** A clock of the work that the page's own thread does from now on, in milliseconds, whatever else the machine is at. */
export async function clock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const before = await worked();
  return async () => (await worked()) - before;
}

/** Checks that nothing has moved since the page was opened; else says what did. */
export async function isStill(page) {
  if ((await shift(page)) > 0) assert.fail((await page.evaluate(() => window.moves)).join("; "));
}
