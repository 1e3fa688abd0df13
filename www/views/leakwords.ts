// The results of the leak meter, as courses over the epochs and in words.
import {fixed} from '../dom/figures.js';
import {ownSet} from './names.js';
import type {LabelSet} from '../types.js';

const SMALL = 0.05; // a change that is not worth telling

export interface Look {epoch: number; shared?: number; own?: number; apart?: number; layer: number}

/** The subject of each line of the meter, by the name of its numbers in a look. */
export const COURSES: [Exclude<keyof Look, 'epoch'>, string][] = [
  ['shared', 'shared groups from S'], ['own', 'own groups from S'], ['apart', 'own groups from P'], ['layer', 'the layer from C'],
];

const mean = (list: number[]) => list.length ? list.reduce((a, b) => a + b) / list.length : undefined;

/** Labels that are a layer's own, and the others, which are shared, by the names of embeddings. */
export function kindsOf(labels: LabelSet[], names: string[], summary: Summary | undefined) {
  const own = new Map(names.flatMap((name, i) => {
    const set = ownSet(labels, summary, names, i);
    return set ? [[name, set]] : [];
  }));
  return {own, shared: labels.filter(s => ![...own.values()].includes(s))};
}

/** The reading at an epoch, the mean over the label sets of a kind: agreement with groups, and the share of layers that are found. */
export function lookOf(epoch: number, {probes, layer}: Leak, {own, shared}: ReturnType<typeof kindsOf>): Look {
  const read = (embedding: string, set: LabelSet) =>
    (probes ?? []).filter(p => p.embedding === embedding && p.target === set.name).map(p => p.value);
  return {
    epoch, layer: layer.common, shared: mean(shared.flatMap(s => read('common', s))), own: mean([...own.values()].flatMap(s => read('common', s))),
    apart: mean([...own].flatMap(([name, s]) => read(name, s))),
  };
}

/** The changes from the first look to the last one, in sentences. */
export function leakSentence(looks: Look[], layers: number) {
  const first = looks.at(0), last = looks.at(-1);
  if (!first || !last || looks.length < 2) return '';
  const told = (a: number, b: number) => `a probe of S finds them at ${fixed(a, 2)} at epoch ${first.epoch} and at ${fixed(b, 2)}`
    + ` at epoch ${last.epoch}`;
  const list = [];
  if (first.own !== undefined && last.own !== undefined) {
    const change = last.own - first.own;
    const what = change >= SMALL ? 'Training put more of the layers\u2019 own groups into S' : change <= -SMALL
      ? 'Training took some of the layers\u2019 own groups out of S' : 'Training left the layers\u2019 own groups in S as they were';
    list.push(`${what}: ${told(first.own, last.own)}.`);
  } else if (first.shared !== undefined && last.shared !== undefined) list.push(`Of the labels, ${told(first.shared, last.shared)}.`);
  const rise = last.layer - first.layer;
  list.push(`A probe names the layer from C in ${fixed(100 * last.layer, 0)} % of the cases, ${
    Math.abs(rise) < SMALL ? 'about as at first' : `${fixed(100 * first.layer, 0)} % at first`}. Chance is ${fixed(100 / layers, 0)} %.`);
  return list.join(' ');
}
