// What failed is asked for again, of whoever can still answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";
import { folder, read, stem } from "./support/server.mjs";

useBrowser();

/** A file as a build before had it, which its server says to keep. */
const kept = (name, more = {}) => ({ body: Buffer.from(read(folder, name).map((byte, at) => (at === 20 ? byte ^ 1 : byte))), headers: { "cache-control": "max-age=3600", ...more } });

/** Has a browser keep a file as it was, and then gives the figure that needs it the file as it is. */
const mends = (kind, name) => {
  const instead = { [name]: kept(name) };
  return withPage(
    `<emq-${kind} loading="click"></emq-${kind}>`,
    async (page, { package: origin }) => {
      await page.evaluate(async (url) => (await fetch(url)).arrayBuffer(), origin + name);
      delete instead[name];
      await page.evaluate((tag) => document.querySelector(tag).load(), `emq-${kind}`);
      await hears(page, "emq-ready");
      assert.deepEqual(await heard(page, "emq-error"), []);
    },
    { instead, expected: /integrity/ },
  );
};

test("what a browser has kept of a build before is had as it is", async () => {
  const files = { conformance: [".wasm", "-payments.bin"], fleet: ["-fleet.wasm", "-fleet.bin"], script: ["-examples.json", "-analyzer.wasm", "-analyzer.txt"] };
  for (const [kind, endings] of Object.entries(files)) for (const ending of endings) await mends(kind, stem() + ending);
});

test("what is still another one is said to be, and had once it is there", async () => {
  for (const more of [{}, { "cache-control": "no-store" }]) {
    const name = `${stem()}.wasm`;
    const instead = { [name]: kept(name, more) };
    await withPage(
      '<emq-conformance loading="eager"></emq-conformance>',
      async (page) => {
        const [{ code, message }] = await hears(page, "emq-error");
        assert.deepEqual([code, message], ["integrity", `${name} did not come as it was built`]);
        delete instead[name];
        await page.evaluate(() => document.querySelector("emq-conformance").load());
        await hears(page, "emq-ready");
      },
      { instead, expected: /integrity/ },
    );
  }
});

test("the module, which is there, is not asked for under another address", () =>
  withPage(
    '<emq-conformance loading="eager"></emq-conformance>',
    async (page, { requests }) => {
      const [{ code }] = await hears(page, "emq-error");
      assert.equal(code, "integrity");
      await page.evaluate(() => document.querySelector("emq-conformance").load());
      await hears(page, "emq-ready");
      assert.deepEqual(requests.filter((url) => /\?|%20/.test(url)), []);
    },
    {
      init: `const { instantiate } = WebAssembly; let failed; WebAssembly.instantiate = async (...given) => { if (!failed) { failed = true; throw new WebAssembly.LinkError("another build"); } return instantiate.apply(WebAssembly, given); };`,
    },
  ));

test("an example that a reader picks, and that cannot be had, is said as what it is", async () => {
  const name = `${stem()}-bullmq-5.65.1-bull.capture.json`;
  const POLICY = "default-src 'none'; script-src PACKAGE 'wasm-unsafe-eval'; worker-src blob:; connect-src";
  const ways = {
    network: { instead: { [name]: null } },
    integrity: { instead: { [name]: kept(name) } },
    csp: { csp: `${POLICY} ${["-capture.wasm", "-payments.json", "-judge.txt", "-judge.wasm"].map((ending) => `PACKAGE/${stem()}${ending}`).join(" ")}` },
  };
  for (const [code, options] of Object.entries(ways)) {
    await withPage(
      '<emq-capture loading="eager" example="payments.json"></emq-capture>',
      async (page) => {
        await hears(page, "emq-verdict");
        const choice = page.locator("emq-capture").locator("select[name=example]");
        await choice.selectOption({ value: await choice.locator("option", { hasText: "BullMQ: one job, its own prefix" }).getAttribute("value") });
        const [error] = await hears(page, "emq-error");
        assert.equal(error.code, code, error.message);
        assert.ok(error.message.includes(name), error.message);
        // What is refused after that is refused for its own sake, also where no question was asked.
        await page.locator("emq-capture").locator("input[type=file]").setInputFiles({ name: "big.log", mimeType: "text/plain", buffer: Buffer.alloc(9 << 20, "x") });
        const { 1: large } = await hears(page, "emq-error", 2);
        assert.equal(large.code, "data", large.message);
        // Another one is another question.
        await choice.selectOption({ index: 0 });
        await page.waitForFunction(() => document.querySelector("emq-capture").report()?.subject.queue === "payments");
        assert.equal((await heard(page, "emq-error")).length, 2);
      },
      { ...options, expected: /./ },
    );
  }
});

test("a worker that is made and cannot be asked is stopped by no policy", () =>
  withPage(
    '<emq-script loading="eager"><p>stays</p></emq-script>',
    async (page) => {
      const [{ code, message }] = await hears(page, "emq-error");
      assert.equal(code, "internal", message);
      assert.match(message, /nothing is taken/);
      assert.equal(await page.getByText("stays").isVisible(), true);
    },
    { init: `Worker.prototype.postMessage = () => { throw new Error("nothing is taken"); };` },
  ));

test("a figure that failed and is moved says nothing again, and tries again where it comes back", () =>
  withPage(
    '<emq-conformance loading="eager" src="nowhere.json"><p>stays</p></emq-conformance><div></div>',
    async (page, { requests }) => {
      await hears(page, "emq-error");
      const asked = () => requests.filter((url) => url.endsWith("nowhere.json")).length;
      const settled = () => page.evaluate(() => document.querySelector("div").append(document.querySelector("emq-conformance")));
      for (let times = 0; times < 3; times += 1) await settled();
      // One that is moved after it would have asked by the time that this one has failed.
      await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<emq-conformance id="later" loading="eager" src="elsewhere.json"></emq-conformance>'));
      await page.waitForFunction(() => window.heard.some(({ id }) => id === "later"));
      assert.equal(asked(), 1);
      assert.equal((await heard(page, "emq-error")).filter(({ id }) => id === "").length, 1);
      await page.evaluate(async () => {
        const element = document.querySelector("emq-conformance");
        element.remove();
        await new Promise((passed) => setTimeout(passed));
        document.body.append(element);
      });
      await hears(page, "emq-error", 3);
      assert.equal(asked(), 2);
    },
    { expected: /404/ },
  ));
