// Makes the page's styles those of a figure in a page of somebody else's.

// What an author may set: the custom properties of these rules.
const PUBLIC = /(?:^|\n)(?:\[data-figure\]|\.emq-bench) \{[^}]*\}/g;

export function sheet(css) {
  css = css.replace(/\/\*.*?\*\//gs, '');
  // What only the course's pages have.
  css = css.replace(/\n\.rules[^{]*\{[^}]*\}/g, '');
  // The page's own colours and fonts are another page's, if it has such names.
  css = css.replace('var(--text, CanvasText)', 'var(--_page-ink, CanvasText)').replace(/var\(--mono, ([^)]*)\)/, '$1');
  // Inside, a name of its own, so that what stands around is the author's: `--emq-pass` sets `--_pass`.
  css = css.replace(PUBLIC, (rule) => rule.replace(/--emq-([\w-]+): ([^;]*);/g, '--_$1: var(--emq-$1, $2);'));
  const kept = [];
  css = css.replace(/(?<=--_[\w-]+): var\(--emq-[\w-]+,|var\(--emq-(?:size|font|top)\b/g, (text) => `\u0000${kept.push(text) - 1}\u0000`);
  css = css.replaceAll('--emq-', '--_').replace(/\u0000(\d+)\u0000/g, (_, at) => kept[at]);
  // A query asks about the figure's own width, in its own text's size; elsewhere that is what the text around says.
  css = css.replace(/@(?:container|media)[^{]*\{/g, (query) => query.replace(/([\d.]+)rem/g, '$1em'));
  return css.replace(/(?<![\w.-])((?:\d*\.)?\d+)rem\b/g, 'calc($1 * var(--_unit))');
}
