// The worker of the capture bench: a log or a capture in, what `emq-conform check` says of its trace out. It is read piece by piece, and
// kept, so that it can be judged again by another policy or for another queue. An input that needs more memory or time than a browser
// gives ends this worker, and not the page. The build puts what it imports into it.
import init, { data, integrity, Reader } from "./emq-judge.js";
import { base, serve } from "./ready.js";

const PIECE = 1 << 18;
// A longer text is not shown in the text area.
const SHORT = 1 << 15;

// The last input: its number, its bytes and, of an example, its text.
let held = {};
// The last one that was read: its number, the profile that it was read by, the one that it looks like, and it.
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

// An example is asked of the server once.
const examples = {};
const example = (path) => (examples[path] ??= load(path).catch((error) => Promise.reject(error, delete examples[path])));

async function load(path) {
  const [name, integrity] = data[path];
  const url = new URL(name, base);
  let blob;
  try {
    // Its name changes with its content: what a browser has kept of it is it.
    blob = await (await fetch(url, { integrity, cache: "force-cache" })).blob();
  } catch {
    const { ok, status } = await fetch(url);
    throw new Error(`cannot read ${path}: ${ok ? "it did not come as it was built" : `the server answered ${status}`}`);
  }
  return [blob, blob.size <= SHORT ? await blob.text() : undefined];
}

// What is no path is the content itself, and the text of an example that came with it.
async function hold(number, content) {
  if (held.number !== number) {
    const [blob, text] = typeof content === "string" ? await example(content) : [content].flat();
    held = { number, blob, text };
  }
}

async function judge(tell, number, source, content, asked, policy, queue, db, all, wanted) {
  await hold(number, content);
  let profile = asked ?? (kept.number === number ? kept.looks : "emq.1");
  if (kept.number !== number || kept.profile !== profile) {
    let input = await read(tell, held.blob, source, profile);
    const looks = input.recognised();
    if (!asked && looks !== profile) {
      input.free();
      profile = looks;
      input = await read(tell, held.blob, source, profile);
    }
    kept = { number, profile, looks, input };
  }
  const [judged, json, markdown] = kept.input.judge(JSON.stringify({ source, profile, policy, queue, db }), all, wanted);
  tell("judged", judged, json, markdown, held.text);
}

serve(init, "emq-judge_bg.wasm", integrity, async ({ data: [run, ...question] }) => {
  const tell = (...said) => postMessage([run, ...said]);
  try {
    await judge(tell, ...question);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) tell("trap");
    else if (error instanceof DOMException) tell("refused", `cannot read ${question[1]}: ${error.message}`);
    else tell("refused", error.message);
  }
});
