// What a figure is told by its attributes, and what it tells of its walk, in the text form of docs/address.md.

export const PROFILES = ["emq.1", "echomq-2.x"];
export const POLICIES = ["strict", "rooted", "slot-rooted"];

/** The numbers from one to another. */
export const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

/** What is said of those attributes whose values are not among the choices: nothing where there are none. */
export function unknown(names, attribute, choices) {
  const wrong = names.filter((name) => choices[name] && attribute(name) !== null && !choices[name].includes(attribute(name)));
  // A line of a capture may be there or not.
  const sure = wrong.filter((name) => name !== "show" || !/^\w+-\d+$/.test(attribute(name)));
  return sure.map((name) => `there is no ${name} ${attribute(name) || "without a name"}: there are ${choices[name].join(", ")}`).join("; ");
}

/** The text form of those attributes that are there. */
export const stated = (names) => (attribute) => names.filter((name) => attribute(name) !== null).map((name) => `${name}:${attribute(name)}`).join(",");

/** How far a walk has come, of all that there is to show. */
export function walked(state, of, all) {
  const [, step] = /(?:^|,)step:(\d+)/.exec(state) ?? [];
  const walking = step !== undefined;
  const shown = walking ? all.slice(0, Number(step)) : all;
  return { step: shown.length, of, walking, current: walking ? (shown.at(-1) ?? null) : null, shown };
}

/** What is shown of a figure without steps. */
export const still = () => walked("", 0, []);

/** What a program says of its steps: of each its name, its verdict or nothing, and a sentence. */
export function outcomes(said) {
  const outcomes = [];
  for (let at = 0; at < said.length; at += 3) outcomes.push({ id: said[at], verdict: said[at + 1] || null, summary: said[at + 2] });
  return outcomes;
}
