// The worker of the capture bench: a log or a capture in, what `emq-conform check` says of its trace out. It is read piece by piece, and
// kept, so that it can be judged again by another policy or for another queue. An input that needs more memory or time than a browser
// gives ends this worker, and not the page. The build puts what it imports into it.
import init, { integrity, Reader } from "./emq-judge.js";

const PIECE = 1 << 18;
// A longer text is not shown in the text area.
const SHORT = 1 << 15;

// The last input that was read: its number, the profile that it was read by, the one that it looks like, and it.
let kept = {};

async function read(tell, blob, source, profile) {
  kept.input?.free();
  kept = {};
  const reader = new Reader(JSON.stringify({ source, profile }));
  for (let at = 0; at < blob.size; at += PIECE) {
    tell("read", at, blob.size);
    reader.feed(new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer()));
  }
  tell("read", blob.size, blob.size);
  return reader.end();
}

async function example(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`cannot read ${path}: the server answered ${response.status}`);
  return response.blob();
}

async function judge(tell, number, source, content, asked, policy, queue, db) {
  const blob = typeof content === "string" ? await example(content) : content;
  let profile = asked ?? (kept.number === number ? kept.looks : "emq.1");
  if (kept.number !== number || kept.profile !== profile) {
    let input = await read(tell, blob, source, profile);
    const looks = input.recognised();
    if (!asked && looks !== profile) {
      input.free();
      profile = looks;
      input = await read(tell, blob, source, profile);
    }
    kept = { number, profile, looks, input };
  }
  const reports = kept.input.judge(JSON.stringify({ source, profile, policy, queue, db }));
  tell("judged", ...reports, typeof content === "string" && blob.size <= SHORT ? await blob.text() : undefined);
}

addEventListener("message", async ({ data: [run, ...question] }) => {
  const tell = (...said) => postMessage([run, ...said]);
  try {
    await judge(tell, ...question);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) tell("trap");
    else if (error instanceof DOMException) tell("refused", `cannot read ${question[1]}: ${error.message}`);
    else tell("refused", error.message);
  }
});

const wasm = fetch(new URL("emq-judge_bg.wasm", import.meta.url), { integrity });
init({ module_or_path: wasm.catch(() => Promise.reject(new Error("its wasm did not come as it was built"))) }).then(
  () => postMessage(0),
  (error) => postMessage(`${error.message ?? error}`),
);
