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
 * Serves the page below `prefix`; `instead` maps names of files, with or without their marks, to other content, or to null for what
 * is not there. Returns the page's address and `close`.
 */
export async function serve({ prefix = "/", instead: named = {} } = {}) {
  const instead = Object.fromEntries(Object.entries(named).map(([name, content]) => [known(name) ?? name, content]));
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

/** A file of the built page, by its name with or without its mark. */
export function read(name) {
  try {
    return readFileSync(join(dist, normalize(`/${known(name) ?? name}`)));
  } catch {
    return null;
  }
}

/** The names under which files like this lie in the built page: with a mark that changes with their content, or without one. */
function lying(name) {
  const [, folder, start, end] = /^(.*\/)?(.*?)((?:_bg)?\.\w+)$/.exec(name) ?? [];
  if (!end) return [];
  let names = [];
  try {
    names = readdirSync(join(dist, normalize(`/${folder ?? ""}`)));
  } catch {
    // There is no such folder.
  }
  const own = (one) => one.startsWith(start) && one.endsWith(end) && /^(-[0-9a-f]{8,16})?$/.test(one.slice(start.length, -end.length));
  return names.filter(own).map((one) => (folder ?? "") + one);
}

/** The one name among them, if there is one. */
function known(name) {
  const found = lying(name);
  return found.includes(name) ? name : found.length === 1 ? found[0] : null;
}

/** The name of a file of the built page, by its name without the mark that changes with its content. */
export function marked(name) {
  const found = lying(name);
  if (found.length !== 1) throw new Error(`dist has ${found.length} files like ${name}: build the page first (make page)`);
  return found[0];
}

const integrity = (bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;

/** What to serve instead so that a page takes another content for a file that it checks: that, and the page with its integrity. */
export function resealed(name, content, html = read("index.html").toString()) {
  const was = integrity(read(marked(name)));
  if (!html.includes(was)) throw new Error(`the page does not check ${name}`);
  return { [marked(name)]: content, "index.html": html.replaceAll(was, integrity(content)) };
}

/**
 * What to serve instead so that a program takes other files for those that its figures are drawn from, or further ones: those, the
 * program's script, which knows them, and the page, which knows the script. What is null is not there.
 */
export function redrawn(program, files, html) {
  const script = read(marked(program)).toString();
  const [told, json] = /export const data = (.*);\n/.exec(script) ?? [];
  if (!told) throw new Error(`${program} says of no data`);
  const data = JSON.parse(json);
  const instead = {};
  for (const [name, content] of Object.entries(files)) {
    const [lies] = data[name] ?? [name];
    data[name] = [lies, integrity(content ?? "")];
    instead[lies] = content;
  }
  return { ...instead, ...resealed(program, script.replace(told, `export const data = ${JSON.stringify(data)};\n`), html) };
}
