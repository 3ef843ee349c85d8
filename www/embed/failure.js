// Why a figure cannot be shown, and what a page's security policy has to do with it.

/** Why a figure cannot be shown: a word for programs, a sentence for people. */
export class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Notes what the page's security policy stops, which is said by an event alone, until that is ended. What is only reported is not stopped. */
export function policed(note) {
  const heard = (event) => event.disposition === "enforce" && note(event);
  document.addEventListener("securitypolicyviolation", heard);
  return () => document.removeEventListener("securitypolicyviolation", heard);
}

/** Loads something, and explains by what the policy stopped meanwhile why it did not come. */
export async function watched(load, explain) {
  const stopped = [];
  const end = policed((event) => stopped.push(event));
  try {
    return await load();
  } catch (error) {
    // The event may come in the turn after.
    await new Promise((passed) => setTimeout(passed));
    throw await explain(error, stopped);
  } finally {
    end();
  }
}

/** That the policy does not allow something. */
export const policy = (what, directive) => new Failure("csp", `${what} is stopped by this page’s Content-Security-Policy: its ${directive} does not allow it`);

/** What is said of a program that has stopped: what it holds is not to be trusted any more, and no page can start it again. */
export const stopped = (trap) => new Failure("internal", `its program has stopped (${trap.message ?? trap}): load the page again`);
