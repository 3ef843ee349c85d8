// The inspector of the v1 flaw. What draws it comes with its program: `flaw-inspector.js`.
import { later } from "./program.js";

export const flaw = {
  name: "v1-flaw",
  drawn: [],
  taken: ["call", "keys", "faster", "step", "show"],
  load: later("v1-flaw", "further", "further.js", () => import("./further.js")),
};
