// Keeps the page's address: what the figures show, the colours, and on request a text of the reader's own, as docs/address.md has it.
// A figure takes part by events on its place: it says `emq-state`, and takes what `emq-take` brings.

const VERSION = "v1";
// So long may a link's fragment be, and so long a text in it once it is unpacked.
const LIMIT = 32_768;
const TEXT = 1 << 20;
// Changes within so many milliseconds are one entry of the history.
const MOMENT = 500;

const places = new Map([...document.querySelectorAll("[data-figure]")].map((place) => [place.dataset.figure, place]));
// What the figures show, the one that the reader worked last first; and texts that links have, packed.
let states = new Map();
let texts = new Map();

const PART = "A part of this link names what is not here, or has not the text that it speaks of; the rest is shown.";
const note = document.querySelector("#note");
const say = (words) => {
  note.textContent = words;
  if (words) note.scrollIntoView({ block: "nearest" });
};

const { dataset } = document.documentElement;
function colour(theme) {
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  document.querySelector(`[name=theme][value=${theme || "system"}]`).checked = true;
}

const owns = (state) => Boolean(state?.split(",").includes("text:own"));
const encode = (state) => encodeURIComponent(state).replace(/%3A|%2C/g, decodeURIComponent);

function format(first, theme) {
  const parts = [VERSION];
  for (const [name, state] of [[first, states.get(first)], ...states]) {
    if (!state || parts.some((part) => part.startsWith(`${name}=`))) continue;
    parts.push(`${name}=${encode(state)}`);
    if (owns(state) && texts.has(name)) parts.push(`${name}.text=${texts.get(name)}`);
  }
  if (theme) parts.push(`theme=${theme}`);
  return parts.join(";");
}

// Reads a fragment, or throws why not.
async function read(fragment) {
  if (fragment.length > LIMIT) throw `it is longer than ${LIMIT} characters`;
  const [version, ...parts] = fragment.split(";");
  if (version !== VERSION) throw "another version of this page made it";
  const found = { states: new Map(), texts: new Map(), packed: new Map(), theme: undefined };
  for (const part of parts) {
    const [, name, text, value] = /^([a-z0-9-]+)(\.text)?=([^=]+)$/.exec(part) ?? [];
    if (name === "theme" && /^(light|dark)$/.test(value) && !found.theme) {
      found.theme = value;
      continue;
    }
    const into = text ? found.packed : found.states;
    if (!places.has(name) || into.has(name)) throw name ? `it names a figure that is not here, or one twice: ${name}` : DAMAGED;
    into.set(name, text ? value : decodeURIComponent(value));
  }
  for (const [name, packed] of found.packed) found.texts.set(name, await unpack(packed));
  return found;
}
const DAMAGED = "it is damaged";

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > LIMIT) return null;
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt());
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    if ((length += value.length) <= TEXT) continue;
    reader.cancel();
    throw `the text in it is longer than ${TEXT} bytes`;
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await new Blob(parts).arrayBuffer());
}

// Writes the address, as an entry of the history or in place of the one that there is, which it also notes: a section's anchor
// does not say what the figures show.
function write(entry) {
  const fragment = format(undefined, dataset.theme);
  const address = fragment === VERSION ? location.pathname + location.search : `#${fragment}`;
  try {
    history[entry ? "pushState" : "replaceState"](fragment, "", address);
  } catch {
    // Some browsers allow only so many within a time.
  }
  point();
}

// A figure's link says what it shows now.
function point() {
  for (const [name, place] of places) {
    const link = place.nextElementSibling?.querySelector(":scope.emq-link > a");
    const state = states.get(name);
    // A text of the reader's own that no link has yet is not for another page.
    if (link) link.hash = state && (!owns(state) || texts.has(name)) ? format(name) : place.id;
  }
}

// Keeps a change: as an entry, unless it follows on another entry within a moment.
let timer = 0;
let entered = false;
let waiting = false;
function keep(entry) {
  if (timer && (entered || !entry)) waiting = true;
  else {
    write(entry);
    [entered, waiting] = [entry, false];
  }
  clearTimeout(timer);
  timer = setTimeout(settle, MOMENT);
}
function settle() {
  if (waiting) write(false);
  drop();
}
function drop() {
  clearTimeout(timer);
  timer = 0;
  waiting = false;
}

// On paper every figure is whole: one that a reader steps through is shown to its end while the page is printed.
let printing = false;
function print(on) {
  printing = on;
  for (const [name, state] of states) {
    if (!/(^|,)step:/.test(state)) continue;
    const whole = state.split(",").filter((pair) => !/^(step|show):/.test(pair)).join(",");
    places.get(name).dispatchEvent(new CustomEvent("emq-take", { detail: { state: on ? whole : state } }));
  }
}
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));

addEventListener("emq-state", ({ target, detail: { state, understood } }) => {
  if (printing) return;
  const name = target.dataset.figure;
  if (understood === false) say(PART);
  const before = states.get(name);
  if (state === (before ?? "")) return;
  states.delete(name);
  states = new Map([[name, state], ...states]);
  // To begin with a text of one's own is no step: it changes the entry that there is.
  keep(understood === undefined && (owns(before) || !owns(state)));
});

// What is typed, pasted, dropped or opened is not what a link brought.
for (const kind of ["input", "paste", "drop"]) {
  addEventListener(kind, ({ target }) => {
    if (!target.matches("select") && texts.delete(target.closest("[data-figure]")?.dataset.figure)) keep(false);
  });
}

addEventListener("change", ({ target }) => {
  if (target.name !== "theme") return;
  colour(target.value === "system" ? "" : target.value);
  keep(false);
});

addEventListener("click", async (event) => {
  const link = event.target.closest(".emq-link a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const place = link.parentElement.previousElementSibling;
  const name = place.dataset.figure;
  const said = link.parentElement.querySelector("output");
  said.textContent = "";
  if (owns(states.get(name))) {
    // A figure that did not start has none.
    const { value, dataset: { part } = {} } = place.querySelector("textarea:not([readonly])") ?? {};
    // Nothing that was typed, longer than any link can have it, or only a part of a long script.
    const packed = !value || part || value.length > TEXT ? null : await pack(value);
    texts.delete(name);
    if (packed) texts.set(name, packed);
    if (!packed || format(name, "light").length > LIMIT) {
      texts.delete(name);
      said.textContent = value
        ? `This text is too long for a link, which has room for ${LIMIT} characters once it is compressed.`
        : "There is no text here that a link could take along: files, and what is as long as one, stay here.";
      return;
    }
  }
  point();
  write(false);
  try {
    await navigator.clipboard.writeText(link.href);
    said.textContent = "Copied.";
  } catch {
    history.replaceState(history.state, "", link.href);
    said.textContent = "The clipboard is closed to this page; the browser’s address bar has the link.";
  }
});

// Shows what a fragment says; one that says nothing, or nothing that can be read, opens the page as it is.
let turn = 0;
async function show(fragment, fresh) {
  const mine = ++turn;
  let found = { states: new Map(), texts: new Map(), packed: new Map() };
  try {
    found = await read(fragment);
  } catch (why) {
    say(`This link opens the page as it is: ${typeof why === "string" ? why : DAMAGED}.`);
  }
  // The reader has gone on meanwhile.
  if (mine !== turn) return null;
  if (fresh) colour(found.theme);
  const before = states;
  ({ states, packed: texts } = found);
  for (const [name, place] of places) {
    const state = states.get(name) ?? "";
    const text = found.texts.get(name);
    if (state !== (before.get(name) ?? "") || text !== undefined) place.dispatchEvent(new CustomEvent("emq-take", { detail: { state, text } }));
  }
  point();
  const [[name] = []] = states;
  return places.get(name);
}

// An entry of the history that this page wrote says what it shows; another is a link, an anchor of a section, or foreign.
async function open(entry) {
  drop();
  if (typeof entry === "string") return show(entry, false);
  const hash = location.hash.slice(1);
  if (/^v\d+(;|$)/.test(hash)) {
    const place = await show(hash, true);
    if (place === null) return;
    if (scrollY === 0) place?.scrollIntoView();
  } else if (hash && hash !== "top" && !document.getElementById(decode(hash))) {
    say("This link opens the page as it is: it names no place on it.");
  }
  history.replaceState(format(undefined, dataset.theme), "");
}
function decode(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

addEventListener("popstate", ({ state }) => {
  say("");
  open(state);
});
if (dataset.theme) colour(dataset.theme);
point();
open(history.state);
