//! Gives the analyzer's wasm the stack that it needs: it recurses deeper than what the linker sets aside by itself.

use std::env;

/// In bytes. A browser's own stack ends first, which costs a worker and not the page.
const STACK: usize = 16 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32")
        && env::var_os("CARGO_FEATURE_WEB").is_some()
    {
        println!("cargo::rustc-link-arg-bin=emq-analyzer=-zstack-size={STACK}");
    }
}
