// The programs that draw figures.
import { Failure, stopped } from "./failure.js";
import { compile, file, once, other, script, spoil } from "./load.js";
import { missing } from "./worker.js";

/** A program: one instance for all figures of the page. `glue` is the script that belongs to it, its name and how it is had. */
export const program = async (name, ...glue) => {
  const start = async () => {
    const [code, module] = await Promise.all([script(...glue, (code) => code.default && code), compile(name)]);
    await code.default({ module_or_path: module }).catch((error) => {
      if (error instanceof RangeError) throw new Failure("wasm", `WebAssembly does not run here: ${error.message}`);
      if (code.trap || error instanceof WebAssembly.RuntimeError) throw stopped(error);
      spoil(glue[0]);
      throw other(glue[0], error.message);
    });
    return code;
  };
  const code = await once(`${name} program`, start);
  if (code.trap) throw stopped(code.trap);
  return code;
};

/** Loads a figure by a script that comes with its program and says itself what else it needs. */
export const later = (kind, name, ...glue) => async (asked) => {
  const draws = await script(...glue, ({ draws }) => draws?.[kind]);
  return draws(asked, { Failure, file, missing, program: () => program(name, ...glue) });
};
