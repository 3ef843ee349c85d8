# shellcheck shell=bash
# Rust, its wasm target, and the two tools that are built from source.

rust_version=$(sed -n 's/^channel = "\(.*\)"$/\1/p' "$top/rust-toolchain.toml")
oldest_rust=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$top/Cargo.toml")

name[cc]="a C linker"
debian[cc]="gcc libc6-dev"
have_cc() { command -v cc >/dev/null; }
install_cc() { apt_install "${debian[cc]}"; }

name[rust]="Rust $rust_version"
rustc_version() { rustc "$@" --version 2>/dev/null | cut -d ' ' -f 2; }
have_rust() {
  local version
  version=$(rustc_version) || return 1
  if command -v rustup >/dev/null; then [ "$version" = "$rust_version" ]; else at_least "$version" "$oldest_rust"; fi
}
install_rust() {
  rm -f "$EMQ_TOOLS/toolchain"
  unset RUSTUP_TOOLCHAIN
  ! have_rust || return 0
  use_the_same_toolchain_of_another_name ||
    attempt rustup toolchain install "$rust_version" --profile minimal --component clippy --component rustfmt
}

# A machine without a way to fetch toolchains may hold the right one as `stable`.
use_the_same_toolchain_of_another_name() {
  local toolchain
  for toolchain in $(rustup toolchain list | cut -d ' ' -f 1); do
    if [ "$(rustc_version "+$toolchain")" = "$rust_version" ]; then
      say "Rust $rust_version is here as '$toolchain': using that"
      printf '%s\n' "$toolchain" >"$EMQ_TOOLS/toolchain"
      export RUSTUP_TOOLCHAIN=$toolchain
      return 0
    fi
  done
  return 1
}

# refuse_without_rust THING…: Rust itself is its owner's choice: how and where, no script should decide.
refuse_without_rust() {
  local why=
  if ! command -v cargo >/dev/null; then
    why="there is no cargo"
  elif ! command -v rustup >/dev/null && ! have_rust; then
    why="Rust is older than $oldest_rust, and there is no rustup to bring another"
  elif ! command -v rustup >/dev/null && [[ " $* " == *" wasm_target "* ]]; then
    why="Rust has no wasm32-unknown-unknown target, and there is no rustup to add it"
  elif ! command -v rustup >/dev/null && [[ " $* " == *" rust_source "* ]]; then
    why="the source of Rust's standard library is not here, and there is no rustup to add it"
  fi
  [ -z "$why" ] || {
    say "$why. Install rustup (the Rust project's installer), then run this again: it adds Rust $rust_version by itself." >&2
    exit 3
  }
}

name[rust_components]="clippy and rustfmt"
have_rust_components() { cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1; }
install_rust_components() { attempt rustup component add clippy rustfmt; }

name[wasm_target]="Rust's wasm32-unknown-unknown target"
have_wasm_target() {
  local libraries
  libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) && [ -d "$libraries" ]
}
install_wasm_target() { attempt rustup target add wasm32-unknown-unknown; }

name[rust_source]="the source of Rust's standard library"
have_rust_source() { [ -f "$(rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ]; }
install_rust_source() { attempt rustup component add rust-src; }

name[wasm_bindgen]="wasm-bindgen $WASM_BINDGEN_VERSION"
have_wasm_bindgen() { [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $WASM_BINDGEN_VERSION" ]; }
# Not --locked: the lock that this release carries names a version of its own library that cannot be had.
install_wasm_bindgen() { cargo_install wasm-bindgen-cli --version "$WASM_BINDGEN_VERSION" --bin wasm-bindgen --no-default-features; }

name[trunk]="trunk $TRUNK_VERSION"
have_trunk() { [ "$(trunk --version 2>/dev/null)" = "trunk $TRUNK_VERSION" ]; }
install_trunk() { cargo_install trunk --version "$TRUNK_VERSION" --locked --no-default-features; }

# Both tools are built with little optimisation: minutes saved here are worth more than the milliseconds that they take
# longer on a page of this size. One build folder, so that what they share is built once. cargo moves a finished program
# into place by itself.
cargo_install() {
  attempt env -u RUSTFLAGS -u CARGO_BUILD_TARGET \
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false \
    cargo install --force --root "$EMQ_TOOLS" --target-dir "$EMQ_TOOLS/build" "$@"
}
