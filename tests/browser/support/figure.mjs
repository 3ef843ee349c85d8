// The figures as a reader sees them.

import assert from "node:assert/strict";

/** The parts that every figure has. */
function parts(page, name, patience = 5000) {
  const root = page.locator(`[data-figure=${name}] .emq-figure`);
  return {
    root,
    status: root.locator("[role=status]"),
    /** Checks what the status line says, or says soon: a page may draw a moment after the key. */
    says: async (words, message, patience = 20_000) => {
      const holds = (said) => (words instanceof RegExp ? words.test(said) : said === words);
      const end = Date.now() + patience;
      let said = await root.locator("[role=status]").textContent();
      while (!holds(said) && Date.now() < end) {
        await new Promise((passed) => setTimeout(passed, 20));
        said = await root.locator("[role=status]").textContent();
      }
      assert.ok(holds(said), `${message ?? "the status line"}: ${said} is not ${words}`);
    },
    details: root.locator(".emq-details"),
    /** The button that commits to a verdict, by its word. */
    guess: (word) => root.locator(".emq-guess", { hasText: word }),
    /** Why the reader was right or not. */
    hindsight: root.locator(".emq-hindsight"),
    button: (name) => root.getByRole("button", { name, exact: false }),
    select: (name) => root.locator(`select[name=${name}]`),
  };
}

/** The parts of the conformance figure on a page. */
export function figure(page) {
  const all = parts(page, "conformance");
  const { root } = all;
  return {
    ...all,
    capture: root.locator(".emq-capture .emq-scroll"),
    assertion: (id) => root.locator(`#emq-assertion-${id}`),
    lit: root.locator(".emq-line.emq-lit"),
    /** The verdicts, in order. */
    words: () => root.locator(".emq-assertion .emq-word").allTextContents(),
    /** The line of the capture in words. */
    line: (number) => root.locator(`[data-place=event-${number}]`),
    /** Whether an element lies within what its pane shows. */
    inSight: (locator) =>
      locator.evaluate((line) => {
        const pane = line.closest(".emq-scroll").getBoundingClientRect();
        const box = line.getBoundingClientRect();
        return box.top >= pane.top - 1 && box.bottom <= pane.bottom + 1;
      }),
  };
}

/** The parts of the fleet on a page. */
export function fleet(page) {
  const all = parts(page, "fleet");
  const { root, select } = all;
  return {
    ...all,
    /** A control by its whole name: cells of the matrix are buttons too. */
    control: (name) => root.locator(".emq-buttons").getByRole("button", { name }),
    /** Goes there as a reader does, and waits until the controls work. */
    comeNear: async () => {
      await page.locator("[data-figure=fleet]").evaluate((place) => place.scrollIntoView());
      await root.locator(".emq-button:enabled").first().waitFor();
    },
    /** The phases, in words. */
    phases: () => root.locator(".emq-act .emq-said").allTextContents(),
    act: (index) => root.locator(".emq-act").nth(index),
    /** The keys in sight, each with its row. */
    keys: root.locator(".emq-touched li"),
    lit: root.locator(".emq-touched .emq-lit"),
    cell: (producer, consumer) => root.getByRole("button", { name: `${producer} to ${consumer}:` }),
    choose: async (producer, consumer) => {
      await select("producer").selectOption({ label: producer });
      await select("consumer").selectOption({ label: consumer });
    },
  };
}

/** The parts of the script bench on a page. */
export function script(page) {
  // Its worker may take ten seconds.
  const all = parts(page, "script", 20_000);
  const { root, select } = all;
  return {
    ...all,
    /** Goes there as a reader does, and waits until the controls work. */
    comeNear: async () => {
      await page.locator("[data-figure=script]").evaluate((place) => place.scrollIntoView());
      await root.locator("select:enabled").first().waitFor();
    },
    area: root.locator("textarea[name=script]"),
    /** Puts a text in place of all that stands there, as a browser does with what is selected: a driver types long ones for minutes. */
    write: (text) =>
      root.locator("textarea[name=script]").evaluate((area, text) => {
        area.select();
        area.dispatchEvent(new InputEvent("beforeinput", { bubbles: true }));
        area.value = text;
        area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }, text),
    file: root.locator("input[type=file]"),
    findings: root.locator(".emq-findings > li"),
    /** What each policy makes of it, in words. */
    policies: async () => (await root.locator(".emq-verdicts li").allTextContents()).slice(1),
    choose: (name, index) => select(name).selectOption(String(index)),
  };
}

/** The captures in the order of the list; what each comes to. */
export const CAPTURES = [
  { label: "payments, fixed", fails: [] },
  { label: "BullMQ 5.65.1, prefix bull", fails: ["keyspace", "hashtag", "legacy", "declared", "version"] },
  { label: "BullMQ 5.65.1, prefix emq", fails: ["keyspace", "hashtag", "legacy", "declared", "version"] },
  { label: "EchoMQ 2.4.2, strict", fails: ["declared"] },
  { label: "EchoMQ 2.4.2, slot-rooted", fails: [] },
];

/** Waits until all captures that the page offers are there. */
export const allCome = (page) => page.waitForFunction(() => document.querySelector("[data-figure=conformance]").dataset.later === undefined);

/** The parts of the inspector of the v1 flaw on a page. */
export function flaw(page) {
  const all = parts(page, "v1-flaw");
  const { root, select } = all;
  return {
    ...all,
    /** A control by its whole name: anchors are buttons too. */
    control: (name) => root.locator(".emq-buttons").getByRole("button", { name, exact: true }),
    /** Goes there as a reader does, and waits until the controls work. */
    comeNear: async () => {
      await page.locator("[data-figure=v1-flaw]").evaluate((place) => place.scrollIntoView());
      await root.locator("select:enabled").first().waitFor();
    },
    choose: (name, index) => select(name).selectOption(String(index)),
    /** The lines on the way of the key, in order. */
    way: () => root.locator(".emq-way code").allTextContents(),
    /** The part of an anchor: 0 what it is, 1 what follows, 2 what mends it. */
    cell: (anchor, part) => root.locator(".emq-anchors > li").nth(anchor).locator(".emq-told").nth(part),
    anchor: (index) => root.locator(".emq-anchors button").nth(index),
    /** How many parts are shown. */
    shown: () => root.locator(".emq-told").evaluateAll((cells) => cells.filter((cell) => getComputedStyle(cell).visibility === "visible").length),
  };
}

export const IDS = ["keyspace", "hashtag", "legacy", "declared", "version"];

/** Each break: its words in the list, the assertion it opens, and all that the same key truly breaks. */
export const BREAKS = [
  { title: "a key outside emq:{q}:", opens: "keyspace", fails: ["keyspace"] },
  { title: "a second hash tag", opens: "hashtag", fails: ["keyspace", "hashtag"] },
  { title: "a read of a bull: key", opens: "legacy", fails: ["keyspace", "hashtag", "legacy"] },
  { title: "an undeclared key", opens: "declared", fails: ["declared"] },
  { title: "a wrong version", opens: "version", fails: ["version"] },
  { title: "an empty capture", opens: "keyspace", fails: [] },
];

/** The parts of the capture bench on a page. */
export function captures(page) {
  const all = parts(page, "capture");
  const { root, select } = all;
  return {
    ...all,
    /** Goes there as a reader does, and waits until the controls work. */
    comeNear: async () => {
      await page.locator("[data-figure=capture]").evaluate((place) => place.scrollIntoView());
      await root.locator("select:enabled").first().waitFor();
    },
    area: root.locator("textarea[name=capture]"),
    file: root.locator("input[type=file]"),
    progress: root.locator("progress"),
    command: root.locator(".emq-repeat code"),
    /** The five verdicts, in words. */
    words: () => root.locator(".emq-outcomes > li > p:nth-child(2) > b").allTextContents(),
    /** The items under an assertion, in words. */
    evidence: (id) => root.locator(".emq-outcomes > li").filter({ has: page.locator(`.emq-outcome code:text-is("${id}")`) }).locator(".emq-evidence li").allTextContents(),
    bySlot: root.locator(".emq-by-slot"),
    choose: (name, index) => select(name).selectOption(String(index)),
    /** Drops a file as a browser hands it over, or a text. */
    drop: (name, content) =>
      root.evaluate(
        (figure, [name, content]) => {
          const dataTransfer = new DataTransfer();
          if (name) dataTransfer.items.add(new File([content], name));
          else dataTransfer.setData("text/plain", content);
          figure.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        [name, content],
      ),
    /** Pastes a text of so many times the same; says whether the page took it from the text area. */
    paste: (text, times = 1) =>
      root.locator("textarea[name=capture]").evaluate(
        (area, [text, times]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text.repeat(times));
          return !area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        },
        [text, times],
      ),
  };
}

/** The parts of the practice set on a page. */
export function practice(page) {
  const all = parts(page, "practice");
  const { root } = all;
  const item = (index) => root.locator(`[data-item="${index}"]`);
  return {
    ...all,
    /** Goes there as a reader does, and waits until the controls work. */
    comeNear: async () => {
      await page.locator("[data-figure=practice]").evaluate((place) => place.scrollIntoView());
      await root.locator(".emq-button:enabled").first().waitFor();
    },
    /** A control by its whole name. */
    control: (name) => root.locator(".emq-buttons").getByRole("button", { name, exact: true }),
    item,
    title: (index) => item(index).locator("summary").first(),
    /** What it came to, once it is told. */
    answer: (index) => item(index).locator(".emq-answer:not(.emq-veiled)"),
    items: root.locator("[data-item]"),
    /** The places of those that are open. */
    open: () => root.locator("[data-item][open]").evaluateAll((items) => items.map((item) => Number(item.dataset.item))),
  };
}
