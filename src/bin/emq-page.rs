//! The page's wasm: starts the figures, where there is a page.

fn main() {
    echomq_conformance::web::page::start();
}
