// A program that stops in the midst of its work: what its figures say then, and what stays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

const KINDS = ["conformance", "fleet", "v1-flaw", "script", "capture"];
const figure = (kind, more = "") => `<emq-${kind} id="${kind}" loading="eager" ${more}><p class="stays">stays</p></emq-${kind}>`;
const STOPPED = /^its program has stopped \(.*unreachable.*\): load the page again$/;

/** A browser that gives wasm nothing more to draw with once `window.stops` is set: the program that asks for it stops there, as with any fault. */
function stopping() {
  const meant = () => window.stops && /wasm/.test(new Error().stack);
  for (const [{ prototype }, name] of [[Document, "createElement"], [Document, "createElementNS"], [Document, "createTextNode"], [Node, "insertBefore"], [Node, "cloneNode"]]) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, name);
    prototype[name] = function (...given) {
      if (meant()) throw new Error("nothing more");
      return value.apply(this, given);
    };
  }
}

const expected = /unreachable/;

/** Checks that the figures of some kinds say that they have stopped, and show what their author wrote. */
async function stopped(page, kinds) {
  const errors = await hears(page, "emq-error", kinds.length);
  assert.deepEqual(errors.map(({ id, code }) => `${id} ${code}`).sort(), kinds.map((kind) => `${kind} internal`).sort());
  for (const { message } of errors) assert.match(message, STOPPED);
  for (const kind of kinds) {
    assert.equal(await page.locator(`#${kind} .stays`).isVisible(), true, kind);
    assert.equal(await page.locator(`#${kind}`).locator(".emq-root").isVisible(), false, kind);
  }
}

test("where a program stops as its figure is drawn, the author's text stays and the event says so", () =>
  withPage(KINDS.map((kind) => figure(kind)).join(""), (page) => stopped(page, KINDS), { expected, init: `(${stopping})(); window.stops = true;` }));

test("where it stops at the first answer of its worker, likewise", async () => {
  const asked = { script: "", capture: "", "v1-flaw": 'call="claim-4.lua"' };
  for (const [kind, more] of Object.entries(asked)) {
    // Whoever needs a worker is drawn before there is one.
    const init = `(${stopping})(); window.Worker = class extends Worker { constructor(address) { super(address); window.stops = true; } };`;
    await withPage(figure(kind, more), (page) => stopped(page, [kind]), { expected, init });
  }
});

test("where it stops under a reader's hand, all its figures say so, also those that come later, and no others", () =>
  withPage(
    figure("conformance") + figure("fleet") + '<emq-conformance id="second" loading="eager"><p class="stays">stays</p></emq-conformance>',
    async (page) => {
      await hears(page, "emq-ready", 3);
      await page.evaluate(() => (window.stops = true));
      await page.locator("#conformance").getByRole("button", { name: "Step ▶" }).click();
      await stopped(page, ["conformance", "second"]);
      await page.evaluate(() => {
        window.stops = false;
        window.heard.length = 0;
        document.body.insertAdjacentHTML("beforeend", '<emq-conformance id="later" loading="eager"><p class="stays">stays</p></emq-conformance>');
      });
      await stopped(page, ["later"]);
      await page.locator("#fleet").getByRole("button", { name: "Step ▶" }).click();
      await hears(page, "emq-step");
    },
    { expected, init: stopping },
  ));

test("the workers of a program that has stopped are ended, each once", async () => {
  const asked = { script: "", capture: "", "v1-flaw": 'call="claim-4.lua"' };
  const counting = () => {
    window.workers = [];
    window.Worker = class extends Worker {
      constructor(address) {
        super(address);
        this.ended = 0;
        window.workers.push(this);
        // The program stops at the first answer.
        window.stops = window.meant;
      }
      terminate() {
        this.ended += 1;
        super.terminate();
      }
    };
  };
  for (const meant of [true, false]) {
    for (const [kind, more] of Object.entries(asked)) {
      await withPage(
        figure(kind, more),
        async (page) => {
          await hears(page, meant ? "emq-error" : "emq-ready");
          await page.evaluate(() => document.querySelector("[loading]").remove());
          // Who is taken away is ended in the turn after.
          const ended = await page.evaluate(() => new Promise((passed) => setTimeout(() => passed(window.workers.map(({ ended }) => ended)))));
          assert.ok(ended.length > 0 && ended.every((times) => times === 1), `${kind}, ${meant ? "stopped" : "whole"}: ${ended}`);
        },
        { expected, init: `(${stopping})(); (${counting})(); window.meant = ${meant};` },
      );
    }
  }
});

test("a program that stops as it is asked what it shows says so once", () =>
  withPage(
    '<emq-script loading="eager"><pre>return 1</pre><p class="stays">stays</p></emq-script>',
    async (page) => {
      await hears(page, "emq-verdict");
      await page.evaluate(() => {
        window.stops = true;
        document.querySelector("emq-script").shadowRoot.querySelector("[data-figure]").append("");
      });
      await hears(page, "emq-error");
      // What else it might say would have come by then.
      await page.evaluate(() => new Promise((passed) => setTimeout(() => setTimeout(passed))));
      const errors = await hears(page, "emq-error");
      assert.deepEqual(errors.map(({ code }) => code), ["internal"]);
      assert.match(errors[0].message, STOPPED);
      assert.equal(await page.evaluate(() => document.querySelector("emq-script").state), "");
    },
    {
      expected,
      // An accessor's answer is read into the page's memory: there the program stops.
      init: `const { decode } = TextDecoder.prototype; TextDecoder.prototype.decode = function (...given) { if (window.stops && /wasm/.test(new Error().stack)) throw new WebAssembly.RuntimeError("unreachable"); return decode.apply(this, given); };`,
    },
  ));

test("who asks a figure whose program stops then, or has stopped, gets no exception", () =>
  withPage(
    figure("conformance") + '<emq-conformance id="second" loading="eager"><p class="stays">stays</p></emq-conformance>',
    async (page) => {
      await hears(page, "emq-ready", 2);
      const said = await page.evaluate(async () => {
        const [first, second] = document.querySelectorAll("emq-conformance");
        const asks = async (element) => [element.report(), element.state, await Promise.all([element.step(), element.back(), element.assertAll(), element.reset()])];
        const answers = [];
        // The others hear of it one after the other: whichever is asked meanwhile.
        for (const [one, other] of [[first, second], [second, first]]) one.addEventListener("emq-error", () => answers.push(asks(other)));
        window.stops = true;
        await first.step();
        return Promise.all([...answers, asks(first), asks(second)]);
      });
      assert.equal(said.length, 4);
      for (const [report, , steps] of said) assert.deepEqual([report, steps], [null, Array(4).fill(undefined)]);
      await stopped(page, ["conformance", "second"]);
    },
    { expected, init: stopping },
  ));

test("a figure whose program fails or stops as it is taken away is away", async () => {
  await withPage(
    figure("conformance"),
    async (page) => {
      await hears(page, "emq-ready");
      const left = await page.evaluate(async () => {
        const element = document.querySelector("#conformance");
        const place = element.shadowRoot.querySelector("[data-figure]");
        const { unregister } = FinalizationRegistry.prototype;
        // What is called first as a figure is destroyed.
        FinalizationRegistry.prototype.unregister = () => {
          FinalizationRegistry.prototype.unregister = unregister;
          throw new Error("nothing more");
        };
        element.remove();
        await new Promise((passed) => setTimeout(passed));
        return [place.parentNode, element.state, element.report(), element.shadowRoot.querySelector(".emq-root").hidden];
      });
      assert.deepEqual(left, [null, "", null, true]);
    },
  );
  await   withPage(
    figure("conformance") + '<emq-conformance id="second" loading="eager"><p class="stays">stays</p></emq-conformance>',
    async (page) => {
      await hears(page, "emq-ready", 2);
      await page.evaluate(() => {
        const { removeChild, remove } = { removeChild: Node.prototype.removeChild, remove: Element.prototype.remove };
        const stops = (does) => function (...given) {
          if (window.stops && /wasm/.test(new Error().stack)) throw new Error("nothing more");
          return does.apply(this, given);
        };
        Node.prototype.removeChild = stops(removeChild);
        Element.prototype.remove = stops(remove);
        const taken = document.querySelector("#conformance");
        window.place = taken.shadowRoot.querySelector("[data-figure]");
        window.stops = true;
        taken.remove();
      });
      const [{ id, code }] = await hears(page, "emq-error");
      assert.deepEqual([id, code], ["second", "internal"]);
      assert.equal(await page.evaluate(() => window.place.isConnected || window.place.parentNode !== null), false);
      assert.equal((await hears(page, "emq-error")).length, 1);
    },
    { expected },
  );
});

test("a worker that stops at its first question is said with what else can be done", async () => {
  // All that the worker's wasm is asked after its start.
  const broken = () => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (module, imports) => {
      const { exports } = await instantiate(module, imports);
      let asked = 0;
      addEventListener("message", () => (asked += 1));
      const stops = (call) => (...given) => {
        if (asked > 0) throw new WebAssembly.RuntimeError("unreachable");
        return call(...given);
      };
      const wrapped = Object.entries(exports).map(([name, one]) => [name, typeof one === "function" ? stops(one) : one]);
      return { instance: { exports: Object.fromEntries(wrapped) }, module };
    };
  };
  const init = `window.Worker = class extends Worker {
    constructor(address) { super(URL.createObjectURL(new Blob([${JSON.stringify(`(${broken})();`)}, "importScripts(" + JSON.stringify(address) + ")"], { type: "text/javascript" }))); }
  };`;
  const asked = { script: "", capture: "", "v1-flaw": 'call="claim-4.lua"' };
  for (const [kind, more] of Object.entries(asked)) {
    await withPage(
      figure(kind, more),
      async (page) => {
        const [{ code, message }] = await hears(page, "emq-error");
        assert.equal(code, kind === "v1-flaw" ? "internal" : "data");
        assert.match(message, /needs more than a browser gives|did not come to an end/);
        assert.equal(await page.locator(".stays").isVisible(), true);
      },
      { expected, init },
    );
  }
});

test("a worker that goes after its first word was stopped by no policy, whatever that stops or reports meanwhile", async () => {
  const gone = () => {
    let asked = 0;
    addEventListener("message", (event) => {
      asked += 1;
      if (asked === 1) return;
      event.stopImmediatePropagation();
      throw new Error("unreachable");
    });
  };
  // Another one of the page is stopped as it begins.
  const other = { effectiveDirective: "worker-src", blockedURI: "blob", disposition: "enforce", documentURI: "", originalPolicy: "", violatedDirective: "worker-src", statusCode: 200 };
  const init = `window.Worker = class extends Worker {
    constructor(address) {
      super(URL.createObjectURL(new Blob([${JSON.stringify(`(${gone})();`)}, "importScripts(" + JSON.stringify(address) + ")"], { type: "text/javascript" })));
      document.dispatchEvent(new SecurityPolicyViolationEvent("securitypolicyviolation", ${JSON.stringify(other)}));
    }
  };`;
  for (const [kind, more] of Object.entries({ script: "", capture: "", "v1-flaw": 'call="claim-4.lua"' })) {
    await withPage(
      figure(kind, more),
      async (page) => {
        const [{ code, message }] = await hears(page, "emq-error");
        assert.equal(code, kind === "v1-flaw" ? "internal" : "data", message);
      },
      { expected: /unreachable|Content Security Policy/, init, reports: "worker-src 'none'" },
    );
  }
});

test("what is never drawn, though nothing stopped, is given up", () =>
  withPage(
    figure("conformance"),
    async (page) => {
      const [{ code, message }] = await hears(page, "emq-error");
      assert.deepEqual([code, message], ["internal", "it was not drawn: load the page again"]);
      assert.equal(await page.locator(".stays").isVisible(), true);
    },
    {
      // What is to be drawn waits for a turn that never comes: a program's functions are known by how they are given back.
      init: () => {
        const { queueMicrotask } = window;
        window.queueMicrotask = (task) => ("_wbg_cb_unref" in task ? undefined : queueMicrotask(task));
      },
    },
  ));
