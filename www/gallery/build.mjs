// Builds the gallery: `node www/gallery/build.mjs EMBED TO`, from the pages in docs/gallery and the package in EMBED, each page with the
// tool that it is written for. `.ci/gallery` runs it. What the gallery shows as code is the files that it builds the pages from.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [embed, to] = process.argv.slice(2).map((path) => resolve(path));
const at = (...path) => fileURLToPath(new URL(join('../..', ...path), import.meta.url));
const modules = at('tests/embed/pages/node_modules');
const PACKAGE = JSON.parse(readFileSync(join(embed, 'package.json'))).name;

/** Puts the package where a page finds it. */
function place(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(embed).filter((name) => /^emq-/.test(name) && !/\.(d\.ts|classic\.js)$/.test(name))) copyFileSync(join(embed, name), join(folder, name));
}

function beside(from, to) {
  cpSync(from, to, { recursive: true });
  place(join(to, 'emq'));
}

/** As its author has it: with the package in the book's sources. */
function book(from, to) {
  within((folder) => {
    cpSync(from, folder, { recursive: true });
    place(join(folder, 'src/emq'));
    execFileSync('mdbook', ['build', '--dest-dir', to, folder], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, MDBOOK_LOG: 'warn' } });
  });
}

async function markdown(from, to) {
  const { marked } = await import(join(modules, 'marked/lib/marked.esm.js'));
  beside(from, to);
  const text = readFileSync(join(from, 'page.md'), 'utf8');
  const [, title] = /^# (.*)$/m.exec(text);
  writeFileSync(join(to, 'index.html'), `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n</head>\n<body>\n${marked.parse(text)}</body>\n</html>\n`);
}

/** With the package in npm's folder. */
const vite = (from, to) =>
  within((folder) => {
    cpSync(from, folder, { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    const others = readdirSync(modules).filter((name) => !name.startsWith('.') && name !== PACKAGE);
    for (const name of others) symlinkSync(join(modules, name), join(folder, 'node_modules', name));
    symlinkSync(embed, join(folder, 'node_modules', PACKAGE));
    execFileSync(process.execPath, [join(modules, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', to], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  });

function within(work) {
  const folder = mkdtempSync(join(tmpdir(), 'emq-gallery-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The examples, in order: the files that are shown, how the page is made, and where it then lies. */
const EXAMPLES = [
  { name: 'html', title: 'Plain HTML', says: 'All five figures. The package lies in <code>emq/</code>, beside the page.', files: ['index.html'], make: beside, page: 'index.html' },
  { name: 'mdbook', title: 'mdBook', says: 'The package lies in <code>src/emq/</code>.', files: ['src/figures.md', 'src/more/chapter.md', 'theme/head.hbs', 'book.toml'], make: book, page: 'figures.html' },
  { name: 'markdown', title: 'Markdown', says: 'For site generators that leave HTML in Markdown as it is: Jekyll, Hugo with <code>unsafe</code>, Eleventy, MkDocs and others. The package lies beside the page.', files: ['page.md', 'traffic.json'], make: markdown, page: 'index.html' },
  { name: 'react', title: 'React', says: '<code>npm install</code> the folder that <code>make embed</code> builds.', files: ['page.jsx', 'index.html', 'vite.config.js'], make: vite, page: 'index.html' },
  { name: 'vue', title: 'Vue', says: 'Likewise.', files: ['Page.vue', 'main.js', 'index.html', 'vite.config.js'], make: vite, page: 'index.html' },
];

const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

const code = ({ name, files }) =>
  files.map((file, index) => {
    const path = `${name}/${file}`;
    return `<details${index === 0 ? ' open' : ''}>
<summary><code>${file}</code></summary>
<button type="button" class="copy" hidden>Copy</button>
<pre tabindex="0" aria-label="${path}"><code data-file="${path}">${escaped(readFileSync(at('docs/gallery', path), 'utf8'))}</code></pre>
</details>`;
  }).join('\n');

const section = (example) => `<section id="${example.name}">
<h2>${example.title}</h2>
<p>${example.says} <a href="${example.name}/${example.page}">The page by itself</a>.</p>
${code(example)}
<iframe src="${example.name}/${example.page}" title="${example.title}, live" loading="lazy"></iframe>
</section>`;

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
for (const { name, make } of EXAMPLES) await make(at('docs/gallery', name), join(to, name));
for (const name of ['gallery.css', 'gallery.js']) copyFileSync(at('www/gallery', name), join(to, name));
writeFileSync(join(to, 'index.html'), `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'">
<title>Figures in your own pages: a gallery</title>
<link rel="stylesheet" href="gallery.css">
<script type="module" src="gallery.js"></script>
</head>
<body>
<main>
<h1>Figures in your own pages</h1>
<p>Each page below is built from the code that stands above it, by the tool that it is written for. Copy what you need.</p>
<nav aria-label="examples"><ul>
${EXAMPLES.map(({ name, title }) => `<li><a href="#${name}">${title}</a></li>`).join('\n')}
</ul></nav>
${EXAMPLES.map(section).join('\n')}
</main>
</body>
</html>
`);
process.stdout.write(`${EXAMPLES.length} pages, index.html\n`);
