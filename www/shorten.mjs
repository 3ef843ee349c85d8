// Makes wasm that Rust's compiler and wasm-bindgen have built small.
import { execFileSync } from 'node:child_process';

// What a compiler for size leaves to do. Chosen by what comes of it once it is compressed: most of what makes wasm shorter makes
// it less like itself, and so longer to send.
const passes = [
  'optimize-instructions', 'remove-unused-brs', 'directize', 'dae-optimizing', 'duplicate-function-elimination', 'rse', 'vacuum',
  'merge-locals', 'reorder-locals', 'strip-producers', 'strip-target-features',
];
const features = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];

/**
 * Makes wasm smaller, and gives it short names: those by which it and the script that loads it know each other end in a hash
 * and stand in both. Returns the script with them.
 */
export function shorten(wasm, script) {
  const flags = [...features.map((feature) => `--enable-${feature}`), ...passes.map((pass) => `--${pass}`), '--minify-imports-and-exports-and-modules'];
  const { imports, exports } = JSON.parse(execFileSync('wasm-opt', [...flags, wasm, '-o', wasm], { encoding: 'utf8' }));
  const short = new Map([
    ...imports.flatMap(([module, name, to]) => [[`"${module}":`, '"a":'], [`${name}:`, `${to}:`]]),
    ...exports.map(([name, to]) => [`wasm.${name}`, `wasm.${to}`]),
  ]);
  return script.replace(/"[^"\s]+":|\bwasm\.\w+|\b__wb\w+:/g, (name) => short.get(name) ?? name);
}
