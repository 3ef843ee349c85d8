// A static server as plain as they come, on a free loopback port, with the built page under any path.

import { readFileSync } from "node:fs";
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
