// The names of a built page's files: each ends in a mark that changes with its content, so that a browser may keep it.

/** A file's name with its own mark, in place of the one that trunk gave it, if it gave one. */
export function marked(name, mark) {
  // trunk writes a number of 64 bits without its leading zeros.
  return name.replace(/(?:-[0-9a-f]{8,16})?(_bg)?(\.\w+)$/, `-${mark}$1$2`);
}
