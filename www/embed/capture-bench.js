// Draws the capture bench: it is shown once its capture was judged, in a worker.
import { CAPTURES } from "./captures.js";
import { POLICIES, PROFILES, still } from "./walk.js";

// The examples, by the addresses that the bench has for them.
const FOLDER = "captures/";
const examples = CAPTURES.map((name) => name.slice(FOLDER.length));

// A longer text is not shown in the text area, as in figures/capture/state.
const SHORT = 1 << 15;

const text = (bytes) => (bytes.length > SHORT ? undefined : new TextDecoder().decode(bytes));

const taken = ["profile", "policy"];
const CHOICES = { profile: PROFILES, policy: POLICIES };

/**
 * A worker that is given the examples that it is asked about, and asked for whole reports, so that they are there for `report()`. It is
 * told which queue its author wants, so that this is among those that it names, however many there are. `lacks` hears why there is no
 * example, and of each question that nothing is lacked yet.
 */
function judging(worker, wanted, file, lacks) {
  const { postMessage } = worker;
  worker.postMessage = async (question) => {
    const [run, , , content] = question;
    question[8] = true;
    question[9] = wanted() ?? undefined;
    lacks(null);
    if (typeof content === "string") {
      try {
        const bytes = await file(content);
        question[3] = [new Blob([bytes]), text(bytes)];
      } catch (error) {
        lacks(error);
        return worker.onmessage?.({ data: [run, "refused", error.message] });
      }
    }
    postMessage(question);
  };
  return worker;
}

// What is judged stays, by another profile and policy.
function state(attribute, current) {
  const kept = current.split(",").filter((pair) => pair && !/^(profile|policy):/.test(pair));
  const asked = taken.filter((name) => attribute(name) !== null).map((name) => `${name}:${attribute(name)}`);
  return [...kept, ...asked].join(",");
}

export async function capture({ data, name, attribute }, { Failure, file, missing, program }) {
  const example = attribute("example") ?? examples[0];
  if (!examples.includes(example)) throw new Failure("option", `there is no example ${example}: there are ${examples.join(", ")}`);
  const [code, bytes] = await Promise.all([program(), data ? data() : file(FOLDER + example)]);
  const make = (place, host) => {
    const lacks = (error) => (lacked = error);
    const bench = new code.Capture(place, { ...host, open: (name) => judging(host.open(name), () => attribute("queue"), file, lacks) });
    // The queue that it is to be about, which is known once all was judged; and that there is none.
    let queue = null;
    let none;
    // Why the example that its reader asked for is not there.
    let lacked;
    const take = (state) => {
      queue = attribute("queue");
      bench.take(state);
    };
    if (data) {
      const written = name === "inline" || name === "data";
      const called = written ? `pasted.${bytes[0] === 0x7b ? "json" : "log"}` : name;
      bench.bring(called, bytes.length, written ? text(bytes) : undefined, new Blob([bytes]));
    }
    take(state(attribute, data ? "text:own" : `example:${example}`));
    return {
      take,
      verdict() {
        const said = bench.verdict();
        if (!said || queue === null) return said;
        none = bench.choose(queue);
        queue = null;
        return none && said;
      },
      failed: () => bench.failed(),
      none: () => none,
      lacked: () => lacked,
      // Not that of all queues, where it will be of one.
      report: () => (queue === null ? bench.report() : undefined),
      destroy: () => bench.destroy(),
    };
  };
  return {
    program: code,
    sheets: code.sheets.capture,
    make,
    state,
    choices: () => CHOICES,
    opens: () => true,

    /** Why it will not be ready, or whether it is. */
    waits(figure) {
      const judged = figure.verdict();
      const [failed, none] = [figure.failed(), figure.none()];
      // An example that could not be had is why only where the bench says so: what is too large, or no file, is no question.
      const lacked = figure.lacked();
      if (failed) throw missing(failed) ?? (lacked && failed.includes(lacked.message) ? lacked : new Failure("data", failed));
      if (none) throw new Failure("option", none);
      return !judged;
    },

    says: still,

    verdict(figure) {
      const [verdict, queue, ...said] = figure.verdict() ?? [];
      const assertions = [];
      for (let at = 0; at < said.length; at += 2) assertions.push({ id: said[at], verdict: said[at + 1] });
      return verdict ? { verdict, queue: queue || null, assertions } : null;
    },
  };
}
