// Starts the page's figures. A file of its own, because the page's security policy allows no inline script; the build
// writes the wasm's names, which change with its content, into the meta element that is read here.
const { js, wasm } = document.querySelector("meta[name='emq-wasm']").dataset;
const here = (path) => new URL(path, document.baseURI);

// A packed capture, or why it could not be had.
async function capture(name) {
  try {
    const response = await fetch(here(`captures/${name}.bin`));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : `the server answered ${response.status}`;
  } catch (error) {
    return error.message;
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

const place = document.querySelector("[data-figure='conformance']");
const status = () => place.querySelector("[role='status']");
const panes = () => [...place.querySelectorAll(".emq-scroll")];
try {
  // Until now it said that this needs JavaScript.
  status().textContent = status().textContent.replace(/;.*/, "; the controls are loading");
  const files = Promise.all(place.dataset.captures.split(" ").map(capture));
  const { default: init, start } = await import(here(js));
  await init({ module_or_path: here(wasm) });
  const loaded = await files;
  // The markup is replaced: where a reader is in it stays.
  const focus = panes().indexOf(document.activeElement);
  const tops = panes().map((pane) => pane.scrollTop);
  start(place, loaded);
  await new Promise(requestAnimationFrame);
  panes().forEach((pane, at) => {
    pane.scrollTop = tops[at];
    // Alive, the capture's lines take the focus instead of its pane.
    if (at === focus) (pane.tabIndex < 0 ? place.querySelector(".emq-figure") : pane).focus();
  });
} catch (error) {
  // The markup that came with the page stays; it says why it does not move.
  status().textContent = `The controls could not start (${error.message ?? error}). What you see was judged when this page was built.`;
}
