// What holds for every figure of the page, whichever there are.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allAlive, clock, settled, useBrowser, withPage } from "./support/browser.mjs";
import { read } from "./support/server.mjs";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const KEYS = ["End", "ArrowLeft", "ArrowRight", "Enter", "Escape", "r", "ArrowRight", "ArrowRight", "Home", "a", "s"];

const NAMES = [...read("index.html").toString().matchAll(/data-figure="([^"]+)"/g)].map(([, name]) => name);

const place = (page, name) => page.locator(`[data-figure=${name}]`);

/** Waits until nothing in a figure is on its way any more: what it says stays the same for a while. */
async function quiet(page, name) {
  for (let last = null, since = Date.now(), end = since + 20_000; Date.now() < end; await page.waitForTimeout(40)) {
    const now = await place(page, name).innerHTML();
    if (now !== last) [last, since] = [now, Date.now()];
    else if (Date.now() - since > 400) return;
  }
}

/** Waits until no worker is at what a figure was asked: one that is stopped asks the server again for what had not come yet. */
async function answered(page, name) {
  const status = place(page, name).locator("[role=status]");
  for (const end = Date.now() + 20_000; Date.now() < end && /(analysing|judging)…/.test(await status.textContent()); ) await page.waitForTimeout(20);
}

/** Does in a figure what a reader can do: every choice of every list, every button, every key, and text where text goes. */
async function work(page, name) {
  const root = place(page, name).locator(".emq-figure");
  await root.scrollIntoViewIfNeeded();
  for (const list of await root.locator("select:enabled").all()) {
    const count = () => list.locator("option").count();
    for (const index of [...Array(await count()).keys(), 0]) {
      // A choice may be gone with the one before.
      if (index < (await count())) await list.selectOption({ index });
      await answered(page, name);
    }
  }
  if ((await root.getAttribute("tabindex")) === "0") {
    for (const key of KEYS) {
      await root.focus();
      await page.keyboard.press(key);
      await settled(page);
    }
  }
  for (const button of await root.locator(".emq-buttons button:enabled:not([aria-disabled])").all()) {
    // Its place in the list may be another's by now.
    if (await button.isVisible().catch(() => false)) await button.click({ timeout: 2_000 }).catch(() => {});
    await answered(page, name);
  }
  for (const area of await root.locator("textarea:enabled:not([readonly])").all()) {
    await area.fill("return redis.call('GET', KEYS[1])");
    await answered(page, name);
  }
  await quiet(page, name);
}

test("once everything is there nothing is asked of any server, whatever a reader does in any figure, and offline all of it works", () =>
  withPage(async (page, { requests }) => {
    const names = await allAlive(page);
    assert.ok(names.length >= 3, names.join(" "));
    await page.waitForFunction(() => history.state !== null);
    // What a figure has for a worker is loaded once, when a reader first touches it.
    for (const name of names) await work(page, name);
    const workers = page.workers().map((worker) => worker.url());
    const loaded = requests.length;
    await page.context().setOffline(true);
    for (const name of names) await work(page, name);
    await page.evaluate(() => document.querySelector("[name=theme][value=dark]").click());
    await page.goBack();
    await settled(page);
    assert.deepEqual(requests.slice(loaded), [], "requests after everything was loaded");
    assert.deepEqual(page.workers().map((worker) => worker.url()), workers, "workers began again");
    for (const name of names) {
      assert.ok((await place(page, name).locator("[role=status]").textContent()).length > 0, name);
    }
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  }));

test("no step takes longer than 50 milliseconds at a stretch", () =>
  withPage(async (page) => {
    const names = await allAlive(page);
    await page.evaluate(() => {
      window.long = [];
      window.tasks = new PerformanceObserver((list) => window.long.push(...list.getEntries()));
      window.tasks.observe({ type: "longtask" });
    });
    // On a busy machine a task takes longer than it works. Where all that a step works is little, no task of it is long.
    const work = await clock(page);
    let worked = await work();
    const longest = async () => {
      await settled(page);
      const wall = await page.evaluate(() => {
        const all = [...window.long, ...window.tasks.takeRecords()].map(({ duration }) => duration);
        window.long = [];
        return Math.max(0, ...all);
      });
      const before = worked;
      worked = await work();
      return Math.min(wall, worked - before);
    };
    for (const name of names) {
      const root = place(page, name).locator(".emq-figure");
      if ((await root.getAttribute("tabindex")) !== "0") continue;
      await root.focus();
      for (const key of ["r", ...Array(6).fill("ArrowRight"), ...Array(6).fill("ArrowLeft"), "a"]) {
        const took = [];
        // What happens once, as a collection of garbage, is not the step.
        while (took.length < 4 && Math.min(...took) > 50) {
          await longest();
          await page.keyboard.press(key);
          took.push(await longest());
        }
        assert.ok(Math.min(...took) <= 50, `${name}: ${key} took ${took.map(Math.round).join(", ")} ms`);
      }
    }
  }));

for (const [width, height] of [[1200, 1000], [320, 700], [3840, 2160]]) {
  test(`what each figure says comes alive as it was written, ${width} pixels wide`, () =>
    withPage(
      async (page, { address }) => {
        const names = await allAlive(page);
        const still = await page.context().browser().newContext({ javaScriptEnabled: false, viewport: { width, height } });
        try {
          const other = await still.newPage();
          await other.goto(address);
          for (const name of names) {
            const measures = (from) => place(from, name).evaluate((place) => {
              const status = place.querySelector("[role=status]");
              const said = status.textContent.replace(/ · judged when this page was built.*/, "");
              const { height } = place.getBoundingClientRect();
              // What else a list offers comes with its life.
              place.querySelectorAll("option:not(:checked)").forEach((option) => option.remove());
              return { height, said, rest: [...place.firstElementChild.children].filter((part) => part !== status).map((part) => part.innerText).join("\n") };
            });
            const [{ height: here, ...alive }, { height: there, ...stood }] = [await measures(page), await measures(other)];
            assert.deepEqual(alive, stood, name);
            // Less than a pixel is how table rows are rounded.
            assert.ok(Math.abs(here - there) < 0.5, `${name} is ${here} pixels high, and was ${there}`);
          }
        } finally {
          await still.close();
        }
      },
      { context: { viewport: { width, height } } },
    ));
}

for (const width of [320, 360, 414, 600, 768, 1024, 1440, 1920, 2560, 3840]) {
  test(`nothing leaves its figure or the page, ${width} pixels wide`, () =>
    withPage(
      async (page) => {
        for (const name of await allAlive(page)) {
          const check = async (when) => {
            const found = await place(page, name).evaluate((place) => {
              const found = [];
              const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
              if (wide > 0) found.push(`the page is ${wide} pixels too wide`);
              const figure = place.querySelector(".emq-figure");
              const edge = figure.getBoundingClientRect();
              if (edge.width > 1081) found.push(`it is ${edge.width} pixels wide`);
              for (const part of figure.querySelectorAll("*")) {
                // What scrolls by itself, or is there only for reading aloud, may be longer.
                if (part.closest(".emq-hidden, .emq-wide, pre, textarea, option, svg") || part.parentElement.closest(".emq-scroll")) continue;
                const { left, right, width } = part.getBoundingClientRect();
                if (width > 1 && (left < edge.left - 0.5 || right > edge.right + 0.5)) found.push(`${part.tagName} ${part.className} ${part.textContent.slice(0, 40)} leaves it`);
              }
              return found;
            });
            assert.deepEqual(found, [], `${name}, ${when}`);
          };
          await check("as it opens");
          for (const list of await place(page, name).locator("select:enabled").all()) {
            await list.selectOption({ index: (await list.locator("option").count()) - 1 });
            await settled(page);
            await check(`with the last choice of ${await list.getAttribute("name")}`);
          }
        }
      },
      { context: { viewport: { width, height: 900 } } },
    ));
}

for (const javaScriptEnabled of [true, false]) {
  test(`on paper every figure is whole, ${javaScriptEnabled ? "alive" : "without JavaScript"}`, () =>
    withPage(
      async (page) => {
        const names = javaScriptEnabled ? await allAlive(page) : await page.locator("[data-figure]").evaluateAll((places) => places.map((place) => place.dataset.figure));
        await page.emulateMedia({ media: "print" });
        for (const name of names) {
          const { cut, ink } = await place(page, name).evaluate((place) => {
            const cut = [];
            for (const part of place.querySelectorAll("*")) {
              const style = getComputedStyle(part);
              if (style.position === "sticky" || style.position === "fixed") cut.push(`${part.className} sticks`);
              // What is kept for reading aloud is not for paper.
              if (part.closest(".emq-hidden, svg, select, textarea")) continue;
              if (!/visible|clip/.test(style.overflowY) && part.scrollHeight > part.clientHeight + 1) cut.push(`${part.className} scrolls`);
              if (/hidden|clip/.test(style.overflowY) && part.scrollHeight > part.clientHeight + 1) cut.push(`${part.className} hides something`);
            }
            // What a style opens on paper is not open for the page.
            for (const fold of place.querySelectorAll("details")) if (!fold.lastElementChild.checkVisibility()) cut.push(`${fold.className} is closed`);
            // A text area does not grow: what is in it stands elsewhere.
            const { bottom } = place.getBoundingClientRect();
            const last = [...place.querySelectorAll("li, p, td")].filter((part) => part.getBoundingClientRect().bottom > bottom + 1);
            cut.push(...last.map((part) => `${part.textContent.slice(0, 40)} hangs out`));
            return { cut, ink: getComputedStyle(place).color };
          });
          assert.deepEqual(cut, [], name);
          assert.equal(ink, "rgb(29, 36, 51)", name);
        }
      },
      { alive: javaScriptEnabled, context: { javaScriptEnabled, colorScheme: "dark", viewport: { width: 718, height: 1000 } } },
    ));
}

for (const context of [{ reducedMotion: "reduce" }, { forcedColors: "active" }, { colorScheme: "dark" }]) {
  test(`axe-core finds nothing in any figure, and nothing moves where none is asked for: ${Object.entries(context)}`, () =>
    withPage(
      async (page) => {
        const names = await allAlive(page);
        await page.evaluate(axe);
        for (const name of names) {
          const { violations } = await page.evaluate((at) => window.axe.run(at, { resultTypes: ["violations"] }), `[data-figure=${name}]`);
          assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], name);
          if (!context.reducedMotion) continue;
          const moving = await place(page, name).evaluate((place) => [...place.querySelectorAll("*")].filter((part) => {
            const { transitionDuration, animationName } = getComputedStyle(part);
            return transitionDuration.split(", ").some((time) => parseFloat(time) > 0) || animationName !== "none";
          }).map((part) => part.className));
          assert.deepEqual(moving, [], name);
        }
      },
      { context },
    ));
}

test("every figure has one polite region, a name, and controls that Tab reaches with a ring to be seen", () =>
  withPage(async (page) => {
    for (const name of await allAlive(page)) {
      const root = place(page, name).locator(".emq-figure");
      assert.equal(await root.locator("[aria-live], [role=status], [role=alert]").count(), 1, name);
      assert.equal(await root.locator("[role=status]").getAttribute("aria-live"), "polite", name);
      assert.ok(await root.evaluate((root) => document.getElementById(root.getAttribute("aria-labelledby"))?.textContent || root.ariaLabel), `${name} has no name`);
      const wanted = await root.evaluate((root) => {
        const all = [...root.querySelectorAll("a[href], button:enabled, select:enabled, textarea:enabled, [tabindex='0']")];
        const tabbed = all.filter((part) => part.tabIndex >= 0 && part.checkVisibility());
        tabbed.forEach((part, at) => (part.dataset.tabbed = at));
        return tabbed.length;
      });
      await root.evaluate((root) => {
        const first = root.tabIndex >= 0 ? root : root.querySelector("[data-tabbed='0']");
        first.focus();
      });
      const reached = new Set();
      for (let press = 0; press <= wanted + 2; press++) {
        const { at, ring } = await page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
          return { at: document.activeElement.dataset.tabbed, ring: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
        });
        if (at !== undefined && !reached.has(at)) {
          reached.add(at);
          if (press > 0) assert.ok(ring, `${name}: ${at} has no ring`);
        }
        await page.keyboard.press("Tab");
      }
      assert.equal(reached.size, wanted, `${name}: Tab does not reach all`);
    }
  }));
