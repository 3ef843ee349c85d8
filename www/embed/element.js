// A figure as a custom element. What its author put into it stays until the figure is ready, and where it cannot be.
import { dress, named } from "./look.js";
import { SHEET, VERSION } from "./files.js";
import { Failure, fetched, open, sheet, stopped } from "./load.js";
import { unknown } from "./walk.js";

// So much of an author's own data is read, where a figure does not take less.
const MOST = 8 << 20;

// A figure that is not drawn after so many turns never is: what draws it needs a few.
const TURNS = 1000;

// What every figure has besides its own attributes, and what their values may be.
const COMMON = ["loading", "theme", "controls", "rules"];
const CHOICES = { loading: ["lazy", "eager", "click"], theme: ["light", "dark"], controls: ["all", "steps", "none"] };

// Where a page is rendered by a server there are no elements, and nobody makes one.
const Base = globalThis.HTMLElement ?? class {};

/** Why something failed, as an event says it. */
function reason(error) {
  const { code, message } = error ?? {};
  return { code: typeof code === "string" ? code : "internal", message: message ?? `${error}` };
}

/** Who waits to come near the reader. */
let near;
const watch = (element) => {
  near ??= new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && target.load()), { rootMargin: "100%" });
  near.observe(element);
};

const turn = () => new Promise((passed) => setTimeout(passed));
/** After what was asked of a figure is drawn: yew draws in this turn or, where that takes long, in some that follow. */
async function drawn() {
  for (let turns = 0; turns < 4; turns += 1) await turn();
}

/** A file's name as it is written, where it is. */
function plain(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What was set as data, as it is read; of bytes those that were there then. */
function given(data) {
  if (data === undefined || typeof data === "string") return data;
  const tag = Object.prototype.toString.call(data).slice(8, -1);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  if (/^(Shared)?ArrayBuffer$/.test(tag)) return new Uint8Array(data).slice();
  if (/^(Blob|File)$/.test(tag)) return data;
  let why = `it is of type ${tag}`;
  try {
    const text = /^(Object|Array)$/.test(tag) && JSON.stringify(data);
    if (text) return text;
  } catch (error) {
    why = error.message.split("\n")[0];
  }
  return new Failure("option", `data is a text, bytes, a Blob, or what JSON is made of, and this is none: ${why}`);
}

/** Their bytes. */
async function bytes(data, most) {
  if (data instanceof Failure) throw data;
  if (typeof data === "string") return new TextEncoder().encode(data);
  // What is too long is not read, and is said to be.
  if (!data.arrayBuffer || data.size > most) return data.size ? { length: data.size } : data;
  return new Uint8Array(
    await data.arrayBuffer().catch((error) => {
      throw new Failure("data", `data cannot be read: ${error.message}`);
    }),
  );
}

function part(tag, names, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  element.className = names;
  return element;
}

export function figure(kind) {
  class Figure extends Base {
    static version = VERSION;
    // Only what says how it is written into the element takes data.
    static observedAttributes = [...COMMON, ...(kind.inline ? ["src"] : []), ...kind.drawn, ...kind.taken];

    #slot;
    #root;
    #note;
    #said;
    #button;
    // Why there is no figure, where that is known.
    #why = "";
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
    #verdict = "";
    // What of a figure that stands could not be had; and what was said of the attributes that all figures have.
    #failed = null;
    #warned = {};
    #changed = null;
    #light;

    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      this.#slot = document.createElement("slot");
      this.#note = part("p", "emq-say", { hidden: true, lang: "en", dir: "ltr" });
      this.#note.setAttribute("part", "say");
      this.#said = part("span", "");
      this.#button = part("button", "emq-load", { type: "button", textContent: "Show the figure" });
      this.#button.setAttribute("part", "load");
      this.#button.addEventListener("click", () => this.load());
      this.#note.append(this.#said, this.#button);
      const sense = part("span", "emq-sense", { ariaHidden: "true" });
      // Before the styles are there it must not be seen either.
      sense.hidden = true;
      sense.addEventListener("transitionend", () => this.#dress());
      this.#root = part("div", "emq-root", { hidden: true, lang: "en", dir: "ltr" });
      // To select a line's text is not to click on the line.
      this.#root.addEventListener(
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
      for (const kind of ["keydown", "keypress", "keyup"]) this.#root.addEventListener(kind, keep);
      shadow.append(sense, this.#slot, this.#note, this.#root);
    }

    connectedCallback() {
      // What was set before the element was one hides what takes it.
      for (const name of Object.keys(this)) {
        if (!(name in Figure.prototype)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      // It was moved.
      if (this.#alive) return this.#dress();
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
      if (this.#alive) this.#warn([...changed]);
      if (changed.has("loading")) {
        if (this.#wanted && this.loading !== "eager") this.#noted();
        else this.#await();
      }
      if (!this.#wanted) return;
      if (some([...kind.drawn, "src", "rules"])) return this.#again();
      // One that is loading takes it before it is shown.
      if (!some(kind.taken) || this.#loads) return;
      if (this.#alive) this.#ask(this.#alive);
      // It could not be shown as it was asked for.
      else this.#again();
    }

    /** What the attributes ask of a figure that stands. */
    #asked() {
      return JSON.stringify(kind.taken.map(this.#attribute));
    }

    #ask(made) {
      made.asked = this.#asked();
      made.figure.take(kind.state(this.#attribute, made.state));
    }

    /** Loads and shows the figure now, whatever `loading` says. */
    load() {
      near?.unobserve(this);
      if (this.#alive || this.#loads) return;
      this.#wanted = true;
      this.#again();
    }

    /** Says in the figure's place why there is none, where its author wrote nothing that says more; and offers it, where it waits for that. */
    #noted() {
      const offers = this.loading === "click";
      const says = (node) => !/^(#comment|SCRIPT|STYLE|TEMPLATE)$/.test(node.nodeName) && node.textContent.trim();
      const why = offers || ![...this.childNodes].some(says) ? this.#why : "";
      // Before it speaks; a figure has a status of its own.
      this.#said.role = this.#alive ? null : "status";
      this.#note.hidden = Boolean(this.#alive) || !(offers || why);
      this.#said.textContent = why && `This figure cannot be shown: ${why}. `;
      this.#button.hidden = !offers;
    }

    #attribute = (name) => this.getAttribute(name);

    /** Where its author wrote data into it. */
    #written() {
      if (!kind.inline || this.#data !== undefined) return null;
      const own = (selector) => this.querySelector(`:scope > :is(${selector})`);
      // Where something else is to be shown, a `pre` is what stands there until then.
      const shown = [kind.drawn[0], "src"].some((name) => this.hasAttribute(name));
      return own(kind.inline) ?? (shown ? null : own("pre"));
    }

    /** Where its data comes from; nothing where it is drawn over what is shipped. */
    #source() {
      const src = this.getAttribute("src");
      const most = kind.most ?? MOST;
      const written = this.#written();
      this.#inline = written?.textContent;
      if (!kind.inline && (src !== null || this.#data !== undefined)) throw new Failure("option", "this figure takes no data: it shows what was recorded");
      if (this.#data !== undefined) return { name: "data", data: () => bytes(this.#data, most) };
      if (src !== null) {
        if (!URL.canParse(src, this.ownerDocument.baseURI)) throw new Failure("option", `src is no address: ${src}`);
        const url = new URL(src, this.ownerDocument.baseURI);
        const name = plain(url.pathname.split("/").pop()) || "src";
        const { signal } = this.#aborts;
        return { name, data: () => fetched(url, { signal }, src, most) };
      }
      const text = this.#inline;
      return written ? { name: "inline", data: () => bytes(text), isPre: written.localName === "pre" } : {};
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
      this.#why = "";
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
      let source;
      let make;
      let made;
      // What is changed in this turn is one change, and is refused once.
      await turn();
      if (run !== this.#run) return;
      try {
        source = this.#source();
        const { name, data } = source;
        const most = kind.most ?? MOST;
        const bounded = async () => {
          const bytes = await data();
          if (bytes.length > most) throw new Failure("data", `${name} has ${bytes.length} bytes, and this figure takes ${most}`);
          return bytes;
        };
        make = await kind.load({ name, data: data && bounded, attribute: this.#attribute });
        if (run !== this.#run) return;
        this.shadowRoot.adoptedStyleSheets = [SHEET, ...(make.sheets ?? [])].map(sheet);
        made = this.#make(make, run);
        await turn();
        const settled = async () => {
          for (let turns = 0; run === this.#run && (made.waits() || kind.waits?.(made.figure)); turns += 1) {
            if (turns > TURNS && made.waits()) throw new Failure("internal", "it was not drawn: load the page again");
            await turn();
          }
        };
        await settled();
        // What was changed meanwhile.
        while (run === this.#run && made.asked !== this.#asked()) {
          this.#ask(made);
          await drawn();
          await settled();
        }
        if (run !== this.#run) return made.end();
        this.#loads = false;
        this.#show(made);
      } catch (error) {
        made?.end();
        if (run !== this.#run) return;
        const { code, message } = make?.program.trap ? stopped(make.program.trap) : reason(error);
        // An author's own words stand in a `pre`, too.
        const cure = code === "data" && source.isPre ? `. If the pre is what stands there until the figure comes, give the element ${kind.drawn[0]} or src` : "";
        this.#fail({ code, message: message + cure });
      }
    }

    // A figure in a place of its own, which is not seen yet.
    #make(make, run) {
      const place = document.createElement("div");
      place.dataset.figure = kind.name;
      // yew never takes away what it listens by, which would keep all of this for ever.
      const listening = [];
      place.addEventListener = (...listener) => {
        listening.push(listener);
        EventTarget.prototype.addEventListener.apply(place, listener);
      };
      let owes = kind.opens?.(this.#attribute);
      const told = (state, understood) => {
        if (understood !== undefined) owes = false;
        queueMicrotask(() => (made === this.#alive || run === this.#run) && this.#told(state, understood, made));
      };
      // Those workers that nobody has ended: a program that has stopped ends none.
      const workers = new Set();
      const opened = (name) => {
        const worker = open(name);
        const { terminate } = worker;
        worker.terminate = () => workers.delete(worker) && terminate();
        workers.add(worker);
        return worker;
      };
      const ends = () => workers.forEach((worker) => worker.terminate());
      // What it shows, and what an attribute says that there is not, said once it stands.
      const made = { place, state: "", complaint: null, asked: this.#asked() };
      try {
        made.figure = make(place, { told, open: opened });
      } catch (error) {
        ends();
        throw error;
      }
      const { program } = make;
      let over = false;
      return Object.assign(made, {
        program,
        waits() {
          if (program.trap) throw stopped(program.trap);
          return !place.firstChild || owes;
        },
        end() {
          if (over) return;
          over = true;
          ends();
          made.figure.destroy();
          for (const [kind, listener, options] of listening.splice(0)) {
            place.removeEventListener(kind, listener, options);
            program.release(listener);
          }
          delete place.addEventListener;
          place.remove();
        },
      });
    }

    #show(made) {
      const before = this.#alive;
      const unname = named(made.place, () => this.getAttribute("rules"));
      const watcher = new MutationObserver(() => this.#judged());
      watcher.observe(made.place, { subtree: true, childList: true, characterData: true });
      const { watching } = made.program;
      const stops = (trap) => this.#fail(stopped(trap));
      watching.add(stops);
      const { end } = made;
      made.end = () => (watching.delete(stops), watcher.disconnect(), unname(), end());
      this.#alive = made;
      this.#root.append(made.place);
      before?.end();
      this.shadowRoot.querySelector(".emq-sense").hidden = false;
      this.#slot.style.display = "none";
      this.#root.hidden = false;
      // Whoever asked for the figure goes on in it.
      const asked = this.shadowRoot.activeElement === this.#button;
      this.#why = "";
      this.#noted();
      if (asked) this.#root.querySelector('[tabindex="0"], :enabled')?.focus({ preventScroll: true });
      this.#root.setAttribute("part", "root");
      this.#dress();
      this.#verdict = "";
      this.#failed = null;
      this.#emit("emq-ready", { figure: kind.name, version: VERSION, ...this.#says() });
      if (made.complaint) this.#complain(made.complaint);
      this.#warn(COMMON);
      this.#judged();
    }

    /** Says which of the attributes that all figures have say what there is not; of each value once. */
    #warn(names) {
      const value = (name) => this.getAttribute(name) || null;
      const news = names.filter((name) => this.#warned[name] !== value(name));
      for (const name of news) this.#warned[name] = value(name);
      const message = unknown(news, value, CHOICES);
      if (message) this.#complain({ code: "option", message });
    }

    /** Says to the page and to its author what is wrong. */
    #complain({ code, message }) {
      console.warn(`${this.localName}: ${message} (${code})`);
      this.#emit("emq-error", { code, message });
    }

    #end() {
      this.#overtake();
      this.#loads = false;
      this.#verdict = "";
      this.#alive?.end();
      this.#alive = null;
      this.#root.hidden = true;
      this.#slot.style.removeProperty("display");
    }

    #fail(error) {
      const said = reason(error);
      this.#end();
      this.#why = said.message;
      this.#noted();
      this.#complain(said);
    }

    #dress() {
      if (!this.isConnected) return;
      dress(this, this.#root, this.getAttribute("theme"));
      this.#root.dataset.controls = this.getAttribute("controls") ?? "all";
    }

    #emit(name, detail) {
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
    }

    #says() {
      return { state: this.state, ...kind.says(this.state, () => this.report(), this.#alive.figure) };
    }

    // The figure shows something else.
    #told(state, understood, made) {
      const before = made.state;
      made.state = state;
      const stands = made === this.#alive;
      if (understood) made.complaint = null;
      if (understood === false) {
        const sent = JSON.parse(made.asked);
        const asked = (name) => sent[kind.taken.indexOf(name)];
        const said = kind.taken.filter((name) => asked(name) !== null).map((name) => `${name}="${asked(name)}"`);
        // What is none of the choices, else all of it: a line that there is not, or a step that the walk has not come to.
        const message = unknown(kind.taken, asked, kind.choices(made.figure)) || `this figure does not have what is asked for by ${said.join(" ")}`;
        made.complaint = { code: "option", message };
        if (stands) this.#complain(made.complaint);
      }
      if (stands && state !== before) this.#emit("emq-step", this.#says());
    }

    #judged() {
      const alive = this.#alive;
      if (!alive) return;
      let failed = null;
      const tries = (does) => {
        try {
          return does();
        } catch (error) {
          failed ??= reason(error);
        }
      };
      // What the reader or an attribute asked for since may need a worker that cannot be had.
      tries(() => kind.waits?.(alive.figure));
      const verdict = tries(() => kind.verdict(alive.figure, () => this.report()));
      // A program that stops meanwhile has said so.
      if (alive !== this.#alive) return;
      const isNews = failed && failed.message !== this.#failed;
      this.#failed = failed?.message ?? null;
      if (isNews) this.#complain(failed);
      const text = JSON.stringify(verdict);
      if (!verdict || text === this.#verdict || alive !== this.#alive) return;
      this.#verdict = text;
      this.#emit("emq-verdict", verdict);
    }

    // A page that a script moves a figure in is not to move by itself.
    async #press(key) {
      const { figure } = this.#alive ?? {};
      if (!figure?.press) return;
      const { scrollX, scrollY } = window;
      figure.press(key);
      await drawn();
      if (!this.matches(":focus-within")) window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
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
      const text = this.#alive?.figure.report();
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
