// A text of the reader's own that a link took along stays in the address until the reader brings another, however that comes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { useBrowser, withPage } from "./support/browser.mjs";
import { script } from "./support/figure.mjs";

useBrowser();

const ANOTHER = "return redis.call('GET', KEYS[1])";

const WAYS = {
  typed: ({ area }) => area.fill(ANOTHER),
  pasted: ({ area }, page) =>
    area.evaluate((area, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, `-- ${"long ".repeat(4000)}\n${ANOTHER}`),
  dropped: ({ root }) =>
    root.evaluate((figure, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "get-1.lua"));
      figure.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, ANOTHER),
  opened: ({ file }) => file.setInputFiles({ name: "get-1.lua", mimeType: "text/plain", buffer: Buffer.from(ANOTHER) }),
};

for (const [how, bring] of Object.entries(WAYS)) {
  test(`one that is ${how} takes the former out of the address, a choice does not`, () =>
    withPage(async (page) => {
      const parts = script(page);
      const { comeNear, area, root, says, choose } = parts;
      await comeNear();
      await area.fill("redis.call('DEL', ARGV[1])");
      await says(/undeclared/);
      await page.locator("[data-figure=script] + .emq-link a").click();
      await page.waitForFunction(() => /script\.text=/.test(location.hash));
      await choose("policy", 1);
      await page.waitForTimeout(700);
      assert.match(await page.evaluate(() => location.hash), /script\.text=/);
      await bring(parts, page);
      await page.waitForFunction(() => !/script\.text=/.test(location.hash), null, { timeout: 10_000 });
      assert.ok((await root.count()) === 1);
    }));
}

test("once rules.html is open it breaks no rule of its own", () =>
  withPage(
    async (page, { address }) => {
      await page.goto(`${address}rules.html`);
      assert.ok((await page.locator("section").count()) > 20);
      await page.waitForTimeout(300);
    },
    { alive: false },
  ));
