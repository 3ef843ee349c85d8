// The worker of the script bench: a script in, what `emq-conform lint` says of it under each policy out. A script that needs more
// stack or time than a browser gives ends this worker, and not the page. The build puts what it imports into it.
import init, { integrity, judge } from "./emq-analyzer.js";
import { serve } from "./ready.js";

serve(init, "emq-analyzer_bg.wasm", integrity, ({ data: [run, path, bytes] }) => {
  let answer = [null];
  try {
    answer = judge(bytes, path);
  } catch {
    // The module's memory is not to be trusted any more: the page ends this worker.
  }
  postMessage([run, ...answer], answer.slice(2).map(({ buffer }) => buffer));
});
