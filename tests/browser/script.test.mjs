// The script bench: what it says is what the command line says, as the reader types; and no script can take the page with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { script } from "./support/figure.mjs";
import { marked, read, resealed } from "./support/server.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const judged = JSON.parse(read("scripts/judged.json"));

/** What each policy makes of the first example. */
const ACCEPTED = judged.map(({ conforms }) => ({ true: "conforms", false: "does not conform", null: "cannot be told" })[conforms]);
const POLICIES = ["strict", "rooted", "slot-rooted"];

/** More functions within functions than a browser's stack holds. */
const tooMuch = () => {
  const chain = Array.from({ length: 60 }, (_, at) => {
    const call = at ? `f${at - 1}(x)` : "redis.call('GET', x)";
    return `local function f${at}(x) ${"if x then ".repeat(100)} return ${call} ${" end".repeat(100)} end\n`;
  });
  return `${chain.join("")}f59(KEYS[1])`;
};

async function showsTheFirst(page) {
  const { root, status, findings, policies } = script(page);
  const [{ files: [{ verdict, findings: found }] }] = judged;
  assert.ok(found.length > 0);
  assert.match(await status.textContent(), new RegExp(`^v1-style\\.lua · ${verdict} · strict: does not conform · \\d calls, ${found.length} finding`));
  assert.deepEqual(await policies(), POLICIES.map((id, at) => `${id}: ${ACCEPTED[at]}`));
  const said = await findings.allTextContents();
  assert.equal(said.length, found.length);
  found.forEach(({ rule, line, message, help, origin }, at) => {
    for (const words of [rule, `line ${line}: ${message}`, help, ...origin.map(({ line, text }) => `${line} ${text}`)]) {
      assert.ok(said[at].includes(words), `${words} is not in ${said[at]}`);
    }
  });
  for (const line of ["local jobKey = keyPrefix .. jobId", "local lockKey = jobKey .. ':lock'"]) {
    assert.equal(await root.locator(".emq-code .emq-lit").filter({ hasText: line }).count(), 1, line);
  }
}

test("without JavaScript the first example's verdict and findings are there, and why nobody can type", () =>
  withPage(
    async (page) => {
      await showsTheFirst(page);
      const { status, area } = script(page);
      assert.match(await status.textContent(), /judged when this page was built; typing needs JavaScript/);
      assert.equal(await area.isEditable(), false);
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("each example has its verdict, under each policy, and the command that repeats it", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, root, policies } = script(page);
    await comeNear();
    await showsTheFirst(page);
    const expected = [
      [1, "claim-4.lua", "declared", ["conforms", "conforms", "conforms"]],
      [2, "rate-limit-1.lua", "derived", ["does not conform", "conforms", "conforms"]],
      [3, "unlock-1.lua", "declared", ["conforms", "conforms", "conforms"]],
      [4, "queue-functions.lua", "undeclared", ["does not conform", "does not conform", "does not conform"]],
      [5, "either-2.lua", "declared", ["conforms", "conforms", "conforms"]],
      [6, "transfer-3.lua", "declared", ["conforms", "conforms", "conforms"]],
      [7, "any-command-1.lua", "undeclared", ["does not conform", "does not conform", "does not conform"]],
      [0, "v1-style.lua", "undeclared", ACCEPTED],
    ];
    for (const [index, name, verdict, conforms] of expected) {
      await choose("example", index);
      await says(new RegExp(`^${name} · ${verdict} · strict: ${conforms[0]}`));
      assert.deepEqual(await policies(), POLICIES.map((id, at) => `${id}: ${conforms[at]}`));
    }
    await choose("policy", 1);
    await says(/ · rooted: does not conform/);
    assert.equal(await root.locator(".emq-repeat code").textContent(), "emq-conform lint --stdin-name v1-style.lua --policy rooted - < v1-style.lua");
  }));

test("typing changes the verdict, and a step selects its line, by keyboard", () =>
  withPage(async (page) => {
    const { comeNear, says, area, root } = script(page);
    await comeNear();
    await area.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("local a = ARGV[1]\nreturn redis.call('GET', a)");
    await says(/^script\.lua · undeclared · strict: does not conform · 1 call, 1 finding$/);
    const step = root.locator(".emq-findings button").filter({ hasText: "local a = ARGV[1]" });
    await step.focus();
    await page.keyboard.press("Enter");
    assert.equal(await step.getAttribute("aria-pressed"), "true");
    assert.equal(await root.locator(".emq-code .emq-selected").textContent(), "step 1–2, line 1local a = ARGV[1]");
    await area.fill("return redis.call('GET', KEYS[1])");
    await says(/^script\.lua · declared · strict: conforms · 1 call, 0 findings$/);
    // Of texts that follow on each other the last one counts.
    await area.fill(`--${"x".repeat(1 << 19)}`);
    await page.waitForTimeout(260);
    await area.fill("return redis.call('GET', 'a')");
    await says(/^script\.lua · undeclared/);
  }));

test("who selects all of a long script means all of it, though a part stands in the text area", () =>
  withPage(
    async (page) => {
      const { comeNear, says, area, file, button } = script(page);
      await comeNear();
      const long = "redis.call('GET', KEYS[1])\n".repeat(9_000);
      await file.setInputFiles({ name: "long.lua", mimeType: "text/x-lua", buffer: Buffer.from(long) });
      await says(/^long\.lua · declared · .* 9000 calls/);
      await button("later").click();
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await area.focus();
      await press("Control+a", "Control+c");
      assert.equal(await clipboard(), long, "what is copied");
      await press("Control+a");
      await page.keyboard.type("return redis.call('GET', 'a')");
      await says(/^long\.lua · undeclared · .* 1 call, 1 finding$/);
      for (let undone = 0; undone < 40 && (await area.inputValue()).length < 1_000; undone++) await press("Control+z");
      await says(/^long\.lua · declared · .* 9000 calls/, "all of it is back once it is undone");
      await press("Control+a", "Control+x");
      await says(/^long\.lua · declared · .* 0 calls/);
      assert.equal(await clipboard(), long, "what is cut");
      // What is copied of a part is that part.
      await press("Control+v");
      await says(/^long\.lua · declared · .* 9000 calls/);
      await press("Control+Home", "Shift+End", "Control+c");
      assert.equal(await clipboard(), "redis.call('GET', KEYS[1])");
    },
    { context: { permissions: ["clipboard-read", "clipboard-write"] } },
  ));

for (const place of ["[data-figure=script] .emq-figure", "[data-figure=script] textarea"]) {
  test(`who is in it before it is alive stays there: ${place}`, () =>
    withPage(
      async (page, { release }) => {
        await page.getByText("the controls are loading").first().waitFor();
        await page.locator(place).focus();
        release();
        await script(page).root.locator("select:enabled").first().waitFor();
        await page.waitForFunction((wanted) => document.activeElement.matches(wanted), place, { timeout: 3000 });
        if (place.endsWith("textarea")) return;
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.name), "example");
      },
      { hold: "**/emq-lesson*.wasm" },
    ));
}

test("hostile scripts are text, and the page lives", () =>
  withPage(async (page) => {
    const { comeNear, says, area, root, choose, write } = script(page);
    await comeNear();
    const hostile = {
      "nested": `return ${"(".repeat(10_000)}1${")".repeat(10_000)}`,
      "a long line": `--${"x".repeat((1 << 20) - 2)}`,
      "many lines": "\n".repeat(200_000),
      "a NUL byte": "return redis.call('GET', 'a\0b')",
      "turned around": "return redis.call('GET', '\u202e\u2066k')",
      "the end of a script element": "-- </script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'>\nreturn redis.call('GET', '</script><script>window.hit = 1</script>')",
    };
    for (const [name, text] of Object.entries(hostile)) {
      await write(text);
      await says(/^script\.lua · (undeclared|invalid|declared) · /, name);
      assert.equal(await page.evaluate(() => window.hit), undefined, name);
      assert.equal(await root.locator("script, img").count(), 0, name);
      assert.ok((await root.locator(".emq-code li").count()) <= 301, name);
      assert.ok((await area.inputValue()).length <= 48 << 10, `${name}: all of it stands in the text area`);
      assert.doesNotMatch(await root.locator(".emq-code").textContent(), /[\0\u202e\u2066]/, name);
    }
    await choose("example", 1);
    await says(/^claim-4\.lua · declared/);
    // What is far too large is refused where it comes in, and what stood there stays.
    const before = await area.inputValue();
    const put = (how, letters) =>
      area.evaluate(
        (area, [how, letters]) => {
          const text = "x".repeat(letters);
          if (how === "paste") {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            return !area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
          }
          area.value = text;
          return area.dispatchEvent(new InputEvent("input", { bubbles: true }));
        },
        [how, letters],
      );
    for (const how of ["paste", "input"]) {
      for (const [letters, words] of [[60_000_000, "60,000,000"], [(8 << 20) + 1, "8,388,609"]]) {
        assert.ok(await put(how, letters), how);
        await says(`what you put in is not taken: it has ${words} bytes, and a script at most 1,048,576`);
        assert.equal(await area.inputValue(), before, how);
      }
    }
    assert.ok(await put("paste", 700_000), "what is large is put in here, not by the browser");
    await says(/^script\.lua · /);
    assert.match(await root.locator(".emq-part").textContent(), /^lines 1 to \d+ of \d+ /);
  }));

test("what was done to a long script is undone in all of it", () =>
  withPage(async (page) => {
    const { comeNear, says, area, write, root } = script(page);
    await comeNear();
    await write(`return redis.call('GET', KEYS[1])${"\n-- a line".repeat(2_999)}`);
    await says(/^script\.lua · declared/);
    const part = root.locator(".emq-part");
    await area.evaluate((area) => area.setSelectionRange(0, 0));
    await area.press("Space");
    await area.press("Control+a");
    await area.press("Delete");
    await says(/^script\.lua · declared · .* 0 calls/);
    for (let undone = 0; undone < 4; undone++) {
      await area.press("Control+z");
      await says(/^script\.lua · declared · .* 1 call, /);
      assert.match(await part.textContent(), /^lines \d+ to \d+ of 3000 /, `undone ${undone + 1} times`);
    }
  }));

test("a long text that comes in many events before anything is drawn is taken once", () =>
  withPage(async (page) => {
    const { comeNear, says, root } = script(page);
    await comeNear();
    // As a browser does with many lines that are put in at once, while the figure has no time to draw.
    const lines = 4_000;
    await root.locator("textarea").evaluate((area, lines) => {
      area.value = `return redis.call('GET', KEYS[1])${"\n-- a line".repeat(lines - 1)}`;
      for (let event = 0; event < 40; event++) area.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
    }, lines);
    await says(/^script\.lua · declared/);
    assert.match(await root.locator(".emq-part").textContent(), new RegExp(`^lines 1 to \\d+ of ${lines} `));
  }));

test("a script that needs more than a browser gives costs one message, and the next one works", () =>
  withPage(async (page) => {
    const { comeNear, says, area } = script(page);
    await comeNear();
    const workers = [];
    page.on("worker", (worker) => workers.push(worker));
    await area.fill(tooMuch());
    await says(/^script\.lua: this script needs more than a browser gives: `emq-conform lint` on your machine can/);
    await area.fill("return redis.call('GET', KEYS[1])");
    await says(/^script\.lua · declared/);
    assert.equal(workers.length, 2, "the worker that trapped is used again");
  }));

test("a worker that does not answer is ended after ten seconds", () =>
  withPage(
    async (page) => {
      const { comeNear, status, area } = script(page);
      await comeNear();
      await area.fill("return 1");
      await page.waitForTimeout(9_000);
      assert.match(await status.textContent(), /analysing/);
      await page.getByText("this script needs more than a browser gives").waitFor({ timeout: 5_000 });
      // A browser ends a worker that is in a loop when it comes to it.
      for (const end = Date.now() + 5_000; page.workers().length > 0 && Date.now() < end; ) await page.waitForTimeout(50);
      assert.equal(page.workers().length, 0);
    },
    { server: { instead: resealed("analyzer.js", "postMessage(0); onmessage = () => { for (;;); };") } },
  ));

test("a newer text does not wait for the one that is being analysed", () =>
  withPage(
    async (page) => {
      const { comeNear, says, status, area } = script(page);
      await comeNear();
      await area.fill("slow");
      await page.waitForTimeout(1_000);
      assert.match(await status.textContent(), /analysing/);
      await area.fill("return 1");
      await says(/^script\.lua · undeclared/);
    },
    {
      server: {
        instead: resealed("analyzer.js", `postMessage(0); onmessage = ({ data: [run, , text] }) => {
          // The first says where the page is.
          if (!run) return;
          if (new TextDecoder().decode(text) === "slow") for (;;);
          postMessage([run, ${JSON.stringify(JSON.stringify(judged))}]);
        };`),
      },
    },
  ));

test("an analyzer that cannot be loaded says so", () =>
  withPage(
    async (page) => {
      const { comeNear, says, area } = script(page);
      await comeNear();
      await area.fill("return 1");
      await says(/^script\.lua: the analyzer could not be loaded \(.+\): `emq-conform lint`/);
    },
    { server: { instead: { [marked("emq-analyzer_bg.wasm")]: null } }, expected: /404|integrity/ },
  ));

test("an analyzer that does not come is waited for half a minute", () =>
  withPage(
    async (page) => {
      const { comeNear, says, status, area } = script(page);
      await comeNear();
      await area.fill("return 1");
      await page.waitForTimeout(25_000);
      assert.match(await status.textContent(), /analysing/);
      await says(/^script\.lua: the analyzer could not be loaded \(its files did not come in time\): `emq-conform lint`/);
    },
    { server: { instead: resealed("analyzer.js", "onmessage = () => {};") } },
  ));

test("who is in the findings stays there when others take their place", () =>
  withPage(async (page) => {
    const { comeNear, says, area, root } = script(page);
    await comeNear();
    await area.fill("local a = ARGV[1]\nreturn redis.call('GET', a)");
    await says(/^script\.lua · undeclared .* 1 finding$/);
    await area.fill("return redis.call('GET', KEYS[1])");
    await root.locator(".emq-findings button").first().focus();
    await says(/^script\.lua · declared .* 0 findings$/);
    assert.ok(await root.locator(".emq-findings").evaluate((findings) => findings.contains(document.activeElement)));
  }));

test("nothing is asked of the server but the worker's own files, and those only when the reader touches the bench", () =>
  withPage(async (page, { requests, address }) => {
    const { comeNear, says, area } = script(page);
    // The figures around load what is theirs.
    await allAlive(page);
    await comeNear();
    const loaded = requests.length;
    assert.ok(!requests.some((url) => /analyzer/.test(url)), "the worker came too early");
    for (const text of ["return 1", "return redis.call('GET', KEYS[1])", tooMuch()]) {
      await area.fill(text);
      await says(/^script\.lua(?!: analysing)/);
    }
    const files = new Set(requests.slice(loaded).map((url) => url.slice(address.length)));
    assert.deepEqual([...files].sort(), [marked("analyzer.js"), marked("emq-analyzer_bg.wasm")]);
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, and 320 pixels are enough, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const { comeNear, choose, says, area, root } = script(page);
        await comeNear();
        await page.evaluate(axe);
        const clean = async (when) => {
          const { violations } = await page.evaluate(() => window.axe.run("[data-figure=script]", { resultTypes: ["violations"] }));
          assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], when);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, when);
        };
        await clean("as it opens");
        const height = () => root.evaluate((figure) => figure.getBoundingClientRect().height);
        const before = await height();
        await choose("example", 1);
        await says(/^claim-4/);
        await clean("with nothing found");
        assert.equal(await height(), before, "the figure grows or shrinks");
        await area.fill(`return redis.call('GET', '${"k".repeat(500)}')`);
        await says(/^script\.lua · undeclared/);
        await clean("with a long line");
        assert.equal(await root.locator("[aria-live]").count(), 1);
      },
      { context: { colorScheme, viewport: { width: 320, height: 800 } } },
    ));
}

test("in forced colours bars are beside the line and the steps that are selected, and only there", () =>
  withPage(
    async (page) => {
      const { comeNear, root } = script(page);
      await comeNear();
      const bars = await root.locator(".emq-row-of-code, .emq-place").evaluateAll((parts) =>
        parts.filter((part) => getComputedStyle(part).borderLeftColor !== getComputedStyle(document.body).backgroundColor).map((part) => part.classList.contains("emq-selected")),
      );
      assert.deepEqual(bars, [true, true]);
    },
    { context: { forcedColors: "active" } },
  ));
