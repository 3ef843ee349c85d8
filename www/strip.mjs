// Takes the block comments out of the styles and of wasm-bindgen's script in a built page: a reader loads them and never
// sees them. trunk's own minifier does not know modules. Each integrity attribute then names the file as it now is.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = process.argv[2];
const digest = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
let html = readFileSync(join(page, 'index.html'), 'utf8');

for (const name of readdirSync(page).filter((name) => /\.(css|js)$/.test(name))) {
  const before = readFileSync(join(page, name), 'utf8');
  // A block comment on lines of its own; what stands in a string or behind code is left alone.
  const after = before.replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*\n/gm, '');
  writeFileSync(join(page, name), after);
  html = html.replaceAll(digest(before), digest(after));
}
writeFileSync(join(page, 'index.html'), html);
