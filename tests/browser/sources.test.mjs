// Every claim of the lesson says where it comes from: the course, which is a draft; a measurement; or the document that it is about.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { top } from "../wasm/dist.mjs";
import { useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

/** What claims nothing of EchoMQ, BullMQ or Valkey: what the page is, and what a reader can do on it. */
const NO_CLAIM = [/^Two marks say/, /^Did its caller declare each\? Choose/, /^Record what a server runs, with/, /^Four scripts, held to/, /^Nothing you do on this page/, /^On your machine/];

/** The lesson's paragraphs and items, without the figures, each with the marks and links in it. */
const told = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main > p:not(#note), main > section > :is(p, ul, table)")]
      .filter((part) => !part.matches(".emq-link"))
      .flatMap((part) => (part.tagName === "UL" ? [...part.children] : part.tagName === "TABLE" ? [part.nextElementSibling] : [part]))
      .map((part) => ({
        section: part.closest("section")?.id ?? "",
        text: part.textContent.replace(/\s+/g, " ").trim(),
        marks: [...part.querySelectorAll("b.stated, b.measured")].map((mark) => mark.className),
        links: [...part.querySelectorAll("a")].map((link) => link.getAttribute("href")),
        commands: [...part.querySelectorAll("code")].map((code) => code.textContent),
      })),
  );

const still = { context: { javaScriptEnabled: true }, alive: false };

test("each paragraph of the lesson has a mark, or the document that it comes from", () =>
  withPage(async (page) => {
    const parts = await told(page);
    assert.ok(parts.length >= 20, `${parts.length} parts`);
    for (const { text, marks, links } of parts) {
      const document = links.some((link) => /^https:\/\/(valkey\.io|docs\.bullmq\.io)\//.test(link));
      if (!NO_CLAIM.some((opening) => opening.test(text))) assert.ok(marks.length > 0 || document, `this has no source: ${text}`);
    }
    for (const opening of NO_CLAIM) assert.ok(parts.some(({ text }) => opening.test(text)), `${opening} is nowhere`);
  }, still));

test("what is measured says on which engine, when, and by which command, or where the lesson shows it", () =>
  withPage(async (page) => {
    const parts = (await told(page)).filter(({ marks, text }) => marks.includes("measured") && !/^Two marks say/.test(text));
    assert.ok(parts.length >= 5, `${parts.length} parts`);
    for (const { text, section, links, commands } of parts) {
      if (section === "recap") {
        assert.ok(links.some((link) => link.startsWith("#")), text);
        for (const link of links) assert.equal(await page.locator(`section${link}`).count(), 1, link);
        continue;
      }
      const [said, versions, date] = /\(valkey ([\d.]+(?: and [\d.]+)?), (\d{4}-\d\d-\d\d), /.exec(text) ?? [];
      assert.ok(said, `no engine and date: ${text}`);
      // The figure below says the same of what it shows, from the recording itself.
      const origins = (await page.locator(`#${section} .emq-heading .emq-measured`).allTextContents()).join(" ");
      assert.ok(origins.includes(`valkey ${versions}`) && origins.includes(date), `${section}: ${said} is not what the figure says: ${origins}`);
      const command = commands.find((command) => /^(make|emq-conform) /.test(command));
      assert.ok(command, `no command: ${text}`);
      if (command.startsWith("make ")) assert.match(readFileSync(join(top, "Makefile"), "utf8"), new RegExp(`^${command.slice(5)}:`, "m"));
      else assert.ok(existsSync(join(top, "src/native/cli", command.split(" ")[1])) || existsSync(join(top, "src/native/cli", `${command.split(" ")[1]}.rs`)), command);
    }
  }, still));

test("each number of the lesson stands beside a mark or its document", () =>
  withPage(async (page) => {
    const numbers = (await told(page)).filter(({ text }) => /\d/.test(text.replaceAll(/\bv[12]\b|EchoMQ 2\.\d|\b2\.0\b/g, "")));
    assert.ok(numbers.length >= 4, `${numbers.length} parts`);
    for (const { text, marks, links } of numbers) assert.ok(marks.length > 0 || links.length > 0, text);
  }, still));

test("every figure has its marks, each with its word", () =>
  withPage(async (page) => {
    const figures = await page.locator("[data-figure]").evaluateAll((places) => places.map((place) => [place.dataset.figure, [...place.querySelectorAll(".emq-heading .emq-origin-mark")].map((mark) => mark.textContent)]));
    assert.ok(figures.length >= 6);
    // The benches are over the reader's own input.
    for (const [name, marks] of figures.filter(([name]) => !["script", "capture"].includes(name))) {
      assert.ok(marks.length > 0 && marks.every((mark) => ["stated", "measured"].includes(mark)), `${name}: ${marks}`);
    }
  }, still));
