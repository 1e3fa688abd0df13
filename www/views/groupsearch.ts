// Nodes by the groups they are in: "work group 2" finds one, "work group 2 and friends group 1" who is in both.
import {spaced} from '../dom/figures.js';
import type {LabelSet} from '../types.js';

/** The names of a group in a search: alone, and with the name of its label set before it. */
const namesOf = (set: LabelSet, name: string) => [name, `${spaced(set.name)} ${name}`].map(s => s.toLowerCase());

/**
 * The nodes that are in every named group, with "and", "+" or a comma between; null when some part names none. A name in several label sets
 * means the groups of all of them.
 */
export function nodesInGroups(text: string, labels: LabelSet[]): number[] | null {
  const parts = text.toLowerCase().split(/\s+and(?:\s+|$)|\s*[+,]\s*/).map(s => s.trim()).filter(Boolean), count = labels[0]?.of.length ?? 0;
  if (!parts.length) return null;
  let nodes = Array.from({length: count}, (_, i) => i);
  const named = parts.map(part => labels.flatMap(set => set.classes.flatMap((name, c) => namesOf(set, name).includes(part) ? [{of: set.of, c}] : [])));
  if (named.some(groups => !groups.length)) return null;
  for (const groups of named) nodes = nodes.filter(i => groups.some(({of, c}) => of[i] === c));
  return nodes;
}

/** Groups whose name begins as the last part of a text does, each as the whole text would name it. */
export function groupsOffered(text: string, labels: LabelSet[]) {
  const at = Math.max(...[...text.matchAll(/\s+and\s+|[+,]\s*/g)].map(m => m.index + m[0].length), 0);
  const before = text.slice(0, at), begun = text.slice(at).toLowerCase();
  return labels.flatMap(set => set.classes.flatMap(name =>
    namesOf(set, name).some(s => s.startsWith(begun)) ? [`${before}${spaced(set.name)} ${name}`] : []));
}
