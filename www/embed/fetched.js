// What is fetched: the package's files, and an author's own.
import { Failure, policy, watched } from "./failure.js";

/** The bytes of an answer; of one that is too long no more than shows that it is. */
async function whole({ body }, most, name) {
  const pieces = [];
  let size = 0;
  const reader = body?.getReader();
  const next = () =>
    reader.read().catch(() => {
      throw new Failure("network", `${name} broke off after ${size} bytes`);
    });
  for (let piece; reader && !(piece = await next()).done; ) {
    pieces.push(piece.value);
    size += piece.value.length;
    if (size <= most) continue;
    // The rest is not wanted, and may never end.
    reader.cancel().catch(() => {});
    throw new Failure("data", `${name} has more than the ${most} bytes that this figure takes`);
  }
  const bytes = new Uint8Array(size);
  pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
  return bytes;
}

/** The bytes of an address, which may be so many. */
export const fetched = (url, options, name = url.pathname.split("/").pop(), most = Infinity) =>
  watched(
    async () => {
      const response = await fetch(url, options).catch(async (error) => {
        if (!options?.integrity) throw error;
        // What is not there is no more what was built than what was changed. What a browser has kept may be of a build before.
        const again = await fetch(url, { cache: "reload" });
        if (!again.ok) return again;
        await whole(again, most, name);
        return fetch(url, { ...options, cache: "force-cache" }).catch(() => {
          throw new Failure("integrity", `${name} did not come as it was built`);
        });
      });
      if (!response.ok) throw new Failure("network", `${name}: the server answered ${response.status}`);
      return whole(response, most, name);
    },
    (error, stopped) => {
      if (error instanceof Failure) return error;
      // As events name it: whole, or no more than where it lies.
      const names = [url.href.split("#")[0], url.origin, url.protocol.slice(0, -1)];
      if (stopped.some(({ effectiveDirective, blockedURI }) => effectiveDirective === "connect-src" && names.includes(blockedURI))) return policy(name, "connect-src");
      if (url.protocol === "file:") return new Failure("network", `${name}: a browser reads no file beside a page that was opened as a file: write the data into the element, or serve the folder`);
      return new Failure("network", `${name} did not come: there is no connection, or its server does not allow this page to read it (CORS)`);
    },
  );
