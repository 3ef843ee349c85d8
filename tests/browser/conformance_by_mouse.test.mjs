// The conformance figure by mouse.

import assert from "node:assert/strict";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { BREAKS, CAPTURES, IDS, allCome, figure } from "./support/figure.mjs";
import { read, redrawn } from "./support/server.mjs";

useBrowser();

test("the buttons step, assert all and reset", () =>
  withPage(async (page, { requests }) => {
    await allAlive(page);
    await allCome(page);
    await page.waitForFunction(() => history.state !== null);
    const loaded = requests.length;
    const { button, says } = figure(page);
    await button("Step").click();
    await says(/^1 of 5 · keyspace · pass/);
    await button("Step").click();
    await says(/^2 of 5 · hashtag · pass/);
    await button("Back").click();
    await says(/^1 of 5/);
    await button("Reset").click();
    await says(/^0 of 5/);
    assert.equal(await button("Back").getAttribute("aria-disabled"), "true");
    await button("Assert all").click();
    await says("5 of 5 · 5 pass");
    assert.equal(requests.length, loaded, "requests after the page was loaded");
    assert.equal(new Set(requests).size, requests.length, "something was fetched twice");
  }));

test("every verdict opens its evidence in the capture and on the strip", () =>
  // As high as the figure: what is out of sight a click brings into sight, and does not close.
  withPage(async (page) => {
    const { assertion, lit, details, root, inSight } = figure(page);
    for (const id of IDS) {
      await assertion(id).click();
      assert.equal(await assertion(id).getAttribute("aria-expanded"), "true", id);
      assert.ok((await lit.count()) > 0, id);
      assert.ok(await inSight(lit.first()), `${id}: the first line lit is out of sight`);
      assert.equal(await root.locator(".emq-ring").count(), 1, `${id}: the strip shows nothing`);
      const last = details.locator("button.emq-place").last();
      await last.click();
      assert.ok(await inSight(root.locator(".emq-line.emq-selected")), `${id}: the last piece of evidence is out of sight`);
      await assertion(id).click();
      assert.equal(await assertion(id).getAttribute("aria-expanded"), "false", id);
    }
  }, { context: { viewport: { width: 1200, height: 1700 } } }));

test("a line shows which assertions it is evidence for", () =>
  withPage(async (page) => {
    const { root, details, says } = figure(page);
    const call = root.locator(".emq-card > .emq-line").first();
    await call.click();
    await says(/is evidence for keyspace, hashtag, legacy, declared/);
    await details.getByRole("button", { name: /hashtag/ }).click();
    await says(/hashtag · pass/);
    const aside = root.locator("[data-place=read-0]");
    await aside.click();
    await says(/what was read aside is evidence for .*version/);
  }));

test("an undeclared key is dashed, says so, and points at its line", () =>
  withPage(async (page) => {
    const { select, root, inSight } = figure(page);
    await select("break").selectOption({ label: "an undeclared key" });
    const missing = root.locator(".emq-missing");
    assert.deepEqual(await missing.allTextContents(), ["→ line 17", "→ line 22"]);
    // In the row of ARGV, and in one of its own that says how it came.
    const rows = root.locator(".emq-keys-row", { has: page.locator("code.emq-undeclared") });
    assert.match(await rows.nth(0).textContent(), /^ARGV .* …:\S+:lock$/);
    assert.match(await rows.nth(1).textContent(), /^…:\S+:lock came in ARGV\[4\], not in KEYS/);
    const borders = await rows.locator("code.emq-undeclared").evaluateAll((chips) => chips.map((chip) => getComputedStyle(chip).borderTopStyle));
    assert.deepEqual(borders, ["dashed", "dashed"]);
    for (const button of await missing.all()) {
      const number = (await button.textContent()).match(/^→ line (\d+)$/)[1];
      await button.click();
      const line = root.locator(`[data-place=event-${number}]`);
      assert.ok(await inSight(line), number);
      assert.match(await line.textContent(), /:lock.*not in KEYS/);
    }
  }));

test("a rule stays broken while the reader steps, and reset mends it", () =>
  withPage(async (page) => {
    const { select, button, says, words, root, inSight } = figure(page);
    for (const { title, fails } of BREAKS.filter(({ fails }) => fails.length > 0)) {
      await button("Reset").click();
      await select("break").selectOption({ label: title });
      await says(`0 of 5 · changed: ${title} · nothing asserted yet`);
      // Nothing is lit yet, so the line itself says that it is another, and can be seen.
      const changed = root.locator(".emq-line", { hasText: "≠ changed" });
      assert.ok((await changed.count()) > 0 && (await inSight(changed.first())), title);
      assert.match(await root.locator(".emq-measured").textContent(), /then changed on this page$/);
      for (let step = 0; step < 5; step++) await button("Step").click();
      assert.deepEqual(await words(), IDS.map((id) => (fails.includes(id) ? "fail" : "pass")), title);
    }
    await button("Reset").click();
    assert.equal(await root.locator(".emq-line", { hasText: "≠ changed" }).count(), 0);
    assert.doesNotMatch(await root.locator(".emq-measured").textContent(), /changed/);
  }));

test("a piece of evidence that is clicked is said in the status line", () =>
  withPage(async (page) => {
    const { assertion, details, status, says } = figure(page);
    await assertion("legacy").click();
    const row = details.locator("button.emq-place").nth(1);
    await row.click();
    await says(/^5 of 5 · legacy · line \d+: EVAL …:\S+: not in the old keyspace \(first of \d+ accesses\)$/);
    const box = await status.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 700.5, "the status line is out of sight");
  }, { context: { viewport: { width: 320, height: 700 } } }));

test("where the panes stand one below the other, a piece of evidence takes the reader to its line", () =>
  withPage(async (page) => {
    const { select, assertion, details, root } = figure(page);
    const onScreen = async () => {
      const [box, controls, status] = await Promise.all(
        [".emq-line.emq-selected", ".emq-buttons", ".emq-status"].map((part) => root.locator(part).boundingBox()),
      );
      return box.y >= controls.y + controls.height && box.y + box.height <= status.y;
    };
    for (const id of IDS) {
      await assertion(id).click();
      for (const row of [details.locator("button.emq-place").last(), details.locator("button.emq-place").first()]) {
        await row.click();
        assert.ok(await onScreen(), `${id}: the line is off the screen`);
      }
      await assertion(id).click();
    }
    // Also the one whose line the pane shows already.
    await select("break").selectOption({ label: "a second hash tag" });
    await details.locator("button.emq-place").last().click();
    assert.ok(await onScreen(), "a second hash tag: the line is off the screen");
  }, { context: { viewport: { width: 360, height: 740 } } }));

test("where the panes stand one below the other, a tap on an assertion shows its evidence", () =>
  withPage(async (page) => {
    const { select, assertion, details, status, says } = figure(page);
    const onScreen = async () => {
      const [box, bar] = await Promise.all([details.boundingBox(), status.boundingBox()]);
      return box.y >= 0 && box.y + 80 <= bar.y;
    };
    await assertion("keyspace").click();
    assert.ok(await onScreen(), "the evidence is off the screen");
    // It opened by itself, out of sight: a tap on it shows it, the next one closes it.
    await select("break").selectOption({ label: "an undeclared key" });
    await assertion("declared").evaluate((row) => row.scrollIntoView({ block: "end" }));
    assert.ok(!(await onScreen()), "the evidence was on the screen before");
    await assertion("declared").tap();
    assert.equal(await assertion("declared").getAttribute("aria-expanded"), "true");
    assert.ok(await onScreen(), "the evidence is off the screen");
    await assertion("declared").evaluate((row) => row.click());
    assert.equal(await assertion("declared").getAttribute("aria-expanded"), "false");
    await says(/4 pass, 1 fail$/);
  }, { context: { viewport: { width: 360, height: 740 }, hasTouch: true } }));

test("the evidence of a pass adds up to what its sentence counts", () =>
  withPage(async (page) => {
    const { assertion, details } = figure(page);
    await assertion("legacy").click();
    const [, accesses, passed] = (await assertion("legacy").textContent()).match(/of (\d+) accesses and (\d+) elements of KEYS/);
    const rows = await details.locator(".emq-evidence > li").allTextContents();
    const sum = rows.map((row) => Number(row.match(/first of (\d+) accesses/)?.[1] ?? 1)).reduce((a, b) => a + b);
    assert.equal(sum, Number(accesses) + Number(passed));
    // What offers the version is listed, although it decides nothing.
    await assertion("version").click();
    assert.match(await details.textContent(), /2HSETNX …:meta \(write\): echomq:2\.0\.0 was offered/);
  }));

test("the text of a line can be selected without a click on the line", () =>
  withPage(async (page) => {
    const { line, says } = figure(page);
    const box = await line(2).boundingBox();
    await page.mouse.move(box.x + 60, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 250, box.y + 10, { steps: 5 });
    await page.mouse.up();
    assert.match(await page.evaluate(() => getSelection().toString()), /meta/);
    await says("5 of 5 · 5 pass");
    await line(3).click();
    await says(/line 3/);
  }));

test("a second hash tag shows as a second place on the strip", () =>
  withPage(async (page) => {
    const { select, root } = figure(page);
    assert.equal(await root.locator(".emq-dot").count(), 1);
    await select("break").selectOption({ label: "a second hash tag" });
    assert.equal(await root.locator(".emq-dot").count(), 2);
    assert.match(await root.locator(".emq-slots > svg").getAttribute("aria-label"), /{payments}.*{payments-eu}/);
  }));

test("a capture taken for this build is offered beside the fixed one", () => {
  // Packed, a text of the same length can be put in another's place.
  const taken = Buffer.from(read("captures/payments.bin").toString("latin1").replace("8.0.1", "9.1.2"), "latin1");
  const html = read("index.html").toString().replace(/data-files="[^"]*"/, 'data-files="captures/payments.bin captures/latest.bin"');
  const instead = redrawn("emq-page.js", { "captures/latest.bin": taken }, html);
  return withPage(
    async (page) => {
      const { select, root, says } = figure(page);
      const labels = await select("capture").locator("option").allTextContents();
      assert.deepEqual(labels, ["payments, fixed", "taken for this build", ...CAPTURES.slice(1).map(({ label }) => label)]);
      await select("capture").selectOption({ label: "taken for this build" });
      assert.match(await root.locator(".emq-measured").textContent(), /valkey 9\.1\.2/);
      await says("5 of 5 · 5 pass");
    },
    { server: { instead } },
  );
});

/** Where an element stands between the buttons and the status line, which keep to the edges of the screen. */
const onScreen = async (page, locator) => {
  const [box, buttons, status] = await Promise.all(
    [locator, page.locator(".emq-buttons").first(), page.locator("[role=status]").first()].map((one) => one.boundingBox()),
  );
  return { top: box.y, whole: box.y >= buttons.y + buttons.height - 1 && box.y + box.height <= status.y + 1 };
};

const SCREENS = [
  [1280, 720],
  [1366, 768],
  [768, 1024],
];

for (const [width, height] of SCREENS) {
  test(`a step brings its assertion onto a screen of ${width} by ${height}`, () =>
    withPage(
      async (page) => {
        const { button, assertion, says } = figure(page);
        for (const [at, id] of IDS.entries()) {
          await button("Step").click();
          await says(new RegExp(`^${at + 1} of 5`));
          assert.ok((await onScreen(page, assertion(id))).whole, id);
        }
      },
      { context: { viewport: { width, height } } },
    ));

  test(`what is pressed stays on a screen of ${width} by ${height}, and what it opens comes onto it`, () =>
    withPage(
      async (page) => {
        const { assertion, details, says } = figure(page);
        for (const id of IDS) {
          await assertion(id).evaluate((row) => scrollBy(0, row.getBoundingClientRect().top - 300));
          await assertion(id).click({ position: { x: 30, y: 10 } });
          await says(new RegExp(` · ${id} · `));
          assert.ok((await onScreen(page, assertion(id))).whole, `${id} is gone`);
          assert.ok((await onScreen(page, details)).top < height * 0.75, `${id}: its details are not there`);
        }
      },
      { context: { viewport: { width, height } } },
    ));
}
