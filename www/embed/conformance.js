// The conformance figure: which captures it is drawn over, and what it says of itself.
import * as first from "./emq-embed.js";
import { Failure, stopped } from "./failure.js";
import { file } from "./load.js";
import { program } from "./program.js";
import { POLICIES, PROFILES, numbers, stated, unknown, walked } from "./walk.js";

/** What is shipped, and the file of each. */
const SHIPPED = { payments: "payments", "bullmq-bull": "bullmq-bull", "bullmq-emq": "bullmq-emq", "echomq-strict": "echomq", "echomq-slot-rooted": "echomq" };

const taken = ["break", "step", "show"];
const state = stated(taken);

const RULES = ["outside", "second-tag", "legacy-read", "undeclared", "wrong-version", "empty"];
const ASSERTIONS = ["keyspace", "hashtag", "legacy", "declared", "version"];
const CHOICES = { profile: PROFILES, policy: POLICIES, break: RULES, step: numbers(0, 5), show: [...ASSERTIONS, "event-1 and so on"] };

export const conformance = {
  name: "conformance",
  // What is another figure when it changes, and what the same one takes.
  drawn: ["capture", "queue", "profile", "policy"],
  taken,
  inline: 'script[type="application/json"]',

  async load({ data, name, attribute }) {
    const wrong = unknown(["profile", "policy"], attribute, CHOICES);
    if (wrong) throw new Failure("option", wrong);
    const names = data ? [name] : (attribute("capture") ?? "payments").split(/\s+/).filter(Boolean);
    const strange = data ? undefined : names.find((one) => !Object.hasOwn(SHIPPED, one));
    if (strange || !names.length) throw new Failure("option", `there is no capture ${strange ?? "without a name"}: there are ${Object.keys(SHIPPED).join(", ")}`);
    const own = async () => {
      const [read, bytes] = await Promise.all([program("read", "read.js", () => import("./read.js")), data()]);
      const asked = JSON.stringify({ profile: attribute("profile") ?? undefined, queue: attribute("queue") ?? undefined });
      let packed;
      let failed;
      try {
        packed = read.pack(bytes, asked);
      } catch (error) {
        failed = new Failure("data", typeof error === "string" ? `${name}: ${error}` : error.message);
      }
      // Now, or over another's data meanwhile: then it gives back anything.
      if (read.trap) throw stopped(read.trap);
      if (failed) throw failed;
      return [packed];
    };
    const [code, packed] = await Promise.all([program("wasm", "the module", async () => first), data ? own() : Promise.all(names.map((one) => file(SHIPPED[one])))]);
    const make = (place, host) => {
      const figure = new code.Conformance(place, names, packed, attribute("policy") ?? undefined, host);
      const opening = state(attribute);
      if (opening) figure.take(opening);
      return figure;
    };
    return {
      program: code,
      make,
      state,
      choices: () => CHOICES,

      /** Whether it is given a state as it opens. */
      opens: (attribute) => state(attribute) !== "",

      says(state, report) {
        const all = report()?.assertions.map(({ id, verdict, summary }) => ({ id, verdict, summary })) ?? [];
        return walked(state, all.length, all);
      },

      verdict(figure, report) {
        const said = report();
        return said && { verdict: said.verdict, assertions: said.assertions.map(({ id, verdict }) => ({ id, verdict })) };
      },
    };
  },
};
