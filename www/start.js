// Starts the page's figures. A file of its own, because the page's security policy allows no inline script; the build
// writes the wasm's names, which change with its content, into the meta element that is read here.
const { js, wasm } = document.querySelector("meta[name='emq-wasm']").dataset;
const here = (path) => new URL(path, document.baseURI);

// A packed capture, or why it could not be had.
async function capture(name) {
  try {
    const response = await fetch(here(`captures/${name}.bin`));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : `the server answered ${response.status}`;
  } catch (error) {
    return error.message;
  }
}

const place = document.querySelector("[data-figure='conformance']");
try {
  const files = Promise.all(place.dataset.captures.split(" ").map(capture));
  const { default: init, start } = await import(here(js));
  await init({ module_or_path: here(wasm) });
  start(place, await files);
} catch (error) {
  // The markup that came with the page stays; it says why it does not move.
  place.querySelector("[role='status']").textContent =
    `The controls could not start (${error.message}). What you see was judged when this page was built.`;
}
