// The worker of the script bench: a script in, what `emq-conform lint` says of it under each policy out. A script that needs more
// stack or time than a browser gives ends this worker, and not the page. The build puts what it imports into it.
import init, { integrity, judge } from "./emq-analyzer.js";

addEventListener("message", ({ data: [run, path, bytes] }) => {
  let answer = [null];
  try {
    answer = judge(bytes, path);
  } catch {
    // The module's memory is not to be trusted any more: the page ends this worker.
  }
  postMessage([run, ...answer], answer.slice(2).map(({ buffer }) => buffer));
});

const wasm = fetch(new URL("emq-analyzer_bg.wasm", import.meta.url), { integrity });
init({ module_or_path: wasm.catch(() => Promise.reject(new Error("its wasm did not come as it was built"))) }).then(
  () => postMessage(0),
  (error) => postMessage(`${error.message ?? error}`),
);
