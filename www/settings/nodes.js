// @ts-check
// Nodes as a link names them: numbers and ranges of numbers, with dots between them.

export const NODES = /^\d{1,9}(-\d{1,9})?(\.\d{1,9}(-\d{1,9})?)*$/;
const LONGEST = 4000; // characters, a quarter of a link

/** Nodes in words of a link; '' of none, and of so many scattered ones that a link cannot hold them.
 * @param {Iterable<number>} nodes
 */
export function nodesToText(nodes) {
  /** @type {number[][]} */
  const spans = [];
  for (const i of [...nodes].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && i === last[1] + 1) last[1] = i;
    else spans.push([i, i]);
  }
  const text = spans.map(([from, to]) => from === to ? from : `${from}-${to}`).join('.');
  return text.length > LONGEST ? '' : text;
}

/** The nodes of such words, of those that there are.
 * @param {string} text
 * @param {number} count
 */
export function nodesOfText(text, count) {
  /** @type {Set<number>} */
  const nodes = new Set();
  for (const span of text ? text.split('.') : []) {
    const [from, to = from] = span.split('-').map(Number);
    for (let i = from; i <= to && i < count; i++) nodes.add(i);
  }
  return nodes;
}
