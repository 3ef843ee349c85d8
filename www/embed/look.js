// What a figure takes over from the text around it: its colour, whether that is for a dark page, and its size.

// Text smaller or larger than that is somebody's styles and nobody's wish; a reader's own choice of large text is within.
const SMALLEST = 13;
const LARGEST = 32;

// Light text stands on something dark. Where a page is in between, either is as easy to read.
const LIGHT = 0.2;

let canvas;
function luminance(colour) {
  let [r, g, b] = /^rgba?\(([^)]+)\)$/.exec(colour)?.[1].split(/[\s,/]+/).map(Number) ?? [];
  if (r === undefined) {
    canvas ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  }
  const [red, green, blue] = [r, g, b].map((one) => (one / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Gives a figure the look of the text around it; `theme` is what its author says of it. */
export function dress(host, root, theme) {
  const { color, fontSize } = getComputedStyle(host);
  const around = luminance(color) > LIGHT ? "dark" : "light";
  const scheme = theme === "light" || theme === "dark" ? theme : around;
  root.dataset.scheme = scheme;
  root.style.setProperty("--_fs", `${Math.min(Math.max(parseFloat(fontSize), SMALLEST), LARGEST)}px`);
  if (scheme === around) root.style.setProperty("--_page-ink", color);
  else root.style.removeProperty("--_page-ink");
}

/** Names every piece for `::part()`: an element of class `emq-status` is the part `status`. Gives back how to end. */
export function named(root, rules) {
  const name = (element) => {
    const names = [...element.classList].filter((one) => one.startsWith("emq-")).map((one) => one.slice(4));
    if (names.length) element.setAttribute("part", names.join(" "));
    else element.removeAttribute("part");
    // The page of rules stands beside the course's page, not beside this one.
    const [, rule] = /^rules\.html(#.*)$/.exec(element.getAttribute("href") ?? "") ?? [];
    if (!rule) return;
    if (rules()) return element.setAttribute("href", rules() + rule);
    element.removeAttribute("href");
    element.querySelectorAll(".emq-hidden").forEach((said) => (said.hidden = true));
  };
  const all = (element) => [element, ...element.querySelectorAll("[class], [href]")].forEach(name);
  all(root);
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") name(target);
      else addedNodes.forEach((node) => node.nodeType === 1 && all(node));
    }
  });
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "href"] });
  return () => observer.disconnect();
}
