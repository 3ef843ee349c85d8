// A figure as a custom element. What its author put into it stays until the figure is ready, and where it cannot be. What it is drawn
// from is in `given.js`, how it is made in `made.js`, what it tells in `tells.js`, and what stands in its place in `note.js`.
import { stopped } from "./failure.js";
import { SHEET, VERSION } from "./files.js";
import { given, source, written } from "./given.js";
import { sheet } from "./load.js";
import { dress, named } from "./look.js";
import { ask, asked, drawn, made, settled, turn } from "./made.js";
import { Note, part } from "./note.js";
import { COMMON, Tells, reason } from "./tells.js";

// Where a page is rendered by a server there are no elements, and nobody makes one.
const Base = globalThis.HTMLElement ?? class {};

/** Who waits to come near the reader. */
let near;
const watch = (element) => {
  near ??= new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && target.load()), { rootMargin: "100%" });
  near.observe(element);
};

/** The place of the figure in an element's shadow. */
function rooted(shadow) {
  const root = part("div", "emq-root", { hidden: true, lang: "en", dir: "ltr" });
  // To select a line's text is not to click on the line.
  root.addEventListener(
    "click",
    (event) => {
      const selected = shadow.getSelection?.() ?? getSelection();
      if (event.detail && !selected?.isCollapsed && event.target.closest(".emq-line")?.contains(selected?.anchorNode)) event.stopPropagation();
    },
    true,
  );
  // A key that a figure answers is not the page's too, nor is what is typed in it: a book's arrows turn its pages.
  const keep = (event) => {
    const typed = /^(TEXTAREA|SELECT|INPUT)$/.test(event.target.nodeName) && !event.ctrlKey && !event.metaKey;
    if (typed || event.defaultPrevented) event.stopPropagation();
  };
  for (const kind of ["keydown", "keypress", "keyup"]) root.addEventListener(kind, keep);
  return root;
}

export function figure(kind) {
  class Figure extends Base {
    static version = VERSION;
    // Only what says how it is written into the element takes data; who has an address for another one is told so.
    static takesData = Boolean(kind.inline);
    static observedAttributes = [...COMMON, "src", ...kind.drawn, ...kind.taken];

    #slot = document.createElement("slot");
    #root;
    #note = new Note(() => this.load());
    #tells = new Tells(this);
    // What is alive: the program's figure, and how it ends.
    #alive = null;
    // What is being loaded or stands there, by a number: what is overtaken by another does nothing.
    #run = 0;
    #loads = false;
    // Ends what is on its way for it.
    #aborts = null;
    #wanted = false;
    // That the document has not come as far as what stands in the element.
    #awaits = false;
    #given;
    #data;
    #inline;
    #changed = null;
    #light;

    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      this.#root = rooted(shadow);
      // The element's own look, and that of what is said in it, is there before a figure is.
      shadow.adoptedStyleSheets = [sheet(SHEET)];
      const sense = part("span", "emq-sense", { ariaHidden: "true" });
      sense.addEventListener("transitionend", () => this.#dress());
      shadow.append(sense, this.#slot, this.#note.root, this.#root);
    }

    connectedCallback() {
      // What was set before the element was one hides what takes it.
      for (const name of Object.keys(this)) {
        if (!(name in Figure.prototype)) continue;
        const value = this[name];
        delete this[name];
        // Some can only be read.
        Reflect.set(this, name, value);
      }
      // It was moved.
      if (this.#alive) return this.#dress();
      if (this.#note.why) return;
      this.#light ??= new MutationObserver(() => {
        if (this.#wanted && this.#written()?.textContent !== this.#inline) this.#again();
        this.#noted();
      });
      this.#light.observe(this, { childList: true, subtree: true, characterData: true });
      this.#await();
    }

    /** Waits for what `loading` says. */
    #await() {
      near?.unobserve(this);
      const { loading } = this;
      if (loading === "eager" || this.#wanted) this.load();
      else if (loading === "lazy") watch(this);
      this.#noted();
    }

    disconnectedCallback() {
      near?.unobserve(this);
      // Who is only moved is back by then, and goes on as they were.
      queueMicrotask(() => {
        if (this.isConnected) return;
        this.#light?.disconnect();
        this.#note.why = "";
        this.#end();
      });
    }

    // Moved without leaving the page.
    connectedMoveCallback() {}

    attributeChangedCallback(name, before, value) {
      if (before === value) return;
      // Several at once are one change.
      if (!this.#changed) {
        this.#changed = new Set();
        queueMicrotask(() => this.#take());
      }
      this.#changed.add(name);
    }

    #take() {
      const changed = this.#changed;
      this.#changed = null;
      if (!this.isConnected) return;
      const some = (names) => names.some((name) => changed.has(name));
      if (some(["theme", "controls"])) this.#dress();
      if (this.#alive) this.#tells.warn([...changed]);
      if (changed.has("loading")) {
        if (this.#wanted && this.loading !== "eager") this.#noted();
        else this.#await();
      }
      if (!this.#wanted) return;
      if (some([...kind.drawn, "src", "rules"])) return this.#again();
      if (!some(kind.taken)) return;
      // One that is loading takes it before it is shown, too.
      if (this.#alive) this.#asks(() => ask(this.#alive, kind, this.#attribute));
      // It could not be shown as it was asked for.
      else if (!this.#loads) this.#again();
    }

    /** Loads and shows the figure now, whatever `loading` says. */
    load() {
      near?.unobserve(this);
      if (this.#alive || this.#loads) return;
      this.#wanted = true;
      this.#again();
    }

    #noted() {
      this.#note.tell(this, Boolean(this.#alive));
    }

    #attribute = (name) => this.getAttribute(name);

    #written() {
      return this.#data === undefined ? written(this, kind) : null;
    }

    #again() {
      if (!this.isConnected) return;
      this.#loads = true;
      if (document.readyState === "loading") {
        if (!this.#awaits) document.addEventListener("DOMContentLoaded", () => this.#awaits && this.#again(), { once: true });
        this.#awaits = true;
        return;
      }
      this.#awaits = false;
      this.#note.why = "";
      this.#noted();
      this.#overtake();
      this.#aborts = new AbortController();
      this.#begin(this.#run);
    }

    /** What is being loaded is not wanted any more. */
    #overtake() {
      this.#run += 1;
      this.#aborts?.abort();
    }

    async #begin(run) {
      const isWanted = () => run === this.#run;
      let from;
      let draws;
      let coming;
      // What is changed in this turn is one change, and is refused once.
      await turn();
      if (!isWanted()) return;
      try {
        const inline = this.#written();
        this.#inline = inline?.textContent;
        from = source(this, kind, this.#data, inline, this.#aborts.signal);
        draws = await kind.load({ ...from, attribute: this.#attribute });
        if (!isWanted()) return;
        this.shadowRoot.adoptedStyleSheets = [SHEET, ...(draws.sheets ?? [])].map(sheet);
        coming = made(kind, draws, this.#attribute, (made, ...said) => {
          const stands = made === this.#alive;
          // What one does not have that stands, another may that is on its way in its place.
          if (stands || isWanted()) this.#tells.told(made, kind.taken, ...said, stands, stands && !this.#loads);
        });
        await turn();
        await settled(coming, isWanted);
        // What was changed meanwhile.
        while (isWanted() && coming.asked !== asked(kind, this.#attribute)) {
          ask(coming, kind, this.#attribute);
          await drawn();
          await settled(coming, isWanted);
        }
        if (!isWanted()) return coming.end();
        this.#loads = false;
        this.#show(coming);
      } catch (error) {
        coming?.end();
        if (!isWanted()) return;
        const { code, message } = draws?.program.trap ? stopped(draws.program.trap) : reason(error);
        // An author's own words stand in a `pre`, too.
        const cure = code === "data" && from.isPre ? `. If the pre is what stands there until the figure comes, give the element ${kind.drawn[0]} or src` : "";
        this.#fail({ code, message: message + cure });
      }
    }

    #show(made) {
      const before = this.#alive;
      const unname = named(made.place, () => this.getAttribute("rules"));
      const watcher = new MutationObserver(() => this.#judged());
      watcher.observe(made.place, { subtree: true, childList: true, characterData: true });
      const { watching } = made.draws.program;
      const stops = (trap) => this.#fail(stopped(trap));
      watching.add(stops);
      const { end } = made;
      made.end = () => (watching.delete(stops), watcher.disconnect(), unname(), end());
      this.#alive = made;
      this.#root.append(made.place);
      before?.end();
      this.#slot.style.display = "none";
      this.#root.hidden = false;
      // Whoever asked for the figure goes on in it.
      const asked = this.shadowRoot.activeElement === this.#note.button;
      this.#note.why = "";
      this.#noted();
      if (asked) this.#root.querySelector('[tabindex="0"], :enabled')?.focus({ preventScroll: true });
      this.#root.setAttribute("part", "root");
      this.#dress();
      this.#tells.forget();
      this.#tells.event("emq-ready", { figure: kind.name, version: VERSION, ...this.#tells.shows(this.#alive) });
      this.#tells.lacks(made.complaint);
      this.#tells.warn(COMMON);
      this.#judged();
    }

    #end() {
      this.#overtake();
      this.#loads = false;
      this.#tells.forget();
      this.#alive?.end();
      this.#alive = null;
      this.#root.hidden = true;
      this.#slot.style.removeProperty("display");
    }

    #fail(error) {
      const said = reason(error);
      this.#end();
      this.#note.why = said.message;
      this.#noted();
      this.#tells.complain(said);
    }

    #dress() {
      if (!this.isConnected) return;
      dress(this, this.#root, this.getAttribute("theme"));
      this.#root.dataset.controls = this.getAttribute("controls") ?? "all";
    }

    #judged() {
      const alive = this.#alive;
      if (alive) this.#tells.judged(alive, () => alive === this.#alive);
    }

    /** What the figure answers; nothing where its program stops then, or has: that is an event. */
    #asks(question) {
      const { figure, draws } = this.#alive ?? {};
      try {
        if (figure && !draws.program.trap) return question(figure);
      } catch (error) {
        if (!draws.program.trap) throw error;
      }
    }

    // A page that a script moves a figure in is not to move by itself.
    async #press(key) {
      const still = !this.matches(":focus-within") && this.#alive?.draws.program.still;
      const asked = {};
      if (still) still.add(asked);
      this.#asks((figure) => figure.press?.(key));
      await drawn();
      if (still) still.delete(asked);
    }

    /** Goes one further. What is set is the attribute: React and Vue set what an element has. */
    get step() {
      return () => this.#press("ArrowRight");
    }
    set step(step) {
      this.at = step;
    }
    /** Goes one back. */
    back() {
      return this.#press("ArrowLeft");
    }
    /** Shows all at once. */
    assertAll() {
      return this.#press("a");
    }
    /** Begins again. */
    reset() {
      return this.#press("r");
    }

    /** The report on what is shown, as the command line writes it; null where there is none. */
    report() {
      const text = this.#asks((figure) => figure.report());
      return text ? JSON.parse(text) : null;
    }

    /** What the figure shows, in the form of an address of the course's page. */
    get state() {
      return this.#alive?.state ?? "";
    }

    /** The data to show: a text, bytes, a file, or what JSON is made of. */
    get data() {
      return this.#given;
    }
    set data(data) {
      this.#given = data ?? undefined;
      this.#data = given(this.#given);
      if (this.#wanted) this.#again();
    }

    get loading() {
      const loading = this.getAttribute("loading");
      return loading === "eager" || loading === "click" ? loading : "lazy";
    }
    set loading(loading) {
      if (loading === null || loading === undefined) this.removeAttribute("loading");
      else this.setAttribute("loading", loading);
    }
  }
  // An attribute is a property of the same name; `step` is read as a method, and so its number is `at`.
  for (const name of Figure.observedAttributes) {
    if (name === "loading") continue;
    Object.defineProperty(Figure.prototype, name === "step" ? "at" : name, {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(name);
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(name);
        else this.setAttribute(name, value);
      },
    });
  }
  return Figure;
}
