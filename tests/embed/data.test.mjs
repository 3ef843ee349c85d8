// What can be set as `data`: read where it can be, refused in words where it cannot.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

const LOG = '1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:2.0.0"\n';

/** Runs in the page: makes a figure of each of some data, by the name that it has there. */
const show = (page, kinds) =>
  page.evaluate(([kinds, LOG]) => {
    const bytes = new TextEncoder().encode(LOG);
    const around = new Uint8Array(bytes.length + 8).fill(0xff);
    around.set(bytes, 4);
    const even = new TextEncoder().encode(LOG + "\n".repeat((4 - (LOG.length % 4)) % 4));
    const circular = { format: "emq-capture/1" };
    circular.circular = circular;
    const capture = { format: "emq-capture/1", queue: "q", source: { kind: "fixture" }, events: [{ seq: 1, origin: "client", argv: ["GET", "emq:{q}:wait"] }] };
    const all = {
      text: LOG,
      buffer: bytes.buffer,
      view: new DataView(around.buffer, 4, bytes.length),
      words: new Uint32Array(even.buffer),
      part: around.subarray(4, 4 + bytes.length),
      blob: new Blob([bytes]),
      file: new File([bytes], "traffic.log"),
      object: capture,
      circular,
      number: 42,
      flag: true,
      big: 1n,
      symbol: Symbol("s"),
      function: () => capture,
      map: new Map([["format", "emq-capture/1"]]),
      promise: Promise.resolve(LOG),
      date: new Date(0),
      bigs: { format: 1n },
      nothing: { toJSON: () => undefined },
      detached: new ArrayBuffer(8),
      "detached-view": new Uint8Array(8),
    };
    for (const kind of ["detached", "detached-view"]) structuredClone(null, { transfer: [all[kind].buffer ?? all[kind]] });
    for (const kind of kinds) {
      const element = Object.assign(document.createElement("emq-conformance"), { id: kind, data: all[kind], loading: "eager" });
      if (element.data !== all[kind]) throw new Error(`${kind} is read as something else`);
      document.body.append(element);
    }
    // They are read as they were.
    around.fill(0);
    bytes.fill(0);
    even.fill(0);
  }, [kinds, LOG]);

test("texts, bytes of any type, files and objects are read as they were when they were set", () =>
  withPage("", async (page) => {
    const kinds = ["text", "buffer", "view", "words", "part", "blob", "file", "object"];
    await show(page, kinds);
    await page.waitForFunction((count) => window.heard.filter(({ name }) => /ready|error/.test(name)).length === count, kinds.length);
    assert.deepEqual(await heard(page, "emq-error"), []);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("[id]")].map((element) => `${element.id} ${element.report().subject.queue}`)), kinds.map((kind) => `${kind} q`));
  }));

test("anything else is refused in words", () =>
  withPage("", async (page) => {
    const said = {
      circular: /onverting circular structure to JSON/,
      number: /it is of type Number$/,
      flag: /it is of type Boolean$/,
      big: /it is of type BigInt$/,
      symbol: /it is of type Symbol$/,
      function: /it is of type Function$/,
      map: /it is of type Map$/,
      promise: /it is of type Promise$/,
      date: /it is of type Date$/,
      bigs: /BigInt/,
      nothing: /it is of type Object$/,
      detached: /detached/,
      "detached-view": /detached/,
    };
    await show(page, Object.keys(said));
    const errors = await hears(page, "emq-error", Object.keys(said).length);
    for (const { id, code, message } of errors) {
      assert.equal(code, "option", id);
      assert.match(message, /^data is a text, bytes, a Blob, or what JSON is made of, and this is none: /, id);
      assert.match(message, said[id]);
    }
  }));

test("a file that is longer than a figure takes is not read", () =>
  withPage("<emq-script></emq-script>", async (page) => {
    await page.evaluate(() => {
      const blob = new Blob(["x".repeat((1 << 20) + 1)]);
      blob.arrayBuffer = () => Promise.reject(new Error("it was read"));
      Object.assign(document.querySelector("emq-script"), { data: blob, loading: "eager" });
    });
    const [{ code, message }] = await hears(page, "emq-error");
    assert.deepEqual([code, message], ["data", "data has 1048577 bytes, and this figure takes 1048576"]);
  }));

test("an address that a figure does not take is refused, and where it is taken away the figure comes", () =>
  withPage('<emq-fleet loading="eager" src="run.json"></emq-fleet><emq-v1-flaw loading="eager" src="run.json"></emq-v1-flaw>', async (page) => {
    await hears(page, "emq-error", 2);
    await page.evaluate(() => document.querySelectorAll("[src]").forEach((element) => element.removeAttribute("src")));
    assert.deepEqual((await hears(page, "emq-ready", 2)).map(({ tag }) => tag).sort(), ["emq-fleet", "emq-v1-flaw"]);
    assert.equal((await heard(page, "emq-error")).length, 2);
  }));

test("an author's words in a pre that are read as data are answered with what keeps them from it", () =>
  withPage(
    ["conformance", "capture"].map((kind) => `<emq-${kind} loading="eager"><pre>6 of 6 keys lie in emq:{payments}:</pre></emq-${kind}>`).join("") +
      '<emq-conformance id="script" loading="eager"><script type="application/json">no</script></emq-conformance>',
    async (page) => {
      const errors = Object.fromEntries((await hears(page, "emq-error", 3)).map(({ id, tag, code, message }) => [id || tag, `${code}: ${message}`]));
      assert.match(errors["emq-conformance"], /^data: .*\. If the pre is what stands there until the figure comes, give the element capture or src$/);
      assert.match(errors["emq-capture"], /^data: .*\. If the pre is what stands there until the figure comes, give the element example or src$/);
      assert.doesNotMatch(errors.script, /pre/);
    },
  ));
