// Nodes as a link names them: numbers and ranges of numbers, with dots between them.

export const NODES = /^\d{1,9}(-\d{1,9})?(\.\d{1,9}(-\d{1,9})?)*$/;
const LONGEST = 4000; // characters, a quarter of a link

/** Nodes in words of a link; '' of none, and of so many scattered ones that a link cannot hold them. */
export function nodesToText(nodes: Iterable<number>) {
  const spans: number[][] = [];
  for (const i of [...nodes].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && i === last[1] + 1) last[1] = i;
    else spans.push([i, i]);
  }
  const text = spans.map(([from, to]) => from === to ? from : `${from}-${to}`).join('.');
  return text.length > LONGEST ? '' : text;
}

/** The nodes of such words, of those that there are. */
export function nodesOfText(text: string, count: number) {
  const nodes: Set<number> = new Set();
  for (const span of text ? text.split('.') : []) {
    const [from, to = from] = span.split('-').map(Number);
    for (let i = from; i <= to && i < count; i++) nodes.add(i);
  }
  return nodes;
}
