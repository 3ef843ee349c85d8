// What a figure says of itself: to whom, how often, and of which of two that it is about.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";
import { stem } from "./support/server.mjs";

useBrowser();

const log = (queue) => `1.000001 [0 a:1] "HSET" "emq:{${queue}}:meta" "version" "echomq:2.0.0"\n`;

/** Notes what a page's console is warned of. */
const warning = () => {
  window.warned = [];
  console.warn = (line) => window.warned.push(line);
};

test("every error is a line in the console, and what an attribute says is said once, however often the figure is drawn anew", () =>
  withPage(
    `<emq-conformance id="theme" loading="eager" theme="purple"></emq-conformance><emq-conformance id="step" loading="eager" step="9"></emq-conformance>
     <emq-conformance id="capture" loading="eager" capture="nobody"></emq-conformance><emq-v1-flaw id="worker" loading="eager"></emq-v1-flaw>`,
    async (page) => {
      await hears(page, "emq-ready", 3);
      await page.evaluate(() => {
        document.querySelector("#worker").call = "claim-4.lua";
        document.querySelector("#theme").policy = "rooted";
      });
      await hears(page, "emq-ready", 4);
      await page.evaluate(() => (document.querySelector("#theme").controls = "few"));
      const errors = await hears(page, "emq-error", 5);
      assert.deepEqual(errors.map(({ id, code }) => `${id} ${code}`).sort(), ["capture option", "step option", "theme option", "theme option", "worker csp"]);
      const lines = errors.map(({ tag, code, message }) => `${tag}: ${message} (${code})`);
      assert.deepEqual((await page.evaluate(() => window.warned)).sort(), lines.sort());
    },
    { init: warning, csp: "script-src PACKAGE 'wasm-unsafe-eval' 'unsafe-inline'; worker-src 'none'", expected: /Content Security Policy/ },
  ));

/** A page with a figure that stands, and another that is on its way in its place until it is let come. */
function onItsWay(look) {
  let end;
  const slow = (response) => (end = () => response.end(log("later")));
  return withPage(
    '<emq-conformance loading="eager"><pre>' + log("first") + "</pre></emq-conformance>",
    async (page) => {
      await hears(page, "emq-ready");
      const asked = page.waitForRequest(/slow\.log/);
      await page.evaluate(() => (document.querySelector("emq-conformance").src = "slow.log"));
      await asked;
      await look(page, () => end());
    },
    { pages: { "/slow.log": slow } },
  );
}

test("a figure that stands says what it shows while another is on its way in its place", () =>
  onItsWay(async (page, end) => {
    await page.locator("emq-conformance").getByRole("button", { name: "Step ▶" }).click();
    const [{ step, state }] = await hears(page, "emq-step");
    assert.deepEqual([step, state], [1, "step:1,show:keyspace"]);
    assert.equal(await page.evaluate(() => document.querySelector("emq-conformance").state), state);
    end();
    await hears(page, "emq-ready", 2);
    assert.deepEqual(await page.evaluate(() => [document.querySelector("emq-conformance").report().subject.queue, document.querySelector("emq-conformance").state]), ["later", ""]);
  }));

test("what its attributes ask is drawn on a figure that stands while another is on its way in its place", () =>
  onItsWay(async (page, end) => {
    await page.evaluate(() => (document.querySelector("emq-conformance").at = 2));
    assert.equal((await hears(page, "emq-step"))[0].state, "step:2");
    assert.match(await page.locator("emq-conformance").locator("[role=status]").textContent(), /^2 of 5/);
    // What only the next one may have is not asked of this one aloud.
    await page.evaluate(() => (document.querySelector("emq-conformance").show = "event-9999"));
    await page.evaluate(() => (document.querySelector("emq-conformance").at = 3));
    await page.evaluate(() => (document.querySelector("emq-conformance").show = null));
    await page.waitForFunction(() => document.querySelector("emq-conformance").state === "step:3");
    assert.deepEqual(await heard(page, "emq-error"), []);
    end();
    const [, ready] = await hears(page, "emq-ready", 2);
    assert.deepEqual([ready.state, await page.evaluate(() => document.querySelector("emq-conformance").report().subject.queue)], ["step:3", "later"]);
  }));

test("what a figure does not have is said once, however often it is drawn anew, and again where it was another meanwhile", () =>
  withPage('<emq-conformance loading="eager" step="9"></emq-conformance>', async (page) => {
    const set = (more) => page.evaluate((more) => void Object.assign(document.querySelector("emq-conformance"), more), more);
    await hears(page, "emq-ready");
    for (const [at, policy] of ["rooted", "slot-rooted", "strict"].entries()) {
      await set({ policy });
      await hears(page, "emq-ready", at + 2);
    }
    assert.deepEqual((await heard(page, "emq-error")).map(({ message }) => message), ["there is no step 9: there are 0, 1, 2, 3, 4, 5"]);
    await set({ at: 2 });
    await hears(page, "emq-step");
    await set({ at: 9 });
    await hears(page, "emq-error", 2);
  }));

test("a status that stays the same is not said again", () =>
  withPage('<emq-conformance loading="eager" capture="nobody"></emq-conformance>', async (page) => {
    await hears(page, "emq-error");
    const said = await page.evaluate(async () => {
      const element = document.querySelector("emq-conformance");
      const status = element.shadowRoot.querySelector("[role=status]");
      const changes = [];
      const watcher = new MutationObserver((all) => changes.push(...all));
      watcher.observe(status, { childList: true, characterData: true, subtree: true });
      const told = () => new Promise((passed) => setTimeout(passed));
      // What says nothing to a reader.
      element.append(document.createComment("a comment"), document.createElement("style"));
      await told();
      element.loading = "lazy";
      await told();
      return [changes.length, status.textContent.startsWith("This figure cannot be shown: there is no capture nobody")];
    });
    assert.deepEqual(said, [0, true]);
  }));

test("what was asked wrongly and mended while the figure loads is not said", () =>
  withPage(
    '<emq-v1-flaw call="claim-4.lua" step="99" loading="click"></emq-v1-flaw>',
    async (page) => {
      let made, goOn;
      const [isMade, goesOn] = [new Promise((passed) => (made = passed)), new Promise((passed) => (goOn = passed))];
      await page.route(/-analyzer\.wasm$/, async (route) => (made(), await goesOn, route.continue()));
      await page.evaluate(() => document.querySelector("emq-v1-flaw").load());
      await isMade;
      await page.evaluate(() => (document.querySelector("emq-v1-flaw").at = 3));
      goOn();
      const [{ step }] = await hears(page, "emq-ready");
      assert.deepEqual([step, await heard(page, "emq-error")], [3, []]);
    },
  ));

test("while the document comes a figure waits for all that stands in it, and loads once", () =>
  withPage(
    "",
    async (page) => {
      await hears(page, "emq-ready");
      await page.evaluate(() => new Promise((passed) => setTimeout(passed)));
      assert.equal((await heard(page, "emq-ready")).length, 1);
      assert.deepEqual(await page.evaluate(() => [document.querySelector("emq-conformance").report().subject.queue, window.listeners]), ["whole", 1]);
    },
    {
      html: `<!doctype html><html lang="en"><title>A page</title>
        <script>window.listeners = 0; const { addEventListener } = document; document.addEventListener = (name, ...more) => ((window.listeners += name === "DOMContentLoaded"), addEventListener.call(document, name, ...more));</script>
        <script src="PACKAGE/${"CLASSIC"}"></script>
        <emq-conformance loading="eager"><script>{ const figure = document.querySelector("emq-conformance"); figure.load(); figure.load(); figure.policy = "rooted"; }</script>
        <script>document.querySelector("emq-conformance").policy = "strict";</script>
        <pre>${log("whole")}</pre></emq-conformance>`.replace("CLASSIC", `${stem()}.classic.js`),
    },
  ));
