// A figure in a place of its own, which is not seen yet: how it is made, and how all of it ends.
import { Failure, stopped } from "./failure.js";
import { open } from "./worker.js";

// A figure that is not drawn after so many turns never is: what draws it needs a few.
const TURNS = 1000;

export const turn = () => new Promise((passed) => setTimeout(passed));
/** After what was asked of a figure is drawn: yew draws in this turn or, where that takes long, in some that follow. */
export async function drawn() {
  for (let turns = 0; turns < 4; turns += 1) await turn();
}

/** What the attributes ask of a figure that stands. */
export const asked = (kind, attribute) => JSON.stringify(kind.taken.map(attribute));

/** Has a figure take what the attributes ask. */
export function ask(made, kind, attribute) {
  made.asked = asked(kind, attribute);
  made.figure.take(made.draws.state(attribute, made.state));
}

/** Waits until a figure is drawn and has what it waits for, as long as it is wanted. */
export async function settled(made, isWanted) {
  for (let turns = 0; isWanted() && (made.waits() || made.draws.waits?.(made.figure)); turns += 1) {
    if (turns > TURNS && made.waits()) throw new Failure("internal", "it was not drawn: load the page again");
    await turn();
  }
}

/** Those workers that nobody has ended: a program that has stopped ends none. */
function workers() {
  const all = new Set();
  const opened = (name) => {
    const worker = open(name);
    const { terminate } = worker;
    worker.terminate = () => all.delete(worker) && terminate();
    all.add(worker);
    return worker;
  };
  return [opened, () => all.forEach((worker) => worker.terminate())];
}

/** Makes a figure by what its kind has loaded, and tells what it shows. */
export function made(kind, draws, attribute, tell) {
  const place = document.createElement("div");
  place.dataset.figure = kind.name;
  // yew never takes away what it listens by, which would keep all of this for ever.
  const listening = [];
  place.addEventListener = (...listener) => {
    listening.push(listener);
    EventTarget.prototype.addEventListener.apply(place, listener);
  };
  let owes = draws.opens?.(attribute);
  const told = (state, understood) => {
    if (understood !== undefined) owes = false;
    queueMicrotask(() => tell(made, state, understood));
  };
  const [opened, ends] = workers();
  const { program } = draws;
  let over = false;
  const made = {
    place,
    draws,
    // What it shows, and what an attribute says that there is not, said once it stands.
    state: "",
    complaint: null,
    asked: asked(kind, attribute),
    waits() {
      if (program.trap) throw stopped(program.trap);
      return !place.firstChild || owes;
    },
    end() {
      if (over) return;
      over = true;
      ends();
      try {
        made.figure.destroy();
      } catch (error) {
        // A program that stops then says so to its other figures.
        console.warn(error);
      }
      for (const [kind, listener, options] of listening.splice(0)) {
        place.removeEventListener(kind, listener, options);
        program.release(listener);
      }
      delete place.addEventListener;
      place.remove();
    },
  };
  try {
    made.figure = draws.make(place, { told, open: opened });
  } catch (error) {
    ends();
    throw error;
  }
  return made;
}
