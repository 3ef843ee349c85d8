// Serves a folder on a free loopback port until Ctrl-C. With --check, fetches instead the page, what it names, every wasm
// and the paths given, and ends.
//   node .ci/serve.mjs dist [--check [PATH…]]

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const [folder, option, ...extra] = process.argv.slice(2);

async function answer(request, response) {
  try {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    // normalize() of a path that starts with "/" cannot climb above it.
    const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
    const { size } = await stat(file).then((found) => (found.isFile() ? found : Promise.reject(found)));
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": size,
      "cache-control": "no-store",
    });
    createReadStream(file).on("error", () => response.destroy()).pipe(response);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
  }
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return { type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) };
}

// A browser compiles wasm while it loads only when it comes with the right type.
async function checkWasm(name, address) {
  const { type, bytes } = await fetched(new URL(name, address));
  if (type !== "application/wasm") throw new Error(`${name} has type ${type}`);
  await WebAssembly.compile(bytes);
  console.log(`${name}: ${bytes.length} bytes, and it compiles`);
}

async function check(address) {
  const page = await fetched(address);
  console.log(`index.html: ${page.bytes.length} bytes`);
  const named = [...page.bytes.toString().matchAll(/\s(?:href|src)=["']?([^"'\s>]+)/g)].map((match) => match[1]);
  const own = named.filter((name) => new URL(name, address).href.startsWith(address));
  for (const name of new Set([...own, ...extra])) await fetched(new URL(name, address));

  const files = await readdir(folder, { recursive: true });
  const wasm = files.filter((file) => extname(file) === ".wasm");
  if (wasm.length === 0) throw new Error(`there is no wasm in ${folder}`);
  for (const file of wasm) await checkWasm(file, address);
}

const server = createServer(answer);
server.listen(0, "127.0.0.1", async () => {
  const address = `http://127.0.0.1:${server.address().port}/`;
  if (option === "--check") {
    try {
      await check(address);
    } catch (error) {
      console.error(`serve: ${error.message}`);
      process.exitCode = 1;
    }
    server.close();
    server.closeAllConnections?.();
  } else {
    console.log(`open ${address}   (Ctrl-C ends)`);
  }
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => process.exit(0));
}
