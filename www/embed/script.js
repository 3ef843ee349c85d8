// The script bench, over an author's script or an example. What draws it comes with its program: `script-bench.js`.
import { later } from "./program.js";

export const script = {
  name: "script",
  drawn: ["example"],
  taken: ["policy"],
  inline: 'script[type^="text/x-lua"], script[type="text/lua"]',
  // As in core/lua/limits.
  most: 1 << 20,
  load: later("script", "further", "further.js", () => import("./further.js")),
};
