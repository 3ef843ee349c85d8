// Builds the package of the figures for other pages: `node www/embed/build.mjs FROM TO`, from a folder in which wasm-bindgen has
// written the programs, and emq-prerender what the fleet and the v1 flaw are drawn from. `.ci/embed` runs it. Every name in it has the version and nothing that changes from build to build.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

import { integrity } from '../integrity.mjs';
import { shorten } from '../shorten.mjs';
import { sheet } from './sheet.mjs';

const [from, to] = process.argv.slice(2);
const top = fileURLToPath(new URL('../..', import.meta.url));
const at = (...path) => join(top, ...path);
const manifest = readFileSync(at('Cargo.toml'), 'utf8');
const field = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(manifest)[1];
const version = field('version');
const stem = `emq-${version}`;

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });

/** What the scripts load, by the name that they have for it. */
const files = {};
function write(name, ending, content) {
  const file = `${stem}${ending}`;
  writeFileSync(join(to, file), content);
  if (name) files[name] = file;
  return file;
}

const esbuild = (flags, input) =>
  execFileSync('esbuild', ['--minify', '--charset=utf8', '--legal-comments=none', ...flags], { input, stdio: ['pipe', 'pipe', 'inherit'], maxBuffer: 1 << 26 });
const bundle = (entry, flags = []) => esbuild([join(from, entry), '--bundle', '--format=esm', '--target=es2022', ...flags]);

// The scripts that are written by hand lie beside those that wasm-bindgen wrote, and are put together there.
for (const name of ['analyzer.js', 'judge.js', 'ready.js']) copyFileSync(at('www', name), join(from, name));
const own = readdirSync(at('www/embed')).filter((name) => name.endsWith('.js'));
for (const name of own) copyFileSync(at('www/embed', name), join(from, name));

// The reader of captures packs those that are shipped, before its names are made short.
const reader = await import(pathToFileURL(join(from, 'emq-embed-read.js')));
reader.initSync({ module: readFileSync(join(from, 'emq-embed-read_bg.wasm')) });
const recording = JSON.stringify({ queue: 'payments' });
for (const [name, source, asked] of [
  ['payments', 'captures/payments.json', ''],
  ['bullmq-bull', 'recordings/bullmq-5.65.1-bull.capture.json', recording],
  ['bullmq-emq', 'recordings/bullmq-5.65.1-emq.capture.json', recording],
  ['echomq', 'recordings/echomq-2.4.2-roundtrip.monitor.log', recording],
]) {
  write(name, `-${name}.bin`, reader.pack(readFileSync(at('fixtures', source)), asked));
}

// The examples of the script bench, in the order of its list.
const listed = readFileSync(at('src/web/figures/script/mod.rs'), 'utf8').match(/pub const EXAMPLES[^;]*;[^;]*;/)[0];
const examples = [...listed.matchAll(/\("([^"]+\.lua)",/g)].map(([, name]) => {
  const folder = readdirSync(at('fixtures/page-scripts')).includes(name) ? 'page-scripts' : 'scripts';
  return [name, readFileSync(at('fixtures', folder, name), 'utf8')];
});
write('examples', '-examples.json', JSON.stringify(examples));

// The fleet's run, and the v1 flaw.
for (const [name, file] of [['run', 'fleet.bin'], ['flaw', 'flaw.bin'], ['flaw judged', 'flaw.json']]) write(name, `-${file}`, readFileSync(join(from, file)));

// The examples of the capture bench, as it lists them.
const offered = readFileSync(at('src/web/figures/capture/mod.rs'), 'utf8').match(/pub const EXAMPLES[^;]*;[^;]*;/)[0];
const captures = [];
for (const [, name] of offered.matchAll(/\("([^"]+\.(?:json|log))",/g)) {
  const folder = readdirSync(at('fixtures/captures')).includes(name) ? 'captures' : 'recordings';
  write(`captures/${name}`, `-${name}`, readFileSync(at('fixtures', folder, name)));
  captures.push(`captures/${name}`);
}
writeFileSync(join(from, 'captures.js'), `export const CAPTURES = ${JSON.stringify(captures)};\n`);

// Styles stand in the scripts: a server that a bundler brings for those who write changes sheets on their way.
const css = (names) => esbuild(['--loader=css'], sheet(names.map((name) => readFileSync(at('www', name), 'utf8')).join('\n'))).toString().trim();
const quoted = (name) => JSON.stringify(css([`style/${name}.css`]));
// Those that a program's figures have besides.
const sheets = {
  'emq-embed-further': `const bench = ${quoted('script')};\nexport const sheets = { script: [bench], "v1-flaw": [bench, ${quoted('v1-flaw')}] };`,
  'emq-embed-capture': `export const sheets = { capture: [${quoted('script')}, ${quoted('capture')}] };`,
  'emq-embed-fleet': `export const sheets = { fleet: [${quoted('fleet')}] };`,
};

// And what draws them, where the module does not.
const draws = {
  'emq-embed-further': 'import { script } from "./script-bench.js";\nimport { flaw } from "./flaw-inspector.js";\nexport const draws = { script, "v1-flaw": flaw };',
  'emq-embed-capture': 'export * as draws from "./capture-bench.js";',
};

for (const [name, program, ending] of [
  ['wasm', 'emq-embed', '.wasm'],
  ['further', 'emq-embed-further', '-further.wasm'],
  ['fleet', 'emq-embed-fleet', '-fleet.wasm'],
  ['capture', 'emq-embed-capture', '-capture.wasm'],
  ['read', 'emq-embed-read', '-read.wasm'],
  ['emq-analyzer', 'emq-analyzer', '-analyzer.wasm'],
  ['emq-judge', 'emq-judge', '-judge.wasm'],
]) {
  const wasm = join(from, `${program}_bg.wasm`);
  const glue = join(from, `${program}.js`);
  let script = shorten(wasm, readFileSync(glue, 'utf8'));
  const bytes = readFileSync(wasm);
  // Whoever loads it says where it lies: under its own name a bundler would look for it.
  script = script.replace(/new URL\('[^']*', import\.meta\.url\)/, 'undefined');
  // yew forgets the functions that it listens by, and wasm-bindgen keeps what was forgotten: here they can be given back. And whoever has
  // a figure of a program hears when that stops in the midst of its work, whatever called it: what it holds is not to be trusted then,
  // and it does nothing any more. It moves the page for a reader alone: not while a script has it go on.
  if (!program.startsWith('emq-embed')) script += `\nexport const integrity = "${integrity(bytes)}";\n`;
  else {
    const begins = 'wasm = instance.exports;';
    if (!script.includes('function dropObject(') || !script.includes('export { initSync, ') || script.split(begins).length !== 2) throw new Error(`${program}.js is not as it was`);
    const moves = script.replace(/\w+\(\w+\)\.scrollBy\(/g, 'if (!still.size) $&');
    const isMoving = moves !== script;
    script = moves.replace(begins, 'wasm = watched(instance.exports);').replace('export { initSync, ', 'export { ');
    script += `
export let trap;
export const watching = new Set();
${isMoving ? 'export const still = new Set();' : ''}
function watched(exports) {
  const call = (does) => (...given) => {
    if (trap) return;
    try {
      return does(...given);
    } catch (error) {
      trap = error;
      for (const stops of watching) stops(error);
      throw error;
    }
  };
  return Object.fromEntries(Object.entries(exports).map(([name, one]) => [name, typeof one === "function" ? call(one) : one]));
}
export function release(listener) {
  listener._wbg_cb_unref();
  const at = heap.indexOf(listener);
  if (at !== -1) dropObject(at);
}
${sheets[program] ?? ''}
${draws[program] ?? ''}
`;
  }
  // Here the worker is given its examples.
  if (program === 'emq-judge') script += 'export const data = {};\n';
  writeFileSync(glue, script);
  write(name, ending, bytes);
}

// The page's workers, which are told where their wasm lies. A page without an origin, as a sandbox or a file, may have no worker that is
// a module. They are read as a text, and as one are left as they are.
for (const name of ['analyzer', 'judge']) {
  const worker = readFileSync(join(from, `${name}.js`), 'utf8').replace(`"emq-${name}_bg.wasm"`, '""');
  writeFileSync(join(from, `${name}.js`), worker);
  write(`emq-${name} script`, `-${name}.txt`, bundle(`${name}.js`, ['--format=iife']));
}

// What is loaded with a figure that needs it.
const PROGRAMS = { further: 'emq-embed-further', 'fleet-program': 'emq-embed-fleet', 'capture-program': 'emq-embed-capture', read: 'emq-embed-read' };
const glue = Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, write(null, `${program.replace('emq-embed', '')}.js`, bundle(`${program}.js`))]));

// Bundlers follow an address that is written like this.
const address = (file) => `[new URL("./${file}", import.meta.url), ${JSON.stringify(integrity(readFileSync(join(to, file))))}]`;
const table = (names) => `{\n${names.map((name) => `  ${JSON.stringify(name)}: ${address(files[name])},\n`).join('')}}`;
// What a first figure is drawn from the module knows, the rest a script that is loaded for it: what files are checked against is long.
const FIRST = ['wasm', 'further', 'fleet', 'capture', 'payments', 'run'];
const later = Object.keys(files).filter((name) => !FIRST.includes(name));
writeFileSync(join(from, 'files-more.js'), `export const more = ${table(later)};\n`);
glue['files-more'] = write(null, '-files.js', bundle('files-more.js'));
const head = `export const VERSION = ${JSON.stringify(version)};\nexport const SHEET = ${JSON.stringify(css(['style/figure.css', 'style/predict.css', 'embed/embed.css']))};\n`;

/** Puts the scripts together, over the files that `known` is the code of; a program's script is the one that `scriptOf` names. */
function put(ending, known, scriptOf, flags) {
  writeFileSync(join(from, 'files.js'), head + known);
  for (const name of own) {
    const script = readFileSync(at('www/embed', name), 'utf8');
    // Where it is imported, and where it is called by its name.
    writeFileSync(join(from, name), script.replace(/"(\.\/)?([\w-]+)\.js"/g, (known, beside = '', name) => (name in glue ? `"${beside}${scriptOf(name)}"` : known)));
  }
  // An address that is only known then is nothing for a bundler.
  write(null, ending, bundle('emq.js', flags).toString().replace('import(new URL(', 'import(/* @vite-ignore *//* webpackIgnore: true */new URL('));
}
put('.js', `export const held = null;\nexport const again = (name) => import(new URL(name, import.meta.url));\nexport const files = ${table(FIRST)};\n`, (name) => glue[name], Object.values(glue).map((file) => `--external:./${file}`));
// For a page that can fetch nothing, as one that is opened as a file: all in one script that is no module.
writeFileSync(join(from, 'files-more.js'), 'export const more = {};\n');
const packed = Object.entries(files).map(([name, file]) => `  ${JSON.stringify(name)}: "${deflateRawSync(readFileSync(join(to, file)), { level: 9 }).toString('base64')}",`);
put('.classic.js', `export const again = null;\nexport { inflated as held } from "./held.js";\nexport const files = {\n${packed.join('\n')}\n};\n`, (name) => `${PROGRAMS[name] ?? name}.js`, ['--format=iife', '--global-name=emq']);
write(null, '.d.ts', readFileSync(at('www/embed/emq.d.ts')));

for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(at(name), join(to, name));
// What it links to beside it does not come along.
writeFileSync(join(to, 'README.md'), readFileSync(at('docs/embed.md'), 'utf8').replace(/\[([^\]]+)\]\((?!#|\w+:)[^)]*\)/g, '$1'));
const strong = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
const built = readdirSync(to).filter((name) => name.startsWith(stem) && !name.endsWith('.d.ts')).sort();
writeFileSync(join(to, 'integrity.json'), `${JSON.stringify(Object.fromEntries(built.map((name) => [name, strong(readFileSync(join(to, name)))])), null, 2)}\n`);
const description = {
  name: `${field('name')}-figures`,
  version,
  description: 'Live figures that judge captures of EchoMQ queues and Lua scripts, as custom elements',
  license: field('license'),
  type: 'module',
  main: `./${stem}.js`,
  types: `./${stem}.d.ts`,
  exports: { '.': { types: `./${stem}.d.ts`, default: `./${stem}.js` }, './integrity.json': './integrity.json', './package.json': './package.json', './*': './*' },
  files: [`${stem}*`, 'integrity.json', 'LICENSE-*'],
  // To import either is to define the elements.
  sideEffects: [`./${stem}.js`, `./${stem}.classic.js`],
  keywords: ['valkey', 'redis', 'lua', 'conformance', 'custom-element'],
};
writeFileSync(join(to, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
process.stdout.write(`${basename(to)}: ${readdirSync(to).length} files, ${stem}.js\n`);
