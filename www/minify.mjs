// Makes the styles, scripts and wasm of a built page small. trunk's own minifier does not know modules. Each integrity
// attribute then names the file as it now is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const page = process.argv[2];
const digest = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
let html = readFileSync(join(page, 'index.html'), 'utf8');

// Writes a file anew; the page names what it was before.
function rewrite(name, before, after) {
  writeFileSync(join(page, name), after);
  html = html.replaceAll(digest(before), digest(after));
}

// The names by which wasm and the script that loads it know each other are long, end in a hash and stand in both. Returns
// the script with short ones.
function shorten(wasm, script) {
  const features = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];
  const flags = [...features.map((feature) => `--enable-${feature}`), '--minify-imports-and-exports-and-modules'];
  const { imports, exports } = JSON.parse(execFileSync('wasm-opt', [...flags, wasm, '-o', wasm], { encoding: 'utf8' }));
  const short = new Map([
    ...imports.flatMap(([module, name, to]) => [[`"${module}":`, '"a":'], [`${name}:`, `${to}:`]]),
    ...exports.map(([name, to]) => [`wasm.${name}`, `wasm.${to}`]),
  ]);
  return script.replace(/"[^"\s]+":|\bwasm\.\w+|\b__wb\w+:/g, (name) => short.get(name) ?? name);
}

for (const name of readdirSync(page).filter((name) => /\.(css|js)$/.test(name))) {
  const before = readFileSync(join(page, name));
  const wasm = join(page, name.replace(/\.js$/, '_bg.wasm'));
  const input = extname(name) === '.js' && existsSync(wasm) ? shorten(wasm, before.toString()) : before;
  const flags = [`--loader=${extname(name).slice(1)}`, '--minify', '--target=es2022', '--charset=utf8', '--legal-comments=none'];
  rewrite(name, before, execFileSync('esbuild', flags, { input, stdio: ['pipe', 'pipe', 'inherit'] }));
}
// Browsers know no integrity of what is only preloaded, and complain. It would name the wasm as it was, too.
html = html.replace(/(<link rel="preload"[^>]*?) integrity="[^"]*"/g, '$1');
writeFileSync(join(page, 'index.html'), html);
