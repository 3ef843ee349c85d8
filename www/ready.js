// How a worker of the page starts: the page says where it is, and hands over the wasm that a former worker compiled, where there was
// one: nothing is asked of the server twice. Then each question goes to the worker. The build puts this into those that import it.

/** Where the page is: a worker that was made of a kept text does not know. */
export let base;

export function serve(init, wasm, integrity, answer) {
  const start = async ({ data: [, from, kept] }) => {
    base = from;
    try {
      const module = kept ?? (await compiled(wasm, integrity));
      await init({ module_or_path: module });
      addEventListener("message", answer);
      if (!kept) postMessage([0, module]);
      postMessage(0);
    } catch (error) {
      postMessage(`${error.message ?? error}`);
    }
  };
  addEventListener("message", start, { once: true });
}

async function compiled(wasm, integrity) {
  const response = await fetch(new URL(wasm, base), { integrity }).catch(() => {
    throw new Error("its wasm did not come, or not as it was built");
  });
  return WebAssembly.compile(await response.arrayBuffer());
}
