// The built page's folder, its wasm, and the command line built from the same sources.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const top = fileURLToPath(new URL("../..", import.meta.url));
export const dist = join(top, "dist");

/** The one file of the built page whose name matches. */
export function built(pattern) {
  let names = [];
  try {
    names = readdirSync(dist).filter((name) => pattern.test(name));
  } catch {
    // Said below.
  }
  if (names.length !== 1) throw new Error(`dist has ${names.length} files like ${pattern}: build the page first (make page)`);
  return join(dist, names[0]);
}

/** The file of the built page that lies under a name with a mark that changes with its content, by the name without. */
export function lying(name) {
  const [, folder, start, end] = /^(.*\/)?([^/]*?)(\.\w+)$/.exec(name);
  const pattern = new RegExp(`^${start.replace(/[.+]/g, "\\$&")}-[0-9a-f]{16}\\${end}$`);
  const names = readdirSync(join(dist, folder ?? "")).filter((one) => pattern.test(one));
  if (names.length !== 1) throw new Error(`dist has ${names.length} files like ${name}: build the page first (make page)`);
  return (folder ?? "") + names[0];
}

/** Loads a wasm module of the page, `emq-judge` or `emq-page`, in a place without a document. */
export async function loadWasm(name) {
  // Node takes a file for a module by its ending.
  const folder = mkdtempSync(join(tmpdir(), "emq-wasm-"));
  try {
    const glue = join(folder, "page.mjs");
    writeFileSync(glue, readFileSync(built(new RegExp(`^${name}(-[0-9a-f]+)?\\.js$`))));
    const module = await import(pathToFileURL(glue).href);
    module.initSync({ module: readFileSync(built(new RegExp(`^${name}(-[0-9a-f]+)?_bg\\.wasm$`))) });
    return module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the command line, if it is not built yet, and says where it is. */
export function commandLine() {
  const output = execFileSync("cargo", ["build", "--locked", "--quiet", "--bin", "emq-conform", "--message-format", "json"], {
    cwd: top,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const messages = output.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const found = messages.find((message) => message.target?.name === "emq-conform" && message.executable);
  if (!found) throw new Error("cargo built no emq-conform");
  return found.executable;
}

/** Every file below a folder of the checkout, as a path from its top, in order. */
export function filesBelow(folder) {
  const entries = readdirSync(join(top, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return files.map((file) => file.slice(top.length)).sort();
}
