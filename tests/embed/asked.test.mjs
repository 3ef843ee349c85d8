// A figure that waits for its reader's word: what is offered, when that fails, and where the reader is then.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hears, useBrowser, withPage } from "./support/browser.mjs";

useBrowser();

const BUTTON = { name: "Show the figure" };
const LOG = '1.000001 [0 a:1] "GET" "k"\n';

/** What has the focus, as deep as that goes: its class, and that of its element. */
const focused = (page) =>
  page.evaluate(() => [document.activeElement.localName, document.activeElement.shadowRoot?.activeElement?.className ?? null]);

test("where it fails it is offered again, with why; the reader keeps their place, and goes on in the figure", () =>
  withPage(
    '<emq-conformance loading="click" src="later.log"><p>stays</p></emq-conformance>',
    async (page) => {
      const button = page.locator("emq-conformance").getByRole("button", BUTTON);
      assert.equal(await button.evaluate((button) => button.closest("[lang]").lang), "en");
      await button.focus();
      await page.keyboard.press("Enter");
      await hears(page, "emq-error");
      const note = page.locator("emq-conformance").getByRole("status");
      assert.match(await note.textContent(), /^This figure cannot be shown: later\.log: the server answered 404\. $/);
      assert.deepEqual([await button.isVisible(), await page.locator("p", { hasText: "stays" }).isVisible()], [true, true]);
      assert.deepEqual(await focused(page), ["emq-conformance", "emq-load"]);
      PAGES["/later.log"] = LOG;
      await page.keyboard.press("Enter");
      await hears(page, "emq-ready");
      assert.equal(await button.isVisible(), false);
      assert.match((await focused(page)).join(" "), /^emq-conformance emq-figure/);
    },
    { pages: PAGES, expected: /404/ },
  ));
const PAGES = {};

test("in every figure that was asked for the reader goes on, and who was elsewhere stays there", () =>
  withPage(
    `<input id="elsewhere">${["conformance", "fleet", "v1-flaw", "script", "capture"].map((kind) => `<emq-${kind} id="${kind}" loading="click"></emq-${kind}>`).join("")}`,
    async (page) => {
      for (const [at, kind] of ["conformance", "fleet", "v1-flaw", "script", "capture"].entries()) {
        const figure = page.locator(`#${kind}`);
        await figure.getByRole("button", BUTTON).focus();
        await page.keyboard.press("Enter");
        await hears(page, "emq-ready", at + 1);
        const inside = await figure.evaluate((element) => document.activeElement === element && element.shadowRoot.activeElement.closest(".emq-root") !== null);
        assert.equal(inside, true, kind);
      }
      await page.locator("#elsewhere").focus();
      await page.evaluate(() => (document.body.append(Object.assign(document.createElement("emq-fleet"), { id: "later", loading: "click" })), document.querySelector("#later").load()));
      await hears(page, "emq-ready", 6);
      assert.equal((await focused(page))[0], "input");
    },
  ));

test("what is said in its place goes where its author writes something there", () =>
  withPage(
    '<emq-conformance loading="eager" capture="nobody"></emq-conformance>',
    async (page) => {
      await hears(page, "emq-error");
      const note = page.locator("emq-conformance .emq-say");
      assert.equal(await note.isVisible(), true);
      await page.evaluate(() => document.querySelector("emq-conformance").append("its author's"));
      await note.waitFor({ state: "hidden" });
      // Also where it fails once more.
      await page.evaluate(() => (document.querySelector("emq-conformance").capture = "nobody else"));
      await hears(page, "emq-error", 2);
      assert.equal(await note.isVisible(), false);
    },
  ));

test("a picture says something too, and what cannot be seen says nothing", () => {
  const picture = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg>';
  const fallbacks = {
    seen: ['<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="as it was">', picture, `<figure>${picture}</figure>`, "<video></video>", "<canvas></canvas>", "text", "<p>text</p>"],
    unseen: ["", "<!-- said -->", "<style>p { color: red }</style>", "<template><img></template>", "<p> </p>", "<div></div>"],
  };
  const one = (kind) => fallbacks[kind].map((inside, at) => `<emq-fleet id="${kind}-${at}" loading="eager" src="x">${inside}</emq-fleet>`).join("");
  return withPage(one("seen") + one("unseen"), async (page) => {
    await hears(page, "emq-error", fallbacks.seen.length + fallbacks.unseen.length);
    const said = await page.locator("emq-fleet").evaluateAll((all) => all.map((element) => `${element.id.split("-")[0]} ${element.shadowRoot.querySelector(".emq-say").checkVisibility()}`));
    assert.deepEqual(said, [...fallbacks.seen.map(() => "seen false"), ...fallbacks.unseen.map(() => "unseen true")]);
  });
});

test("what it waits for can be another thing before it is wanted", () =>
  withPage(
    `<emq-conformance id="lazy"></emq-conformance><emq-conformance id="click" loading="click"></emq-conformance>`,
    async (page) => {
      const offered = (id) => page.locator(`#${id}`).getByRole("button", BUTTON);
      // In its turn after the page's own scripts: the first has begun to wait, and is not watched any more.
      await offered("lazy").waitFor();
      assert.equal(await page.evaluate(() => window.watched.has(document.querySelector("#lazy"))), false);
      await page.evaluate(() => (document.querySelector("#click").loading = "lazy"));
      await hears(page, "emq-ready");
      assert.equal(await offered("click").isVisible(), false);
      await page.evaluate(() => (document.querySelector("#lazy").loading = "eager"));
      await hears(page, "emq-ready", 2);
      assert.equal(await offered("lazy").isVisible(), false);
    },
    {
      // A reader who is not near anything until all is watched; and then another thing is waited for.
      init: () => {
        window.watched = new Set();
        const { IntersectionObserver } = window;
        window.IntersectionObserver = class extends IntersectionObserver {
          observe(element) {
            window.watched.add(element);
            if (element.id === "lazy") return queueMicrotask(() => (element.loading = "click"));
            super.observe(element);
          }
          unobserve(element) {
            window.watched.delete(element);
            super.unobserve(element);
          }
        };
      },
    },
  ));
