// A file whose bytes are not those that were built is refused, the page says so, and what stood there stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { allAlive, useBrowser, withPage } from "./support/browser.mjs";
import { allCome, captures, figure, fleet, script } from "./support/figure.mjs";
import { marked, read } from "./support/server.mjs";

useBrowser();

const REFUSED = /integrity|Failed to (load|fetch)|preload/i;

/** The content with one byte changed, so that it still means the same: a letter of wasm's texts, the space at the end of all else. */
function changed(name) {
  const bytes = Buffer.from(read(name));
  if (/\.(bin|json|lua|log)$/.test(name)) {
    bytes[bytes.length - 1] ^= 1;
    return bytes;
  }
  const words = name.endsWith(".wasm") ? bytes.toString("latin1").match(/[a-z]{4,} [a-z]{4,}/).index : -1;
  const at = words < 0 ? bytes.length - 1 : words;
  assert.ok(words >= 0 || bytes[at] === 10, `${name} does not end in a line's end`);
  bytes[at] = words < 0 ? 32 : bytes[at] ^ 32;
  return bytes;
}

const altered = (name, use, options = {}) =>
  test(`${name} with one byte changed is refused`, () => {
    const known = marked(name);
    return withPage(use, { alive: false, expected: REFUSED, ...options, server: { instead: { [known]: changed(known) } } });
  });

const stands = async (page) => assert.deepEqual(await figure(page).words(), Array(5).fill("pass"));

for (const name of ["emq-page.js", "emq-page_bg.wasm"]) {
  altered(name, async (page) => {
    await figure(page).says(new RegExp(`^The controls could not start \\(\\./${marked(name).replace(".", "\\.")} did not come, or not as it was built\\)\\. What you see was judged when this page was built\\.$`));
    await stands(page);
    // The others have a program of their own.
    await fleet(page).comeNear();
  });
}

for (const name of ["emq-lesson.js", "emq-lesson_bg.wasm"]) {
  altered(name, async (page) => {
    for (const one of [fleet(page), script(page)]) await one.says(/^The controls could not start \(\.\/emq-lesson-\S+ did not come, or not as it was built\)/);
    assert.ok((await fleet(page).phases()).length > 0);
    await figure(page).button("Step").click();
    await figure(page).says(/^1 of 5/);
  });
}

for (const name of ["analyzer.js", "emq-analyzer_bg.wasm"]) {
  altered(name, async (page) => {
    await script(page).comeNear();
    await script(page).area.fill("return 1");
    await script(page).says(/^script\.lua: the analyzer could not be loaded \(.+ did not come, or not as it was built\): `emq-conform lint`/);
  });
}

altered("start.js", async (page) => {
  await page.waitForTimeout(500);
  assert.match(await figure(page).status.textContent(), /judged when this page was built; stepping needs JavaScript/);
  await stands(page);
});

altered("address.js", async (page) => {
  await allAlive(page);
  await figure(page).button("Step").click();
  await figure(page).says(/^1 of 5/);
  await page.locator("#note", { hasText: "does not keep" }).waitFor();
  assert.equal(await page.evaluate(() => location.hash), "");
});

altered(
  "theme.js",
  async (page) => {
    await allAlive(page);
    // The colours come all the same, only later.
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  },
  { at: "#v1;theme=dark" },
);

altered("page.css", async (page) => {
  await allAlive(page);
  await page.locator("#note", { hasText: "styles" }).waitFor();
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".emq-figure")).borderTopStyle), "none");
  await stands(page);
});

/** The files that the page's figures are drawn from, by figure: what they need at once, and what comes later. */
function drawnFrom() {
  const places = read("index.html").toString().matchAll(/data-figure="([^"]+)"[^>]*? data-files="([^"]+)"(?: data-later="([^"]+)")?/g);
  return [...places].map(([, name, files, later]) => ({ name, files: files.split(" "), later: later?.split(" ") ?? [] }));
}

for (const { name, files } of drawnFrom()) {
  for (const file of files.filter((file) => !file.includes("latest"))) {
    test(`${file} with one byte changed is refused by ${name}, and what stood there stands`, () =>
      withPage(
        async (page) => {
          const place = page.locator(`[data-figure=${name}]`);
          const before = await place.innerHTML();
          await place.evaluate((place) => place.scrollIntoView());
          const said = new RegExp(`^The controls could not start \\(.*${file.replaceAll(".", "\\.")}.*: it did not come as it was built\\)\\. What you see was judged when this page was built\\.$`);
          await place.locator("[role=status]", { hasText: said }).waitFor({ timeout: 20_000 });
          const bare = (html) => html.replace(/<p [^>]*role="status".*?<\/p>/, "").replaceAll(/ tabindex="0"/g, "");
          assert.equal(bare(await place.innerHTML()), bare(before));
        },
        { alive: false, expected: REFUSED, server: { instead: { [file]: changed(file) } } },
      ));
  }
}

test("a recording with one byte changed is refused, and another is shown", () => {
  const [file] = drawnFrom()[0].later;
  return withPage(
    async (page) => {
      const { select, root, says } = figure(page);
      await allCome(page);
      await select("capture").selectOption({ label: "BullMQ 5.65.1, prefix bull" });
      assert.match(await root.locator(".emq-trouble").textContent(), new RegExp(`${file}: it did not come as it was built`));
      await select("capture").selectOption({ label: "EchoMQ 2.4.2, strict" });
      await says(/declared · fail: 9 of 13/);
    },
    { expected: REFUSED, server: { instead: { [file]: changed(file) } } },
  );
});

test("an example of the capture bench with one byte changed is refused", () => {
  const file = "captures/echomq-2.4.2-roundtrip.monitor.log";
  return withPage(
    async (page) => {
      const { comeNear, choose, says } = captures(page);
      await comeNear();
      await choose("example", 1);
      await says(new RegExp(`cannot read ${file.replaceAll(".", "\\.")}: it did not come as it was built`));
    },
    { expected: REFUSED, server: { instead: { [file]: changed(file) } } },
  );
});

test("every file that a figure is drawn from has a name that changes with its content", () => {
  const files = drawnFrom().flatMap(({ files, later }) => [...files, ...later]);
  assert.ok(files.length >= 12, files.join(" "));
  for (const file of files.filter((file) => !file.includes("latest"))) assert.match(marked(file), /-[0-9a-f]{16}\.\w+$/, file);
});

test("everything that the page's head loads has an integrity, and so has every program", () => {
  const head = read("index.html").toString().split("</head>")[0];
  const loading = head.match(/<(?:script|link rel="(?:stylesheet|modulepreload)"|meta name="emq-)[^>]*>/g);
  assert.ok(loading.length >= 8, loading.join("\n"));
  for (const element of loading) assert.match(element, / (?:data-)?integrity="sha256-[\w+/]{43}="/, element);
  for (const name of ["emq-page.js", "emq-lesson.js"]) assert.match(read(marked(name)).toString(), /sha256-[\w+/]{43}=/, name);
});

test("a program that did not come is tried again when a reader comes back to it", () =>
  withPage(
    async (page, { release }) => {
      await fleet(page).says(/^The controls could not start/);
      await page.unroute("**/emq-lesson*.js*");
      await page.locator("[data-figure=fleet] .emq-figure").focus();
      await fleet(page).root.locator(".emq-button:enabled").first().waitFor();
      await fleet(page).says(/^4 of 4/);
      release?.();
    },
    { abort: "**/emq-lesson*.js*", expected: /Failed to load resource/ },
  ));
