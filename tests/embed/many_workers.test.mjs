// Figures whose verdicts come from workers, which come and go with them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, useBrowser, withPage } from "./support/browser.mjs";
import { CYCLES, NO_COMPILERS, leavesNothing } from "./support/cycles.mjs";

useBrowser(NO_COMPILERS);

const KINDS = { "v1-flaw": 'call="claim-4.lua"', script: "", capture: "" };

/** Notes what workers are made of, and takes the figure away as soon as one is. */
function leaving() {
  window.addresses = [];
  window.revoked = [];
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => (window.addresses.push(createObjectURL(blob)), window.addresses.at(-1));
  URL.revokeObjectURL = (address) => (window.revoked.push(address), revokeObjectURL(address));
  window.ended = 0;
  window.Worker = class extends Worker {
    terminate() {
      window.ended += 1;
      super.terminate();
    }
    constructor(address) {
      super(address);
      // It is started, and has said nothing yet.
      document.querySelector("[loading]").remove();
      setTimeout(() => (window.left = true));
    }
  };
}

test("a figure that goes while its worker starts gives back what the worker was made of, and ends it", async () => {
  for (const [kind, asked] of Object.entries(KINDS)) {
    await withPage(
      `<emq-${kind} loading="eager" ${asked}></emq-${kind}>`,
      async (page) => {
        await page.waitForFunction(() => window.left);
        const { addresses, revoked } = await page.evaluate(() => ({ addresses: window.addresses, revoked: window.revoked }));
        assert.deepEqual([addresses.length, revoked], [1, addresses], kind);
        assert.equal(await page.evaluate(() => window.ended), 1, kind);
        assert.deepEqual(await heard(page, "emq-error"), []);
      },
      { init: leaving },
    );
  }
});

for (const kind of ["v1-flaw", "script", "capture"]) test(`${CYCLES} of ${kind} that came and went leave nothing behind`, () => leavesNothing(kind, CYCLES));
