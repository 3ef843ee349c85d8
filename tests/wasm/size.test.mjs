// What a browser loads for the page, compressed as a server would send it, keeps to a budget.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";

import { built, dist } from "./dist.mjs";

const BUDGET = 130_000;
// The analyzer of scripts, which a worker loads when a reader wants it.
const ANALYZER = 198_000;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

test(`the page weighs at most ${BUDGET} bytes of brotli`, () => {
  const html = readFileSync(built(/^index\.html$/), "utf8");
  // Everything that the page names, and the captures that its figures fetch.
  const named = [...html.matchAll(/(?:href|src|data-js|data-wasm)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const captures = [...html.matchAll(/data-captures="([^"]+)"/g)].flatMap(([, names]) => names.split(" "));
  const fixed = captures.filter((name) => name !== "latest").map((name) => `captures/${name}.bin`);
  const names = [...new Set(["index.html", ...named, ...fixed])];
  for (const ending of [".css", ".js", ".wasm", ".bin"]) assert.ok(names.some((name) => name.endsWith(ending)), `no ${ending} in the page`);

  let sum = 0;
  for (const name of names) {
    const bytes = readFileSync(join(dist, name));
    const size = brotli(bytes);
    sum += size;
    console.log(`${String(size).padStart(8)}  ${String(bytes.length).padStart(8)} raw  ${name}`);
  }
  console.log(`${String(sum).padStart(8)}  of ${BUDGET}`);
  assert.ok(sum <= BUDGET, `${sum} bytes of brotli, ${sum - BUDGET} more than the budget`);
});

test(`the analyzer weighs at most ${ANALYZER} bytes of brotli`, () => {
  const names = [/^emq-analyzer(-[0-9a-f]+)?\.js$/, /^emq-analyzer(-[0-9a-f]+)?_bg\.wasm$/].map(built);
  const sum = names.map((name) => brotli(readFileSync(name))).reduce((one, other) => one + other);
  console.log(`${String(sum).padStart(8)}  of ${ANALYZER}`);
  assert.ok(sum <= ANALYZER, `${sum} bytes of brotli, ${sum - ANALYZER} more than the budget`);
});
