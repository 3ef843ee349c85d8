// On paper every figure is whole: what a reader would scroll to, open or ask for stands in the text of the PDF.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { figure, flaw, fleet, practice } from "./support/figure.mjs";

useBrowser();

/** What a PDF says, in the order in which it was drawn and without any white space: lines are broken where there is room. */
async function paper(page) {
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  const text = execFileSync("pdftotext", ["-raw", "-enc", "UTF-8", "-", "-"], { input: pdf, encoding: "utf8", maxBuffer: 1 << 26 });
  return bare(text);
}
const bare = (text) => text.normalize("NFKC").replaceAll(/[\s\f\u00ad]+/g, "");

/** What has to be there, by figure: the parts that say what something came to, and what it rests on. */
const VERDICTS = {
  conformance: [".emq-sentence", 5],
  fleet: [".emq-act .emq-said", 4],
  "v1-flaw": [".emq-told", 12],
  script: [".emq-findings > li > p", 4],
  capture: [".emq-outcomes > li > p", 10],
  practice: [".emq-answer .emq-hindsight", 9],
};
const WHOLE = {
  // Of what the five assertions list, only one can be open at a time.
  conformance: [".emq-line .emq-command, .emq-evidence .emq-place > span", 80],
  fleet: [".emq-cell, .emq-matrix td", 9],
  "v1-flaw": [".emq-row-of-code code", 11],
  script: [".emq-row-of-code code", 8],
  capture: [".emq-outcomes .emq-evidence li", 4],
  practice: [".emq-subject li", 45],
};

/** The texts of a figure's parts, each whole unless a style draws signs between its pieces. */
const texts = (page, name, wanted) =>
  page.locator(`[data-figure=${name}]`).evaluate((place, wanted) => {
    const pieces = (part) => {
      if (!part.querySelector(".emq-mark, .emq-origin-mark, .emq-stop, [data-step]")) return [part.textContent];
      return [...part.childNodes].flatMap((child) => (child.nodeType === Node.TEXT_NODE ? [child.textContent] : pieces(child)));
    };
    // What is kept for reading aloud is not for paper.
    place.querySelectorAll(".emq-hidden").forEach((part) => part.remove());
    return [...place.querySelectorAll(wanted)].flatMap(pieces);
  }, wanted);

/** All that has to be there, of a page that shows it. */
async function whole(page) {
  const found = [];
  for (const [what, parts] of [["verdicts", VERDICTS], ["what they rest on", WHOLE]]) {
    for (const [name, [wanted, least]] of Object.entries(parts)) {
      const all = (await texts(page, name, wanted)).filter((text) => text.trim());
      assert.ok(all.length >= least, `${name}: ${all.length} of ${wanted}`);
      found.push([`${name}: ${what} that the PDF does not have`, all]);
    }
  }
  return found;
}

async function isWhole(page, found) {
  const said = await paper(page);
  for (const of of ["Step▶", "Copymarkdown", "CopyJSON"]) assert.ok(!said.includes(of), `${of} is of no use on paper`);
  for (const [what, all] of found ?? (await whole(page))) assert.deepEqual(all.filter((text) => !said.includes(bare(text))), [], what);
}

test("every figure’s verdicts and what they rest on are in the PDF, without JavaScript", () =>
  withPage((page) => isWhole(page), { context: { javaScriptEnabled: false }, alive: false }));

test("every figure’s verdicts and what they rest on are in the PDF of the living page, also those that nobody has asked for", () =>
  withPage(async (page) => {
    assert.deepEqual((await allAlive(page)).sort(), Object.keys(VERDICTS).sort(), "a figure that this test does not know");
    assert.deepEqual(await practice(page).open(), []);
    await isWhole(page);
    // And so it is with one open.
    await practice(page).title(3).click();
    await isWhole(page);
  }));

test("a figure that the reader has begun anew is whole on paper, and as they left it afterwards", () =>
  withPage(async (page) => {
    await allAlive(page);
    const found = await whole(page);
    const walked = [figure(page), fleet(page), flaw(page)];
    for (const { button } of walked) await button("Reset").click();
    await figure(page).button("Step").click();
    const left = () => Promise.all(walked.map(({ status }) => status.textContent()));
    const before = await left();
    const hash = "#v1;conformance=step:1,show:keyspace;v1-flaw=step:0;fleet=step:0";
    await page.waitForFunction((hash) => location.hash === hash, hash, { timeout: 10_000 });
    await isWhole(page, found);
    assert.deepEqual(await left(), before);
    assert.equal(await page.evaluate(() => location.hash), hash);
    await figure(page).button("Step").click();
    await figure(page).says(/^2 of 5 · /);
  }));
