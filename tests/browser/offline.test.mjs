// A worker that was ended starts again where there is no network any more: its script and its wasm are kept.

import assert from "node:assert/strict";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { captures, practice, script } from "./support/figure.mjs";
import { serve } from "./support/server.mjs";

useBrowser();

/** How often a worker has started since the page was opened. */
async function counted(page) {
  let started = 0;
  page.on("worker", () => started++);
  return () => started;
}

test("the analyzer that was ended starts again offline, and analyses", () =>
  withPage(async (page, { requests }) => {
    const started = await counted(page);
    const { comeNear, area, file, says, policies } = script(page);
    await allAlive(page);
    await comeNear();
    await area.fill("redis.call('DEL', ARGV[1])");
    await says(/undeclared/);
    const loaded = requests.length;
    await page.context().setOffline(true);
    // A newer text ends the worker that is still at the one before, if this one takes it long enough.
    const long = Buffer.from(`local function f(k) return k .. 'a' end\n${"redis.call('GET', f(f(KEYS[1])))\n".repeat(4000)}`);
    for (let tries = 0; tries < 6 && started() < 2; tries++) {
      await file.setInputFiles({ name: `long-${tries}.lua`, mimeType: "text/plain", buffer: long });
      await page.waitForTimeout(450);
      await file.setInputFiles({ name: "short.lua", mimeType: "text/plain", buffer: Buffer.from("return 1") });
      await says(/^short\.lua/);
    }
    await area.fill("return redis.call('GET', KEYS[1])");
    await says(/declared .* 1 call, 0 findings/);
    assert.ok((await policies()).every((said) => /: conforms$/.test(said)));
    assert.ok(started() >= 2, `${started()} workers were started`);
    assert.deepEqual(requests.slice(loaded), [], "something was asked of the server");
  }));

test("the judge that was ended starts again offline, and judges", () =>
  withPage(async (page, { requests }) => {
    const started = await counted(page);
    const { comeNear, area, says, paste } = captures(page);
    await allAlive(page);
    await comeNear();
    await area.fill('1.000001 [0 a:1] "GET" "emq:{q}:wait"');
    await says(/indeterminate/);
    const loaded = requests.length;
    await page.context().setOffline(true);
    await paste('1.000001 [0 a:1] "GET" "emq:{q}:wait"\n', 200_000);
    await page.waitForTimeout(100);
    await area.fill('1.000001 [0 a:1] "GET" "bull:q:wait"\n1.000002 [0 a:1] "GET" "emq:{q}:wait"');
    await says(/fail/);
    assert.ok(started() >= 2, `${started()} workers were started`);
    assert.deepEqual(requests.slice(loaded), [], "something was asked of the server");
  }));

test("each figure has workers of its own, and they share what was loaded", () =>
  withPage(async (page, { requests }) => {
    await allAlive(page);
    const { comeNear, area, says } = script(page);
    await comeNear();
    await area.fill("redis.call('DEL', ARGV[1])");
    await says(/undeclared/);
    const loaded = requests.length;
    await page.context().setOffline(true);
    const { title, guess, says: saysOf, comeNear: comeTo } = practice(page);
    await comeTo();
    await title(2).click();
    await guess("fail").click();
    await saysOf(/^3 of 9 · store-1\.lua · fail, as you said/);
    assert.deepEqual(requests.slice(loaded), [], "something was asked of the server");
  }));

test("a worker is under the page's own policy: it can ask nothing of anybody else", async () => {
  const elsewhere = await serve();
  try {
    await withPage(
      async (page) => {
        const { comeNear, area, says } = script(page);
        await comeNear();
        await area.fill("return 1");
        await says(/declared/);
        const [worker] = page.workers();
        assert.match(worker.url(), /^blob:/);
        const asks = (address) => worker.evaluate((address) => fetch(address, { mode: "no-cors" }).then(() => "answered", () => "refused"), address);
        assert.equal(await asks(elsewhere.address), "refused");
        assert.equal(await asks(page.url()), "answered");
      },
      { expected: /Content Security Policy|Refused to connect|violates/ },
    );
  } finally {
    await elsewhere.close();
  }
});
