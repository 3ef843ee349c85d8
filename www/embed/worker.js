// The workers that figures ask. A worker's script is kept as it came, and its wasm is compiled here, once for all of a name. It is made of a
// text, so that it may come from anywhere.
import { Failure, policed, policy } from "./failure.js";
import { compile, file, once } from "./load.js";

/** Why workers could not be had, by what figures hear of it. */
const failures = new Map();

/** A worker that behaves as one at once; what it is asked before it is there is not lost, since it says itself when it is ready. */
export function open(name) {
  let worker, address, over, stopped, end;
  // It has begun, or never will.
  const begun = () => {
    end?.();
    if (address) URL.revokeObjectURL(address);
  };
  const refuse = (failure) => {
    begun();
    failures.set(failure.message, failure);
    shell.onmessage?.({ data: failure.message });
  };
  const shell = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => ((over = true), begun(), worker?.terminate()),
  };
  Promise.all([file(`${name} script`), once(`${name} wasm`, () => compile(name))])
    .then(([script, module]) => {
      if (over) return;
      address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      // What stops another worker of the page, which has an address of its own, is none of this one's.
      end = policed(({ effectiveDirective, blockedURI }) => (stopped ||= effectiveDirective === "worker-src" && blockedURI.startsWith("blob")));
      worker = new Worker(address);
      worker.postMessage([0, "", module]);
      worker.onmessage = (event) => {
        begun();
        // What stops it later is nobody's policy.
        stopped = false;
        shell.onmessage?.(event);
      };
      worker.onerror = async (event) => {
        event.preventDefault();
        // That the page's policy stops it may be said in the turn after.
        await new Promise((passed) => setTimeout(passed));
        begun();
        if (stopped) refuse(policy("A worker", "worker-src, which needs blob:,"));
        else shell.onerror?.(event);
      };
    })
    // A page may want scripts from addresses that it trusts only: then there is an address, and no worker.
    .catch((error) => refuse(error instanceof Failure ? error : new Failure(address && !worker ? "csp" : "internal", `a worker cannot be made here: ${error.message}`)));
  return shell;
}

/** The failure that a figure speaks of where its worker cannot be had. */
export function missing(said) {
  const [, why] = /could not be loaded \((.*)\)/s.exec(said) ?? [];
  return why && (failures.get(why) ?? new Failure("network", why));
}
