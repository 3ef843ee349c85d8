// What a browser checks a file of the page against, so that one whose bytes are not those that were built is refused.
import { createHash } from 'node:crypto';

/** The integrity of a file's bytes, as HTML and `fetch` take it. */
export const integrity = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/**
 * Writes the integrity of every script, style and preloaded module that a page's head names into its element. Chrome takes none for
 * wasm that is preloaded (crbug.com/981419): whoever fetches it gives it.
 */
export function sealed(html, read) {
  const element = /<(?:script(?= )|link rel="(?:stylesheet|modulepreload)"|meta name="emq-[^"]*")[^>]*?(?=\/?>)/g;
  return html.replace(element, (tag) => {
    const [, attribute, name] = /\s(src|href|data-js)="\.\/([^"]+)"/.exec(tag);
    return `${tag} ${attribute === 'data-js' ? 'data-' : ''}integrity="${integrity(read(name))}"`;
  });
}
