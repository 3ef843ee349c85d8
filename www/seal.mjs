// Gives every file that a built page loads a name that changes with its content, and writes down what a browser checks it against:
// in the page's head for its styles, scripts and programs, in a program's script for its wasm and for the data that it fetches.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { integrity, sealed } from './integrity.mjs';
import { marked } from './marked.mjs';

const page = process.argv[2];
const read = (name) => readFileSync(join(page, name));
const html = Object.fromEntries(['index.html', 'rules.html'].map((name) => [name, read(name).toString()]));
const first = () => html['index.html'];

// Gives files a name that changes with their content, tells the pages, and returns the names.
function rename(...names) {
  const hash = createHash('sha256');
  names.forEach((name) => hash.update(read(name)));
  const mark = hash.digest('hex').slice(0, 16);
  return names.map((name) => {
    const known = marked(name, mark);
    renameSync(join(page, name), join(page, known));
    for (const one of Object.keys(html)) html[one] = html[one].replaceAll(`"./${name}"`, `"./${known}"`);
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

// Tells a program's script of data: the name that the page has for each file, the one that it lies under now, and its integrity.
function tell(script, names) {
  const data = names.map((name) => {
    const [known] = rename(name);
    return [name, [known, integrity(read(known))]];
  });
  appendFileSync(join(page, script), `export const data = ${JSON.stringify(Object.fromEntries(data))};\n`);
}

// The first figure's program knows what that is drawn from, the second what comes later. What no figure is drawn from are the capture
// bench's examples, and the capture that was taken for this build, which keeps its name for whoever asks for it.
const places = [...first().matchAll(/data-figure="([^"]+)"[^>]*? data-files="([^"]*)"(?: data-later="([^"]*)")?/g)];
const split = (names) => (names ? names.split(' ') : []);
const soon = places.filter(([, figure]) => figure === 'conformance').flatMap(([, , files]) => split(files));
const late = places.flatMap(([, figure, files, later]) => [...(figure === 'conformance' ? [] : split(files)), ...split(later)]);
const examples = readdirSync(join(page, 'captures')).map((name) => `captures/${name}`).filter((name) => !/\.bin$|\/latest\.json$/.test(name) && !late.includes(name));
const program = (name) => first().match(new RegExp(`name="${name}" data-js="\\./([^"]+)"`))[1];
tell(program('emq-page'), soon);
tell(program('emq-lesson'), late);
tell('emq-judge.js', examples);

for (const [, sheet] of first().matchAll(/<link rel="stylesheet" href="\.\/([^"]+)"/g)) rename(sheet);
for (const [, script] of first().matchAll(/<script src="\.\/([^"]+)"/g)) rename(script);
for (const [, js, wasm] of first().matchAll(/<meta name="emq-[^>]*data-js="\.\/([^"]+)"(?: data-wasm="\.\/([^"]+)")?/g)) {
  if (wasm) rename(js, wasm);
  else {
    bundle(js);
    rename(js);
  }
}
// It is in those that import it.
rmSync(join(page, 'ready.js'));
for (const [name, text] of Object.entries(html)) writeFileSync(join(page, name), sealed(text, read));
