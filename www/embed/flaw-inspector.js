// Draws the inspector of the v1 flaw. Another call than the one that it opens with is analysed first, in a worker.
import { numbers, outcomes, stated, walked } from "./walk.js";

const CHOICES = {
  call: ["take-2.lua", "take-4.lua", "passed-4.lua", "claim-4.lua"],
  keys: ["no-tag", "one-tag", "half-tag"],
  faster: ["other"],
  step: numbers(0, 12),
  show: numbers(1, 4),
};

const state = stated(Object.keys(CHOICES));

export async function flaw(asked, { Failure, file, missing, program }) {
  const [code, recorded, judged] = await Promise.all([program(), file("flaw"), file("flaw judged")]);
  // Of the first call, which no worker was asked about.
  const first = JSON.stringify(JSON.parse(new TextDecoder().decode(judged))[0]);
  const make = (place, host) => {
    const figure = new code.Flaw(place, recorded, judged, host);
    const opening = state(asked.attribute);
    if (opening) figure.take(opening);
    const report = figure.report.bind(figure);
    return Object.assign(figure, { report: () => report(first) });
  };
  return {
    program: code,
    sheets: code.sheets["v1-flaw"],
    make,
    state,
    choices: () => CHOICES,

    /** Whether it is given a state as it opens. */
    opens: (attribute) => state(attribute) !== "",

    /** Why it will not be ready, or whether it is. */
    waits(figure) {
      const failed = figure.failed();
      if (failed) throw missing(failed) ?? new Failure("internal", failed.split(": ")[0]);
      return !figure.verdict();
    },

    // Four anchors, of each what it is, what follows, and what mends it.
    says: (state, report, figure) => walked(state, 12, outcomes(figure.shown())),

    verdict(figure) {
      const [verdict, word] = figure.verdict() ?? [];
      return verdict ? { verdict, word } : null;
    },
  };
}
