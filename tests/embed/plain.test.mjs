// Two lines of HTML in a page that nobody tuned.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

test("two lines of HTML are a live figure", () =>
  withPage("<h1>A page</h1><emq-conformance><pre>the probe needs a browser with scripts</pre></emq-conformance>".replace("<emq-conformance>", '<emq-conformance capture="payments">'), async (page, { requests }) => {
    const [ready] = await hears(page, "emq-ready");
    assert.deepEqual([ready.tag, ready.figure, ready.version, ready.composed], ["emq-conformance", "conformance", "0.1.0", true]);
    assert.deepEqual([ready.step, ready.of, ready.walking, ready.shown.length], [5, 5, false, 5]);
    const [verdict] = await hears(page, "emq-verdict");
    assert.deepEqual([verdict.verdict, verdict.assertions.length], ["pass", 5]);
    assert.equal(await page.locator("pre").isVisible(), false, "the fallback is still there");
    const figure = page.locator("emq-conformance");
    await figure.getByRole("button", { name: "Step ▶" }).click();
    assert.equal(await figure.locator("[role=status]").textContent(), "1 of 5 · keyspace · pass: 6 of 6 keys lie in emq:{payments}:");
    const [step] = await hears(page, "emq-step");
    assert.deepEqual([step.state, step.step, step.of, step.walking, step.current.id, step.current.verdict], ["step:1,show:keyspace", 1, 5, true, "keyspace", "pass"]);
    assert.equal(new URL(page.url()).hash, "", "the page's address is not the figure's");
    assert.equal(requests.filter((url) => /read|further|analyzer/.test(url)).length, 0, requests.join(" "));
    assert.deepEqual(await heard(page, "emq-error"), []);
  }));

test("the script bench shows an author's script once it was analysed", () =>
  withPage(`<emq-script policy="rooted"><pre>redis.call('DEL', ARGV[1])</pre></emq-script>`, async (page) => {
    await hears(page, "emq-ready");
    const [verdict] = await hears(page, "emq-verdict");
    assert.deepEqual([verdict.verdict, verdict.word], ["fail", "undeclared"]);
    const figure = page.locator("emq-script");
    assert.match(await figure.locator("[role=status]").textContent(), /^script\.lua · undeclared · rooted: does not conform · 1 call, 1 finding/);
    const report = await page.evaluate(() => document.querySelector("emq-script").report());
    assert.deepEqual([report.format, report.policy, report.files[0].findings[0].rule], ["emq-lint/1", "rooted", "undeclared-argv"]);
    await figure.locator("textarea").fill("redis.call('DEL', KEYS[1])");
    const [, next] = await hears(page, "emq-verdict", 2);
    assert.deepEqual([next.verdict, next.word], ["pass", "declared"]);
  }));

test("the fleet shows who handed a job to whom, and its steps are phases", () =>
  withPage("<emq-fleet><pre>until then</pre></emq-fleet>", async (page, { requests }) => {
    const [ready] = await hears(page, "emq-ready");
    assert.deepEqual([ready.figure, ready.step, ready.of, ready.walking], ["fleet", 4, 4, false]);
    assert.deepEqual(ready.shown.map(({ id, verdict }) => `${id} ${verdict}`), ["add pass", "take pass", "complete pass", "take-again pass"]);
    const [verdict] = await hears(page, "emq-verdict");
    assert.deepEqual([verdict.verdict, verdict.word, verdict.producer, verdict.consumer], ["pass", "pass", "reference", "node-iovalkey"]);
    const figure = page.locator("emq-fleet");
    await figure.getByRole("button", { name: "⇄ Swap" }).click();
    await page.waitForFunction(() => document.querySelector("emq-fleet").state === "producer:node-iovalkey,consumer:reference");
    await figure.getByRole("button", { name: "Step ▶" }).click();
    const step = (await hears(page, "emq-step", 2)).at(-1);
    assert.deepEqual([step.step, step.of, step.walking, step.current.id, step.current.verdict], [1, 4, true, "add", "pass"]);
    assert.match(await figure.locator("[role=status]").textContent(), /^1 of 4 · node-iovalkey → reference · add: pass/);
    // One of whom nothing ran.
    await page.evaluate(() => Object.assign(document.querySelector("emq-fleet"), { producer: "reference", consumer: "echomq-elixir" }));
    const last = (await hears(page, "emq-verdict", 3)).at(-1);
    assert.deepEqual([last.verdict, last.word, last.consumer], ["indeterminate", "not-run", "echomq-elixir"]);
    assert.equal(await page.evaluate(() => document.querySelector("emq-fleet").report()), null);
    assert.equal(requests.filter((url) => /read|further|analyzer|judge|\d\.wasm/.test(url)).length, 0, requests.join(" "));
    assert.deepEqual(await heard(page, "emq-error"), []);
  }));

test("the v1 flaw opens with v1's call, and with another once that was analysed", () =>
  withPage('<emq-v1-flaw id="first"><pre>until then</pre></emq-v1-flaw><emq-v1-flaw id="mended" loading="eager" call="claim-4.lua" keys="one-tag" step="3"></emq-v1-flaw>', async (page) => {
    const ready = Object.fromEntries((await hears(page, "emq-ready", 2)).map((detail) => [detail.id, detail]));
    assert.deepEqual([ready.first.step, ready.first.of, ready.first.walking, ready.first.shown.length], [12, 12, false, 12]);
    assert.deepEqual([ready.mended.step, ready.mended.walking, ready.mended.current.id, ready.mended.current.verdict], [3, true, "resolution-1", "pass"]);
    assert.equal(ready.mended.shown[0].verdict, null, "an anchor is only pointed at");
    const verdicts = Object.fromEntries((await hears(page, "emq-verdict", 2)).map(({ id, verdict, word }) => [id, [verdict, word]]));
    assert.deepEqual(verdicts, { first: ["fail", "undeclared"], mended: ["pass", "declared"] });
    const reports = () => page.evaluate(() => [...document.querySelectorAll("emq-v1-flaw")].map((element) => element.report()).map((report) => report && [report.format, report.files[0].path, report.files[0].verdict]));
    assert.deepEqual(await reports(), [["emq-lint/1", "take-2.lua", "undeclared"], ["emq-lint/1", "claim-4.lua", "declared"]]);
    // There and back again.
    await page.locator("#first").locator("select[name=passes]").selectOption({ index: 2 });
    await page.waitForFunction(() => document.querySelector("#first").report()?.files[0].path === "passed-4.lua");
    await page.locator("#first").getByRole("button", { name: "Reset" }).click();
    await page.waitForFunction(() => document.querySelector("#first").report()?.files[0].path === "take-2.lua");
    await page.locator("#first").getByRole("button", { name: "Step ▶" }).click();
    assert.match(await page.locator("#first").locator("[role=status]").textContent(), /^1 of 12 · take-2\.lua · undeclared · anchor 1: /);
    assert.deepEqual(await heard(page, "emq-error"), []);
  }));

test("the capture bench shows an author's log once it was judged, and a reader's after it", () =>
  withPage(`<emq-capture><pre>1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:1.0.0"\n</pre></emq-capture>`, async (page) => {
    await hears(page, "emq-ready");
    const [verdict] = await hears(page, "emq-verdict");
    assert.deepEqual([verdict.verdict, verdict.queue, verdict.assertions.length], ["fail", "q", 5]);
    const figure = page.locator("emq-capture");
    assert.match(await figure.locator("[role=status]").textContent(), /^pasted\.log · fail · queue q: /);
    assert.match(await figure.locator("textarea").inputValue(), /"emq:\{q\}:meta"/);
    const report = await page.evaluate(() => document.querySelector("emq-capture").report());
    assert.deepEqual([report.format, report.subject.queue, report.verdict], ["emq-report/1", "q", "fail"]);
    await figure.locator("textarea").fill('1.000001 [0 a:1] "HSET" "emq:{other}:meta" "version" "echomq:2.0.0"\n');
    const [, next] = await hears(page, "emq-verdict", 2);
    assert.deepEqual([next.verdict, next.queue], ["indeterminate", "other"]);
    // Another policy is of what stands there.
    await page.evaluate(() => (document.querySelector("emq-capture").policy = "rooted"));
    await page.waitForFunction(() => document.querySelector("emq-capture").report()?.policy === "rooted");
    assert.equal(await page.evaluate(() => document.querySelector("emq-capture").report().subject.queue), "other");
    await figure.locator("select[name=example]").selectOption({ index: 3 });
    await page.waitForFunction(() => document.querySelector("emq-capture").report()?.subject.queue === "payments");
    assert.match(await figure.locator("textarea").inputValue(), /^\{/, "the example's own text");
    assert.deepEqual(await heard(page, "emq-error"), []);
  }));

test("what the reader is at keeps the focus when the findings are drawn anew", () =>
  withPage(`<emq-script loading="eager"><pre>redis.call('DEL', ARGV[1])\nredis.call('DEL', ARGV[2])</pre></emq-script>`, async (page) => {
    await hears(page, "emq-verdict");
    const figure = page.locator("emq-script");
    await figure.locator("textarea").fill("redis.call('DEL', KEYS[1])");
    // Before the reader's pause is over, and so before the button goes.
    await figure.locator(".emq-findings button").last().focus();
    await hears(page, "emq-verdict", 2);
    const focused = () => page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.className ?? document.activeElement.localName);
    assert.equal(await focused(), "emq-scroll emq-findings");
  }));
