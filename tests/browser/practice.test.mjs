// The practice set: a reader commits to a verdict on what the lesson has not shown, and then sees what the core makes of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { settled, shift, useBrowser, withPage } from "./support/browser.mjs";
import { practice } from "./support/figure.mjs";
import { marked, read, redrawn } from "./support/server.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What each comes to, and a part of what decides it: nothing in the page has them but the core. */
const SET = [
  ["release-1.lua", "fail", /line 5: GET gets a key that is no element of KEYS: KEYS\[1\] and more after it/],
  ["remind-1.lua", "pass", /every key that a call gets is an element of KEYS/],
  ["store-1.lua", "fail", /line 3: HSET gets a key that is not in KEYS: something made of ARGV\[1\]/],
  ["archive-3.lua", "pass", /every key that a call gets is an element of KEYS/],
  ["drain.log", "fail", /legacy: 1 read and 0 writes in the old keyspace/],
  ["import.log", "pass", /all five assertions hold/],
  ["lock.log", "fail", /hashtag: 3 of 4 keys share the tag \{payments\}/],
  ["add.log", "indeterminate", /version: emq:\{payments\}:meta version was neither written nor read/],
  ["forward.log", "fail", /hashtag: 3 of 4 keys share the tag \{payments\}/],
];
const KEY = { pass: "p", fail: "f", indeterminate: "i" };
const words = (text) => text.replaceAll(/\s+/g, " ");

test("by keyboard alone: each is opened, said and told, with what decides it", () =>
  withPage(async (page) => {
    const { comeNear, root, says, open, answer } = practice(page);
    await comeNear();
    await root.focus();
    await says("9 unseen · none is open");
    for (const [index, [name, verdict, decided]] of SET.entries()) {
      await page.keyboard.press("ArrowRight");
      await says(`${index + 1} of 9 · ${name} · nothing said yet`);
      assert.deepEqual(await open(), [index]);
      assert.equal(await answer(index).count(), 0, "told before the reader said anything");
      // Right on every other one.
      const said = index % 2 ? verdict : verdict === "pass" ? "fail" : "pass";
      await page.keyboard.press(KEY[said]);
      await says(new RegExp(`^${index + 1} of 9 · ${name.replace(".", "\\.")} · ${verdict}, ${said === verdict ? "as you said" : `where you said ${said}`}: ${decided.source}`));
      const joined = said === verdict ? "and" : "but";
      assert.match(await answer(index).locator(".emq-hindsight").textContent(), new RegExp(`^You said ${said}, ${joined} it is ${verdict}\\. What decides it: ${decided.source}`));
    }
    // What was said is said.
    await page.keyboard.press("f");
    await says(/^9 of 9 · forward\.log · fail, where you said pass/);
    await page.keyboard.press("Home");
    assert.deepEqual(await open(), [0]);
    await page.keyboard.press("Escape");
    await says("9 unseen · none is open");
    await page.keyboard.press("End");
    await page.keyboard.press("r");
    await says("9 unseen · none is open");
    await page.keyboard.press("Enter");
    await says("1 of 9 · release-1.lua · nothing said yet");
    await page.keyboard.press("a");
    await says(/^1 of 9 · release-1\.lua · fail: line 5/);
    assert.match(await answer(0).locator(".emq-hindsight").textContent(), /^It is fail\. What decides it: line 5/);
  }));

test("by mouse: one is open at a time, and its title closes it again", () =>
  withPage(async (page) => {
    const { comeNear, title, open, says, guess, control, answer } = practice(page);
    await comeNear();
    await title(4).click();
    assert.deepEqual(await open(), [4]);
    await guess("fail").click();
    await says(/^5 of 9 · drain\.log · fail, as you said: legacy/);
    assert.equal(await guess("fail").getAttribute("aria-pressed"), "true");
    assert.equal(await guess("pass").getAttribute("aria-disabled"), "true");
    assert.match(words(await answer(4).textContent()), /line 6 LLEN bull:payments:wait \(read\): starts with bull:.*remove what still uses/);
    await title(2).click();
    assert.deepEqual(await open(), [2]);
    await control("Tell").click();
    await says(/^3 of 9 · store-1\.lua · fail: line 3/);
    assert.match(words(await answer(2).textContent()), /undeclared · strict: does not conform · rooted: does not conform · slot-rooted: cannot be told/);
    await title(2).click();
    assert.deepEqual(await open(), []);
    await title(4).click();
    await says(/^5 of 9 · drain\.log · fail, as you said/, "what was told stays");
    await control("Reset").click();
    await title(4).click();
    await says("5 of 9 · drain.log · nothing said yet");
  }));

test("a title takes the focus, Enter opens it, and a step takes the focus along", () =>
  withPage(async (page) => {
    const { comeNear, title, open } = practice(page);
    await comeNear();
    await title(1).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await open(), [1]);
    assert.notEqual(await title(1).evaluate((part) => getComputedStyle(part).outlineStyle), "none");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await open(), [2]);
    assert.ok(await title(2).evaluate((part) => part === document.activeElement));
    await page.keyboard.press("Space");
    assert.deepEqual(await open(), []);
  }));

test("what is computed here is what the build computed, word by word", () =>
  withPage(async (page, { address }) => {
    const { comeNear, root, says, item } = practice(page);
    const still = await page.context().browser().newContext({ javaScriptEnabled: false });
    try {
      const other = await still.newPage();
      await other.goto(address);
      await comeNear();
      await root.focus();
      for (const [index, [name, verdict]] of SET.entries()) {
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("a");
        await says(new RegExp(`${name} · ${verdict}: `));
        const built = await practice(other).item(index).locator(".emq-answer > :not(summary)").allTextContents();
        assert.deepEqual(await item(index).locator(".emq-answer > *").allTextContents(), built, name);
        assert.equal(built.length, 2, name);
      }
    } finally {
      await still.close();
    }
  }));

test("the answer is the worker's: another build's markup does not decide it", () => {
  // The same length, so that what is packed can still be read.
  const content = Buffer.from(read("practice/set.bin").toString("latin1").replace("all five assertions hold.", "all five assertions fold."), "latin1");
  return withPage(
    async (page) => {
      const { comeNear, title, guess, says, item } = practice(page);
      await comeNear();
      await title(5).click();
      assert.match(await item(5).locator(".emq-veiled").textContent(), /fold/);
      await guess("pass").click();
      await says(/^6 of 9 · import\.log · pass, as you said: all five assertions hold\./);
    },
    { server: { instead: redrawn("emq-lesson.js", { "practice/set.bin": content }) } },
  );
});

for (const width of [320, 700, 1200]) {
  test(`nothing moves when a verdict is told, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        const { comeNear, root, says } = practice(page);
        await comeNear();
        await root.focus();
        const height = () => root.evaluate((figure) => figure.getBoundingClientRect().height);
        for (const [index, [name]] of SET.entries()) {
          await page.keyboard.press("ArrowRight");
          const before = await height();
          await page.keyboard.press(index % 2 ? "i" : "p");
          await says(new RegExp(`${name} · \\w+, `));
          assert.ok(Math.abs((await height()) - before) < 0.75, `${name}: ${await height()} instead of ${before}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(wide <= 0, `${name}: the page is ${wide} pixels too wide`);
        }
      },
      { context: { viewport: { width, height: 900 } } },
    ));
}

test("without JavaScript the whole set is there, and each verdict behind its own title", () =>
  withPage(
    async (page) => {
      const { items, item, status, root } = practice(page);
      assert.equal(await items.count(), SET.length);
      assert.match(await status.textContent(), /^9 unseen .* judged when this page was built; .*needs JavaScript/);
      assert.match(await page.locator("#practice").textContent(), /emq-conform lint fixtures\/practice/);
      for (const [index, [name, verdict, decided]] of SET.entries()) {
        const answer = item(index).locator(".emq-answer");
        assert.ok(!(await answer.isVisible()), name);
        await item(index).locator("> summary").click();
        assert.ok(await item(index).locator(".emq-subject li").first().isVisible(), name);
        assert.ok(!(await answer.locator(".emq-hindsight").isVisible()), `${name} is told before anybody asks`);
        await answer.locator("summary").click();
        assert.ok(await answer.locator(".emq-hindsight").isVisible(), name);
        assert.match(await answer.textContent(), new RegExp(`It is ${verdict}\\. What decides it: ${decided.source}`));
      }
      assert.equal(await root.locator(".emq-subject").nth(0).locator("li").count(), 7, "the lines of the first script");
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("one that the reader has opened before the figure lives stays open, and nothing moves", () =>
  withPage(
    async (page, { release }) => {
      const { title, open, root } = practice(page);
      await title(3).evaluate((part) => part.click());
      assert.deepEqual(await open(), [3]);
      release();
      await root.locator(".emq-button:enabled").first().waitFor();
      assert.deepEqual(await open(), [3]);
    },
    { hold: "**/emq-lesson*.js" },
  ));

test("where it comes alive nothing moves", () =>
  withPage(async (page) => {
    await practice(page).comeNear();
    assert.equal(await shift(page), 0);
  }));

test("the address says which is open, a link opens it, and Back goes back", () =>
  withPage(
    async (page) => {
      const { says, title, open } = practice(page);
      await says("7 of 9 · lock.log · nothing said yet");
      await page.waitForTimeout(700);
      await title(0).click();
      await page.waitForFunction(() => location.hash === "#v1;practice=show:release-1.lua");
      await page.goBack();
      await says("7 of 9 · lock.log · nothing said yet");
      assert.deepEqual(await open(), [6]);
    },
    { at: "#v1;practice=show:lock.log" },
  ));

test("a link to one that is not in it opens the page as it is, with a note", () =>
  withPage(
    async (page) => {
      await page.locator("#note", { hasText: "names what is not here" }).waitFor();
      assert.deepEqual(await practice(page).open(), []);
    },
    { at: "#v1;practice=show:other.lua" },
  ));

for (const [index, name, words] of [
  [0, "emq-analyzer_bg.wasm", /^1 of 9 · release-1\.lua · the analyzer could not be loaded \(.+\): `emq-conform lint fixtures\/practice\/release-1\.lua` can$/],
  [4, "emq-judge_bg.wasm", /^5 of 9 · drain\.log · the judge could not be loaded \(.+\): `emq-conform check --queue payments fixtures\/practice\/drain\.log` can$/],
]) {
  test(`without ${name} it says how to go on, and the reader may say it again`, () =>
    withPage(
      async (page) => {
        const { comeNear, title, guess, says, answer } = practice(page);
        await comeNear();
        await title(index).click();
        await guess("pass").click();
        await says(words);
        assert.equal(await answer(index).count(), 0);
        assert.equal(await guess("pass").getAttribute("aria-disabled"), null);
      },
      { server: { instead: { [marked(name)]: null } }, expected: /404|integrity/ },
    ));
}

test("no score and nothing else is kept", () =>
  withPage(async (page) => {
    const { comeNear, title, guess, says, root } = practice(page);
    await comeNear();
    await title(1).click();
    await guess("pass").click();
    await says(/as you said/);
    assert.doesNotMatch(await root.textContent(), /\bscore\b|\bpoints?\b|of 9 right/i);
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
    await page.reload();
    await practice(page).comeNear();
    await settled(page);
    await says("2 of 9 · remind-1.lua · nothing said yet");
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { comeNear, title, guess, says } = practice(page);
        await comeNear();
        await page.evaluate(axe);
        const violations = async () => {
          const found = await page.evaluate(() => window.axe.run("#practice", { resultTypes: ["violations"] }));
          return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        };
        assert.deepEqual(await violations(), []);
        for (const index of [0, 3, 7]) {
          await title(index).click();
          assert.deepEqual(await violations(), [], SET[index][0]);
          await guess("pass").click();
          await says(/, where you said pass|, as you said/);
          assert.deepEqual(await violations(), [], SET[index][0]);
        }
      },
      { context: { colorScheme } },
    ));
}
