// Starts the page's wasm. A file of its own, because the page's security policy allows no inline script; the build writes
// the wasm's names, which change with its content, into the meta element that is read here.
const { js, wasm } = document.querySelector("meta[name='emq-wasm']").dataset;

try {
  const { default: init } = await import(new URL(js, document.baseURI));
  await init({ module_or_path: new URL(wasm, document.baseURI) });
} catch (error) {
  // The markup that came with the page stays; it says why it does not move.
  for (const status of document.querySelectorAll("[data-figure] [role='status']")) {
    status.textContent = `The controls could not start (${error.message}). What you see was judged when this page was built.`;
  }
}
