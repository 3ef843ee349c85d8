// The capture bench: what it says is what the command line says, however the input comes; and no input can take the page with it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";

import { commandLine, top } from "../wasm/dist.mjs";
import { allAlive, clock, useBrowser, withPage } from "./support/browser.mjs";
import { captures } from "./support/figure.mjs";
import { marked, read, resealed } from "./support/server.mjs";

useBrowser();

const IDS = ["keyspace", "hashtag", "legacy", "declared", "version"];
const MIB = 1 << 20;
/** What the worker reads at once. */
const PIECE = MIB / 4;
const LINE = '1700000000.000001 [0 10.0.0.1:5000] "HGET" "emq:{payments}:meta" "version"\n';

/** The files of the examples, in the order of the list, and what the bench should make of them. */
const EXAMPLES = [
  { file: "fixtures/captures/payments.json", profile: "emq.1" },
  { file: "fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log", profile: "echomq-2.x" },
  { file: "fixtures/recordings/echomq-2.4.2-retry.monitor.log", profile: "echomq-2.x" },
  { file: "fixtures/recordings/bullmq-5.65.1-bull.capture.json", profile: "emq.1" },
  { file: "fixtures/recordings/bullmq-5.65.1-emq.capture.json", profile: "emq.1" },
];

let program;
before(() => (program = commandLine()));

/** What the command line prints for a command that the page shows, run where the input lies. */
function native(shown, cwd, format = "json") {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `"$0" ${shown.replace(/^emq-conform /, "")} --format ${format}`, program], { cwd });
  assert.ok([0, 1, 4].includes(status), `${shown}: ${stderr}`);
  return stdout.toString();
}

/** A page whose clipboard keeps what is written to it. */
const keepsCopies = (page) =>
  page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) }, configurable: true }));

async function showsTheFirst(page) {
  const { status, words, evidence, command, bySlot, root } = captures(page);
  const judged = JSON.parse(read("captures/judged.json"));
  assert.deepEqual(await words(), IDS.map(() => "pass"));
  assert.match(await status.textContent(), /^payments\.json · pass · queue payments: 5 pass · profile emq\.1, as recognised · policy strict/);
  for (const one of judged.assertions) {
    const listed = await evidence(one.id);
    one.evidence.forEach(({ at, command, key, why }, index) => {
      for (const word of [at, command, key ?? "", why]) assert.ok(listed[index].includes(word), `${word} is not in ${listed[index]}`);
    });
    if (one.more > 0) assert.equal(listed.at(-1), `and ${one.more} more`);
  }
  assert.equal(await command.textContent(), "emq-conform check --witness trace --profile emq.1 --policy strict payments.json");
  assert.match(await bySlot.textContent(), /slot 8507 · \d+ keys, the queue’s own.*emq:{payments}:wait/);
  assert.match(await root.locator("svg").getAttribute("aria-label"), /slot 8507 {payments}/);
}

test("without JavaScript the first example's verdict and evidence are there, and how to judge one's own", () =>
  withPage(
    async (page) => {
      await showsTheFirst(page);
      const { status, area, file } = captures(page);
      assert.match(await status.textContent(), /judged when this page was built; .*`emq-conform check FILE`/);
      assert.equal(await area.isEditable(), false);
      assert.ok(await file.isDisabled());
    },
    { context: { javaScriptEnabled: false }, alive: false },
  ));

test("each example: verdicts, profile and copies are those of the command that is shown", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, words, command, root, area, button } = captures(page);
    await comeNear();
    await showsTheFirst(page);
    await keepsCopies(page);
    for (const [index, { file, profile }] of [...EXAMPLES.entries()].reverse()) {
      const name = file.replace(/.*\//, "");
      await choose("example", index);
      await says(new RegExp(`^${name.replaceAll(".", "\\.")} · .* · profile ${profile}, as recognised · policy strict$`));
      const shown = await command.textContent();
      assert.match(shown, new RegExp(`--profile ${profile} --policy strict ${name}$`));
      const folder = join(top, file.replace(/\/[^/]*$/, ""));
      const report = native(shown, folder);
      assert.deepEqual(await words(), JSON.parse(report).assertions.map(({ verdict }) => verdict), file);
      assert.equal(await area.inputValue(), readFileSync(join(top, file), "utf8"));
      await button("Copy JSON").click();
      await says(/ · JSON copied$/);
      assert.equal(await page.evaluate(() => window.copied), report, file);
      await button("Copy markdown").click();
      await says(/ · markdown copied$/);
      assert.equal(await page.evaluate(() => window.copied), native(shown, folder, "markdown"), file);
      await button("Copy command").click();
      await says(/ · command copied$/);
      assert.equal(await page.evaluate(() => window.copied), shown);
    }
    assert.match(await root.locator(".emq-verdicts").textContent(), /a capture that a probe took, from valkey/);
  }));

test("what stood there when the page came can be copied too", () =>
  withPage(async (page) => {
    const { comeNear, says, button, command } = captures(page);
    await comeNear();
    await keepsCopies(page);
    await button("Copy JSON").click();
    await says(/ · JSON copied$/);
    assert.equal(await page.evaluate(() => window.copied), native(await command.textContent(), join(top, "fixtures/captures")));
  }));

test("where the clipboard is closed the text is selected in a text area", () =>
  withPage(async (page) => {
    const { comeNear, says, button, root } = captures(page);
    await comeNear();
    for (const value of ["undefined", "({ writeText: () => Promise.reject(new Error('no')) })"]) {
      await page.evaluate((value) => Object.defineProperty(navigator, "clipboard", { value: eval(value), configurable: true }), value).catch(() => {});
      await button("Copy markdown").click();
      await says(/this page may not use the clipboard: the markdown is selected under the buttons$/);
      const area = root.locator(".emq-copy textarea");
      assert.match(await area.inputValue(), /^### ✓ pass: queue payments · payments\.json/);
      assert.deepEqual(await area.evaluate((area) => [document.activeElement === area, area.selectionStart, area.selectionEnd === area.value.length]), [true, 0, true]);
      // Who closes it by keyboard is back at the button that they pressed.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await area.waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Copy markdown");
    }
  }));

test("profile, policy and queue can be changed, by keyboard", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, select, area, words, command, root } = captures(page);
    await comeNear();
    await choose("example", 1);
    await says(/^echomq-2\.4\.2-roundtrip\.monitor\.log · fail · queue payments: 4 pass, 1 fail/);
    await select("policy").focus();
    await page.keyboard.press("End");
    await says(/ · pass · queue payments: 5 pass · profile echomq-2\.x, as recognised · policy slot-rooted$/);
    await choose("profile", 1);
    await says(/ · profile emq\.1, though it looks like echomq-2\.x · policy slot-rooted$/);
    assert.match(await root.locator(".emq-outcomes").textContent(), /this looks like profile echomq-2\.x/);
    await choose("profile", 0);
    await area.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type('1.000001 [0 a:1] "GET" "emq:{a}:wait"\n1.000002 [0 a:1] "GET" "bull:b:wait"\n1.000003 [2 a:2] "GET" "emq:{a}:wait"\n1.000004 [0 a:3] "GET" "emq:{c}:nothing:at:all"\n');
    await says(/^pasted\.log · fail · below: queue a, one of 3: /);
    assert.deepEqual(await select("queue").locator("option").allTextContents(), ["each one seen", "a: fail", "a, database 2: indeterminate", "c: indeterminate", "b"]);
    await choose("queue", 2);
    await says(/ · queue a, database 2: /);
    assert.match(await command.textContent(), / --queue a --db 2 pasted\.log$/);
    await choose("queue", 4);
    await says(/ · queue b: /);
    assert.equal((await words())[2], "fail");
    assert.equal(await select("queue").locator("option").count(), 5);
  }));

test("a file is opened, dropped and pasted, and the text area takes what is short", () =>
  withPage(async (page) => {
    const { comeNear, says, file, drop, paste, area, command } = captures(page);
    await comeNear();
    const name = "-my 'log' <b>.txt";
    await file.setInputFiles({ name, mimeType: "", buffer: Buffer.from(LINE) });
    await says(/^-my 'log' <b>\.txt · indeterminate · queue payments: /);
    assert.ok((await command.textContent()).endsWith(` './-my '\\''log'\\'' <b>.txt'`), await command.textContent());
    await drop("a\u202egol.txt", LINE.repeat(2));
    await says(/^a\\xe2\\x80\\xaegol\.txt · /);
    assert.ok((await command.textContent()).endsWith(" FILE"));
    await drop("", LINE);
    await says(/^pasted\.log · indeterminate · queue payments/);
    assert.equal(await area.inputValue(), LINE);
    assert.equal(await paste("short"), false, "the text area takes it");
    assert.equal(await paste(LINE, 1000), true);
    await says(/^pasted\.log · indeterminate · queue payments/);
    assert.equal(await area.inputValue(), "");
    await area.fill("hello");
    await says(/^cannot read pasted\.log: neither a capture \(JSON of format emq-capture\/1\) nor a MONITOR log .*it begins with `hello`\. Above still stands the input before$/);
    await area.fill('{\n "format": 1}');
    await says(/^pasted\.json:2:12: /);
  }));

test("8 MiB are judged with progress, and the page goes on meanwhile; 60 MB are refused", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, drop, paste, status, progress, file, area } = captures(page);
    await comeNear();
    await choose("example", 1);
    await says(/^echomq.* · queue /);
    const folder = mkdtempSync(join(tmpdir(), "emq-large-"));
    try {
      const full = LINE.repeat(Math.floor((8 * MIB) / LINE.length));
      const large = join(folder, "large.log");
      writeFileSync(large, full.padEnd(8 * MIB, "\n"));
      await page.evaluate(() => {
        window.steps = new Set();
        const bar = document.querySelector("[data-figure=capture] progress");
        new MutationObserver(() => bar.className || window.steps.add(`${bar.value}/${bar.max}`)).observe(bar, { attributes: true });
      });
      // What the page's own thread works meanwhile, for each piece that the worker reads.
      const worked = await clock(page);
      await file.setInputFiles(large);
      const end = Date.now() + 60_000;
      while (!/^large\.log · /.test(await status.textContent()) && Date.now() < end) await page.waitForTimeout(50);
      assert.match(await status.textContent(), /^large\.log · indeterminate · queue payments: /);
      const steps = await page.evaluate(() => [...window.steps]);
      assert.ok(steps.length > 5, `progress: ${steps}`);
      const each = (await worked()) / ((8 * MIB) / PIECE);
      assert.ok(each < 50, `${each} ms a piece`);
      assert.ok(steps.every((step) => step.endsWith(`/${8 * MIB}`)), steps.join(" "));
      assert.equal(await progress.getAttribute("class"), "emq-idle");
      // The same by another policy needs no reading again.
      await page.evaluate(() => window.steps.clear());
      await choose("policy", 1);
      await says(/ · policy rooted$/);
      assert.ok((await page.evaluate(() => window.steps.size)) <= 1, "it was read again");
      writeFileSync(large, full.padEnd(8 * MIB + 1, "\n"));
      await file.setInputFiles(large);
      await says(/^large\.log: 8\.0 MiB is more than the 8 MiB that this page takes: `emq-conform check` on your machine takes any size\. Above still stands the input before$/);
      writeFileSync(large, Buffer.alloc(60_000_000, LINE));
      await file.setInputFiles(large);
      await says(/^large\.log: 57\.2 MiB is more than the 8 MiB that this page takes/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // What the test itself does to make such a paste blocks the page, and what the page does with it is measured alone.
    await area.evaluate((area) => {
      const { prototype } = DataTransfer;
      const text = "x".repeat(60_000_000);
      // A browser's own string is in one piece.
      text.charCodeAt(59_999_999);
      prototype.getData = () => text;
    });
    const worked = await clock(page);
    assert.equal(await paste("x"), true);
    await says(/^pasted\.log: 57\.2 MiB is more than/);
    const all = await worked();
    assert.ok(all < 100, `${all} ms`);
    await choose("example", 0);
    await says(/^payments\.json · pass/);
  }));

test("what is to be copied while an input is judged waits for it, and does not begin it anew", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, button, drop, status } = captures(page);
    await comeNear();
    await choose("example", 1);
    await says(/^echomq.* · queue /);
    await keepsCopies(page);
    const workers = [];
    page.on("worker", (worker) => workers.push(worker));
    await drop("large.log", LINE.repeat(Math.floor((4 * MIB) / LINE.length)));
    assert.match(await status.textContent(), /^large\.log: judging…/);
    await button("Copy markdown").click();
    await says(/^large\.log · indeterminate · .* · markdown copied$/, "copied", 60_000);
    assert.match(await page.evaluate(() => window.copied), /large\.log/);
    assert.equal(workers.length, 0, "the worker was ended, and with it what it had read");
  }));

test("hostile input is refused or judged, and nothing of it runs", () =>
  withPage(async (page) => {
    const { comeNear, choose, says, drop, root, paste } = captures(page);
    await comeNear();
    const call = (key) => `1.000001 [0 a:1] "GET" "${key}"\n`;
    const hostile = {
      "a NUL byte": "1.000001 [0 a:1] \"GET\" \"a\0b\"\n",
      "turned around": call("emq:{q}:\u202e\u2066k"),
      "the end of a script element": call("emq:{q}:</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"),
      "markup in the queue's name": `{"format":"emq-capture/1","queue":"<img src=x onerror='window.hit=1'>","events":[{"seq":1,"origin":"client","argv":["GET","emq:{q}:wait"]}]}`,
      "a long line": call(`emq:{q}:${"k".repeat(MIB)}`),
      "one byte, megabytes of it": "x".repeat(7 * MIB),
      "one brace, megabytes of it": "{".repeat(7 * MIB),
      "one bracket, megabytes of it": "[".repeat(7 * MIB),
      "line feeds": "\n".repeat(7 * MIB),
      "many keys": Array.from({ length: 100_000 }, (_, n) => call(`k${n}`)).join(""),
      "many queues": Array.from({ length: 3_000 }, (_, n) => call(`emq:{q${n}}:wait`)).join(""),
      empty: "",
    };
    for (const [name, content] of Object.entries(hostile)) {
      await root.evaluate((figure, [name, content]) => (window.given = [name, content]), [name, content]);
      await root.evaluate((figure) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([window.given[1]], `${window.given[0]}.txt`));
        figure.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      });
      await says(new RegExp(`^((cannot read )?${name}\\.txt(:| · )(?! judging)|${name}\\.txt:\\d)`), name, 60_000);
      assert.equal(await page.evaluate(() => window.hit), undefined, name);
      assert.equal(await root.locator("script, img").count(), 0, name);
      assert.doesNotMatch(await root.evaluate((figure) => figure.textContent), /[\0\u202e\u2066]/, name);
      assert.ok((await root.locator("*").count()) < 3_000, name);
    }
    await root.evaluate((figure) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array([0xff, 0xc0, 0x80, 0x0a]), "1.000001 [0 a:1] \"GET\" \"", new Uint8Array([0xff, 0xfe]), "\"\n"], "bytes.log"));
      figure.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await says(/^bytes\.log · indeterminate · no queue recognised/);
    await choose("example", 1);
    await says(/^echomq/);
  }));

test("a folder that is dropped is refused in words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emq-folder-"));
  try {
    mkdirSync(join(folder, "logs"));
    await withPage(async (page) => {
      const { comeNear, says, root, choose } = captures(page);
      await comeNear();
      const { x, y } = await root.boundingBox();
      const client = await page.context().newCDPSession(page);
      const data = { items: [], files: [join(folder, "logs")], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) await client.send("Input.dispatchDragEvent", { type, x: x + 40, y: Math.max(y, 0) + 20, data });
      await says(/logs is a folder: open the files in it/);
      await choose("example", 1);
      await says(/^echomq/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const ANSWERS = (then) => `postMessage(0); onmessage = ({ data: [run, number, name] }) => { ${then} };`;

test("a judge that falls silent is ended after twenty seconds, with one message", () =>
  withPage(
    async (page) => {
      const { comeNear, status, area, says } = captures(page);
      await comeNear();
      await area.fill("OK");
      await page.waitForTimeout(18_000);
      assert.match(await status.textContent(), /judging/);
      await page.getByText("this input needs more than a browser gives: `emq-conform check` on your machine can").waitFor({ timeout: 6_000 });
      for (const end = Date.now() + 5_000; page.workers().length > 0 && Date.now() < end; ) await page.waitForTimeout(50);
      assert.equal(page.workers().length, 0);
      await says(/\. Above still stands payments\.json$/);
    },
    { server: { instead: resealed("judge.js", ANSWERS("for (;;);")) } },
  ));

test("a judge that traps is ended with one message, and another takes its place; a newer input does not wait", () =>
  withPage(
    async (page) => {
      const { comeNear, area, says } = captures(page);
      await comeNear();
      const workers = [];
      page.on("worker", (worker) => workers.push(worker));
      await area.fill("OK");
      await says(/^pasted\.log: this input needs more than a browser gives/);
      await area.fill("{");
      await page.waitForTimeout(600);
      await area.fill("+OK");
      await says(/^pasted\.log: this input needs more/);
      assert.ok(workers.length >= 3, `${workers.length} workers`);
    },
    { server: { instead: resealed("judge.js", ANSWERS("if (name === 'pasted.json') for (;;); postMessage([run, 'trap']);")) } },
  ));

test("a judge that cannot be loaded says so, and how to go on without", () =>
  withPage(
    async (page) => {
      const { comeNear, says, area } = captures(page);
      await comeNear();
      await area.fill("OK");
      await says(/^pasted\.log: the judge could not be loaded \(.+\): `emq-conform check` on your machine can/);
    },
    { server: { instead: { [marked("emq-judge_bg.wasm")]: null } }, expected: /404|integrity/ },
  ));

test("an example that does not come is a message", () =>
  withPage(
    async (page) => {
      const { comeNear, says, choose } = captures(page);
      await comeNear();
      await choose("example", 3);
      await says(/^cannot read captures\/bullmq-5\.65\.1-bull\.capture\.json: the server answered 404/);
    },
    { server: { instead: { "captures/bullmq-5.65.1-bull.capture.json": null } }, expected: /404|integrity/ },
  ));

test("nothing is asked of the server but the worker's files and examples, and those only when the reader comes to the bench", () =>
  withPage(async (page, { requests, address }) => {
    const { comeNear, says, area, choose } = captures(page);
    // The figures around load what is theirs.
    await allAlive(page);
    await comeNear();
    const loaded = requests.length;
    assert.ok(!requests.some((url) => /judge-|monitor-/.test(url)), "the worker came too early");
    await area.fill(LINE);
    await says(/^pasted\.log · /);
    await choose("example", 2);
    await says(/^echomq/);
    const files = new Set(requests.slice(loaded).map((url) => url.slice(address.length)));
    files.forEach((file) => assert.match(file, /^(judge-[0-9a-f]+\.js|emq-judge-[0-9a-f]+_bg\.wasm|captures\/echomq-2\.4\.2-retry\.monitor-[0-9a-f]+\.log)$/));
    // The build puts what the worker imports into it.
    assert.equal(files.size, 3);
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  }));
