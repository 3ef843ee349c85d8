// The v1 flaw: what the figure says is what was recorded and what the analysis finds, by mouse, by keyboard and without scripts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { allAlive, shift, useBrowser, withPage } from "./support/browser.mjs";
import { flaw } from "./support/figure.mjs";
import { marked } from "./support/server.mjs";

useBrowser();

const top = fileURLToPath(new URL("../..", import.meta.url));
const json = (name) => JSON.parse(readFileSync(join(top, "fixtures/flaw", name), "utf8"));
const recorded = json("recorded.json");
const counted = json("bullmq.json");

const PASSES = ["take-2", "take-4", "passed-4", "claim-4"];
const NAMES = ["no-tag", "one-tag", "half-tag"];
const SERVERS = ["standalone", "restricted", "cluster"];
const WAY = [
  "local keyPrefix = ARGV[1]",
  "local jobKey = keyPrefix .. jobId",
  "local lockKey = jobKey .. ':lock'",
  "redis.call('SET', lockKey, ARGV[2], 'PX', ARGV[3])",
];

/** What each version of each server said of a call. */
const said = (passes, names, raced, server) =>
  recorded.calls.find((call) => call.passes === PASSES[passes] && call.names === NAMES[names] && call.raced === raced).said.filter((said) => said.server === SERVERS[server]);

const words = ({ reply, error }) => error?.replace(/[0-9a-f]{40}/, "…").replace(/\.$/, "") ?? (Array.isArray(reply) ? reply : [reply]).map((word) => word ?? "nil").join(", ");

/** Checks the three consequences of a call against the recording. */
async function saysWhatWasRecorded({ cell, root }, passes, names, raced) {
  const where = `${PASSES[passes]}, ${NAMES[names]}, ${raced}`;
  for (const server of [0, 1, 2]) {
    const text = await cell(server, 1).textContent();
    const answers = said(passes, names, raced, server);
    assert.ok(answers.length === 2, where);
    for (const answer of answers) assert.ok(text.includes(words(answer)), `${where}: ${words(answer)} is not in ${text}`);
    const [{ error, left, acl_log: logged }] = answers;
    assert.match(text, error ? / refuses it (halfway|before it runs): / : / takes it: /, where);
    if (logged?.length) assert.ok(text.includes(`ACL LOG names ${logged[0].object}`), `${where}: ${text}`);
    const mine = left.active.filter((id) => !raced || id !== "01");
    const unlocked = mine.filter((id) => left.locks[id] === null);
    assert.equal(/ is not there/.test(text), unlocked.length > 0, `${where}: ${text}`);
    assert.equal(/Nothing has changed/.test(text), mine.length === 0, `${where}: ${text}`);
    assert.equal(/another worker held/.test(text), raced && left.locks["01"] !== "token-b", `${where}: ${text}`);
  }
  const chips = (at) => root.locator(".emq-called dd").nth(at).locator(".emq-chip").allTextContents();
  const { command } = recorded.calls.find((call) => call.passes === PASSES[passes] && call.names === NAMES[names] && call.raced === raced);
  assert.deepEqual(await chips(0), command.slice(3, 3 + Number(command[2])), where);
  const undeclared = await root.locator(".emq-undeclared").allTextContents();
  const touched = await chips(1);
  assert.deepEqual(undeclared, touched.filter((key) => !command.slice(3, 3 + Number(command[2])).includes(key)), where);
}

async function showsAll(page) {
  const parts = flaw(page);
  const { root, cell, way, shown, status } = parts;
  assert.deepEqual(await way(), WAY);
  assert.equal(await shown(), 12);
  await saysWhatWasRecorded(parts, 0, 0, false);
  assert.match(await root.locator(".emq-heading").textContent(), new RegExp(`valkey 8\\.0\\.1 and 9\\.1\\.2, ${recorded.date}: make flaw`));
  const { undeclared, derived, declared } = counted.counts;
  const text = await cell(3, 1).textContent();
  assert.ok(text.includes(`bullmq ${counted.version}, all 50 scripts: ${undeclared} undeclared, ${derived} derived, ${declared} declared`), text);
  assert.ok(text.includes(counted.date) && text.includes(counted.repeat), text);
  assert.match(await cell(3, 2).textContent(), /this project’s own 6 scripts for v2, 6 declare every key/);
  assert.match(await cell(0, 2).textContent(), /Analysed: declared, \d calls, and every policy accepts it/);
  for (const anchor of [1, 2]) assert.match(await cell(anchor, 2).textContent(), /takes it: claimed, \{\}, 1\. Job 01 is in active, and locked/);
  assert.match(await root.locator(".emq-verdicts").textContent(), /undeclaredstrict: does not conform/);
  assert.equal(await root.locator(".emq-code .emq-stop").count(), 4);
  return status.textContent();
}

test("without JavaScript everything is there, with the words of the servers", () =>
  withPage(
    async (page) => {
      assert.match(await showsAll(page), /^12 of 12 · take-2\.lua · undeclared · .*judged when this page was built/);
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("what comes alive is what stood there: nothing moves, and the words stay", () =>
  withPage(async (page, { address }) => {
    const { comeNear, root } = flaw(page);
    await comeNear();
    await showsAll(page);
    assert.equal(await shift(page), 0);
    const still = await page.context().browser().newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 1000 } });
    try {
      const other = await still.newPage();
      await other.goto(address);
      for (const part of [".emq-heading", ".emq-halves", ".emq-called", ".emq-anchors"]) {
        assert.equal(await root.locator(part).innerText(), await flaw(other).root.locator(part).innerText(), part);
      }
    } finally {
      await still.close();
    }
  }));

test("each call has its verdict, computed here, and what real servers said of it", () =>
  withPage(async (page) => {
    const parts = flaw(page);
    const { comeNear, choose, says, way, root } = parts;
    await comeNear();
    const expected = [
      [1, "take-4", "undeclared", WAY],
      [2, "passed-4", "declared", []],
      [3, "claim-4", "declared", []],
      [0, "take-2", "undeclared", WAY],
    ];
    for (const [passes, name, verdict, lines] of expected) {
      await choose("passes", passes);
      await says(new RegExp(`^12 of 12 · ${name}\\.lua · ${verdict} · `));
      assert.deepEqual(await way(), lines);
      assert.match(await root.locator(".emq-verdicts").textContent(), new RegExp(`${verdict}strict: ${verdict === "declared" ? "conforms" : "does not conform"}`));
      for (const names of [0, 1, 2]) {
        await choose("names", names);
        for (const raced of [0, 1]) {
          await choose("faster", raced);
          await page.waitForFunction((wanted) => document.querySelector("[data-figure=v1-flaw] select[name=faster]").value === wanted, String(raced));
          await page.evaluate(() => new Promise(requestAnimationFrame));
          await saysWhatWasRecorded(parts, passes, names, raced === 1);
        }
      }
      await choose("names", 0);
      await choose("faster", 0);
    }
    await choose("passes", 1);
    await says(/^12 of 12 · take-4\.lua/);
    assert.match(await root.locator(".emq-findings").textContent(), /KEYS\[3\] is declared and never used/);
  }));

test("by keyboard alone: each anchor to what follows, and what mends it", () =>
  withPage(async (page) => {
    const { comeNear, root, says, shown, anchor, select } = flaw(page);
    await comeNear();
    await root.focus();
    const press = (key) => page.keyboard.press(key);
    await press("r");
    await says("0 of 12 · take-2.lua · undeclared · nothing stepped yet");
    assert.equal(await shown(), 0);
    await press("ArrowRight");
    await says("1 of 12 · take-2.lua · undeclared · anchor 1: moveToActive-11.lua:148");
    assert.equal(await anchor(0).getAttribute("aria-pressed"), "true");
    assert.match(await root.locator(".emq-code .emq-selected").textContent(), /local jobKey = keyPrefix/);
    await press("ArrowRight");
    await says("2 of 12 · take-2.lua · undeclared · consequence 1: pass: standalone: takes it");
    assert.equal(await shown(), 2);
    await press("End");
    await says(/^12 of 12 .* resolution 4: pass: 6 of 6 scripts declare every key$/);
    await press("ArrowLeft");
    await says(/^11 of 12 .* consequence 4: pass: 25 of 50 scripts are undeclared$/);
    await press("Home");
    await says(/^1 of 12/);
    await press("a");
    await says(/^12 of 12 .* alone: takes it · restricted: refuses it halfway · cluster: refuses it before it runs$/);
    await press("Enter");
    assert.equal(await anchor(0).getAttribute("aria-pressed"), "true");
    await press("Escape");
    assert.equal(await anchor(0).getAttribute("aria-pressed"), "false");
    // A list keeps its arrows.
    await press("r");
    await select("names").focus();
    await press("ArrowRight");
    await says(/^0 of 12/);
  }));

test("an anchor is a button, and looks at its line", () =>
  withPage(async (page) => {
    const { comeNear, control, anchor, says, root } = flaw(page);
    await comeNear();
    await control("Reset").click();
    await anchor(1).click();
    await says("4 of 12 · take-2.lua · undeclared · anchor 2: moveToActive-11.lua:162");
    assert.match(await root.locator(".emq-code .emq-selected").textContent(), /local lockKey = jobKey/);
    await anchor(2).click();
    assert.equal(await root.locator(".emq-called .emq-lit").count(), 1);
    await control("Step ▶").click();
    await says(/^8 of 12 .* consequence 3: fail: cluster: refuses it before it runs$/);
  }));

test("what the reader said of a step is held against what comes of it", () =>
  withPage(async (page) => {
    const { comeNear, control, says, root, cell } = flaw(page);
    await comeNear();
    await control("Reset").click();
    await control("Step ▶").click();
    await control("fail").click();
    await control("Step ▶").click();
    await says(/ consequence 1: pass, where you said fail: standalone: takes it$/);
    assert.match(await cell(0, 1).textContent(), /^consequence +pass, where you said fail/);
    await root.focus();
    for (const key of ["ArrowRight", "ArrowRight", "f", "ArrowRight"]) await page.keyboard.press(key);
    await says(/ consequence 2: fail, as you said: restricted: refuses it halfway/);
  }));

test("what a step shows is on the screen, and so are the buttons", () =>
  withPage(
    async (page) => {
      const { comeNear, control, cell } = flaw(page);
      await comeNear();
      await control("Reset").click();
      for (let step = 0; step < 12; step++) {
        await control("Step ▶").click();
        const { top, height } = await cell(Math.floor(step / 3), 0).evaluate((part) => ({ top: part.getBoundingClientRect().top, height: innerHeight }));
        assert.ok(top >= 0 && top < height, `step ${step + 1}: ${top} of ${height}`);
      }
    },
    { context: { viewport: { width: 1000, height: 700 } } },
  ));

test("nothing is asked of the server but the worker’s own files, and those only when another script is chosen", () =>
  withPage(async (page, { requests, address }) => {
    const { comeNear, choose, says, control } = flaw(page);
    // The figures around load what is theirs.
    await allAlive(page);
    await comeNear();
    const loaded = requests.length;
    await control("Reset").click();
    await control("Step ▶").click();
    await choose("names", 1);
    assert.equal(requests.length, loaded);
    await choose("passes", 3);
    await says(/claim-4\.lua · declared/);
    const files = new Set(requests.slice(loaded).map((url) => url.slice(address.length)));
    assert.deepEqual([...files].sort(), [marked("analyzer.js"), marked("emq-analyzer_bg.wasm")]);
  }));

test("an analyzer that cannot be loaded says so, and the first script’s analysis comes back", () =>
  withPage(
    async (page) => {
      const { comeNear, choose, says, way } = flaw(page);
      await comeNear();
      await choose("passes", 3);
      await says(/^12 of 12 · claim-4\.lua: the analyzer could not be loaded \(.+\): `emq-conform lint claim-4\.lua`/);
      assert.deepEqual(await way(), WAY);
      await choose("passes", 0);
      await says(/^12 of 12 · take-2\.lua · undeclared/);
    },
    { server: { instead: { [marked("emq-analyzer_bg.wasm")]: null } }, expected: /404|integrity/ },
  ));
