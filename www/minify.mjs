// Makes the styles, scripts and wasm of a built page small. trunk's own minifier does not know modules. `seal.mjs` names the files
// once all of them are there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import { integrity } from './integrity.mjs';
import { shorten } from './shorten.mjs';

const page = process.argv[2];
const read = (name) => readFileSync(join(page, name));
let html = read('index.html').toString();

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
writeFileSync(join(page, 'index.html'), html.replaceAll(' data-integrity="none"', '').replace(/\n{2,}/g, '\n'));
