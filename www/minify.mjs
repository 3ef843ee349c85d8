// Makes the styles, scripts and wasm of a built page small. trunk's own minifier does not know modules. What it gives no name
// that changes with the content gets one, and what the page loads is written down with its integrity.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import { integrity, sealed } from './integrity.mjs';
import { marked } from './marked.mjs';

const page = process.argv[2];
const read = (name) => readFileSync(join(page, name));
let html = read('index.html').toString();

// What a compiler for size leaves to do. Chosen by what comes of it once it is compressed: most of what makes wasm shorter makes
// it less like itself, and so longer to send.
const passes = [
  'optimize-instructions', 'remove-unused-brs', 'directize', 'dae-optimizing', 'duplicate-function-elimination', 'rse', 'vacuum',
  'merge-locals', 'reorder-locals', 'strip-producers', 'strip-target-features',
];
const features = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];

// Makes wasm smaller, and gives it short names: those by which it and the script that loads it know each other end in a hash
// and stand in both. Returns the script with them.
function shorten(wasm, script) {
  const flags = [...features.map((feature) => `--enable-${feature}`), ...passes.map((pass) => `--${pass}`), '--minify-imports-and-exports-and-modules'];
  const { imports, exports } = JSON.parse(execFileSync('wasm-opt', [...flags, wasm, '-o', wasm], { encoding: 'utf8' }));
  const short = new Map([
    ...imports.flatMap(([module, name, to]) => [[`"${module}":`, '"a":'], [`${name}:`, `${to}:`]]),
    ...exports.map(([name, to]) => [`wasm.${name}`, `wasm.${to}`]),
  ]);
  return script.replace(/"[^"\s]+":|\bwasm\.\w+|\b__wb\w+:/g, (name) => short.get(name) ?? name);
}

// Gives files a name that changes with their content, tells the page, and returns the names.
function rename(...names) {
  const hash = createHash('sha256');
  names.forEach((name) => hash.update(read(name)));
  const mark = hash.digest('hex').slice(0, 16);
  return names.map((name) => {
    const known = marked(name, mark);
    renameSync(join(page, name), join(page, known));
    html = html.replaceAll(`"./${name}"`, `"./${known}"`);
    return known;
  });
}

// Puts into a script what it imports, so that one integrity is that of all: the imports of a worker cannot be given any. What it
// imports, and the wasm of that, get a name that changes with their content.
function bundle(name) {
  const flags = ['--bundle', '--minify', '--format=esm', '--target=es2022', '--charset=utf8'];
  let script = execFileSync('esbuild', [...flags, join(page, name)], { encoding: 'utf8' });
  for (const wasm of new Set(script.match(/[\w-]+_bg\.wasm/g))) {
    const [known] = rename(wasm, wasm.replace('_bg.wasm', '.js'));
    script = script.replaceAll(wasm, known);
  }
  writeFileSync(join(page, name), script);
}

// All styles in one: the first sheet that the page names.
const sheets = [...html.matchAll(/<link rel="stylesheet" href="\.\/([^"]+)"[^>]*>\n?/g)];
const [[, sheet], ...others] = sheets;
writeFileSync(join(page, sheet), Buffer.concat(sheets.map(([, name]) => read(name))));
for (const [link, name] of others) {
  html = html.replace(link, '');
  rmSync(join(page, name));
}

for (const name of readdirSync(page).filter((name) => /\.(css|js)$/.test(name))) {
  const wasm = join(page, name.replace(/\.js$/, '_bg.wasm'));
  let input = read(name);
  if (extname(name) === '.js' && existsSync(wasm)) {
    input = shorten(wasm, input.toString());
    // Whoever loads the wasm asks for these bytes.
    input += `export const integrity = "${integrity(readFileSync(wasm))}";`;
  }
  // What the scripts that load wasm have to say of a server's types, the page says in its status line.
  const flags = [`--loader=${extname(name).slice(1)}`, '--minify', '--target=es2022', '--charset=utf8', '--legal-comments=none', '--drop:console'];
  writeFileSync(join(page, name), execFileSync('esbuild', flags, { input, stdio: ['pipe', 'pipe', 'inherit'] }));
}

// Only trunk reads this.
html = html.replaceAll(' data-integrity="none"', '').replace(/\n{2,}/g, '\n');
rename(sheet);
for (const [, script] of html.matchAll(/<script src="\.\/([^"]+)"/g)) rename(script);
for (const [, js, wasm] of html.matchAll(/<meta name="emq-[^>]*data-js="\.\/([^"]+)"(?: data-wasm="\.\/([^"]+)")?/g)) {
  if (wasm) rename(js, wasm);
  else {
    bundle(js);
    rename(js);
  }
}
html = sealed(html, read);
writeFileSync(join(page, 'index.html'), html);
