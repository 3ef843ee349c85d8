// What the figure says of the fixed capture is what the command line says of the same file.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { commandLine, top } from "../wasm/dist.mjs";
import { useBrowser, withPage } from "./support/browser.mjs";
import { figure } from "./support/figure.mjs";

useBrowser();

test("verdict, sentence and evidence of each assertion are the command line's", () => {
  const check = ["check", "--format", "json", "fixtures/captures/payments.json"];
  const { assertions, engine } = JSON.parse(execFileSync(commandLine(), check, { cwd: top }));
  return withPage(async (page) => {
    const { root, assertion, details } = figure(page);
    assert.match(await root.locator(".emq-measured").textContent(), new RegExp(`${engine.name} ${engine.version}`.replaceAll(".", "\\.")));
    for (const { id, verdict, summary, evidence } of assertions) {
      await assertion(id).click();
      assert.equal(await assertion(id).locator(".emq-sentence").textContent(), `${verdict} · ${summary}`);
      const shown = await details.locator(".emq-evidence > li").allTextContents();
      assert.equal(shown.length, evidence.length, id);
      evidence.forEach(({ seq, command, why }, index) => {
        assert.ok(shown[index].startsWith(`${seq ?? "–"}${command} `), shown[index]);
        assert.ok(shown[index].endsWith(`: ${why}`), shown[index]);
      });
    }
  });
});
