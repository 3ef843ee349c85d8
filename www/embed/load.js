// What a figure is made of: files beside this script, each checked against what was built, each asked for once.
import { Failure, policy, watched } from "./failure.js";
import { fetched } from "./fetched.js";
import { again, files, held } from "./files.js";

// How often a script was not had, or not as it was built. Browsers keep both, some for as long as the page stands.
const spoilt = new Map();
/** Has a script asked for anew. */
export const spoil = (name) => spoilt.set(name, (spoilt.get(name) ?? 0) + 1);

/**
 * What is in a script that lies beside the module. One that was not had is asked for at another address first, unless the page says what its
 * scripts have to be: that is said of one address. The module itself, which has no file's name here, is there as long as the page.
 */
export async function script(name, load, inside) {
  const times = spoilt.get(name);
  const elsewhere = times && again && name.endsWith(".js") && !document.querySelector("script[type=importmap]");
  const code = await watched(
    () => (elsewhere ? again(`${name}?${times}`).catch(load) : load()),
    async (error, stopped) => {
      spoil(name);
      const { message } = error;
      const isIt = ({ effectiveDirective, blockedURI }) => effectiveDirective === "script-src-elem" && (blockedURI.includes(name) || message.includes(blockedURI));
      if (stopped.some(isIt)) return policy(name, "script-src");
      if (!(error instanceof TypeError)) return other(name, message);
      // Browsers say where it should have been, and not what came from there.
      const [address] = /https?:\S+/.exec(message) ?? [];
      const { ok, status } = (address && (await fetch(address).catch(() => {}))) || {};
      if (ok) return new Failure("integrity", `${name} came, but not as it was built, or not as text/javascript`);
      return new Failure("network", status ? `${name}: the server answered ${status}` : `${name} did not come: ${message}`);
    },
  );
  const found = inside(code);
  if (found) return found;
  spoil(name);
  throw other(name, "it is of another build");
}

/** That a script is another one than was built. */
export const other = (name, why) => new Failure("integrity", `${name} did not come as it was built: ${why}`);

// Files that few figures need are told by a script of their own.
const own = async (name) => {
  const known = files[name] ?? (await script("files-more.js", () => import("./files-more.js"), ({ more }) => more?.[name]));
  return held ? held(known) : fetched(known[0], { integrity: known[1] });
};

// What failed can be tried again.
const kept = new Map();
export const once = (key, load) => {
  if (!kept.has(key)) kept.set(key, load().catch((error) => Promise.reject(error, kept.delete(key))));
  return kept.get(key);
};

/** A file by the name that `files.js` has for it. */
export const file = (name) => once(name, () => own(name));

const sheets = new Map();
/** A sheet of styles, shared by all figures. What is made here no security policy asks about. */
export function sheet(text) {
  if (!sheets.has(text)) sheets.set(text, new CSSStyleSheet());
  const sheet = sheets.get(text);
  if (!sheet.cssRules.length) sheet.replaceSync(text);
  return sheet;
}

/** A program's wasm, compiled. */
export async function compile(name) {
  if (!globalThis.WebAssembly) throw new Failure("wasm", "there is no WebAssembly here: the browser is older, or it is switched off");
  const bytes = await own(name);
  return watched(
    () => WebAssembly.compile(bytes),
    (error, stopped) =>
      stopped.some(({ blockedURI }) => blockedURI === "wasm-eval") || /content security policy|unsafe-eval|\bCSP\b/i.test(error.message)
        ? policy("WebAssembly", "script-src, which needs 'wasm-unsafe-eval',")
        : new Failure("wasm", `WebAssembly does not run here: ${error.message}`),
  );
}
