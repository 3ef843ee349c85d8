// The Lua scripts of an npm package. Arguments: how, where to, and the files or the module.
'use strict';
const fs = require('fs');
const path = require('path');
const [how, to, ...from] = process.argv.slice(2);
fs.mkdirSync(to, { recursive: true });
const write = (name, text) => fs.writeFileSync(path.join(to, `${name}.lua`), text);

// What a literal between backticks stands for; nothing where it has parts that only its program knows.
function literal(raw) {
  if (/(^|[^\\])\$\{/.test(raw)) return null;
  const escapes = { n: '\n', r: '\r', t: '\t', 0: '\0' };
  return raw.replace(/\\(\r?\n|[\s\S])/g, (_, c) => (/^\r?\n$/.test(c) ? '' : (escapes[c] ?? c)));
}

const ways = {
  // Modules that export one script each, as `content`.
  modules([folder]) {
    for (const file of fs.readdirSync(folder).filter((file) => /-\d+\.js$/.test(file))) {
      const module = require(path.resolve(folder, file));
      const script = module.content ? module : Object.values(module)[0];
      write(file.replace(/\.js$/, ''), script.content);
    }
  },
  // A module that puts scripts together: `payload(name)` for each name.
  payloads([file, names]) {
    const module = require(path.resolve(file));
    for (const name of names.split(',')) write(name, module.payload(name));
  },
  // Literals between backticks that call the engine.
  literals(files) {
    for (const file of files) {
      const found = fs.readFileSync(file, 'utf8').matchAll(/`((?:[^`\\]|\\[\s\S])*)`/g);
      const texts = [...found].map(([, raw]) => literal(raw)).filter((text) => text && /redis\.p?call\s*\(/.test(text));
      texts.forEach((text, index) => write(`${path.basename(file).replace(/\.\w+$/, '')}.${index + 1}`, text));
    }
  },
};
ways[how](from);
