// What stands before, without and in spite of any script.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shift, useBrowser, withPage } from "./support/browser.mjs";
import { figure } from "./support/figure.mjs";
import { read, redrawn } from "./support/server.mjs";

useBrowser();

async function showsTheFixedCapture(page) {
  const { words, root, status } = figure(page);
  assert.deepEqual(await words(), Array(5).fill("pass"));
  assert.ok((await root.locator(".emq-line").count()) > 10, "too few lines");
  assert.match(await root.locator(".emq-capture").textContent(), /EVAL(SHA)? claim-4/);
  assert.match(await root.locator(".emq-sentence").first().textContent(), /\d+ of \d+ keys lie in emq:{payments}:/);
  assert.match(await root.locator(".emq-measured").textContent(), /valkey \d+\.\d+\.\d+, \d{4}-\d\d-\d\d/);
  assert.match(await root.locator(".emq-stated").textContent(), /rung drafted/);
  return status.textContent();
}

test("without JavaScript the fixed capture and its five verdicts are there", () =>
  withPage(
    async (page) => {
      assert.match(await showsTheFixedCapture(page), /judged when this page was built/);
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("without wasm the page stands and says why it does not move", () =>
  withPage(
    async (page) => {
      await figure(page).says(/^The controls could not start/);
      assert.match(await showsTheFixedCapture(page), /judged when this page was built/);
    },
    { abort: "**/*.wasm", alive: false, expected: /Failed to load resource/ },
  ));

test("the page works below any path", () =>
  withPage(
    async (page) => {
      await showsTheFixedCapture(page);
      await figure(page).button("Step").click();
      assert.match(await figure(page).status.textContent(), /^1 of 5/);
    },
    { server: { prefix: "/courses/echomq/emq.1/" } },
  ));

test("what comes alive is what stood there: nothing moves, and the words stay", () =>
  withPage(async (page, { address }) => {
    assert.equal(await shift(page), 0);
    const alive = await page.locator(".emq-panes").innerText();
    const still = await page.context().browser().newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 1000 } });
    try {
      const other = await still.newPage();
      await other.goto(address);
      assert.equal(alive, await other.locator(".emq-panes").innerText());
    } finally {
      await still.close();
    }
  }));

test("a capture that is missing or damaged is a message in the figure, and the other still works", async () => {
  const html = read("index.html").toString().replace(/data-files="[^"]*"/, 'data-files="captures/payments.bin captures/latest.bin"');
  const refusal = "latest.json: line 2, column 9: no list of events";
  const cases = [
    { latest: null, words: /captures\/latest\.bin: the server answered 404/, expected: /404|integrity/ },
    { latest: "<!doctype html>", words: /captures\/latest\.bin: this is not what was written/, expected: null },
    // What the build writes for a capture that it could not read.
    { latest: Buffer.from([0, refusal.length, ...Buffer.from(refusal)]), words: /latest\.json: line 2, column 9: /, expected: null },
  ];
  for (const { latest, words, expected } of cases) {
    await withPage(
      async (page) => {
        const { select, root, says, button } = figure(page);
        await select("capture").selectOption({ label: "taken for this build" });
        assert.match(await root.locator(".emq-trouble").textContent(), words);
        await says(/^no capture to judge/);
        for (const name of ["Back", "Step", "Assert all", "Reset"]) {
          assert.equal(await button(name).getAttribute("aria-disabled"), "true", name);
        }
        assert.ok(await select("break").isDisabled());
        await page.keyboard.press("Escape");
        await select("capture").selectOption({ label: "payments, fixed" });
        await says("5 of 5 · 5 pass");
      },
      { server: { instead: redrawn("emq-page.js", { "captures/latest.bin": latest }, html) }, expected },
    );
  }
});

for (const [what, content, why] of [
  ["missing", null, /captures\/payments\.bin: the server answered 404/],
  ["empty", Buffer.alloc(0), /captures\/payments\.bin: this is not what was written/],
  ["garbage", "<!doctype html>", /captures\/payments\.bin: this is not what was written/],
]) {
  test(`where the fixed capture is ${what}, the figure that came with the page stays whole`, () =>
    withPage(
      async (page) => {
        await figure(page).says(/^The controls could not start/);
        const said = await showsTheFixedCapture(page);
        assert.match(said, why);
        assert.match(said, /judged when this page was built/);
        assert.equal(await figure(page).root.locator(":enabled:is(button, select)").count(), 0);
      },
      { server: { instead: redrawn("emq-page.js", { "captures/payments.bin": content }) }, alive: false, expected: /404|integrity/ },
    ));
}

test("while it loads the page says so, its controls look it, and a reader in it stays there", () =>
  withPage(
    async (page, { release }) => {
      const { status, says, details, capture, button } = figure(page);
      await page.getByText("the controls are loading").waitFor();
      assert.doesNotMatch(await status.textContent(), /needs JavaScript/);
      assert.equal(await button("Step").evaluate((button) => getComputedStyle(button).borderTopStyle), "dashed");
      await capture.evaluate((pane) => (pane.scrollTop = 120));
      await details.focus();
      release();
      await page.locator(".emq-button:enabled").first().waitFor();
      await page.waitForFunction(() => document.activeElement.matches(".emq-details"));
      assert.equal(await capture.evaluate((pane) => pane.scrollTop), 120);
      await says("5 of 5 · 5 pass");
    },
    { hold: "**/*.wasm", alive: false },
  ));

test("no script and no style stands in the page itself", () => {
  const html = read("index.html").toString();
  assert.match(html, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=/);
  // A reader may follow a link to elsewhere; the page loads nothing from there.
  assert.doesNotMatch(html, /<(?!a )[^>]*(?:src|href)="(?:https?:)?\/\//);
});
