// The script bench: the way of a key drawn in the code, what each policy says, what would mend it, and the parser's tokens in colour.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { clock, useBrowser, withPage } from "./support/browser.mjs";
import { script } from "./support/figure.mjs";
import { read, resealed } from "./support/server.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const judged = JSON.parse(read("scripts/judged.json"));
const [{ files: [{ findings: [first] }] }] = judged;

const opens = {
  "without JavaScript": { context: { javaScriptEnabled: false }, alive: false },
  "alive": {},
};
for (const [how, options] of Object.entries(opens)) {
  test(`each step of a key's way is underlined and numbered where it stands, with a line from one to the next, ${how}`, () =>
    withPage(async (page) => {
      const { root, comeNear } = script(page);
      if (how === "alive") await comeNear();
      assert.ok(first.origin.length >= 4);
      const steps = root.locator(".emq-code [data-step]");
      assert.equal(await steps.count(), first.origin.length);
      for (const [index, { line, text }] of first.origin.entries()) {
        const step = root.locator(".emq-row-of-code").nth(line - 1).locator(`[data-step="${index + 1}"]`);
        assert.equal(await step.textContent(), text);
        assert.equal(await step.evaluate((step) => getComputedStyle(step).borderBottomStyle), index + 1 === first.origin.length ? "double" : "solid");
        assert.equal(await step.evaluate((step) => getComputedStyle(step, "::before").content.split(" ")[0]), `"${index + 1}"`);
      }
      const lines = first.origin.map(({ line }) => line);
      const way = await root.locator(".emq-between").evaluateAll((rows) => rows.map((row) => Number(row.querySelector(".emq-number").textContent)));
      const expected = Array.from({ length: Math.max(...lines) - Math.min(...lines) + 1 }, (_, at) => Math.min(...lines) + at);
      assert.deepEqual(way, expected, "the line breaks off");
      const rails = await root.locator(".emq-between > .emq-rail").evaluateAll((rails) => rails.map((rail) => getComputedStyle(rail, "::before").borderLeftWidth));
      assert.ok(rails.every((width) => width === "2px"), rails.join(" "));
    }, options));
}

test("what each policy says of each finding stands in a table, and beside the finding how its line would stand", () =>
  withPage(async (page) => {
    const { root, comeNear, choose, says } = script(page);
    const cells = () => root.locator(".emq-compare tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    await comeNear();
    assert.deepEqual(await cells(), [
      ["policy", "strict", "rooted", "slot-rooted"],
      [`line ${first.line} SET`, "refused undeclared-argv", "refused undeclared-argv", "left open slot-obligation"],
    ]);
    assert.equal(await root.locator(".emq-mended").first().textContent(), `line ${first.line} as it would stand: redis.call('SET', KEYS[3], token, 'PX', ttl)`);
    assert.equal(await root.locator(".emq-mended ins").first().textContent(), "KEYS[3]");
    await choose("example", 2);
    await says(/^rate-limit-1\.lua · /);
    assert.deepEqual((await cells())[1].slice(1), ["refused derived-key", "allowed derived-key", "allowed derived-key"]);
    await choose("example", 1);
    await says(/^claim-4\.lua · /);
    assert.equal((await cells()).length, 1);
    assert.equal(await root.locator(".emq-mended").count(), 0);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`the parser's tokens have colours of their own, which can be read, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { root, comeNear, area, says } = script(page);
        const kinds = () => root.locator(".emq-code code span").evaluateAll((spans) => spans.map((span) => [span.className, span.textContent]));
        const built = await kinds();
        assert.ok(built.length >= 30 && built.some(([kind, text]) => kind === "emq-call" && text === "redis.call"), JSON.stringify(built.slice(0, 9)));
        await comeNear();
        assert.deepEqual(await kinds(), built, "alive, the same colours");
        await area.fill("-- KEYS\nlocal a = [[x\ny]] .. 0x1F\nreturn redis.pcall('GET', KEYS[1], a.KEYS)");
        await says(/^script\.lua · declared/);
        assert.deepEqual(await kinds(), [
          ["emq-comment", "-- KEYS"], ["emq-keyword", "local"], ["emq-text", "[[x"], ["emq-text", "y]]"], ["emq-digits", "0x1F"],
          ["emq-keyword", "return"], ["emq-call", "redis.pcall"], ["emq-text", "'GET'"], ["emq-input", "KEYS"], ["emq-digits", "1"],
        ]);
        const ratios = await root.evaluate((figure) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
          const light = (color) => {
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const probe = figure.appendChild(document.createElement("i"));
          const [ground, lit] = ["--emq-ground", "--emq-lit"].map((name) => {
            probe.style.color = `var(${name})`;
            return getComputedStyle(probe).color;
          });
          probe.remove();
          return ["comment", "text", "digits", "keyword", "input", "call"].flatMap((kind) => {
            const color = light(getComputedStyle(figure.querySelector(`.emq-${kind}`)).color);
            return [ground, lit].map((under) => {
              const [more, less] = [color, light(under)].sort((one, other) => other - one);
              return [kind, (more + 0.05) / (less + 0.05)];
            });
          });
        });
        for (const [kind, ratio] of ratios) assert.ok(ratio >= 4.5, `${kind}: ${ratio}`);
        await area.fill("return 'open");
        await says(/^script\.lua · invalid/);
        assert.deepEqual(await kinds(), [], "what is no Lua is plain");
      },
      { context: { colorScheme } },
    ));
}

test("while a script is analysed it is said that what stands there is of the one before", () =>
  withPage(
    async (page) => {
      const { comeNear, root, area } = script(page);
      await comeNear();
      const height = () => root.evaluate((figure) => figure.getBoundingClientRect().height);
      const tall = await height();
      await area.fill("return 1");
      await root.locator(".emq-verdicts", { hasText: "none yet · below: the one before" }).waitFor();
      assert.equal(await root.locator(".emq-verdicts .emq-word").count(), 0);
      assert.equal(await height(), tall, "the figure grows or shrinks");
      assert.equal(await root.locator(".emq-code").getAttribute("aria-label"), "the script before this one, by lines");
    },
    { server: { instead: resealed("analyzer.js", "postMessage(0); onmessage = () => {};") } },
  ));

test("who scrolls the code stays there, whatever has the focus and whichever policy is chosen, until a step is chosen", () =>
  withPage(async (page) => {
    const { comeNear, root, area, says, choose } = script(page);
    await comeNear();
    await area.fill(`local a = KEYS[1] .. 'x'\nredis.call('GET', a)\n${"-- more\n".repeat(200)}`);
    await says(/^script\.lua · derived/);
    const pane = root.locator(".emq-code");
    await pane.evaluate((pane) => (pane.scrollTop = 900));
    await pane.focus();
    await area.focus();
    await choose("policy", 1);
    await says(/rooted: conforms/);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done)))));
    assert.equal(await pane.evaluate((pane) => pane.scrollTop), 900);
    await root.locator(".emq-findings button").last().click();
    await page.waitForFunction(() => document.querySelector(".emq-code").scrollTop < 100);
  }));

test("of a long script a part stands in the text area, every other part can be reached, and typing there blocks nothing", () =>
  withPage(async (page) => {
    const { comeNear, root, area, says, file, button } = script(page);
    await comeNear();
    const line = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000)\n";
    const count = Math.floor(((1 << 20) - 100) / line.length);
    await file.setInputFiles({ name: "long.lua", mimeType: "text/x-lua", buffer: Buffer.from(line.repeat(count - 1) + "redis.call('GET', 'last')\n") });
    await says(/^long\.lua · undeclared · .* · \d+ calls, 1 finding$/);
    const part = root.locator(".emq-part");
    assert.match(await part.textContent(), new RegExp(`^lines 1 to \\d+ of ${count} `));
    await button("to the step").click();
    await root.locator(".emq-part", { hasText: `to ${count} of ${count}` }).waitFor();
    assert.match(await area.inputValue(), /'last'\)\n$/);
    await button("earlier").click();
    await root.locator(".emq-part", { hasText: new RegExp(`^lines (?!1 )`) }).waitFor();
    await area.focus();
    await page.waitForTimeout(500);
    // What the page's own thread worked, whatever else this machine does; with a pause after which a verdict comes.
    const worked = await clock(page);
    const keys = 24;
    await page.keyboard.type("-- a b c".repeat(keys / 8), { delay: 40 });
    await says(/^long\.lua · undeclared/);
    const each = (await worked()) / keys;
    assert.ok(each < 50, `${each} ms a key`);
  }));

test("rules.html says of each assertion and rule what explain prints, findings lead there, and nothing runs on it", () =>
  withPage(async (page, { address }) => {
    const { root, comeNear } = script(page);
    await comeNear();
    assert.equal(await root.locator(".emq-findings a").first().getAttribute("href"), `rules.html#${first.rule}`);
    // It opens beside the page, so that what the reader wrote is still there.
    const [rules] = await Promise.all([page.waitForEvent("popup"), root.locator(".emq-findings a").first().click()]);
    await rules.waitForURL(`${address}rules.html#${first.rule}`);
    await rules.close();
    await page.goto(`${address}rules.html#${first.rule}`);
    assert.equal(await page.locator("script").count(), 0);
    assert.match(await page.locator("meta[http-equiv]").getAttribute("content"), /^default-src 'none'; style-src 'self'/);
    assert.ok((await page.locator("section[id]").count()) >= 29);
    assert.match(await page.locator(`#${first.rule}`).textContent(), /a key from ARGV/);
    assert.equal(await page.evaluate(() => document.styleSheets.length), 1);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 800 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`), [], colorScheme);
    }
    await page.evaluate(() => ((window.violations = []), (window.shift = 0)));
  }));
