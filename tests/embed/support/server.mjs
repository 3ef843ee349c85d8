// Serves the pages of a test, and the package as another server would: from an origin of its own.

import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL("../../../dist-embed", import.meta.url));
export const fixtures = fileURLToPath(new URL("../../../fixtures", import.meta.url));

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The name of the package's module, and so what all its names begin with. */
export function stem() {
  let names = [];
  try {
    names = readdirSync(folder).filter((name) => /^emq-\d+\.\d+\.\d+\.js$/.test(name));
  } catch {
    // Said below.
  }
  if (names.length !== 1) throw new Error(`dist-embed has ${names.length} modules: build the package first (make embed)`);
  return names[0].slice(0, -3);
}

/**
 * Answers with what `content` gives for a path: text or bytes, or `{ body, headers, status }`, or nothing; a function answers itself, as one
 * that never ends does.
 */
export async function serve(content, headers = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    const found = content(path);
    if (found === null || found === undefined) return response.writeHead(404, headers).end("not found\n");
    if (typeof found === "function") return found(response);
    const { body, headers: own = {}, status = 200 } = typeof found === "string" || Buffer.isBuffer(found) ? { body: found } : found;
    const type = TYPES[path.endsWith("/") ? ".html" : extname(path)] ?? "application/octet-stream";
    response.writeHead(status, { "content-type": type, ...headers, ...own }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

/** A file of a folder, by its path. */
export function read(folder, path) {
  try {
    return readFileSync(join(folder, normalize(`/${path}`)));
  } catch {
    return null;
  }
}
