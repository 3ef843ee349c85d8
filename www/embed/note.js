// What stands in a figure's place: why there is none, and the button of one that waits for its reader's word.

export function part(tag, names, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  element.className = names;
  return element;
}

// What says something without a word.
const SEEN = "img, svg, picture, video, audio, canvas, object, embed, iframe";

export class Note {
  root = part("p", "emq-say", { hidden: true, lang: "en", dir: "ltr" });
  button = part("button", "emq-load", { type: "button", textContent: "Show the figure" });
  #said = part("span", "");
  // Why there is no figure, where that is known.
  why = "";

  constructor(load) {
    this.root.setAttribute("part", "say");
    this.button.setAttribute("part", "load");
    this.button.addEventListener("click", load);
    this.root.append(this.#said, this.button);
  }

  /** Says why there is no figure, where its author wrote nothing that says more; and offers it, where it waits for that. */
  tell(host, stands) {
    const offers = host.loading === "click";
    const says = (node) => !/^(#comment|SCRIPT|STYLE|TEMPLATE)$/.test(node.nodeName) && (node.textContent.trim() || node.matches?.(SEEN) || node.querySelector?.(SEEN));
    const why = offers || ![...host.childNodes].some(says) ? this.why : "";
    // Before it speaks; a figure has a status of its own.
    this.#said.role = stands ? null : "status";
    this.root.hidden = stands || !(offers || why);
    const said = why && `This figure cannot be shown: ${why}. `;
    // What is the same is not said again.
    if (this.#said.textContent !== said) this.#said.textContent = said;
    this.button.hidden = !offers;
  }
}
