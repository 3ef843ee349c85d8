// The scripts that the module imports when a figure needs them, and the programs that they start: what is said where one does not come, or
// is not the one that was built; and that it is asked for again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hears, useBrowser, withPage } from "./support/browser.mjs";
import { folder, read, stem } from "./support/server.mjs";

useBrowser();

const LOG = '1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:2.0.0"\n';

/** Each script, and a figure that needs it. */
const NEEDED = {
  "-files.js": '<emq-conformance loading="eager" capture="bullmq-bull"><pre>stays</pre></emq-conformance>',
  "-read.js": `<emq-conformance loading="eager"><pre>${LOG}</pre></emq-conformance>`,
  "-fleet.js": '<emq-fleet loading="eager"><pre>stays</pre></emq-fleet>',
  "-further.js": '<emq-v1-flaw loading="eager"><pre>stays</pre></emq-v1-flaw>',
  "-capture.js": '<emq-capture loading="eager" example="payments.json"><pre>stays</pre></emq-capture>',
};

/** Checks what a figure says where a script is another one, and that it lives once that is there and the figure is loaded again. */
async function spoilt(content, code, words, { again, also = () => {}, ...options } = {}) {
  for (const [ending, body] of Object.entries(NEEDED)) {
    const name = stem() + ending;
    const instead = { [name]: content };
    await withPage(
      body,
      async (page, { requests }) => {
        const [error] = await hears(page, "emq-error");
        assert.equal(error.code, code, `${name}: ${error.message}`);
        assert.match(error.message, words);
        assert.ok(error.message.includes(name), error.message);
        assert.equal(await page.locator("pre").isVisible(), true);
        delete instead[name];
        await page.evaluate(() => document.querySelector("[loading]").load());
        await hears(page, again ?? "emq-ready", again ? 2 : 1);
        await also(page);
        if (again) assert.deepEqual(requests.filter((url) => url.includes("?")), []);
      },
      { instead, expected: /./, ...options },
    );
  }
}

test("a script that is not there is said to be, and is asked for again", () => spoilt(null, "network", /: the server answered 404$/));

test("one that is not sent as a script, likewise", () => spoilt({ body: "export {};\n", headers: { "content-type": "text/plain" } }, "integrity", /came, but not as it was built, or not as text\/javascript$/));

test("where the page says what its scripts have to be, others are not run, and those live that are as they were built", async () => {
  // As the guide has it, from what comes with the package.
  const values = Object.entries(JSON.parse(read(folder, "integrity.json"))).filter(([name]) => name.endsWith(".js"));
  const integrity = Object.fromEntries(values.map(([name, value]) => [`PACKAGE/${name}`, value]));
  const head = `<script type="importmap">${JSON.stringify({ integrity })}</script>`;
  const ran = "globalThis.ran = true; export default 1; export const more = {}, draws = {};\n";
  await spoilt(ran, "integrity", /came, but not as it was built/, { head, also: (page) => page.evaluate(() => assertNot(window.ran)), init: "window.assertNot = (ran) => { if (ran) throw new Error('it was run'); };" });
});

test("one of another build, likewise, though browsers keep it", () => spoilt("export const nothing = 1;\n", "integrity", /did not come as it was built: it is of another build$/));

test("one that is no script, likewise", () => spoilt("<!doctype html>\n", "integrity", /did not come as it was built: /));

test("where the page says what its scripts have to be, none is asked for at another address", () =>
  spoilt("export const nothing = 1;\n", "integrity", /another build/, { again: "emq-error", head: '<script type="importmap">{ "integrity": {} }</script>' }));

test("one that the page's policy stops is said to be", async () => {
  for (const [ending, body] of Object.entries(NEEDED)) {
    await withPage(
      body,
      async (page) => {
        const [{ code, message }] = await hears(page, "emq-error");
        assert.deepEqual([code, message], ["csp", `${stem()}${ending} is stopped by this page’s Content-Security-Policy: its script-src does not allow it`]);
      },
      // The module alone.
      { csp: "script-src MODULE 'wasm-unsafe-eval'", expected: /./ },
    );
  }
});

test("a program that does not start says why by its own code", async () => {
  const codes = { RangeError: ["wasm", /WebAssembly does not run here: no/], "WebAssembly.LinkError": ["integrity", /did not come as it was built: no/], "WebAssembly.RuntimeError": ["internal", /its program has stopped/] };
  const figures = ["conformance", "fleet", "v1-flaw", "script", "capture"].map((kind) => `<emq-${kind} loading="eager"></emq-${kind}>`);
  for (const [error, [code, words]] of Object.entries(codes)) {
    await withPage(
      figures.join(""),
      async (page) => {
        for (const { code: said, message } of await hears(page, "emq-error", figures.length)) {
          assert.equal(said, code, message);
          assert.match(message, words);
        }
      },
      { init: `WebAssembly.instantiate = async () => { throw new ${error}("no"); };`, expected: /./ },
    );
  }
});
