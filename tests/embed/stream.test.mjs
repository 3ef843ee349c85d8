// An author's file is read as it comes: no further than a figure takes it, and no longer than somebody wants it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

const PATIENCE = 20_000;
const LINE = '1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:2.0.0"\n';
const LIMITS = { conformance: 8 << 20, capture: 8 << 20, script: 1 << 20 };

/** What a test waits for; that it does not come is said. */
const within = (promise, what) => {
  let timer;
  const late = new Promise((_, failed) => (timer = setTimeout(failed, PATIENCE, new Error(`${what} does not come`))));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/** An answer that begins with so many bytes, or with none and no head either, and never ends: that it was asked for, and left. */
function endless(bytes) {
  const answer = (response) => {
    response.on("close", answer.close);
    if (bytes !== undefined) response.writeHead(200, { "content-type": "text/plain" }).write("x".repeat(bytes));
    answer.ask();
  };
  answer.asked = new Promise((passed) => (answer.ask = passed));
  answer.left = new Promise((passed) => (answer.close = passed));
  return answer;
}

for (const [kind, limit] of Object.entries(LIMITS)) {
  test(`${kind}: an answer that never ends is left where it is too long`, () => {
    const answer = endless(limit + 1);
    return withPage(
      `<emq-${kind} loading="eager" src="endless.log"><pre>stays</pre></emq-${kind}>`,
      async (page) => {
        const [{ code, message }] = await hears(page, "emq-error");
        assert.deepEqual([code, message], ["data", `endless.log has more than the ${limit} bytes that this figure takes`]);
        assert.equal(await page.locator("pre").isVisible(), true);
        await within(answer.left, "that the answer is left");
      },
      { pages: { "/endless.log": answer } },
    );
  });

  test(`${kind}: one that is as long as it may be is waited for, until the figure is taken away`, () => {
    const answer = endless(limit);
    // What the page has read of it.
    const reading = () => {
      window.got = 0;
      const { read } = ReadableStreamDefaultReader.prototype;
      ReadableStreamDefaultReader.prototype.read = async function () {
        const piece = await read.call(this);
        if (this.isOwn) window.got += piece.value?.length ?? 0;
        return piece;
      };
      const { getReader } = ReadableStream.prototype;
      ReadableStream.prototype.getReader = function (...given) {
        return Object.assign(getReader.apply(this, given), { isOwn: this.isOwn });
      };
      const { fetch } = window;
      window.fetch = async (...given) => {
        const response = await fetch(...given);
        if (/endless/.test(response.url)) response.body.isOwn = true;
        return response;
      };
    };
    return withPage(
      `<emq-${kind} loading="eager" src="endless.log"></emq-${kind}>`,
      async (page) => {
        await page.waitForFunction((limit) => window.got === limit, limit);
        await page.evaluate((kind) => document.querySelector(`emq-${kind}`).remove(), kind);
        await within(answer.left, "that the answer is left");
        assert.deepEqual(await heard(page, "emq-error"), []);
      },
      { pages: { "/endless.log": answer }, init: reading },
    );
  });
}

test("an answer that breaks off is said to, after so many bytes", () => {
  const breaks = (response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": 1000 }).write(LINE);
    breaks.off = () => response.destroy();
    breaks.ask();
  };
  const asked = new Promise((passed) => (breaks.ask = passed));
  const init = () => {
    const { read } = ReadableStreamDefaultReader.prototype;
    ReadableStreamDefaultReader.prototype.read = async function () {
      const piece = await read.call(this);
      window.got = (window.got ?? 0) + (piece.value?.length ?? 0);
      return piece;
    };
  };
  return withPage(
    '<emq-capture loading="eager" src="breaks.log"></emq-capture>',
    async (page) => {
      await within(asked, "the question");
      await hears(page, "emq-error", 0);
      await page.waitForFunction(() => window.got > 0);
      // All that was sent is read, and what comes next is the end.
      breaks.off();
      const [{ code, message }] = await hears(page, "emq-error");
      assert.equal(code, "network");
      assert.equal(message, `breaks.log broke off after ${LINE.length} bytes`);
    },
    { pages: { "/breaks.log": breaks }, expected: /ERR_CONTENT_LENGTH_MISMATCH|ERR_INCOMPLETE|ERR_/, init },
  );
});

test("an answer that never begins is left when the figure is taken away, and when src is another", () => {
  const [gone, changed] = [endless(), endless()];
  return withPage(
    '<emq-capture id="gone" loading="eager" src="gone.log"></emq-capture><emq-conformance id="changed" loading="eager" src="changed.log"></emq-conformance>',
    async (page) => {
      await within(Promise.all([gone.asked, changed.asked]), "the questions");
      await page.evaluate(() => {
        document.querySelector("#gone").remove();
        document.querySelector("#changed").src = "other.log";
      });
      await within(Promise.all([gone.left, changed.left]), "that the answers are left");
      assert.equal((await hears(page, "emq-ready"))[0].id, "changed");
      assert.equal(await page.evaluate(() => document.querySelector("#changed").report().subject.queue), "q");
      assert.deepEqual(await heard(page, "emq-error"), []);
    },
    { pages: { "/gone.log": gone, "/changed.log": changed, "/other.log": LINE } },
  );
});

test("a figure that is only moved goes on with what it reads", () => {
  let end;
  const slow = (response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write(LINE);
    end = () => response.end();
    slow.ask();
  };
  slow.asked = new Promise((passed) => (slow.ask = passed));
  return withPage(
    '<emq-conformance loading="eager" src="slow.log"></emq-conformance><div></div>',
    async (page) => {
      await within(slow.asked, "the question");
      await page.evaluate(() => document.querySelector("div").append(document.querySelector("emq-conformance")));
      end();
      await hears(page, "emq-ready");
    },
    { pages: { "/slow.log": slow } },
  );
});
