// The page's address says what the figures show: a link opens it, Back and Forward go through it, and no link does harm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { allAlive, settled, useBrowser, withPage } from "./support/browser.mjs";
import { figure, fleet, script } from "./support/figure.mjs";

useBrowser();

const hash = (page) => page.evaluate(() => location.hash);
const note = (page) => page.locator("#note").textContent();
const entries = (page) => page.evaluate(() => history.length);
/** As long as it takes for a change to be an entry of its own. */
const moment = (page) => page.waitForTimeout(700);
const kept = () => ({ timeout: 10_000 });
/** Waits until the address says that. */
const at = (page, wanted) => page.waitForFunction((wanted) => location.hash === wanted, wanted, kept());
/** Waits until the address is kept. */
const ready = async (page) => {
  await allAlive(page);
  await page.waitForFunction(() => history.state !== null, null, kept());
};
const packed = (bytes) => deflateRawSync(bytes).toString("base64url");

test("each step and each choice is an entry, and Back and Forward go through them", () =>
  withPage(async (page) => {
    await ready(page);
    const { button, select, says } = figure(page);
    const crossing = fleet(page);
    const bench = script(page);
    const way = [
      [() => button("Step").click(), "#v1;conformance=step:1,show:keyspace", () => says(/^1 of 5 · keyspace/)],
      [() => select("break").selectOption({ label: "a wrong version" }), "#v1;conformance=break:wrong-version,step:1", () => says(/^1 of 5 · changed: a wrong version/)],
      [() => crossing.choose("node-iovalkey", "reference"), "#v1;fleet=producer:node-iovalkey,consumer:reference;conformance=break:wrong-version,step:1", () => crossing.says(/^4 of 4 · node-iovalkey → reference/)],
      [() => bench.choose("example", 2), "#v1;script=example:rate-limit-1.lua;fleet=producer:node-iovalkey,consumer:reference;conformance=break:wrong-version,step:1", () => bench.says(/^rate-limit-1\.lua · derived · strict/)],
      [() => bench.choose("policy", 1), "#v1;script=example:rate-limit-1.lua,policy:rooted;fleet=producer:node-iovalkey,consumer:reference;conformance=break:wrong-version,step:1", () => bench.says(/^rate-limit-1\.lua · derived · rooted/)],
    ];
    for (const [act, wanted, said] of way) {
      await act();
      await said();
      await at(page, wanted);
      await moment(page);
    }
    for (const [, wanted, said] of way.slice(0, -1).reverse()) {
      await page.goBack();
      await at(page, wanted);
      await said();
    }
    await page.goBack();
    await at(page, "");
    await says("5 of 5 · 5 pass");
    await crossing.says(/^4 of 4 · reference → node-iovalkey/);
    await bench.says(/^v1-style\.lua · undeclared · strict/);
    for (const [, wanted, said] of way) {
      await page.goForward();
      await at(page, wanted);
      await said();
    }
    assert.equal(await note(page), "");
  }));

test("changes within a moment are one entry, whose address is the last of them", () =>
  withPage(async (page) => {
    await ready(page);
    const { root, says } = figure(page);
    const before = await entries(page);
    await root.focus();
    await page.evaluate(() => {
      const figure = document.querySelector("[data-figure=conformance] .emq-figure");
      for (let count = 0; count < 13; count++) {
        figure.dispatchEvent(new KeyboardEvent("keydown", { key: count % 2 ? "ArrowLeft" : "ArrowRight", bubbles: true }));
      }
    });
    await says(/^1 of 5/);
    await at(page, "#v1;conformance=step:1,show:keyspace");
    await moment(page);
    assert.equal(await entries(page), before + 1);
    await page.keyboard.press("ArrowRight");
    await at(page, "#v1;conformance=step:2,show:hashtag");
    assert.equal(await entries(page), before + 2);
    await page.goBack();
    await says(/^1 of 5/);
    await page.goBack();
    await says("5 of 5 · 5 pass");
  }));

test("a step right after what is no entry is one all the same", () =>
  withPage(async (page) => {
    await ready(page);
    const { button, says } = figure(page);
    const before = await entries(page);
    // All within a moment: the colours twice, and a step.
    await page.getByRole("radio", { name: "light" }).check();
    await page.getByRole("radio", { name: "dark" }).check();
    await button("Step").click();
    await at(page, "#v1;conformance=step:1,show:keyspace;theme=dark");
    assert.equal(await entries(page), before + 1);
    await page.goBack();
    await says("5 of 5 · 5 pass");
  }));

test("typing is no entry, and Back and Forward bring what was typed", () =>
  withPage(async (page) => {
    await ready(page);
    const { area, choose, says } = script(page);
    await choose("example", 1);
    await says(/^claim-4\.lua · declared/);
    await moment(page);
    const before = await entries(page);
    await area.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("return redis.call('GET', KEYS[1])");
    await says(/^script\.lua · declared/);
    await at(page, "#v1;script=text:own");
    await moment(page);
    assert.equal(await entries(page), before);
    await choose("example", 0);
    await says(/^v1-style\.lua · undeclared/);
    await at(page, "");
    await page.goBack();
    await says(/^script\.lua · declared/);
    assert.equal(await area.inputValue(), "return redis.call('GET', KEYS[1])");
  }));

test("a link opens what it says, where it is, without a note and without a jump", () =>
  withPage(
    async (page) => {
      await fleet(page).says(/^2 of 4 · node-iovalkey → reference · take/);
      await figure(page).says(/^5 of 5 · changed: an undeclared key, caught by declared/);
      await script(page).says(/^claim-4\.lua · declared · slot-rooted/);
      assert.equal(await note(page), "");
      assert.ok(await page.locator("[data-figure=fleet]").evaluate((place) => Math.abs(place.getBoundingClientRect().top) < innerHeight / 2), "the reader is elsewhere");
      assert.equal(await entries(page), 2, "opening is an entry");
      await page.reload();
      await fleet(page).says(/^2 of 4 · node-iovalkey → reference · take/);
      assert.equal(await note(page), "");
    },
    { at: "#v1;fleet=producer:node-iovalkey,consumer:reference,step:2,show:2;script=example:claim-4.lua,policy:slot-rooted;conformance=break:undeclared,show:declared" },
  ));

test("a link is copied with the reader's own text, and opens with it", () =>
  withPage(
    async (page, { address }) => {
      await ready(page);
      const { area, says, choose } = script(page);
      const text = "-- naïve \u202e 中文 </script>\nreturn redis.call('GET', KEYS[1] .. ARGV[1])\n";
      await area.fill(text);
      await says(/^script\.lua · /);
      await choose("policy", 2);
      const said = await script(page).status.textContent();
      await page.locator("[data-figure=script] + .emq-link a").click();
      await page.locator("[data-figure=script] + .emq-link output", { hasText: "Copied." }).waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(link.startsWith(`${address}#v1;script=text:own,policy:slot-rooted;script.text=`), link);
      const other = await page.context().newPage();
      await other.goto(link);
      await script(other).says(said);
      assert.equal(await script(other).area.inputValue(), text);
      assert.equal(await note(other), "");
      // The text is in the address until it is another.
      await figure(other).button("Step").click();
      await other.waitForFunction(() => location.hash.startsWith("#v1;conformance=step:1,show:keyspace;script=text:own,policy:slot-rooted;script.text="), null, kept());
      await other.reload();
      await script(other).says(said);
      await other.waitForFunction(() => history.state !== null, null, kept());
      await script(other).area.pressSequentially("-- more");
      await at(other, "#v1;conformance=step:1,show:keyspace;script=text:own,policy:slot-rooted");
      await other.reload();
      await script(other).says(/^v1-style\.lua/);
      await other.getByText("has not the text that it speaks of").waitFor({ timeout: 20_000 });
      await other.close();
    },
    { context: { permissions: ["clipboard-read", "clipboard-write"] } },
  ));

test("where the clipboard is closed the address bar has the link", () =>
  withPage(async (page) => {
    await ready(page);
    await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("no"))));
    await script(page).area.fill("return 1");
    await script(page).says(/^script\.lua · /);
    await at(page, "#v1;script=text:own");
    const link = page.locator("[data-figure=script] + .emq-link a");
    // Who opens it beside this page, before the text is in it, comes to the figure as it opens.
    assert.equal(await link.evaluate(({ hash }) => document.querySelector(hash).dataset.figure), "script");
    await link.click();
    await page.getByText("the browser’s address bar has the link").waitFor();
    assert.match(await hash(page), /^#v1;script=text:own;script\.text=[\w-]+$/);
  }));

test("a text that is too long for a link is not put into one, one that fits is", () =>
  withPage(async (page) => {
    await ready(page);
    const { write } = script(page);
    const output = page.locator("[data-figure=script] + .emq-link output");
    // What cannot be compressed: hexadecimal digits take four bits each, and base64 gives six bits a character.
    let state = 1;
    const noise = (length) => Array.from({ length }, () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 28).toString(16)).join("");
    for (const [length, words] of [[60_000, /^This text is too long for a link, which has room for 32768 characters/], [(1 << 20) + 1, /^This text is too long/], [24_000, /^(Copied|The clipboard)/]]) {
      await write(`--${noise(length)}`);
      await page.waitForFunction(() => location.hash.includes("text:own"), null, kept());
      await output.evaluate((output) => (output.textContent = ""));
      await page.locator("[data-figure=script] + .emq-link a").click();
      await page.waitForFunction(() => document.querySelector("[data-figure=script] + .emq-link output").textContent, null, kept());
      assert.match(await output.textContent(), words);
      assert.ok((await hash(page)).length <= 32_769);
    }
  }));

const HOSTILE = {
  "a newer version": ["#v2;conformance=step:1", /another version of this page made it/],
  "another version with nothing": ["#v0", /another version/],
  "a figure that is not here": ["#v1;nothing=step:1", /names a figure that is not here/],
  "a property of every object": ["#v1;__proto__=step:1;constructor=x", /is damaged|not here/],
  "a figure twice": ["#v1;conformance=step:1;conformance=step:2", /or one twice/],
  "what is no pair": ["#v1;conformance", /is damaged/],
  "nothing between": ["#v1;;", /is damaged/],
  "half a letter": ["#v1;conformance=%E0%A4", /is damaged/],
  "a theme that is none": ["#v1;theme=red", /not here/],
  "markup": ["#v1;<img src=x onerror=window.hit=1>=<script>window.hit=1</script>", /is damaged/],
  "an address": ["#javascript:window.hit=1", /names no place on it/],
  "a place that is not here": ["#nowhere", /names no place on it/],
  "a foreign encoding": ["#%E0%A4%A", /names no place on it/],
  "a text that is no base64": ["#v1;script=text:own;script.text=*", /is damaged/],
  "a text that is no deflate": ["#v1;script=text:own;script.text=AAAA", /is damaged/],
  "a text that is no UTF-8": [`#v1;script=text:own;script.text=${packed(Buffer.from([0xff, 0xfe]))}`, /is damaged/],
  "a text of 16 MiB": [`#v1;script=text:own;script.text=${packed(Buffer.alloc(1 << 24))}`, /text in it is longer than 1048576 bytes/],
  "too long": [`#v1;conformance=${"x".repeat(40_000)}`, /longer than 32768 characters/],
  "far too long": [`#v1;conformance=${"x".repeat(1 << 20)}`, /longer than 32768 characters/],
};

for (const [what, [fragment, words]] of Object.entries(HOSTILE)) {
  test(`a link with ${what} opens the page as it is, with a note`, () =>
    withPage(
      async (page) => {
        await page.locator("#note", { hasText: "opens the page as it is" }).waitFor();
        assert.match(await note(page), words);
        await allAlive(page);
        await figure(page).says("5 of 5 · 5 pass");
        await fleet(page).says(/^4 of 4 · reference → node-iovalkey/);
        await script(page).says(/^v1-style\.lua/);
        assert.equal(await page.evaluate(() => window.hit), undefined);
        // And what the reader does next is kept.
        await figure(page).button("Step").click();
        await at(page, "#v1;conformance=step:1,show:keyspace");
      },
      { at: fragment },
    ));
}

test("of a link that is understood in part the rest is shown, with a note", () =>
  withPage(
    async (page) => {
      await figure(page).says(/^2 of 5 · hashtag/);
      await page.locator("#note", { hasText: "A part of this link names what is not here" }).waitFor();
      await at(page, "#v1;conformance=step:2,show:hashtag");
      // The next link is another matter.
      await page.evaluate(() => (location.hash = "v1;conformance=step:1"));
      await figure(page).says(/^1 of 5/);
      assert.equal(await note(page), "");
      await page.evaluate(() => (location.hash = "v1;conformance=step:9"));
      await figure(page).says("5 of 5 · 5 pass");
      assert.match(await note(page), /^A part of this link/);
    },
    { at: "#v1;conformance=capture:nobody,step:2,show:hashtag" },
  ));

test("anchors of sections work as anywhere, and leave the figures as they are", () =>
  withPage(
    async (page) => {
      const { button, says } = figure(page);
      const there = () => page.locator("#recap").evaluate((section) => section.getBoundingClientRect().top < innerHeight);
      assert.ok(await there());
      await ready(page);
      assert.equal(await note(page), "");
      await button("Step").click();
      await at(page, "#v1;conformance=step:1,show:keyspace");
      await moment(page);
      await page.evaluate(() => (location.hash = "references"));
      await settled(page);
      await says(/^1 of 5/);
      await button("Step").click();
      await at(page, "#v1;conformance=step:2,show:hashtag");
      for (const [hash, words] of [["#references", /^1 of 5/], ["#v1;conformance=step:1,show:keyspace", /^1 of 5/], ["#recap", "5 of 5 · 5 pass"]]) {
        await page.goBack();
        await at(page, hash);
        await says(words);
      }
      assert.equal(await note(page), "");
    },
    { at: "#recap" },
  ));

test("without JavaScript the link below a figure leads to it", () =>
  withPage(
    async (page, { address }) => {
      for (const link of await page.locator(".emq-link a").all()) {
        await link.click();
        const name = new URL(page.url()).hash.slice(1);
        assert.match(name, /^figure-/);
        assert.ok(await page.locator(`[id="${name}"][data-figure]`).isVisible());
      }
      assert.ok(page.url().startsWith(address));
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));
