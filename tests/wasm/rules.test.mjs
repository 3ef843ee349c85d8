// rules.html, the page's explanations: what `emq-conform explain` prints of each assertion and rule stands under its name.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { built, commandLine } from "./dist.mjs";

test("every assertion and every rule is explained in the command line's words", () => {
  const program = commandLine();
  const page = readFileSync(built(/^rules\.html$/), "utf8");
  const text = (html) => html.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const sections = new Map([...page.matchAll(/<section id="([^"]+)">\n(.*?)<\/section>/gs)].map(([, id, content]) => [id, text(content)]));
  // In the text, what follows the options of the command line is not on the page.
  const strings = (value) => (typeof value === "string" ? [value] : value === null ? [] : Object.values(value).flatMap(strings));
  assert.ok(sections.size >= 29, `${sections.size} sections`);
  for (const [id, content] of sections) {
    const { options, ...said } = JSON.parse(execFileSync(program, ["explain", id, "--format", "json"], { encoding: "utf8" }));
    for (const words of strings(said)) assert.ok(content.includes(words), `${id}: ${words}\n${content}`);
  }
  const listed = execFileSync(program, ["list"], { encoding: "utf8" });
  for (const id of ["declared", "undeclared-argv", "include-twice"]) assert.ok(sections.has(id) && listed.includes(id), id);
});
