// What an author gives a figure to be drawn from: where it stands, and its bytes.
import { Failure } from "./failure.js";
import { fetched } from "./fetched.js";

// So much of an author's own data is read, where a figure does not take less.
const MOST = 8 << 20;

/** A file's name as it is written, where it is. */
function plain(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What was set as data, as it is read; of bytes those that were there then. */
export function given(data) {
  if (data === undefined || typeof data === "string") return data;
  const tag = Object.prototype.toString.call(data).slice(8, -1);
  if (/^(Blob|File)$/.test(tag)) return data;
  let why = `it is of type ${tag}`;
  try {
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    if (/^(Shared)?ArrayBuffer$/.test(tag)) return new Uint8Array(data).slice();
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

/** What an author wrote data into, in an element. */
export function written(host, kind) {
  if (!kind.inline) return null;
  const own = (selector) => host.querySelector(`:scope > :is(${selector})`);
  // Where something else is to be shown, a `pre` is what stands there until then.
  const shown = [kind.drawn[0], "src"].some((name) => host.hasAttribute(name));
  return own(kind.inline) ?? (shown ? null : own("pre"));
}

function address(host, src, most, signal) {
  if (!URL.canParse(src, host.ownerDocument.baseURI)) throw new Failure("option", `src is no address: ${src}`);
  const url = new URL(src, host.ownerDocument.baseURI);
  return [plain(url.pathname.split("/").pop()) || "src", () => fetched(url, { signal }, src, most)];
}

/**
 * Where the data of an element's figure comes from, its name and how it is had; nothing where it is drawn over what is shipped. `data` is
 * what was set, `inline` what was written into it.
 */
export function source(host, kind, data, inline, signal) {
  const src = host.getAttribute("src");
  const most = kind.most ?? MOST;
  if (!kind.inline && (src !== null || data !== undefined)) throw new Failure("option", "this figure takes no data: it shows what was recorded");
  let from = inline && ["inline", () => bytes(inline.textContent)];
  if (data !== undefined) from = ["data", () => bytes(data, most)];
  else if (src !== null) from = address(host, src, most, signal);
  if (!from) return {};
  const [name, had] = from;
  const bounded = async () => {
    const bytes = await had();
    if (bytes.length > most) throw new Failure("data", `${name} has ${bytes.length} bytes, and this figure takes ${most}`);
    return bytes;
  };
  return { name, data: bounded, isPre: name === "inline" && inline.localName === "pre" };
}
