// Figures that come and go, and what is left of them.

import assert from "node:assert/strict";

import { withPage } from "./browser.mjs";

/**
 * What the browser is started with: what its compilers make of a script that runs often lies on its heap too, and is none of the figures'
 * doing.
 */
export const NO_COMPILERS = "--js-flags=--no-opt --no-maglev --no-sparkplug";

/** So many come and go. */
export const CYCLES = Number(process.env.EMQ_CYCLES ?? 1000);
const AT_ONCE = 10;
// What has a worker analyse another script than the one that it opens with.
const ASKED = { "v1-flaw": { call: "claim-4.lua" } };

/** Checks that so many figures of a kind leave nothing behind when they came and went, nor the workers that they had. */
export const leavesNothing = (kind, cycles) =>
  withPage("<div id=place></div>", async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.enable");
    const cycle = (count) =>
      page.evaluate(async ([tag, asked, count, at]) => {
        const place = document.querySelector("#place");
        const come = async () => {
          const element = document.createElement(tag);
          for (const [name, value] of Object.entries({ loading: "eager", ...asked })) element.setAttribute(name, value);
          const ready = new Promise((passed, failed) => {
            element.addEventListener("emq-ready", passed, { once: true });
            element.addEventListener("emq-error", ({ detail }) => failed(new Error(detail.message)), { once: true });
          });
          place.append(element);
          await ready;
        };
        for (let gone = 0; gone < count; gone += at) {
          await Promise.all(Array.from({ length: at }, come));
          place.replaceChildren();
          await new Promise((passed) => setTimeout(passed));
          // What the test itself notes is not the figures'.
          window.heard.length = 0;
        }
      }, [`emq-${kind}`, ASKED[kind] ?? {}, count, AT_ONCE]);
    const memory = async () => {
      // What is found to be of no use frees what it held, which is found then.
      for (let turn = 0; turn < 4; turn += 1) {
        await session.send("HeapProfiler.collectGarbage");
        await page.waitForTimeout(100);
      }
      const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
      const wasm = await page.evaluate(() => window.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
      return { heap: usedSize, buffers: backingStorageSize, wasm, nodes, listeners: jsEventListeners, workers: page.workers().length };
    };
    await cycle(50);
    const before = await memory();
    await cycle(cycles);
    const after = await memory();
    for (const [what, count] of Object.entries(before)) {
      console.log(`${what}: ${count} before, ${after[what]} after`);
      assert.ok(after[what] <= count * 1.05, `${what}: ${count} before, ${after[what]} after`);
    }
    assert.equal(await page.evaluate(() => window.instances), 1);
  });
