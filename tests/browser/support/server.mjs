// A static server as plain as they come, on a free loopback port, with the built page under any path.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves the page below `prefix`; `instead` maps names of files to other content, or to null for what is not there.
 * Returns the page's address and `close`.
 */
export async function serve({ prefix = "/", instead = {} } = {}) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://page").pathname;
    const name = path.startsWith(prefix) ? path.slice(prefix.length) || "index.html" : null;
    const content = name === null ? null : name in instead ? instead[name] : read(name);
    if (content === null) return response.writeHead(404).end("not found\n");
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${server.address().port}${prefix}`, close };
}

/** A file of the built page. */
export function read(name) {
  try {
    return readFileSync(join(dist, normalize(`/${name}`)));
  } catch {
    return null;
  }
}

/** The name of a file of the built page, by its name without the mark that changes with its content. */
export function marked(name) {
  const [, start, end] = /^(.*?)((?:_bg)?\.\w+)$/.exec(name);
  const found = readdirSync(dist).filter((known) => known.startsWith(start) && known.endsWith(end) && /^(-[0-9a-f]{8,16})?$/.test(known.slice(start.length, -end.length)));
  if (found.length !== 1) throw new Error(`dist has ${found.length} files like ${name}: build the page first (make page)`);
  return found[0];
}

/** What to serve instead so that a page takes another content for a file that it checks: that, and the page with its integrity. */
export function resealed(name, content) {
  const integrity = (bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
  const html = read("index.html").toString();
  const was = integrity(read(marked(name)));
  if (!html.includes(was)) throw new Error(`the page does not check ${name}`);
  return { [marked(name)]: content, "index.html": html.replaceAll(was, integrity(content)) };
}
