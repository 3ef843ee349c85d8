// Predict first: what a reader says before a step, and what the step says of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { allCome, captures, figure, flaw, fleet, script } from "./support/figure.mjs";

useBrowser();

test("by mouse: right and wrong are told from what decides the verdict", () =>
  withPage(async (page) => {
    const { select, button, guess, says, hindsight } = figure(page);
    await allCome(page);
    await select("capture").selectOption({ label: "EchoMQ 2.4.2, strict" });
    await button("Reset").click();
    await guess("fail").click();
    assert.equal(await guess("fail").getAttribute("aria-pressed"), "true");
    await says("0 of 5 · nothing asserted yet · you say of keyspace: fail");
    // It can be changed, and taken back.
    await guess("pass").click();
    await says(/you say of keyspace: pass$/);
    await guess("pass").click();
    await says("0 of 5 · nothing asserted yet");
    await guess("pass").click();
    await button("Step").click();
    await says(/^1 of 5 · keyspace · pass, as you said: 6 of 6 keys/);
    assert.match(await hindsight.textContent(), /^You said pass, and it is pass\. What decides it: 6 of 6 keys/);
    await button("Step").click();
    assert.equal(await hindsight.count(), 0, "nothing was said of it");
    await button("Step").click();
    await guess("indeterminate").click();
    await button("Step").click();
    await says(/^4 of 5 · declared · fail, where you said indeterminate: 9 of 13/);
    assert.match(await hindsight.textContent(), /^You said indeterminate, but it is fail\. What decides it: line 18: HINCRBY emq:\{payments\}:job:\w+ \(write\): not in KEYS of 2319de1e/);
  }));

test("by keyboard alone, in every figure that is stepped", () =>
  withPage(async (page) => {
    const one = figure(page);
    await one.root.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("f");
    await one.says(/you say of keyspace: fail$/);
    await page.keyboard.press("ArrowRight");
    await one.says(/^1 of 5 · keyspace · pass, where you said fail/);
    // The buttons are reached by Tab, and a step from one of them leaves the focus where it is.
    await one.guess("indeterminate").focus();
    await page.keyboard.press("Space");
    assert.equal(await one.guess("indeterminate").getAttribute("aria-pressed"), "true");
    await page.keyboard.press("ArrowRight");
    await one.says(/^2 of 5 · hashtag · pass, where you said indeterminate/);
    assert.ok(await one.guess("indeterminate").evaluate((button) => button === document.activeElement));
    assert.equal(await one.guess("indeterminate").getAttribute("aria-pressed"), "false", "the next one is another question");

    const other = fleet(page);
    await other.comeNear();
    await other.root.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("p");
    await other.says(/nothing stepped yet · you say of add: pass$/);
    await page.keyboard.press("ArrowRight");
    await other.says(/^1 of 4 · .* · add: pass, as you said: row emq:/);
    assert.match(await other.hindsight.textContent(), /^You said pass, and it is pass\. What decides it: row emq:/);
    await other.choose("reference", "bullmq");
    await page.keyboard.press("Tab");
    await other.root.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("p");
    await page.keyboard.press("ArrowRight");
    await other.says(/^2 of 4 · .* · take: fail, where you said pass: .*take found no job/);

    const third = flaw(page);
    await third.comeNear();
    await third.root.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("f");
    await third.says(/ · anchor 1: .* · you say of consequence 1: fail$/);
  }));

test("a bench keeps its verdict back where the reader wants to say first", () =>
  withPage(async (page) => {
    for (const [bench, other, first, second] of [
      [script(page), 1, /^v1-style\.lua · undeclared · strict: does not conform/, /^claim-4\.lua · declared · strict: conforms/],
      [captures(page), 3, /^payments\.json · pass · /, /^bullmq-5\.65\.1-bull\.capture\.json · fail · /],
    ]) {
      const { root, select, guess, says, hindsight } = bench;
      const told = root.locator(".emq-verdicts .emq-word, .emq-findings:not(.emq-by-slot) > li, .emq-compare td");
      const seen = async () => (await Promise.all((await told.all()).map((one) => one.isVisible()))).filter(Boolean).length;
      await bench.comeNear();
      const all = await seen();
      assert.ok(all > 1);
      await root.getByLabel("predict first").check();
      await says(/ · say first what strict makes of it$/);
      assert.equal(await seen(), 0, "nothing tells it");
      assert.equal(await root.locator(".emq-row-of-code.emq-lit").count(), 0, "nor is a line marked");
      await guess("fail").click();
      await says(first);
      assert.equal(await seen(), all);
      assert.match(await hindsight.textContent(), /^You said fail, .*What decides it: /);
      // It is told now.
      await guess("pass").click({ force: true });
      assert.match(await hindsight.textContent(), /^You said fail/);
      await select("example").selectOption(String(other));
      await says(/ · say first what strict makes of it$/);
      // By its key, wherever no text is written.
      await select("example").evaluate((list) => list.blur());
      await guess("fail").focus();
      await page.keyboard.press("p");
      await says(second);
      assert.match(await hindsight.textContent(), /^You said pass, /);
      await select("policy").selectOption("1");
      await says(/rooted/);
      assert.equal(await hindsight.count(), 0, "of this policy nothing was said");
      assert.ok((await seen()) > 1);
    }
  }));

test("where nothing is hidden there is nothing to say, and the buttons say why", () =>
  withPage(async (page) => {
    const { root, guess, says, button } = figure(page);
    const group = root.locator(".emq-predict");
    assert.equal(await group.getAttribute("aria-label"), "Reset, then predict");
    assert.equal(await guess("pass").getAttribute("aria-disabled"), "true");
    await guess("pass").click({ force: true });
    await says("5 of 5 · 5 pass");
    await button("Reset").click();
    assert.equal(await group.getAttribute("aria-label"), "you say of 1 · keyspace");
    assert.equal(await guess("pass").getAttribute("aria-disabled"), null);
  }));

test("without JavaScript the buttons stand there and do nothing", () =>
  withPage(
    async (page) => {
      const { guess } = figure(page);
      for (const word of ["pass", "fail", "indeterminate"]) assert.ok(await guess(word).isDisabled(), word);
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));
