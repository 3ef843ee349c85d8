// The capture bench, over an author's capture or log, or an example. What draws it comes with its program: `capture-bench.js`.
import { later } from "./program.js";

export const capture = {
  name: "capture",
  drawn: ["example", "queue"],
  taken: ["profile", "policy"],
  inline: 'script[type="application/json"]',
  load: later("capture", "capture", "capture-program.js", () => import("./capture-program.js")),
};
