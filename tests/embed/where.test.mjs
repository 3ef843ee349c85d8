// Pages that forbid, break or hide things.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";
import { folder as where, read, stem } from "./support/server.mjs";

useBrowser();

const ASKED = { conformance: 'capture="payments"', fleet: "", "v1-flaw": 'call="claim-4.lua"', script: 'example="claim-4.lua"', capture: 'example="payments.json"' };
const KINDS = Object.keys(ASKED);
const ALL = KINDS.map((kind) => `<emq-${kind} id="${kind}" loading="eager" ${ASKED[kind]}><pre>stays</pre></emq-${kind}>`).join("");
const STAYS = KINDS.map(() => "stays");

// What docs/embed.md says that a page has to allow, and nothing else.
const POLICY = "default-src 'none'; script-src PACKAGE 'wasm-unsafe-eval'; connect-src PACKAGE; worker-src blob:";

test("a strict security policy lets the figures live, and nothing asks for more", () =>
  withPage(
    ALL,
    async (page, { module }) => {
      await hears(page, "emq-ready", KINDS.length);
      assert.deepEqual(await page.evaluate(() => window.violations), []);
      // Nor do styles of an author's own.
      const width = await page.evaluate(async (module) => (await import(module)).mount(document.body, { loading: "click", style: "width: 123px" }).element.style.width, module);
      assert.equal(width, "123px");
      // Nor does what a reader does.
      await page.locator("#conformance").getByRole("button", { name: "Step ▶" }).click();
      await page.locator("#capture").locator("select[name=example]").selectOption({ index: 1 });
      await page.locator("#v1-flaw").locator("select[name=passes]").selectOption({ index: 0 });
      await page.waitForFunction(() => window.heard.filter(({ name, id }) => name === "emq-verdict" && /capture|flaw/.test(id)).length === 4);
      assert.equal(await page.locator("#conformance .emq-figure").evaluate((figure) => getComputedStyle(figure).borderTopWidth), "1px", "the styles are there");
      assert.deepEqual(await page.evaluate(() => window.violations), []);
    },
    { csp: POLICY, init: violations },
  ));

/** Notes what the page's policy stops. */
function violations() {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
}

/** A page on which nothing can live says why, and shows what its author wrote. */
const stays = (options, code, words) =>
  withPage(
    ALL,
    async (page) => {
      const errors = await hears(page, "emq-error", KINDS.length);
      for (const error of errors) {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, words);
      }
      for (const id of KINDS) {
        assert.equal(await page.locator(`#${id} pre`).isVisible(), true, id);
        assert.equal(await page.locator(`#${id}`).locator(".emq-root").isVisible(), false, id);
      }
      assert.deepEqual(await heard(page, "emq-ready"), []);
    },
    { expected: /./, ...options },
  );

test("where the policy stops WebAssembly, the author's text stays and the event says so", () =>
  stays({ csp: POLICY.replace(" 'wasm-unsafe-eval'", "") }, "csp", /WebAssembly is stopped by this page’s Content-Security-Policy: its script-src, which needs 'wasm-unsafe-eval'/));

test("what else the policy stops meanwhile is none of a figure's", () =>
  withPage(
    '<emq-conformance loading="eager" src="nowhere.json"></emq-conformance><emq-capture loading="eager" src="/fixtures/nowhere.log"></emq-capture>',
    async (page, { address }) => {
      const errors = Object.fromEntries((await hears(page, "emq-error", 2)).map(({ tag, code, message }) => [tag, `${code}: ${message}`]));
      assert.deepEqual(errors, { "emq-conformance": "network: nowhere.json: the server answered 404", "emq-capture": "network: /fixtures/nowhere.log did not come: there is no connection, or its server does not allow this page to read it (CORS)" });
      assert.ok((await page.evaluate(() => window.violations)).some((one) => one.startsWith("connect-src https://elsewhere.test")), address);
    },
    {
      csp: `${POLICY.replace("script-src", "script-src 'unsafe-inline'")} ; connect-src PACKAGE 'self'`.replace("connect-src PACKAGE; ", ""),
      abort: /nowhere\.log/,
      expected: /./,
      // Another script asks for what it may not, all the time.
      init: `(${violations})(); const { fetch } = window; window.fetch = async (...given) => { if (/nowhere/.test(given[0])) fetch("https://elsewhere.test/").catch(() => {}); return fetch(...given); };`,
    },
  ));

test("a program that may not run is said at once, though an author's data never comes", () =>
  withPage(
    Object.keys({ conformance: 1, script: 1, capture: 1 }).map((kind) => `<emq-${kind} id="${kind}" loading="eager" src="endless.log"></emq-${kind}>`).join(""),
    async (page) => {
      const errors = await hears(page, "emq-error", 3);
      assert.deepEqual(errors.map(({ code }) => code), ["csp", "csp", "csp"], JSON.stringify(errors));
      assert.deepEqual(await page.evaluate(() => window.unhandled), []);
    },
    {
      csp: `${POLICY.replace(" 'wasm-unsafe-eval'", "").replace("connect-src PACKAGE", "connect-src PACKAGE 'self'")}`,
      pages: { "/endless.log": () => {} },
      init: 'window.unhandled = []; addEventListener("unhandledrejection", ({ reason }) => window.unhandled.push(`${reason}`));',
      expected: /Content Security Policy/,
    },
  ));

test("where the policy stops what is fetched, likewise", () =>
  stays({ csp: POLICY.replace("connect-src PACKAGE", "connect-src 'none'") }, "csp", /its connect-src does not allow it/));

test("where it stops workers, the figures that need one say so, and the others live", () =>
  withPage(
    ALL,
    async (page) => {
      const errors = await hears(page, "emq-error", 3);
      assert.deepEqual(errors.map(({ id, code }) => `${id} ${code}`).sort(), ["capture csp", "script csp", "v1-flaw csp"]);
      for (const { message } of errors) assert.equal(message, "A worker is stopped by this page’s Content-Security-Policy: its worker-src, which needs blob:, does not allow it");
      assert.deepEqual((await hears(page, "emq-ready", 2)).map(({ id }) => id).sort(), ["conformance", "fleet"]);
      assert.equal(await page.locator("#capture pre").isVisible(), true);
    },
    { csp: POLICY.replace("; worker-src blob:", ""), expected: /./ },
  ));

test("a worker that is stopped is said of a figure that stands, too", () =>
  withPage(
    '<emq-v1-flaw loading="eager"></emq-v1-flaw>',
    async (page) => {
      await hears(page, "emq-ready");
      await page.evaluate(() => (document.querySelector("emq-v1-flaw").call = "claim-4.lua"));
      const [{ code, message }] = await hears(page, "emq-error");
      assert.deepEqual([code, /worker-src/.test(message)], ["csp", true]);
    },
    { csp: POLICY.replace("; worker-src blob:", ""), expected: /./ },
  ));

test("a page that trusts no addresses of scripts says why its benches are not there", () =>
  withPage(
    '<emq-script loading="eager"><pre>stays</pre></emq-script>',
    async (page) => {
      const [{ code, message }] = await hears(page, "emq-error");
      assert.equal(code, "csp", message);
      assert.equal(await page.locator("pre").isVisible(), true);
    },
    { csp: `${POLICY}; require-trusted-types-for 'script'`, expected: /./ },
  ));

test("where the wasm is blocked on its way, likewise", () => stays({ abort: /\.wasm$/ }, "network", /\.wasm did not come: there is no connection/));

test("a policy that only reports stops nothing, and is not what is said", async () => {
  const reports = "default-src 'none'";
  await withPage(ALL, (page) => hears(page, "emq-ready", KINDS.length), { reports, expected: /Content Security Policy/ });
  await stays({ abort: /\.wasm$/, reports }, "network", /\.wasm did not come: there is no connection/);
});

test("where there is no WebAssembly, likewise", () =>
  stays({ init: () => delete globalThis.WebAssembly }, "wasm", /there is no WebAssembly here/));

test("wasm that is not the one that was built is not run", () => {
  const other = (name) => [name, Buffer.from(read(where, name).map((byte, at) => (at === 20_000 ? byte ^ 1 : byte)))];
  return stays({ instead: Object.fromEntries([".wasm", "-further.wasm", "-fleet.wasm", "-capture.wasm"].map((ending) => other(stem() + ending))) }, "integrity", /did not come as it was built/);
});

test("a missing wasm is said with what the server answered, and where it comes later the figure starts", async () => {
  const wasm = `${stem()}.wasm`;
  const instead = { [wasm]: null };
  await withPage(
    '<emq-conformance loading="eager" capture="payments"><pre>stays</pre></emq-conformance>',
    async (page) => {
      const [{ code, message }] = await hears(page, "emq-error");
      assert.deepEqual([code, message], ["network", `${wasm}: the server answered 404`]);
      delete instead[wasm];
      await page.evaluate(() => document.querySelector("emq-conformance").load());
      await hears(page, "emq-ready");
      assert.equal(await page.locator("pre").isVisible(), false);
    },
    { instead, expected: /404|integrity/ },
  );
});

test("without scripts the author's text is what stands there", () =>
  withPage(ALL, async (page) => assert.deepEqual(await page.locator("pre").allInnerTexts(), STAYS), { context: { javaScriptEnabled: false } }));

test("in a sandbox without an origin all figures live", () =>
  withPage(
    '<iframe sandbox="allow-scripts" src="inside.html" style="width: 100%; height: 900px"></iframe>',
    async (page) => {
      const frame = page.frames()[1];
      await frame.waitForFunction((count) => window.heard?.filter(({ name }) => name === "emq-ready").length === count, KINDS.length, { timeout: 20_000 });
      assert.equal(await frame.evaluate(() => window.origin), "null");
      const verdicts = await frame.evaluate(() => window.heard.filter(({ name }) => name === "emq-verdict").map(({ id, verdict }) => `${id} ${verdict}`).sort());
      assert.deepEqual(verdicts, ["capture pass", "conformance pass", "fleet pass", "script pass", "v1-flaw pass"]);
      await frame.locator("#conformance").getByRole("button", { name: "Step ▶" }).click();
      await frame.waitForFunction(() => document.querySelector("#conformance").state === "step:1,show:keyspace");
    },
    { script: false, pages: { "/inside.html": `<!doctype html><html lang="en"><title>Inside</title><script type="module" src="MODULE"></script><body>${ALL}</body></html>` } },
  ));

test("a page that is opened as a file shows the author's text: a browser loads no modules of files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emq-file-"));
  try {
    const page = join(folder, "page.html");
    cpSync(where, folder, { recursive: true });
    writeFileSync(page, `<!doctype html><title>A file</title><script type="module" src="./${stem()}.js"></script>${ALL}`);
    await withPage("", async (tab) => {
      await tab.goto(pathToFileURL(page).href);
      assert.deepEqual(await tab.locator("pre").allInnerTexts(), STAYS);
      assert.equal(await tab.evaluate(() => Boolean(customElements.get("emq-conformance"))), false);
    }, { expected: /file:/ });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("and lives there where its module comes from a server, or with the script that is no module", async () => {
  const LOG = '1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:2.0.0"\n';
  const folder = mkdtempSync(join(tmpdir(), "emq-file-"));
  try {
    await withPage("", async (tab, { module }) => {
      const page = join(folder, "page.html");
      writeFileSync(page, `<!doctype html><title>A file</title><script type="module" src="${module}"></script>${ALL}`);
      await tab.goto(pathToFileURL(page).href);
      await hears(tab, "emq-ready", KINDS.length);
    });
    const classic = `${stem()}.classic.js`;
    writeFileSync(join(folder, classic), read(where, classic));
    const own = `<emq-conformance id="own" loading="eager"><pre>${LOG}</pre></emq-conformance><emq-capture id="log" loading="eager"><pre>${LOG}</pre></emq-capture><emq-conformance id="beside" loading="eager" src="log.txt"></emq-conformance>`;
    writeFileSync(join(folder, "log.txt"), LOG);
    writeFileSync(join(folder, "page.html"), `<!doctype html><title>A file</title>${ALL}${own}<div id="place"></div><script src="${classic}"></script>`);
    await withPage("", async (tab) => {
      await tab.goto(pathToFileURL(join(folder, "page.html")).href);
      await hears(tab, "emq-ready", KINDS.length + 2);
      const verdicts = Object.fromEntries((await hears(tab, "emq-verdict", KINDS.length + 2)).map(({ id, verdict }) => [id, verdict]));
      assert.deepEqual(verdicts, { ...Object.fromEntries(KINDS.map((kind) => [kind, "pass"])), own: "indeterminate", log: "indeterminate" });
      const [{ id, code, message }] = await hears(tab, "emq-error");
      assert.deepEqual([id, code], ["beside", "network"]);
      assert.match(message, /^log\.txt: a browser reads no file beside a page that was opened as a file: write the data into the element, or serve the folder$/);
      // What is loaded later: other examples, and `mount`.
      await tab.locator("#capture").locator("select[name=example]").selectOption({ index: 3 });
      await tab.waitForFunction(() => window.heard.some(({ name, id, verdict }) => name === "emq-verdict" && id === "capture" && verdict === "fail"));
      assert.equal(await tab.evaluate(async () => (await emq.mount(document.querySelector("#place"), { loading: "eager" }).ready).localName), "emq-conformance");
      assert.equal(await tab.evaluate(() => window.instances), 5, "one of each program");
    }, { expected: /file:/ });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// As a server would send it.
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;

const BUDGET = 130_000;

/** Checks that the guide says of a figure what it weighs, to the kilobyte. */
function guided(kind, at, sum) {
  const row = read(where, "README.md").toString().split("\n").find((line) => line.startsWith(`| \`<emq-${kind}>\` |`) && line.includes(" kB"));
  const said = Number([...row.matchAll(/(\d+) kB/g)][at][1]);
  assert.ok(Math.abs(said * 1000 - sum) <= 1000, `${kind}: the guide says ${said} kB, and it is ${sum} bytes`);
}

test(`the first figure of a page weighs at most ${BUDGET} bytes of brotli, whichever it is, and as much as the guide says`, async () => {
  for (const kind of KINDS) {
    await withPage(`<emq-${kind} loading="eager"></emq-${kind}>`, async (page, { package: origin, requests }) => {
      await hears(page, "emq-ready");
      const names = requests.filter((url) => url.startsWith(origin)).map((url) => url.slice(origin.length));
      // A worker of its own has the analyzer, and one the judge, as on the course's page.
      const own = names.filter((name) => !/-(analyzer|judge)\./.test(name));
      const sizes = own.map((name) => [name, brotli(readFileSync(join(where, name)))]);
      const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
      for (const [name, size] of sizes) console.log(`${String(size).padStart(8)}  ${name}`);
      console.log(`${String(sum).padStart(8)}  of ${BUDGET}, ${kind}`);
      assert.ok(own.length >= 3 && sum <= BUDGET, `${sum} bytes in ${own.length} files`);
      guided(kind, 0, sum);
      const worker = { "v1-flaw": "analyzer", script: "analyzer", capture: "judge" }[kind];
      if (worker) guided(kind, 1, ["txt", "wasm"].reduce((sum, ending) => sum + brotli(read(where, `${stem()}-${worker}.${ending}`)), 0));
    });
  }
});
