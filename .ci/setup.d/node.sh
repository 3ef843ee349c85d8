# shellcheck shell=bash
# Node.js, and what comes through its registry.

name[node]="Node.js >= $NODE_MINIMUM with npm"
debian[node]="nodejs npm"
have_node() {
  local version
  version=$(node --version 2>/dev/null) && at_least "${version#v}" "$NODE_MINIMUM" && npm --version >/dev/null 2>&1
}
# An own Node.js may lack only npm, and Debian's may be older than it: never replace what is there.
install_node() {
  local packages=()
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
  [ ${#packages[@]} -gt 0 ] || fail "there is $(node --version), which is too old; put a newer one on PATH"
  apt_install "${packages[*]}"
}

name[wasm_opt]="wasm-opt of Binaryen ${BINARYEN_VERSION%%.*}"
have_wasm_opt() { [[ "$(wasm-opt --version 2>/dev/null) " == *"version ${BINARYEN_VERSION%%.*} "* ]]; }
install_wasm_opt() { npm_install binaryen "$BINARYEN_VERSION" wasm-opt; }

name[esbuild]="esbuild $ESBUILD_VERSION"
have_esbuild() { [ "$(esbuild --version 2>/dev/null)" = "$ESBUILD_VERSION" ]; }
install_esbuild() { npm_install esbuild "$ESBUILD_VERSION" esbuild; }

# npm_install PACKAGE VERSION PROGRAM: a program that a package brings, in a folder of its own.
npm_install() {
  local folder=$scratch/$1
  attempt npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "$1@$2"
  move_into_place "$folder" "$EMQ_TOOLS/$1-$2"
  ln -sf "../$1-$2/node_modules/$1/bin/$3" "$EMQ_TOOLS/bin/$3"
}

name[playwright]="playwright-core, in tests/browser"
have_playwright() { npm_has_all tests/browser; }
install_playwright() { npm_install_all tests/browser; }

name[pages]="Vite, React, Vue, marked and TypeScript, in tests/embed/pages"
have_pages() { npm_has_all tests/embed/pages; }
install_pages() { npm_install_all tests/embed/pages; }

# npm_has_all FOLDER: npm writes the inner lock last: where it agrees with ours, the folder is complete. What is for other systems is
# not installed here.
npm_has_all() {
  node --input-type=module -e '
    import { readFileSync } from "node:fs";
    const [folder] = process.argv.slice(1);
    const packages = (file) => JSON.parse(readFileSync(`${folder}/${file}`)).packages;
    const wanted = packages("package-lock.json"), there = packages("node_modules/.package-lock.json");
    const same = Object.keys(wanted).every((path) => path === "" || (wanted[path].optional && !there[path]) || there[path]?.integrity === wanted[path].integrity);
    process.exit(same ? 0 : 1);
  ' "$1" 2>/dev/null
}

npm_install_all() { attempt npm ci --prefix "$top/$1" --ignore-scripts --no-audit --no-fund; }
