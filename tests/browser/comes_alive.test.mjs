// What holds for every figure as it comes alive. On a busy machine something above is high for a moment: why is not known yet.

import { test } from "node:test";

import { allAlive, isStill, settled, useBrowser, withPage } from "./support/browser.mjs";
import { read } from "./support/server.mjs";

useBrowser();

const NAMES = [...read("index.html").toString().matchAll(/data-figure="([^"]+)"/g)].map(([, name]) => name);

const place = (page, name) => page.locator(`[data-figure=${name}]`);

for (const [width, height] of [[1200, 1000], [320, 700], [3840, 2160]]) {
  for (const name of NAMES) {
    test(`${name} comes alive where it stood, and nothing below it moves, ${width} pixels wide`, () =>
      withPage(
        async (page, { release }) => {
          // The end of the figure, and what comes after it, is on the screen.
          await place(page, name).evaluate((place) => place.nextElementSibling.scrollIntoView({ block: "center" }));
          await settled(page);
          release();
          await allAlive(page);
          await isStill(page);
        },
        { hold: "**/emq-*.wasm", alive: false, context: { viewport: { width, height } } },
      ));
  }
}
