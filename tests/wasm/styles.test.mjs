// All sheets become one, so that a class that two figures have would be styled by both: what a figure's sheet styles is its own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { filesBelow, top } from "./dist.mjs";

/** The sheets of single figures, and where these are drawn. */
const OWNERS = {
  "fleet.css": /^src\/web\/(figures\/fleet|components\/fleet_mark)/,
  // The inspector of the v1 flaw shows code as the bench does, and the bench for captures takes an input and is copied from as it is; three say so of the input before, and can keep its verdict back.
  "script.css": /^src\/web\/(figures\/(script|v1_flaw|capture)|components\/(copy|stale|predict_first)\.rs|paint\.rs)/,
};

const read = (file) => readFileSync(join(top, file), "utf8");
/** The classes that a sheet styles wherever they stand: those that a selector begins with. */
const styled = (sheet) => {
  const rules = read(`www/style/${sheet}`).replace(/\/\*.*?\*\//gs, "").matchAll(/(?:^|[{}])([^{}@]+)\{/g);
  const selectors = [...rules].flatMap(([, list]) => list.replace(/\([^()]*\)/g, "").split(","));
  return new Set(selectors.map((selector) => /^\s*\.(emq-[\w-]+)/.exec(selector)?.[1]).filter(Boolean));
};

test("what the sheet of one figure styles is in no other figure", () => {
  const shared = styled("figure.css");
  const sources = filesBelow("src/web").filter((file) => file.endsWith(".rs"));
  for (const [sheet, own] of Object.entries(OWNERS)) {
    const classes = [...styled(sheet)].filter((name) => !shared.has(name));
    assert.ok(classes.length > 10, `${sheet}: ${classes.length} classes`);
    for (const name of classes) {
      const others = sources.filter((file) => !own.test(file) && new RegExp(`\\b${name}(?![\\w-])`).test(read(file)));
      assert.deepEqual(others, [], `.${name} of ${sheet}`);
    }
  }
});
