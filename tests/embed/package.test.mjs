// The package as it is handed out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { folder, stem } from "./support/server.mjs";

const json = (name) => JSON.parse(readFileSync(join(folder, name)));
const names = () => readdirSync(folder);

test("every file has the version in its name, and its integrity is written down", () => {
  const own = names().filter((name) => !/^(LICENSE-|README|package\.json|integrity\.json)/.test(name));
  for (const name of own) assert.ok(name.startsWith(stem()), name);
  const written = json("integrity.json");
  assert.deepEqual(Object.keys(written), own.filter((name) => !name.endsWith(".d.ts")).sort());
  for (const [name, integrity] of Object.entries(written)) {
    assert.equal(integrity, `sha384-${createHash("sha384").update(readFileSync(join(folder, name))).digest("base64")}`, name);
  }
});

test("the manifest names files that are there", () => {
  const { name, version, license, main, types, exports, sideEffects, type } = json("package.json");
  assert.deepEqual([name, `emq-${version}`, license, type], ["echomq-conformance-figures", stem(), "MIT OR Apache-2.0", "module"]);
  const { ".": module, ...further } = exports;
  // To import either is to define the elements: a bundler leaves out neither.
  assert.deepEqual(sideEffects, ["", ".classic"].map((ending) => `./${stem()}${ending}.js`));
  for (const file of [main, types, module.types, module.default, ...sideEffects, ...Object.values(further).filter((one) => !one.includes("*"))]) assert.ok(existsSync(join(folder, file)), file);
});

test("npm packs all of it", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--offline", "--ignore-scripts"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }));
  assert.deepEqual(files.map(({ path }) => path).sort(), names().sort());
});

test("what the module loads lies beside it, by addresses that bundlers follow", () => {
  const module = ["", "-files"].map((ending) => readFileSync(join(folder, `${stem()}${ending}.js`), "utf8")).join("\n");
  const loaded = [...module.matchAll(/new URL\("\.\/([^"]+)",import\.meta\.url\)|import\("\.\/([^"]+)"\)/g)].map(([, file, script]) => file ?? script);
  const beside = names().filter((name) => name.startsWith(stem()) && !["js", "classic.js", "d.ts"].some((ending) => name === `${stem()}.${ending}`));
  assert.deepEqual([...new Set(loaded)].sort(), beside.sort());
});

test("the script that is no module needs nothing beside it", () => {
  const script = readFileSync(join(folder, `${stem()}.classic.js`), "utf8");
  assert.deepEqual(script.match(/new URL\("\.\/|\bimport\b[ (.]|\bexport\b[ {]/g), null);
});

test("importing it where there is no document does nothing", async () => {
  const { tags, version, mount } = await import(pathToFileURL(join(folder, `${stem()}.js`)).href);
  assert.deepEqual([tags, `emq-${version}`, typeof mount], [{}, stem(), "function"]);
});

test("the guide, the types and the elements name the same attributes, events and figures", async () => {
  const guide = readFileSync(join(folder, "README.md"), "utf8");
  const types = readFileSync(join(folder, `${stem()}.d.ts`), "utf8");
  for (const event of ["emq-ready", "emq-step", "emq-verdict", "emq-error"]) assert.ok(guide.includes(`| \`${event}\``) && types.includes(`"${event}"`), event);
  for (const code of ["csp", "network", "integrity", "wasm", "data", "option", "internal", "gone"]) assert.ok(guide.includes(`| \`${code}\``) && types.includes(`| "${code}"`), code);
  // As a browser sees them.
  globalThis.HTMLElement = class {};
  const defined = {};
  globalThis.customElements = { get: () => undefined, define: (tag, element) => (defined[tag] = element) };
  await import(`${pathToFileURL(join(folder, `${stem()}.js`)).href}?defined`);
  assert.deepEqual(Object.keys(defined), ["emq-conformance", "emq-fleet", "emq-v1-flaw", "emq-script", "emq-capture"]);
  for (const [tag, { observedAttributes }] of Object.entries(defined)) {
    assert.ok(guide.includes(`| \`<${tag}>\` |`) && types.includes(`"${tag}"`), tag);
    for (const attribute of observedAttributes) {
      assert.match(guide, new RegExp(`^\\| (\`\\w+\`, )*\`${attribute}\``, "m"), `${tag} ${attribute}`);
      assert.match(types, new RegExp(`\\b${attribute}\\??:`), `${tag} ${attribute}`);
    }
  }
  // The custom properties of the guide are those that the sheets ask for.
  const sheets = names().filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const asked = new Set(sheets.match(/var\(--emq-[\w-]+/g).map((use) => use.slice(4)));
  assert.deepEqual([...new Set(guide.match(/--emq-[a-z-]+/g))].sort(), [...asked].sort());
});

test("an author's TypeScript compiles with the types, and what there is not does not", async () => {
  const pages = new URL("./pages/", import.meta.url);
  const { default: typescript } = await import(new URL("node_modules/typescript/lib/typescript.js", pages));
  const options = {
    strict: true,
    noEmit: true,
    target: typescript.ScriptTarget.ES2022,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    types: [],
    paths: { "echomq-conformance-figures": [join(folder, `${stem()}.d.ts`)] },
  };
  const compiled = typescript.createProgram([fileURLToPath(new URL("typed.ts", pages))], options);
  const said = typescript.getPreEmitDiagnostics(compiled).map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(said, []);
});
