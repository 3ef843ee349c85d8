// Starts the page's figures. A file of its own, because the page's security policy allows no inline script; the build
// writes the programs' names, which change with their content, into the meta elements that are read here.
const here = (path) => new URL(path, document.baseURI);

// A file of a figure, or why it could not be had.
async function file(path) {
  try {
    const response = await fetch(here(path));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : `the server answered ${response.status}`;
  } catch (error) {
    return error.message;
  }
}

// What a program starts a figure with. It is loaded once.
const programs = {};
const program = (name) => (programs[name] ??= load(document.querySelector(`meta[name='${name}']`).dataset));
async function load({ js, wasm }) {
  const { default: init, start } = await import(here(js));
  await init({ module_or_path: here(wasm) });
  return start;
}

// Replaces a figure's markup by the same with its controls working.
async function enliven(place, name) {
  const status = () => place.querySelector("[role='status']");
  const panes = () => [...place.querySelectorAll(".emq-figure, .emq-scroll, textarea")];
  try {
    // Until now it said that this needs JavaScript.
    status().textContent = status().textContent.replace(/;.*/, "; the controls are loading");
    const files = Promise.all(place.dataset.files.split(" ").map(file));
    const start = await program(name);
    const loaded = await files;
    // Where a reader is in it stays.
    const focus = panes().indexOf(document.activeElement);
    const tops = panes().map((pane) => pane.scrollTop);
    start(place, loaded);
    await new Promise(requestAnimationFrame);
    panes().forEach((pane, at) => {
      pane.scrollTop = tops[at];
      if (at !== focus) return;
      // Alive, the capture's lines take the focus instead of its pane.
      const stay = pane.tabIndex < 0 ? panes()[0] : pane;
      // Not every figure takes the focus by itself.
      stay.setAttribute("tabindex", stay.tabIndex);
      stay.focus({ preventScroll: true });
    });
  } catch (error) {
    // The markup that came with the page stays; it says why it does not move.
    status().textContent = `The controls could not start (${error.message ?? error}). What you see was judged when this page was built.`;
  }
}

// To select a line's text is not to click on the line.
addEventListener(
  "click",
  (event) => {
    const { isCollapsed, anchorNode } = getSelection();
    if (event.detail && !isCollapsed && event.target.closest(".emq-line")?.contains(anchorNode)) event.stopPropagation();
  },
  true,
);

const [first, ...further] = document.querySelectorAll("[data-figure]");
// Who comes to a figure by Tab before it is alive comes to its beginning, and so skips none of its controls.
further.forEach((place) => (place.querySelector(".emq-figure").tabIndex = 0));
await enliven(first, "emq-page");
// The others as soon as the browser has time, or when a reader comes within a screen of one, by scrolling or with the focus.
const asleep = new Set(further);
const wake = (place) => asleep.delete(place) && enliven(place, "emq-lesson");
const near = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && wake(entry.target)), { rootMargin: "100%" });
further.forEach((place) => near.observe(place));
// Safari knows no idle callbacks.
(window.requestIdleCallback ?? setTimeout)(() => further.forEach(wake), { timeout: 1000 });
