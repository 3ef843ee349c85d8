// What a browser loads for the page, compressed as a server would send it, keeps to a budget: what comes before the first
// verdict, and what comes when a reader goes on to the other figures.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";

import { built, dist, lying } from "./dist.mjs";

const BUDGET = 130_000;
// The practice set, with what each of it came to, took two thousand of it; that figures are whole on paper after a step, and that who touched
// which queue is looked up, two more; that benches can keep a verdict back, the last.
const FURTHER = 200_500;
// The analyzer of scripts, which a worker loads when a reader wants it.
const ANALYZER = 150_000;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

const html = () => readFileSync(built(/^index\.html$/), "utf8");

/** The files that each figure is drawn from, the first figure's first. */
const files = () =>
  [...html().matchAll(/data-files="([^"]+)"/g)].map(([, names]) => names.split(" ").filter((name) => name !== "captures/latest.bin").map(lying));

/** The script and the wasm of a program. */
const program = (name) => [...html().match(new RegExp(`name="${name}" data-js="\\./([^"]+)" data-wasm="\\./([^"]+)"`)).slice(1)];

function weigh(names, budget) {
  let sum = 0;
  for (const name of new Set(names)) {
    const bytes = readFileSync(join(dist, name));
    const size = brotli(bytes);
    sum += size;
    console.log(`${String(size).padStart(8)}  ${String(bytes.length).padStart(8)} raw  ${name}`);
  }
  console.log(`${String(sum).padStart(8)}  of ${budget}`);
  assert.ok(sum <= budget, `${sum} bytes of brotli, ${sum - budget} more than the budget`);
}

test(`what is loaded before the first verdict weighs at most ${BUDGET} bytes of brotli`, () => {
  const named = [...html().matchAll(/(?:href|src)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const names = ["index.html", ...named, ...program("emq-page"), ...files()[0]];
  for (const ending of [".css", ".js", ".wasm", ".bin"]) assert.ok(names.some((name) => name.endsWith(ending)), `no ${ending} in the page`);
  weigh(names, BUDGET);
});

/** What keeps the page's address, which is loaded behind the first figure. */
const address = () => html().match(/name="emq-address" data-js="\.\/([^"]+)"/)[1];

test(`what the figures beyond the first add weighs at most ${FURTHER} bytes of brotli`, () => {
  const [, ...further] = files();
  assert.ok(further.length > 0, "the page has no other figure");
  weigh([...program("emq-lesson"), address(), ...further.flat()], FURTHER);
});

test(`the analyzer weighs at most ${ANALYZER} bytes of brotli`, () => {
  // The worker's script has the one that loads the wasm in it.
  const names = [/^analyzer-[0-9a-f]+\.js$/, /^emq-analyzer-[0-9a-f]+_bg\.wasm$/].map(built);
  const sum = names.map((name) => brotli(readFileSync(name))).reduce((one, other) => one + other);
  console.log(`${String(sum).padStart(8)}  of ${ANALYZER}`);
  assert.ok(sum <= ANALYZER, `${sum} bytes of brotli, ${sum - ANALYZER} more than the budget`);
});

test("the wasm says nothing of the sources it was built from", () => {
  const names = readdirSync(dist).filter((name) => name.endsWith(".wasm"));
  assert.ok(names.length >= 4, names.join(" "));
  for (const name of names) assert.deepEqual(readFileSync(join(dist, name)).toString("latin1").match(/[\w/.-]+\.rs\b/g), null, name);
});
