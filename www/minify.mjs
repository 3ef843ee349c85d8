// Makes the styles and scripts of a built page small. trunk's own minifier does not know modules. Each integrity attribute
// then names the file as it now is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const page = process.argv[2];
const digest = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
let html = readFileSync(join(page, 'index.html'), 'utf8');

for (const name of readdirSync(page).filter((name) => /\.(css|js)$/.test(name))) {
  const before = readFileSync(join(page, name));
  const flags = [`--loader=${extname(name).slice(1)}`, '--minify', '--target=es2022', '--charset=utf8', '--legal-comments=none'];
  const after = execFileSync('esbuild', flags, { input: before, stdio: ['pipe', 'pipe', 'inherit'] });
  writeFileSync(join(page, name), after);
  html = html.replaceAll(digest(before), digest(after));
}
// Browsers know no integrity of what is only preloaded, and complain.
html = html.replace(/(<link rel="preload"[^>]*?) integrity="[^"]*"/g, '$1');
writeFileSync(join(page, 'index.html'), html);
