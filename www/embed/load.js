// What a figure is made of: files beside this script, each checked against what was built, each asked for once.
import { again, files, held } from "./files.js";

/** Why a figure cannot be shown: a word for programs, a sentence for people. */
export class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Notes what the page's security policy stops, which is said by an event alone, until that is ended. What is only reported is not stopped. */
function policed(note) {
  const heard = (event) => event.disposition === "enforce" && note(event);
  document.addEventListener("securitypolicyviolation", heard);
  return () => document.removeEventListener("securitypolicyviolation", heard);
}

async function watched(load, explain) {
  const stopped = [];
  const end = policed((event) => stopped.push(event));
  try {
    return await load();
  } catch (error) {
    // The event may come in the turn after.
    await new Promise((passed) => setTimeout(passed));
    throw await explain(error, stopped);
  } finally {
    end();
  }
}

const policy = (what, directive) => new Failure("csp", `${what} is stopped by this page’s Content-Security-Policy: its ${directive} does not allow it`);

/** The bytes of an answer; of one that is too long no more than shows that it is. */
async function whole({ body }, most, name) {
  const pieces = [];
  let size = 0;
  const reader = body?.getReader();
  const next = () =>
    reader.read().catch(() => {
      throw new Failure("network", `${name} broke off after ${size} bytes`);
    });
  for (let piece; reader && !(piece = await next()).done; ) {
    pieces.push(piece.value);
    size += piece.value.length;
    if (size <= most) continue;
    // The rest is not wanted, and may never end.
    reader.cancel().catch(() => {});
    throw new Failure("data", `${name} has more than the ${most} bytes that this figure takes`);
  }
  const bytes = new Uint8Array(size);
  pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
  return bytes;
}

/** The bytes of an address, which may be so many. */
export const fetched = (url, options, name = url.pathname.split("/").pop(), most = Infinity) =>
  watched(
    async () => {
      const response = await fetch(url, options).catch(async (error) => {
        if (!options?.integrity) throw error;
        // What is not there is no more what was built than what was changed.
        const again = await fetch(url);
        const { ok, status } = again;
        if (ok) await whole(again, most, name);
        throw new Failure(ok ? "integrity" : "network", ok ? `${name} did not come as it was built` : `${name}: the server answered ${status}`);
      });
      if (!response.ok) throw new Failure("network", `${name}: the server answered ${response.status}`);
      return whole(response, most, name);
    },
    (error, stopped) => {
      if (error instanceof Failure) return error;
      // As events name it: whole, or no more than where it lies.
      const names = [url.href.split("#")[0], url.origin, url.protocol.slice(0, -1)];
      if (stopped.some(({ effectiveDirective, blockedURI }) => effectiveDirective === "connect-src" && names.includes(blockedURI))) return policy(name, "connect-src");
      if (url.protocol === "file:") return new Failure("network", `${name}: a browser reads no file beside a page that was opened as a file: write the data into the element, or serve the folder`);
      return new Failure("network", `${name} did not come: there is no connection, or its server does not allow this page to read it (CORS)`);
    },
  );

// How often a script was not had, or not as it was built. Browsers keep both, some for as long as the page stands.
const spoilt = new Map();
const spoil = (name) => spoilt.set(name, (spoilt.get(name) ?? 0) + 1);

/** What is in a script that lies beside the module. One that was not had is asked for at another address first, unless the page says what its scripts have to be: that is said of one address. */
async function script(name, load, inside) {
  const times = spoilt.get(name);
  const elsewhere = times && again && !document.querySelector("script[type=importmap]");
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

const other = (name, why) => new Failure("integrity", `${name} did not come as it was built: ${why}`);

// Files that few figures need are told by a script of their own.
const own = async (name) => {
  const known = files[name] ?? (await script("files-more.js", () => import("./files-more.js"), ({ more }) => more?.[name]));
  return held ? held(known) : fetched(known[0], { integrity: known[1] });
};

// What failed can be tried again.
const kept = new Map();
const once = (key, load) => {
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

async function compile(name) {
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

/** What is said of a program that has stopped: what it holds is not to be trusted any more, and no page can start it again. */
export const stopped = (trap) => new Failure("internal", `its program has stopped (${trap.message ?? trap}): load the page again`);

/** A program: one instance for all figures of the page. `glue` is the script that belongs to it, its name and how it is had. */
export const program = async (name, ...glue) => {
  const start = async () => {
    const [code, module] = await Promise.all([script(...glue, (code) => code.default && code), compile(name)]);
    await code.default({ module_or_path: module }).catch((error) => {
      if (error instanceof RangeError) throw new Failure("wasm", `WebAssembly does not run here: ${error.message}`);
      if (code.trap || error instanceof WebAssembly.RuntimeError) throw stopped(error);
      spoil(glue[0]);
      throw other(glue[0], error.message);
    });
    return code;
  };
  const code = await once(`${name} program`, start);
  if (code.trap) throw stopped(code.trap);
  return code;
};

/** Loads a figure by a script that comes with its program and says itself what else it needs. */
export const later = (kind, name, ...glue) => async (asked) => {
  const draws = await script(...glue, ({ draws }) => draws?.[kind]);
  return draws(asked, { Failure, file, missing, program: () => program(name, ...glue) });
};

// A worker's script is kept as it came, and its wasm is compiled here, once for all of a name. It is made of a text, so that it may come
// from anywhere.
/** Why workers could not be had, by what figures hear of it. */
const failures = new Map();

/** A worker that behaves as one at once; what it is asked before it is there is not lost, since it says itself when it is ready. */
export function open(name) {
  let worker, address, over, stopped, end;
  // It has begun, or never will.
  const begun = () => {
    end?.();
    if (address) URL.revokeObjectURL(address);
  };
  const refuse = (failure) => {
    begun();
    failures.set(failure.message, failure);
    shell.onmessage?.({ data: failure.message });
  };
  const shell = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => ((over = true), begun(), worker?.terminate()),
  };
  Promise.all([file(`${name} script`), once(`${name} wasm`, () => compile(name))])
    .then(([script, module]) => {
      if (over) return;
      address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      // What stops another worker of the page, which has an address of its own, is none of this one's.
      end = policed(({ effectiveDirective, blockedURI }) => (stopped ||= effectiveDirective === "worker-src" && blockedURI.startsWith("blob")));
      worker = new Worker(address);
      worker.postMessage([0, "", module]);
      worker.onmessage = (event) => {
        begun();
        // What stops it later is nobody's policy.
        stopped = false;
        shell.onmessage?.(event);
      };
      worker.onerror = async (event) => {
        event.preventDefault();
        // That the page's policy stops it may be said in the turn after.
        await new Promise((passed) => setTimeout(passed));
        begun();
        if (stopped) refuse(policy("A worker", "worker-src, which needs blob:,"));
        else shell.onerror?.(event);
      };
    })
    // A page may want scripts from addresses that it trusts only.
    .catch((error) => refuse(error instanceof Failure ? error : new Failure("csp", `a worker cannot be made here: ${error.message}`)));
  return shell;
}

/** The failure that a figure speaks of where its worker cannot be had. */
export function missing(said) {
  const [, why] = /could not be loaded \((.*)\)/s.exec(said) ?? [];
  return why && (failures.get(why) ?? new Failure("network", why));
}
