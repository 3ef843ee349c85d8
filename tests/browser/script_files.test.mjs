// The script bench: files that a reader opens or drops, and what can be copied: all of it as the command line has it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, test } from "node:test";

import { commandLine, top } from "../wasm/dist.mjs";
import { useBrowser, withPage } from "./support/browser.mjs";
import { script } from "./support/figure.mjs";

useBrowser();

const MOST = 1 << 20;
const clipboard = { context: { permissions: ["clipboard-read", "clipboard-write"] } };

let program;
before(() => (program = commandLine()));

/** What the command line prints for a script on standard input. */
function native(name, input, policy, format) {
  const { stdout, status } = spawnSync(program, ["lint", "--format", format, `--stdin-name=${name}`, "--policy", policy, "-"], { input, maxBuffer: 1 << 26 });
  assert.ok([0, 1, 4].includes(status), `exit ${status}`);
  return stdout.toString();
}

/** Presses a button that copies, and hands over what is on the clipboard then. */
async function copied(page, what) {
  const { button, says } = script(page);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button(`Copy ${what}`).click();
  await says(`${what} copied`);
  return page.evaluate(() => navigator.clipboard.readText());
}

const open = (page, name, buffer) => script(page).file.setInputFiles({ name, mimeType: "text/x-lua", buffer: Buffer.from(buffer) });

test("what is copied is what the command line prints, for each policy, of a script as it was built and of one just opened", () =>
  withPage(async (page) => {
    const { comeNear, choose, says } = script(page);
    await comeNear();
    const first = readFileSync(join(top, "fixtures/page-scripts/v1-style.lua"));
    assert.equal(await copied(page, "markdown"), native("v1-style.lua", first, "strict", "markdown"));
    assert.equal(await copied(page, "JSON"), native("v1-style.lua", first, "strict", "json"));
    const files = {
      "plain-1.lua": "local a = KEYS[1] .. ':b'\nreturn redis.call('GET', a)\n",
      "no text.lua": Buffer.concat([Buffer.from("-- "), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from("\r\nreturn redis.call('GET', '\xe9' .. ARGV[1])\r\n", "latin1")]),
      "it's $HOME `x`-2.lua": "redis.call('DEL', ARGV[1] .. '</script>')",
      "-x.lua": "redis.call('DEL', KEYS[1]) -- é\n",
    };
    for (const [name, content] of Object.entries(files)) {
      await open(page, name, content);
      await says(new RegExp(`^${name.replace(/[$`.]/g, "\\$&")} · `));
      for (const [index, policy] of ["strict", "rooted", "slot-rooted"].entries()) {
        await choose("policy", index);
        assert.equal(await copied(page, "JSON"), native(name, content, policy, "json"), `${name}, ${policy}`);
        assert.equal(await copied(page, "markdown"), native(name, content, policy, "markdown"), `${name}, ${policy}`);
      }
      // The command, in a shell, beside the file.
      const folder = mkdtempSync(join(tmpdir(), "emq-command-"));
      try {
        writeFileSync(join(folder, name), content);
        const command = (await copied(page, "command")).replace("lint ", "lint --format json ");
        const { stdout } = spawnSync("sh", ["-c", command], { cwd: folder, env: { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` } });
        assert.equal(stdout.toString(), native(name, content, "slot-rooted", "json"), command);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  }, clipboard));

test("a file as large as a script may be is taken, one byte more is refused with the limit, and nothing changes", () =>
  withPage(async (page) => {
    const { comeNear, says, area, root } = script(page);
    await comeNear();
    await open(page, "most.lua", `--${"x".repeat(MOST - 3)}\n`);
    await says(/^most\.lua · undeclared|^most\.lua · declared/);
    const shown = await area.inputValue();
    for (const [size, words] of [[MOST + 1, "1,048,577"], [40_000_000, "40,000,000"]]) {
      await open(page, "more.lua", Buffer.alloc(size, "x"));
      await says(`more.lua is not taken: it has ${words} bytes, and a script at most 1,048,576`);
      assert.equal(await area.inputValue(), shown);
    }
    assert.match(await root.locator(".emq-repeat").textContent(), /most\.lua/);
    await open(page, "again.lua", "return redis.call('GET', KEYS[1])");
    await says(/^again\.lua · declared/);
  }));

test("a file that is dropped is opened, and a text is left to the browser", () =>
  withPage(async (page) => {
    const { comeNear, says, root } = script(page);
    await comeNear();
    const drop = (files) =>
      root.evaluate((figure, files) => {
        const dataTransfer = new DataTransfer();
        for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
        if (files.length === 0) dataTransfer.setData("text/plain", "x");
        return ["dragover", "drop"].map((kind) => !figure.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })));
      }, files);
    assert.deepEqual(await drop([["dropped-1.lua", "return redis.call('GET', KEYS[1])"]]), [true, true]);
    await says(/^dropped-1\.lua · declared/);
    assert.deepEqual(await drop([]), [false, false]);
    // A name that cannot be typed is none.
    await drop([["a\u202eb.lua", "return redis.call('GET', KEYS[1])"]]);
    await says(/^script\.lua · declared/);
  }));

test("without the clipboard the text stands selected over the figure, nothing moves, and Escape puts it away", () =>
  withPage(async (page) => {
    const { comeNear, button, says, root } = script(page);
    await comeNear();
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const height = () => root.evaluate((figure) => figure.getBoundingClientRect().height);
    const tall = await height();
    await button("Copy markdown").click();
    await says(/may not use the clipboard/);
    const text = root.locator(".emq-copy textarea");
    await page.waitForFunction(() => document.activeElement.matches(".emq-copy textarea"));
    const [value, selected] = await text.evaluate((area) => [area.value, area.value.slice(area.selectionStart, area.selectionEnd)]);
    assert.match(value, /^### ✕ lint: fail/);
    assert.equal(selected, value);
    assert.equal(await height(), tall);
    await page.keyboard.press("Escape");
    await text.waitFor({ state: "detached" });
  }));
