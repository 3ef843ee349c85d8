// Predict first: what a reader says before a step, and what the step says of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { allCome, figure, fleet } from "./support/figure.mjs";

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

test("by keyboard alone, in both figures", () =>
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
  }));

test("where nothing is hidden there is nothing to say, and the buttons say why", () =>
  withPage(async (page) => {
    const { root, guess, says, button } = figure(page);
    const group = root.locator(".emq-predict");
    assert.equal(await group.getAttribute("aria-label"), "predict first: Reset hides all");
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
