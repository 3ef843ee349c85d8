// The names of the built page's files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marked } from "../../www/marked.mjs";

const MARK = "0123456789abcdef";

test("a name's old mark gives way to the new one, whatever its leading zeros left of it", () => {
  for (const digits of [16, 15, 14, 12, 9]) {
    const old = "9f2da04cd146be0c".slice(0, digits);
    assert.equal(marked(`emq-page-${old}.js`, MARK), `emq-page-${MARK}.js`);
    assert.equal(marked(`emq-page-${old}_bg.wasm`, MARK), `emq-page-${MARK}_bg.wasm`);
    assert.equal(marked(`page-${old}.css`, MARK), `page-${MARK}.css`);
  }
});

test("a name without a mark gets one, and keeps its own words", () => {
  assert.equal(marked("emq-lesson.js", MARK), `emq-lesson-${MARK}.js`);
  assert.equal(marked("emq-lesson_bg.wasm", MARK), `emq-lesson-${MARK}_bg.wasm`);
  assert.equal(marked("face-feed.js", MARK), `face-feed-${MARK}.js`);
});
