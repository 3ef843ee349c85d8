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
    return withPage(
      `<emq-${kind} loading="eager" src="endless.log"></emq-${kind}>`,
      async (page) => {
        await within(answer.asked, "the question");
        await page.evaluate((kind) => document.querySelector(`emq-${kind}`).remove(), kind);
        await within(answer.left, "that the answer is left");
        assert.deepEqual(await heard(page, "emq-error"), []);
      },
      { pages: { "/endless.log": answer } },
    );
  });
}

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
