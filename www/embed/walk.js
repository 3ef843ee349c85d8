// What a figure is told by its attributes, and what it tells of its walk, in the text form of docs/address.md.

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
