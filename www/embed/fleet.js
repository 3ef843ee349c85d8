// The fleet: who handed a job to whom, as it was recorded.
import { file } from "./load.js";
import { program } from "./program.js";
import { numbers, outcomes, stated, walked } from "./walk.js";

const taken = ["producer", "consumer", "step", "show"];
const state = stated(taken);

export const fleet = {
  name: "fleet",
  drawn: [],
  taken,

  async load({ attribute }) {
    const [code, run] = await Promise.all([program("fleet", "fleet-program.js", () => import("./fleet-program.js")), file("run")]);
    const make = (place, host) => {
      const figure = new code.Fleet(place, run, host);
      const opening = state(attribute);
      if (opening) figure.take(opening);
      return figure;
    };
    return {
      program: code,
      sheets: code.sheets.fleet,
      make,
      state,

      // Who there is stands in the run.
      choices(figure) {
        const names = figure.names();
        return { producer: names, consumer: names, step: numbers(0, 4), show: numbers(1, 4) };
      },

      /** Whether it is given a state as it opens. */
      opens: (attribute) => state(attribute) !== "",

      // Add, take, complete, take again.
      says: (state, report, figure) => walked(state, 4, outcomes(figure.shown())),

      verdict(figure) {
        const [verdict, word, producer, consumer] = figure.verdict() ?? [];
        return verdict ? { verdict, word, producer, consumer } : null;
      },
    };
  },
};
