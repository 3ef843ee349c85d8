// The fleet as recorded: what the figure says is what the run says, by mouse, without scripts, and whatever a reader sees of colour.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { top } from "../wasm/dist.mjs";
import { allAlive, shift, useBrowser, withPage } from "./support/browser.mjs";
import { fleet } from "./support/figure.mjs";
import { read, redrawn } from "./support/server.mjs";

useBrowser();

const recorded = (name) => JSON.parse(readFileSync(join(top, "fixtures/fleet/recorded", name), "utf8"));
const battery = recorded("battery.json");
const plain = recorded("plain.json");
const roster = JSON.parse(readFileSync(join(top, "fixtures/fleet/roster.json"), "utf8"));

const CLAIMS = { "speaks-v2": "claims v2", "not-yet": "not yet", proposed: "proposed, does not exist", "never-by-design": "never, by design" };

test("every cell is the verdict of the recorded run, and opens with its reason", () =>
  withPage(async (page) => {
    const { comeNear, cell, details, says } = fleet(page);
    await comeNear();
    for (const { producer, consumer, verdict, why } of battery.cells) {
      const button = cell(producer, consumer);
      assert.equal(await button.getAttribute("aria-label"), `${producer} to ${consumer}: ${verdict}`);
      assert.equal(await button.textContent(), verdict);
      await button.click();
      await says(new RegExp(`${producer} → ${consumer} · ${verdict}: `));
      assert.ok((await details.textContent()).startsWith(`${producer} → ${consumer}${verdict}: ${why}`), await details.textContent());
      assert.equal(await button.getAttribute("aria-pressed"), "true");
    }
  }));

test("the assertions over a recording are judged here, as the run judged them, and its phases are its checks", () =>
  withPage(async (page) => {
    const { comeNear, cell, details, act, phases } = fleet(page);
    await comeNear();
    const worst = (verdicts) => ["fail", "indeterminate", "not-supported", "pass", "not-run"].find((verdict) => verdicts.includes(verdict));
    for (const { producer, consumer, report, payloads } of plain.cells.filter(({ report }) => report)) {
      await cell(producer, consumer).click();
      const said = await details.locator(".emq-checks").last().locator(":scope > li").allTextContents();
      report.assertions.forEach(({ id, verdict, summary }, index) => {
        const where = `${producer} → ${consumer}: ${said[index]}`;
        // The run also read the texts of the scripts, which the recording leaves out: where that made a difference, it is said.
        const trace = report.assertions[index].witnesses?.find((witness) => witness.id === "trace") ?? { verdict, summary };
        assert.ok(said[index].startsWith(`${trace.verdict} ${id}: ${trace.summary}`), where);
        assert.equal(said[index].endsWith(`by the run, which also had the texts of the scripts: ${verdict}: ${summary}`), trace.verdict !== verdict, where);
      });
      const checks = Object.fromEntries(payloads[0].checks.map(({ id, verdict }) => [id, verdict]));
      const expected = [[checks.added], [checks.fetched, checks.payload, checks.held], [checks.completed], [checks.empty]].map(worst);
      assert.deepEqual(await phases(), expected, `${producer} → ${consumer}`);
      for (const [index, ids] of [["added"], ["fetched", "payload", "held"], ["completed"], ["empty"]].entries()) {
        await act(index).click();
        const rows = await details.locator(".emq-checks > li").allTextContents();
        const wanted = payloads[0].checks.filter(({ id }) => ids.includes(id)).map(({ id, verdict, why }) => `${verdict} ${id}: ${why}`);
        assert.deepEqual(rows, wanted);
        await act(index).click();
      }
    }
  }));

test("the commands and keys of each phase are the capture's, and BullMQ's row has the keys it really used", () =>
  withPage(async (page) => {
    const { comeNear, choose, details, act, keys, root } = fleet(page);
    await comeNear();
    await choose("bullmq", "bullmq");
    const capture = recorded("captures/bullmq+bullmq.json");
    const seen = new Set();
    for (let index = 0; index < 4; index++) {
      await act(index).click();
      for (const line of await details.locator(".emq-commands > li, .emq-commands ol > li").all()) {
        const number = Number(await line.locator(":scope > .emq-number").textContent());
        const event = capture.events.find(({ seq }) => seq === number);
        assert.equal((await line.locator(":scope > b").textContent()).toLowerCase(), event.argv[0].toLowerCase());
        seen.add(number);
      }
      await act(index).click();
    }
    const commands = capture.events.filter(({ argv }) => argv.some((arg) => typeof arg === "string" && arg.startsWith("bull:fleet:")));
    assert.deepEqual([...seen].sort((a, b) => a - b), commands.map(({ seq }) => seq));
    for (const row of await keys.allTextContents()) assert.match(row, /bull:fleet:.*✕ not in emq:{fleet}:/);
    const row = root.locator(".emq-roster tbody tr").nth(2);
    const used = battery.cells.find(({ producer, consumer }) => producer === "bullmq" && consumer === "bullmq").keys;
    assert.ok(used.length > 0);
    for (const key of used) assert.match(await row.textContent(), new RegExp(key));
  }));

test("both directions are drawn, each from its own recording", () =>
  withPage(async (page) => {
    const { comeNear, control, keys, says, root } = fleet(page);
    await comeNear();
    const there = await keys.allTextContents();
    await control("⇄ Swap").click();
    await says(/^4 of 4 · node-iovalkey → reference · pass/);
    assert.notDeepEqual(await keys.allTextContents(), there);
    assert.deepEqual(await root.locator(".emq-party b").allTextContents(), ["node-iovalkey", "reference"]);
    await control("Reset").click();
    await says(/^0 of 4/);
    await control("Step ▶").click();
    await says(/^1 of 4 .* add: pass/);
    await control("All").click();
    await control("◀ Back").click();
    await says(/^3 of 4 .* complete: pass/);
  }));

/** Words that tell every status apart, as a reader has them who sees no colour and no shape. */
async function toldApart(page) {
  const { root } = fleet(page);
  const rows = await root.locator(".emq-roster tbody tr").all();
  assert.equal(rows.length, battery.runtimes.length);
  const statuses = [];
  for (const [index, row] of rows.entries()) {
    const { name, evidence } = battery.runtimes[index];
    const { label, claim, fixture } = roster.runtimes.find((entry) => entry.name === name);
    const [head, claimed, seen] = [row.locator("th"), row.locator("td").nth(0), row.locator("td").nth(1)];
    assert.equal(await head.getAttribute("scope"), "row");
    assert.ok((await head.textContent()).includes(label));
    assert.equal((await head.textContent()).includes("the probe’s own fixture"), fixture, name);
    assert.ok((await claimed.textContent()).startsWith(CLAIMS[claim]), name);
    const mark = seen.locator("[aria-hidden=true]");
    const sign = await mark.textContent();
    const words = (await seen.locator("b").textContent()).replace(sign, "").trim();
    // A tick or a cross needs a run.
    if (!evidence) assert.doesNotMatch(sign, /[✓✕⊘!]/, name);
    else assert.match(await seen.textContent(), /\d of \d cells pass, ran ".*" .*, profile emq\.1, valkey \d/);
    statuses.push({ claim, evidence: evidence?.result ?? null, words, sign });
  }
  for (const one of statuses) {
    for (const other of statuses) {
      const same = one.claim === other.claim && one.evidence === other.evidence;
      assert.equal(one.words === other.words, same, `${one.words} and ${other.words}`);
      assert.equal(one.sign === other.sign, same, `${one.sign} and ${other.sign}`);
    }
  }
  assert.ok(statuses.some(({ words }) => words === "claims v2, not verified here"), "that status is missing");
  const heads = await root.locator(".emq-roster thead th").allTextContents();
  assert.deepEqual(heads, ["runtime", "claim", "evidence"]);
  const cells = await root.locator(".emq-matrix td").allTextContents();
  assert.deepEqual(cells, battery.cells.map(({ verdict }) => verdict));
  for (const table of await root.locator("table").all()) {
    assert.ok((await table.locator("caption").textContent()).length > 10);
    assert.equal(await table.locator("th:not([scope])").count(), 0);
  }
  const seam = await root.locator(".emq-seam").textContent();
  for (const { name } of battery.runtimes) {
    assert.ok(seam.includes(roster.runtimes.find((entry) => entry.name === name).label), `the seam leaves out ${name}`);
  }
}

test("every status is told apart by words", () => withPage(async (page) => {
  await fleet(page).comeNear();
  await toldApart(page);
}));

test("and as a screen reader has them: names and roles of the accessibility tree", () =>
  withPage(async (page) => {
    const { comeNear, root } = fleet(page);
    await comeNear();
    const tree = await root.locator(".emq-roster").ariaSnapshot();
    for (const words of ["claims v2, passed here", "never, by design, failed here as it must", "claims v2, not verified here", "not yet, no evidence here", "proposed, does not exist, no evidence here"]) {
      assert.ok(tree.includes(words), `${words} is not in\n${tree}`);
    }
    assert.doesNotMatch(tree, /[✓✕⊘◇□]/);
    const matrix = await root.locator(".emq-matrix").ariaSnapshot();
    for (const { producer, consumer, verdict } of battery.cells) {
      assert.ok(matrix.includes(`button "${producer} to ${consumer}: ${verdict}"`), `${producer} to ${consumer}`);
    }
  }));

test("in forced colours the shapes of the verdicts stay, and what is selected has a bar", () =>
  withPage(
    async (page) => {
      const { comeNear, root } = fleet(page);
      await comeNear();
      await toldApart(page);
      const shapes = await root.locator(".emq-matrix td").evaluateAll((cells) =>
        Object.entries(Object.groupBy(cells, (cell) => cell.textContent)).map(([word, [cell]]) => {
          const mark = cell.querySelector(".emq-mark");
          return [word, getComputedStyle(mark, "::before").content, getComputedStyle(mark).borderRadius];
        }),
      );
      assert.equal(new Set(shapes.map(([, content, radius]) => content + radius)).size, shapes.length, JSON.stringify(shapes));
      const bars = await root.locator(".emq-cell").evaluateAll((cells) =>
        cells.filter((cell) => getComputedStyle(cell).borderLeftColor !== getComputedStyle(document.body).backgroundColor).map((cell) => cell.getAttribute("aria-pressed")),
      );
      assert.deepEqual(bars, ["true"]);
    },
    { context: { forcedColors: "active" } },
  ));

async function stands(page) {
  const { root, status, phases } = fleet(page);
  await toldApart(page);
  assert.deepEqual(await phases(), Array(4).fill("pass"));
  assert.ok((await root.locator(".emq-touched li").count()) >= 5);
  assert.match(await root.locator(".emq-measured").textContent(), /valkey \d+\.\d+\.\d+, \d{4}-\d\d-\d\d, 13 payloads/);
  assert.match(await root.locator(".emq-details").textContent(), /pass keyspace: \d of \d keys lie in emq:{fleet}:/);
  assert.equal(await root.locator(":enabled:is(button, select)").count(), 0);
  return status.textContent();
}

test("without JavaScript the recorded run, the roster and the seam are there", () =>
  withPage(async (page) => assert.match(await stands(page), /judged when this page was built; stepping needs JavaScript/), {
    context: { javaScriptEnabled: false },
    alive: false,
  }));

test("without its wasm it stands and says why it does not move, and the first figure works", () =>
  withPage(
    async (page) => {
      const { root, says } = fleet(page);
      await page.locator("[data-figure=fleet]").evaluate((place) => place.scrollIntoView());
      await says(/^The controls could not start/);
      assert.match(await stands(page), /judged when this page was built/);
    },
    { abort: "**/emq-lesson*.wasm", expected: /Failed to load resource/ },
  ));

for (const [what, content, why] of [
  ["missing", null, /fleet\/run\.bin: the server answered 404/],
  ["garbage", "<!doctype html>", /fleet\/run\.bin: this is not what was written/],
]) {
  test(`where the recorded run is ${what}, the figure that came with the page stays whole`, () =>
    withPage(
      async (page) => {
        const { root, says } = fleet(page);
        await page.locator("[data-figure=fleet]").evaluate((place) => place.scrollIntoView());
        await says(why);
        await stands(page);
      },
      { server: { instead: redrawn("emq-lesson.js", { "fleet/run.bin": content }) }, expected: /404|integrity/ },
    ));
}

const AWAY = { viewport: { width: 900, height: 500 } };

test("nothing of it is loaded before the first figure is alive, even by a reader who is near", () =>
  withPage(
    async (page, { requests, release }) => {
      const own = () => requests.filter((url) => /emq-lesson|fleet\//.test(url));
      await page.getByText("the controls are loading").waitFor();
      await page.locator("[data-figure=fleet]").evaluate((place) => place.scrollIntoView());
      await page.waitForTimeout(1500);
      assert.deepEqual(own(), []);
      release();
      await fleet(page).comeNear();
      assert.equal(own().length, 3, own().join(" "));
    },
    { context: AWAY, hold: "**/emq-page*.wasm", alive: false },
  ));

test("it wakes without a reader coming near, so that the first click in it counts", () =>
  withPage(
    async (page, { requests }) => {
      const { cell, control, says } = fleet(page);
      await allAlive(page);
      assert.equal(await page.evaluate(() => scrollY), 0);
      // Playwright's own click would wait until the cell is a button.
      const place = await page.locator(".emq-cell").first().evaluate((cell) => {
        cell.scrollIntoView({ block: "center" });
        const { x, y, width, height } = cell.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      });
      await page.mouse.click(place.x, place.y);
      await says(/^4 of 4 · reference → reference/);
      assert.ok(await control("Swap").isEnabled());
      assert.equal(requests.filter((url) => /emq-lesson|fleet\//.test(url)).length, 3, "it is loaded more than once");
      await cell("reference", "node-iovalkey").click();
      await says(/^4 of 4 · reference → node-iovalkey/);
    },
    { context: AWAY },
  ));

test("until it is alive nothing in it looks as if it were", () =>
  withPage(
    async (page, { release }) => {
      const { root, control } = fleet(page);
      await root.getByText("the controls are loading").waitFor();
      assert.equal(await root.locator(":enabled:is(button, select)").count(), 0);
      const look = (locator) => locator.evaluate((part) => [getComputedStyle(part).cursor, getComputedStyle(part).color]);
      const asleep = await look(control("Step"));
      assert.equal(asleep[0], "default");
      for (const part of [".emq-act", ".emq-cell"]) assert.deepEqual(await look(root.locator(part).nth(1)), asleep, part);
      release();
      await root.locator(".emq-button:enabled").first().waitFor();
      for (const part of [".emq-act", ".emq-cell"]) {
        const [cursor, color] = await look(root.locator(part).nth(1));
        assert.equal(cursor, "pointer", part);
        assert.notEqual(color, asleep[1], part);
      }
    },
    { hold: "**/emq-lesson*.wasm" },
  ));

test("before any script its lists say the pair that is drawn", () =>
  withPage(
    async (page) => {
      const { select, root } = fleet(page);
      for (const side of ["producer", "consumer"]) {
        const drawn = await root.locator(".emq-party", { hasText: side }).locator("b").textContent();
        assert.equal(await select(side).evaluate((list) => list.selectedOptions[0].label), drawn, side);
        assert.equal(await select(side).locator("option[selected]").textContent(), drawn, side);
      }
      assert.match(await fleet(page).status.textContent(), /reference → node-iovalkey/);
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("what comes alive is what stood there: nothing moves, the words stay, and a reader in it stays there", () =>
  withPage(
    async (page, { address, release }) => {
      const { root, status } = fleet(page);
      await page.locator("[data-figure=fleet]").evaluate((place) => place.scrollIntoView());
      await page.waitForFunction(() => document.querySelector("[data-figure=fleet] [role=status]").textContent.includes("the controls are loading"));
      assert.doesNotMatch(await status.textContent(), /needs JavaScript/);
      await root.locator(".emq-details").focus();
      await page.evaluate(() => (window.shift = 0));
      release();
      await root.locator(".emq-button:enabled").first().waitFor();
      await page.waitForFunction(() => document.activeElement.matches("[data-figure=fleet] .emq-details"));
      assert.equal(await shift(page), 0);
      const words = (from) => from.locator("[data-figure=fleet] :is(.emq-trip, .emq-sides, .emq-roster, .emq-seam)").allInnerTexts();
      const alive = await words(page);
      const still = await page.context().browser().newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 1000 } });
      try {
        const other = await still.newPage();
        await other.goto(address);
        assert.deepEqual(alive, await words(other));
      } finally {
        await still.close();
      }
    },
    { hold: "**/emq-lesson*.wasm" },
  ));

test("the page names no program twice and loads none from elsewhere", () => {
  const html = read("index.html").toString();
  for (const name of ["emq-page", "emq-lesson"]) assert.equal(html.match(new RegExp(`<meta name="${name}"`, "g")).length, 1);
  assert.equal(html.match(/<link rel="stylesheet"/g).length, 1);
});
