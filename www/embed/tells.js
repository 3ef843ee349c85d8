// What a figure tells its page: that it is ready, what it shows and what that comes to, and what is wrong.
import { unknown } from "./walk.js";

/** What every figure has besides its own attributes, and what their values may be. */
export const COMMON = ["loading", "theme", "controls", "rules"];
const CHOICES = { loading: ["lazy", "eager", "click"], theme: ["light", "dark"], controls: ["all", "steps", "none"] };

/** Why something failed, as an event says it. */
export function reason(error) {
  const { code, message } = error ?? {};
  return { code: typeof code === "string" ? code : "internal", message: message ?? `${error}` };
}

export class Tells {
  #host;
  #verdict;
  // What of a figure that stands could not be had; and what was said of the attributes that all figures have.
  #failed;
  #warned = {};
  // What was said of its own attributes.
  #lacked;

  constructor(host) {
    this.#host = host;
    this.forget();
  }

  /** Another figure will be judged. */
  forget() {
    this.#verdict = "";
    this.#failed = null;
  }

  event(name, detail) {
    this.#host.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** Says to the page and to its author what is wrong. */
  complain({ code, message }) {
    console.warn(`${this.#host.localName}: ${message} (${code})`);
    this.event("emq-error", { code, message });
  }

  /** Says which of the attributes that all figures have say what there is not; of each value once. */
  warn(names) {
    const value = (name) => this.#host.getAttribute(name) || null;
    const news = names.filter((name) => this.#warned[name] !== value(name));
    for (const name of news) this.#warned[name] = value(name);
    const message = unknown(news, value, CHOICES);
    if (message) this.complain({ code: "option", message });
  }

  /** Says what a figure does not have that it is asked for, once; nothing where it has all. */
  lacks(complaint) {
    const message = complaint?.message;
    if (message && message !== this.#lacked) this.complain(complaint);
    this.#lacked = message;
  }

  shows({ state, figure, draws }) {
    return { state, ...draws.says(state, () => this.#host.report(), figure) };
  }

  /** A figure shows something else, or was asked for what it does not have. */
  told(made, taken, state, understood, stands, speaks) {
    const before = made.state;
    made.state = state;
    if (understood) made.complaint = null;
    if (understood === false) {
      const sent = JSON.parse(made.asked);
      const asked = (name) => sent[taken.indexOf(name)];
      const said = taken.filter((name) => asked(name) !== null).map((name) => `${name}="${asked(name)}"`);
      // What is none of the choices, else all of it: a line that there is not, or a step that the walk has not come to.
      const message = unknown(taken, asked, made.draws.choices(made.figure)) || `this figure does not have what is asked for by ${said.join(" ")}`;
      made.complaint = { code: "option", message };
    }
    if (speaks && understood !== undefined) this.lacks(made.complaint);
    if (stands && state !== before) this.event("emq-step", this.shows(made));
  }

  /** Says what a figure comes to, where that is another than it was. `stands` is whether it still does. */
  judged({ figure, draws }, stands) {
    let failed = null;
    const tries = (does) => {
      try {
        return does();
      } catch (error) {
        failed ??= reason(error);
      }
    };
    // What the reader or an attribute asked for since may need a worker that cannot be had.
    tries(() => draws.waits?.(figure));
    const verdict = tries(() => draws.verdict(figure, () => this.#host.report()));
    // A program that stops meanwhile has said so.
    if (!stands()) return;
    const isNews = failed && failed.message !== this.#failed;
    this.#failed = failed?.message ?? null;
    if (isNews) this.complain(failed);
    const text = JSON.stringify(verdict);
    if (!verdict || text === this.#verdict || !stands()) return;
    this.#verdict = text;
    this.event("emq-verdict", verdict);
  }
}
