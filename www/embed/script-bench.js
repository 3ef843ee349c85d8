// Draws the script bench: it is shown once its script was analysed, in a worker.
import { POLICIES, still } from "./walk.js";

const CHOICES = { policy: POLICIES };

const policy = (attribute) => `policy:${attribute("policy") ?? "strict"}`;

export async function script({ data, attribute }, { Failure, file, missing, program }) {
  const example = attribute("example");
  const known = async () => {
    const texts = JSON.parse(new TextDecoder().decode(await file("examples")));
    const names = texts.map(([name]) => name);
    if (example !== null && !names.includes(example)) throw new Failure("option", `there is no example ${example}: there are ${names.join(", ")}`);
    return [texts, names];
  };
  const [code, [texts, names], own] = await Promise.all([program(), known(), data?.()]);
  const make = (place, host) => {
    const figure = new code.Script(place, texts.map(([, text]) => text), host);
    // What stands there as it opens is not analysed: another one first, which gives way to it at once.
    const other = names.find((known) => known !== example && known !== names[0]);
    const states = own ? ["text:own"] : [`example:${other}`, `example:${example ?? names[0]}`];
    for (const state of states) figure.take(`${state},${policy(attribute)}`, own && new TextDecoder().decode(own));
    return figure;
  };
  return {
    program: code,
    sheets: code.sheets.script,
    make,
    choices: () => CHOICES,

    // The script that stands there stays, under another policy.
    state(attribute, current) {
      const kept = current.split(",").filter((pair) => pair && !pair.startsWith("policy:"));
      return [...kept, policy(attribute)].join(",");
    },

    /** Why it will not be ready, or whether it is. */
    waits(figure) {
      const failed = figure.failed();
      // What the bench says to its reader goes on with what else can be done.
      if (failed) throw missing(failed) ?? new Failure("data", failed.split(": ")[0]);
      return !figure.verdict();
    },

    says: still,

    verdict(figure) {
      const [verdict, word] = figure.verdict() ?? [];
      return verdict ? { verdict, word } : null;
    },
  };
}
