// Whether a figure fits the page that it stands in.

import assert from "node:assert/strict";

/** What of a figure does not fit, one line each: of `parts`, a selector, what leaves it; of `cut`, another, what shows less than it says. */
const misfits = (figure, [parts, cut]) => {
  const found = [];
  const edge = figure.getBoundingClientRect();
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`the page is ${wide} pixels too wide`);
  for (const part of figure.querySelectorAll(parts)) {
    const { left, right, width } = part.getBoundingClientRect();
    if (width > 1 && (left < edge.left - 0.5 || right > edge.right + 0.5)) found.push(`${part.className} ${part.textContent} leaves the figure`);
  }
  for (const pane of figure.querySelectorAll(".emq-scroll")) {
    if (pane.scrollWidth > pane.clientWidth) found.push(`${pane.className} scrolls sideways`);
  }
  for (const part of cut ? figure.querySelectorAll(cut) : []) {
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${part.textContent} is cut`);
  }
  return found;
};

/** The sizes of a page's text that a reader may have chosen. */
export const ROOTS = [16, 24, 32];

/** Checks that a figure fits at every width, with the page's text of a size. */
export async function fitsEveryWidth(page, figure, root, ...parts) {
  // Through the object model: the page's policy lets no style be written.
  await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), root);
  for (let width = 320; width <= 1300; width += 70) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await figure.evaluate(misfits, parts), [], `${width} pixels wide`);
  }
}
