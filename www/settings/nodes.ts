// Nodes as a link names them: numbers and ranges of numbers, with dots between them.

export const NODES = /^\d{1,9}(-\d{1,9})?(\.\d{1,9}(-\d{1,9})?)*$/;
const LONGEST = 4000; // characters, a quarter of a link

/** Nodes as words of a link; '' for none, and for more scattered ones than a link can hold. */
export function nodesToText(nodes: Iterable<number>) {
  const spans: [number, number][] = [];
  for (const i of [...nodes].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && i === last[1] + 1) last[1] = i;
    else spans.push([i, i]);
  }
  const text = spans.map(([from, to]) => from === to ? from : `${from}-${to}`).join('.');
  return text.length > LONGEST ? '' : text;
}

/** The existing nodes among such words. */
export function nodesOfText(text: string, count: number) {
  const nodes: Set<number> = new Set();
  for (const span of text ? text.split('.') : []) {
    const [from, to = from] = span.split('-').map(Number) as [number, number?];
    for (let i = from; i <= to && i < count; i++) nodes.add(i);
  }
  return nodes;
}

/** A link that is taken where it is there, and else made: its layer, and its nodes. */
export interface Turned { layer: number; i: number; j: number }

/** Such links in words of a link of the page: layer, node and node by number, 50 at most. */
export const TURNED = /^\d{1,3}(\.\d{1,9}){2}(_\d{1,3}(\.\d{1,9}){2}){0,49}$/;
const MOST = 50;

export const turnedToText = (list: Turned[]) => list.map(l => `${l.layer}.${l.i}.${l.j}`).join('_');

/** The links in such words, among existing layers and nodes. */
export function turnedOfText(text: string, layers: number, nodes: number): Turned[] {
  return (text ? text.split('_') : []).map(part => {
    const [layer, i, j] = part.split('.').map(Number) as [number, number, number]; // as TURNED has it
    return {layer, i, j};
  }).filter(l => l.layer < layers && l.i < nodes && l.j < nodes && l.i !== l.j).slice(0, MOST);
}

/** The list with one link more, or without it where it was there. */
export function turn(list: Turned[], one: Turned) {
  const same = (l: Turned) => l.layer === one.layer && Math.min(l.i, l.j) === Math.min(one.i, one.j) && Math.max(l.i, l.j) === Math.max(one.i, one.j);
  return list.some(same) ? list.filter(l => !same(l)) : [...list, one].slice(0, MOST);
}
