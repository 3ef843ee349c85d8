// The inspector of the v1 flaw. Another call than the one that it opens with is analysed first, in a worker.
import { Failure, file, missing, program } from "./load.js";
import { numbers, outcomes, stated, walked } from "./walk.js";

const taken = ["call", "keys", "faster", "step", "show"];
const CHOICES = {
  call: ["take-2.lua", "take-4.lua", "passed-4.lua", "claim-4.lua"],
  keys: ["no-tag", "one-tag", "half-tag"],
  faster: ["other"],
  step: numbers(0, 12),
  show: numbers(1, 4),
};

export const flaw = {
  name: "v1-flaw",
  drawn: [],
  taken,

  choices: () => CHOICES,

  async load({ attribute }) {
    const [code, recorded, judged] = await Promise.all([program("further", () => import("./further.js")), file("flaw"), file("flaw judged")]);
    // Of the first call, which no worker was asked about.
    const first = JSON.stringify(JSON.parse(new TextDecoder().decode(judged))[0]);
    const make = (place, host) => {
      const figure = new code.Flaw(place, recorded, judged, host);
      const state = flaw.state(attribute);
      if (state) figure.take(state);
      const report = figure.report.bind(figure);
      return Object.assign(figure, { report: () => report(first) });
    };
    return Object.assign(make, { program: code, sheets: code.sheets["v1-flaw"] });
  },

  state: stated(taken),

  /** Whether it is given a state as it opens. */
  opens: (attribute) => flaw.state(attribute) !== "",

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
