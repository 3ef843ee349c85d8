// The worker of the script bench: a script in, what `emq-conform lint` says of it under each policy out. A script that needs more
// stack or time than a browser gives ends this worker, and not the page.
import init, { lint } from "./emq-analyzer.js";

const POLICIES = ["strict", "rooted", "slot-rooted"];
const encoder = new TextEncoder();

addEventListener("message", ({ data: [run, path, text] }) => {
  let reports = null;
  try {
    const bytes = encoder.encode(text);
    reports = `[${POLICIES.map((policy) => lint(bytes, JSON.stringify({ path, policy })))}]`;
  } catch {
    // The module's memory is not to be trusted any more: the page ends this worker.
  }
  postMessage([run, reports]);
});

init({ module_or_path: new URL("emq-analyzer_bg.wasm", import.meta.url) }).then(
  () => postMessage(0),
  (error) => postMessage(`${error.message ?? error}`),
);
