// Figures whose verdicts come from workers, which come and go with them.

import { test } from "node:test";

import { useBrowser } from "./support/browser.mjs";
import { CYCLES, NO_COMPILERS, leavesNothing } from "./support/cycles.mjs";

useBrowser(NO_COMPILERS);

for (const kind of ["v1-flaw", "script", "capture"]) test(`${CYCLES} of ${kind} that came and went leave nothing behind`, () => leavesNothing(kind, CYCLES));
