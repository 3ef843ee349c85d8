// The conformance figure as a reader sees it.

import assert from "node:assert/strict";

/** The parts of the figure on a page. */
export function figure(page) {
  const root = page.locator(".emq-figure");
  return {
    root,
    status: root.locator("[role=status]"),
    /** Checks what the status line says, or says soon: a page may draw a moment after the key. */
    says: async (words, message) => {
      const holds = (said) => (words instanceof RegExp ? words.test(said) : said === words);
      const end = Date.now() + 5000;
      let said = await root.locator("[role=status]").textContent();
      while (!holds(said) && Date.now() < end) {
        await new Promise((passed) => setTimeout(passed, 20));
        said = await root.locator("[role=status]").textContent();
      }
      assert.ok(holds(said), `${message ?? "the status line"}: ${said} is not ${words}`);
    },
    details: root.locator(".emq-details"),
    capture: root.locator(".emq-capture .emq-scroll"),
    assertion: (id) => root.locator(`#emq-assertion-${id}`),
    button: (name) => root.getByRole("button", { name, exact: false }),
    select: (name) => root.locator(`select[name=${name}]`),
    lit: root.locator(".emq-line.emq-lit"),
    /** The verdicts, in order. */
    words: () => root.locator(".emq-assertion .emq-word").allTextContents(),
    /** The line of the capture in words. */
    line: (number) => root.locator(`[data-place=event-${number}]`),
    /** Whether an element lies within what its pane shows. */
    inSight: (locator) =>
      locator.evaluate((line) => {
        const pane = line.closest(".emq-scroll").getBoundingClientRect();
        const box = line.getBoundingClientRect();
        return box.top >= pane.top - 1 && box.bottom <= pane.bottom + 1;
      }),
  };
}

export const IDS = ["keyspace", "hashtag", "legacy", "declared", "version"];

/** Each break: its words in the list, the assertion it opens, and all that the same key truly breaks. */
export const BREAKS = [
  { title: "a key outside emq:{q}:", opens: "keyspace", fails: ["keyspace"] },
  { title: "a second hash tag", opens: "hashtag", fails: ["keyspace", "hashtag"] },
  { title: "a read of a bull: key", opens: "legacy", fails: ["keyspace", "hashtag", "legacy"] },
  { title: "an undeclared key", opens: "declared", fails: ["declared"] },
  { title: "a wrong version", opens: "version", fails: ["version"] },
  { title: "an empty capture", opens: "keyspace", fails: [] },
];
