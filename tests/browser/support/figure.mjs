// The conformance figure as a reader sees it.

/** The parts of the figure on a page. */
export function figure(page) {
  const root = page.locator(".emq-figure");
  return {
    root,
    status: root.locator("[role=status]"),
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

/** Each break: its words in the list, the assertion meant, and what else the same key truly breaks. */
export const BREAKS = [
  { title: "a key outside emq:{q}:", fails: ["keyspace"] },
  { title: "a second hash tag", fails: ["keyspace", "hashtag"] },
  { title: "a read of a bull: key", fails: ["keyspace", "hashtag", "legacy"] },
  { title: "an undeclared key", fails: ["declared"] },
  { title: "a wrong version", fails: ["version"] },
  { title: "an empty capture", fails: [] },
];
