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
    // What is alive: the program's figure, and how it ends.
    #alive = null;
    // What is being loaded or stands there, by a number: what is overtaken by another does nothing.
    #run = 0;
    #loads = false;
    // Ends what is on its way for it.
    #aborts = null;
    #wanted = false;
    #data;
    #inline;
    #state = "";
    #verdict = "";
    // What an attribute says that there is not, said once the figure stands; and what of a figure that stands could not be had.
    #complaint = null;
    #failed = null;
    #changed = null;
    #light;

    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      this.#slot = document.createElement("slot");
      this.#note = part("p", "emq-say", { hidden: true });
      this.#note.setAttribute("part", "say");
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
      this.#light ??= new MutationObserver(() => this.#wanted && this.#written() !== this.#inline && this.#again());
      this.#light.observe(this, { childList: true, subtree: true, characterData: true });
      const { loading } = this;
      if (loading === "click" && !this.#wanted) this.#offer();
      else if (loading === "eager" || this.#wanted) this.load();
      else watch(this);
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
      if (changed.has("loading") && this.loading === "eager") this.load();
      if (!this.#wanted) return;
      if (some([...kind.drawn, "src", "rules"])) return this.#again();
      // One that is loading takes it before it is shown.
      if (!some(kind.taken) || this.#loads) return;
      if (this.#alive) this.#alive.figure.take(kind.state(this.#attribute, this.#state));
      // It could not be shown as it was asked for.
      else this.#again();
    }

    /** What the attributes ask of a figure that stands. */
    #asked() {
      return JSON.stringify(kind.taken.map(this.#attribute));
    }

    /** Loads and shows the figure now, whatever `loading` says. */
    load() {
      near?.unobserve(this);
      if (this.#alive || this.#loads) return;
      this.#wanted = true;
      this.#note.hidden = true;
      // The document may not have come as far as what stands in the element.
      if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.#again(), { once: true });
      else this.#again();
    }

    #offer() {
      const button = part("button", "emq-load", { type: "button", textContent: "Show the figure" });
      button.setAttribute("part", "load");
      button.addEventListener("click", () => this.load());
      this.#note.replaceChildren(button);
      this.#note.hidden = false;
    }

    #attribute = (name) => this.getAttribute(name);

    /** What its author wrote into it, where that is data. */
    #written() {
      if (!kind.inline || this.#data !== undefined) return undefined;
      const own = (selector) => this.querySelector(`:scope > :is(${selector})`);
      // Where something else is to be shown, a `pre` is what stands there until then.
      const shown = [kind.drawn[0], "src"].some((name) => this.hasAttribute(name));
      const element = own(kind.inline) ?? (shown ? null : own("pre"));
      return element?.textContent;
    }

    /** Where its data comes from; nothing where it is drawn over what is shipped. */
    #source() {
      const bytes = (given) => (typeof given === "string" ? new TextEncoder().encode(given) : given);
      const src = this.getAttribute("src");
      this.#inline = this.#written();
      if (!kind.inline && (src !== null || this.#data !== undefined)) throw new Failure("option", "this figure takes no data: it shows what was recorded");
      if (this.#data !== undefined) return { name: "data", data: async () => bytes(this.#data) };
      if (src !== null) {
        if (!URL.canParse(src, this.ownerDocument.baseURI)) throw new Failure("option", `src is no address: ${src}`);
        const url = new URL(src, this.ownerDocument.baseURI);
        const name = plain(url.pathname.split("/").pop()) || "src";
        const { signal } = this.#aborts;
        return { name, data: () => fetched(url, { signal }, src, kind.most ?? MOST) };
      }
      const text = this.#inline;
      return text === undefined ? {} : { name: "inline", data: async () => bytes(text) };
    }

    #again() {
      if (!this.isConnected) return;
      this.#loads = true;
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
      let make;
      let made;
      try {
        const { name, data } = this.#source();
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
          made.asked = this.#asked();
          made.figure.take(kind.state(this.#attribute, this.#state));
          await drawn();
          await settled();
        }
        if (run !== this.#run) return made.end();
        this.#loads = false;
        this.#show(made);
      } catch (error) {
        made?.end();
        if (run === this.#run) this.#fail(make?.program.trap ? stopped(make.program.trap) : error);
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
      this.#state = "";
      this.#complaint = null;
      let owes = kind.opens?.(this.#attribute);
      const told = (state, understood) => {
        if (understood !== undefined) owes = false;
        queueMicrotask(() => run === this.#run && this.#told(state, understood, figure));
      };
      const asked = this.#asked();
      const figure = make(place, { told, open });
      const { program } = make;
      return {
        place,
        figure,
        program,
        asked,
        waits() {
          if (program.trap) throw stopped(program.trap);
          return !place.firstChild || owes;
        },
        end: () => {
          figure.destroy();
          for (const [kind, listener, options] of listening.splice(0)) {
            place.removeEventListener(kind, listener, options);
            program.release(listener);
          }
          delete place.addEventListener;
          place.remove();
        },
      };
    }

    #show(made) {
      const before = this.#alive;
      const unname = named(made.place, () => this.getAttribute("rules"));
      const watcher = new MutationObserver(() => this.#judged());
      watcher.observe(made.place, { subtree: true, childList: true, characterData: true });
      const { watching } = made.program;
      const stops = (trap) => this.#fail(stopped(trap));
      watching.add(stops);
      this.#alive = { ...made, end: () => (watching.delete(stops), watcher.disconnect(), unname(), made.end()) };
      this.#root.append(made.place);
      before?.end();
      this.shadowRoot.querySelector(".emq-sense").hidden = false;
      this.#slot.style.display = "none";
      this.#note.hidden = true;
      this.#root.hidden = false;
      this.#root.setAttribute("part", "root");
      this.#dress();
      this.#verdict = "";
      this.#failed = null;
      this.#emit("emq-ready", { figure: kind.name, version: VERSION, ...this.#says() });
      if (this.#complaint) this.#emit("emq-error", this.#complaint);
      this.#warn(COMMON);
      this.#judged();
    }

    /** Says which of the attributes that all figures have say what there is not. */
    #warn(names) {
      const message = unknown(names, (name) => this.getAttribute(name) || null, CHOICES);
      if (message) this.#emit("emq-error", { code: "option", message });
    }

    #end() {
      this.#overtake();
      this.#loads = false;
      this.#state = this.#verdict = "";
      this.#alive?.end();
      this.#alive = null;
      this.#root.hidden = true;
      this.#slot.style.removeProperty("display");
    }

    #fail(error) {
      const { code, message } = reason(error);
      this.#end();
      // What its author wrote says more; where nothing stands, this does.
      const says = (node) => !/^(#comment|SCRIPT|STYLE|TEMPLATE)$/.test(node.nodeName) && node.textContent.trim();
      if (![...this.childNodes].some(says)) {
        this.#note.textContent = `This figure cannot be shown: ${message}.`;
        this.#note.lang = "en";
        this.#note.hidden = false;
      }
      console.warn(`${this.localName}: ${message} (${code})`);
      this.#emit("emq-error", { code, message });
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
      return { state: this.#state, ...kind.says(this.#state, () => this.report(), this.#alive.figure) };
    }

    // The figure shows something else.
    #told(state, understood, figure) {
      const before = this.#state;
      this.#state = state;
      if (understood === false) {
        const said = kind.taken.filter((name) => this.hasAttribute(name)).map((name) => `${name}="${this.getAttribute(name)}"`);
        // What is none of the choices, else all of it: a line that there is not, or a step that the walk has not come to.
        const message = unknown(kind.taken, this.#attribute, kind.choices(figure)) || `this figure does not have what is asked for by ${said.join(" ")}`;
        const complaint = { code: "option", message };
        if (this.#alive && !this.#loads) this.#emit("emq-error", complaint);
        else this.#complaint = complaint;
      }
      if (this.#alive && state !== before) this.#emit("emq-step", this.#says());
    }

    #judged() {
      if (!this.#alive) return;
      // What the reader or an attribute asked for since may need a worker that cannot be had.
      let failed = null;
      try {
        kind.waits?.(this.#alive.figure);
      } catch (error) {
        failed = reason(error);
      }
      const isNews = failed && failed.message !== this.#failed;
      this.#failed = failed?.message ?? null;
      if (isNews) this.#emit("emq-error", failed);
      const verdict = this.#alive && kind.verdict(this.#alive.figure, () => this.report());
      const text = JSON.stringify(verdict);
      if (!verdict || text === this.#verdict) return;
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
      return this.#state;
    }

    /** The data to show: a text, bytes, or what JSON is made of. */
    get data() {
      return this.#data;
    }
    set data(data) {
      data ??= undefined;
      const isText = data === undefined || typeof data === "string" || ArrayBuffer.isView(data);
      this.#data = isText ? data : data instanceof ArrayBuffer ? new Uint8Array(data) : JSON.stringify(data);
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
