// The figures as custom elements, and `mount` for who writes JavaScript. Importing this defines the elements.
import { capture } from "./capture.js";
import { conformance } from "./conformance.js";
import { figure } from "./element.js";
import { VERSION } from "./files.js";
import { fleet } from "./fleet.js";
import { script } from "./script.js";
import { flaw } from "./v1-flaw.js";

export { VERSION as version };

/** The names that this version's elements have on this page, by figure. */
export const tags = {};

for (const kind of [conformance, fleet, flaw, script, capture]) {
  const { customElements } = globalThis;
  // Where there is no document, as while a page is rendered by a server, there is nothing to define.
  if (!customElements) break;
  const plain = `emq-${kind.name}`;
  const first = customElements.get(plain);
  // The first version on a page has the plain names. Another one's elements stand beside it under names of their own.
  const tag = (tags[kind.name] = !first || first.version === VERSION ? plain : `${plain}-v${VERSION.replace(/[^a-z0-9]/g, "-")}`);
  if (!customElements.get(tag)) customElements.define(tag, figure(kind));
}

/** What every element may have. */
const EVERY = /^(id|class|lang|dir|title|role|hidden|style|tabindex|slot|part|(data|aria)-.+)$/;

/**
 * Puts a figure into an element: what stands in it stays until the figure is ready, and where it cannot be. Options are the figure's
 * name (`figure`), `data`, the element's own attributes by their names, and some that every element has.
 */
export function mount(place, { figure: name = "conformance", ...options } = {}) {
  if (!Object.hasOwn(tags, name)) throw new TypeError(`there is no figure ${name}: there are ${Object.keys(tags).join(", ")}`);
  const element = document.createElement(tags[name]);
  const set = (options) => {
    const { data, ...given } = options;
    const { observedAttributes, takesData } = element.constructor;
    const known = takesData ? ["data", ...observedAttributes] : observedAttributes.filter((name) => name !== "src");
    // What every element of a page may have, as a class or a language, is not the figure's.
    const strange = Object.keys(options).find((name) => !known.includes(name) && !EVERY.test(name));
    if (strange !== undefined) throw new TypeError(`this figure has no option ${strange}${strange === "className" ? ", which is written class" : `: it has ${known.join(", ")}`}`);
    for (const [attribute, value] of Object.entries(given)) {
      // As its author means it, and where a policy lets no styles be written.
      if (attribute === "style") element.style.cssText = value ?? "";
      if (value === undefined || value === null || (attribute === "hidden" && value === false)) element.removeAttribute(attribute);
      else if (attribute !== "style") element.setAttribute(attribute, value === true && attribute === "hidden" ? "" : value);
    }
    if ("data" in options) element.data = data;
  };
  let gone;
  const ready = new Promise((resolve, reject) => {
    const rejects = (detail) => reject(Object.assign(new Error(detail.message), detail));
    gone = () => rejects({ code: "gone", message: "the figure was taken away before it was ready" });
    element.addEventListener("emq-ready", ({ target }) => target === element && resolve(element));
    // What stands in the place may be figures too.
    const failed = ({ detail, target }) => target === element && rejects(detail);
    element.addEventListener("emq-error", failed);
  });
  // Who does not ask hears of it by the event.
  ready.catch(() => {});
  set(options);
  element.append(...place.childNodes);
  place.append(element);
  return {
    element,
    ready,
    update: set,
    destroy() {
      gone();
      // Who took it away meanwhile, took what stood there too.
      if (element.parentNode) element.replaceWith(...element.childNodes);
      else place.append(...element.childNodes);
    },
  };
}
