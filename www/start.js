// Starts the page's figures. A file of its own, because the page's security policy allows no inline script; the build
// writes the programs' names, which change with their content, into the meta elements that are read here.
const here = (path) => new URL(path, document.baseURI);
const named = (name) => document.querySelector(`meta[name='${name}']`).dataset;
const altered = (path) => new Error(`${path} did not come, or not as it was built`);

// A file of a figure, or why it could not be had. The figure's program knows under which name it lies, and what it has to be.
async function file(path, data) {
  const [name, integrity] = data[path];
  const load = async (options) => {
    const response = await fetch(here(name), options);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : `the server answered ${response.status}`;
  };
  try {
    return await load({ integrity });
  } catch {
    // What is not there is no more what was built than what was changed.
    const came = await load().catch(({ message }) => message);
    return came.buffer ? "it did not come as it was built" : came;
  }
}

// A module whose text is that which was built. An import cannot be told what to check, but takes what a script element has loaded.
// What failed once fails for ever under its own name, so the next try has another.
let tries = 0;
const module = ({ js, integrity }) =>
  new Promise((resolve, reject) => {
    const src = tries ? `${js}?${tries}` : js;
    const onerror = () => reject(altered(js), tries++);
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src, integrity, onload: () => resolve(import(here(src))), onerror }));
  });

// What a program starts a figure with. It is loaded once; what it says of its data comes before its wasm.
const once = {};
const failed = (name) => (error) => Promise.reject(error, delete once[name]);
const again = (name, load) => (once[name] ??= load().catch(failed(name)));
const program = (name) =>
  again(name, async () => {
    const { wasm, ...script } = named(name);
    const { default: init, integrity, ...exported } = await module(script);
    const bytes = fetch(here(wasm), { integrity }).catch(() => Promise.reject(altered(wasm)));
    const ready = init({ module_or_path: bytes }).catch(failed(name));
    // Who asks for nothing but its data does not hear of it.
    ready.catch(() => {});
    return { ...exported, ready };
  });

// A worker whose script is that which was built; what it is asked before that is known is not lost, since it says itself when it is ready.
// Its script is kept as it came, and its wasm as the first one compiled it: one that was ended starts again, wherever the network is.
const compiled = {};
function open(name) {
  const { js, integrity } = named(name);
  let worker, over;
  const shell = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => ((over = true), worker?.terminate()),
  };
  const kept = async () => {
    const response = await fetch(here(js), { integrity });
    return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: "text/javascript" }));
  };
  again(js, kept).then(
    (script) => {
      if (over) return;
      worker = new Worker(script, { type: "module" });
      worker.postMessage([0, document.baseURI, compiled[name]]);
      worker.onmessage = (event) => (event.data[0] === 0 ? (compiled[name] = event.data[1]) : shell.onmessage?.(event));
      worker.onerror = (event) => shell.onerror?.(event);
    },
    () => shell.onmessage?.({ data: altered(js).message }),
  );
  return shell;
}

// Safari knows no idle callbacks.
const idle = (wanted) => (window.requestIdleCallback ?? setTimeout)(wanted, { timeout: 1000 });

// What a figure offers besides, once it lives: all at once, so that nothing is asked for when a reader chooses it. What it has to be
// the second program knows, which is loaded then.
async function more(place, later) {
  const paths = place.dataset.later.split(" ");
  later(await program("emq-lesson").then(({ data }) => Promise.all(paths.map((path) => file(path, data))), ({ message }) => paths.map(() => message)));
  delete place.dataset.later;
}

// Replaces a figure's markup by the same with its controls working. Gives back what hands it a state.
async function enliven(place) {
  const status = () => place.querySelector("[role='status']");
  const panes = () => [...place.querySelectorAll(".emq-figure, .emq-scroll, textarea")];
  const before = [...place.childNodes];
  const told = (state, understood) => place.dispatchEvent(new CustomEvent("emq-state", { bubbles: true, detail: { state, understood } }));
  try {
    // Until now it said that this needs JavaScript. That it says something else now is not for reading aloud.
    status().ariaLive = "off";
    status().textContent = status().textContent.replace(/;.*/, "; the controls are loading");
    const { start, later, data, ready } = await program(place === first ? "emq-page" : "emq-lesson");
    const [, ...loaded] = await Promise.all([ready, ...place.dataset.files.split(" ").map((path) => file(path, data))]);
    // Where a reader is in it stays.
    const focus = panes().indexOf(document.activeElement);
    const tops = panes().map((pane) => pane.scrollTop);
    const take = start(place, loaded, { told, open });
    // It draws when the browser lets it: what stood there stands until then.
    place.append(...before);
    await new Promise((drawn) => new MutationObserver(drawn).observe(place, { childList: true }));
    before.forEach((node) => node.remove());
    panes().forEach((pane, at) => {
      pane.scrollTop = tops[at];
      if (at !== focus) return;
      // Alive, the capture's lines take the focus instead of its pane.
      const stay = pane.tabIndex < 0 ? panes()[0] : pane;
      // Not every figure takes the focus by itself.
      stay.setAttribute("tabindex", stay.tabIndex);
      stay.focus({ preventScroll: true });
    });
    if (place.dataset.later) idle(() => more(place, later));
    return take;
  } catch (error) {
    // The markup that came with the page stays; it says why it does not move, and starts when the reader comes back to it.
    if (!status()) place.replaceChildren(...before);
    status().ariaLive = "polite";
    status().textContent = `The controls could not start (${error.message ?? error}). What you see was judged when this page was built.`;
    alive.delete(place);
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

const places = [...document.querySelectorAll("[data-figure]")];
const first = places.find((place) => place.dataset.figure === "conformance");
const alive = new Map();
const wake = (place) => alive.get(place) ?? alive.set(place, enliven(place)).get(place);
for (const place of places) {
  // Who comes to a figure by Tab before it is alive comes to its beginning, and so skips none of its controls.
  if (place !== first) place.querySelector(".emq-figure").tabIndex = 0;
  place.addEventListener("focusin", () => wake(place));
  place.addEventListener("emq-take", async ({ detail: { state, text } }) => (await wake(place))?.(state, text));
}
addEventListener("online", () => places.forEach(wake));
// What is wrong with the page as a whole.
const note = (words) => (document.querySelector("#note").textContent = words);
const address = () => module(named("emq-address")).catch(() => note("The address does not keep what you do: a file of this page did not come, or not as it was built."));
if (!document.querySelector("[rel=stylesheet]").sheet) note("The styles of this page did not come as they were built.");
// A link may say what the figures show.
const linked = Boolean(location.hash);
if (linked) address();
await wake(first);
// The others as soon as the browser has time, or when a reader comes within a screen of one, by scrolling or with the focus.
const near = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && wake(entry.target)), { rootMargin: "100%" });
places.forEach((place) => near.observe(place));
idle(() => places.forEach(wake));
if (!linked) address();
