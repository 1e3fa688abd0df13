// Colours of numbers: a column of the reader's table, how many links a node has, how far its layers agree about it, a column of S.
import {h} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {sure} from '../dom/nth.js';
import {adjacencyOf} from './adjacency.js';
import {numbersOf} from './colourby.js';
import {SHADES, shades} from './palette.js';
import {askWhole, wholeOf} from './whole.js';
import type {Adjacency} from './adjacency.js';
import type {Colouring, DataSet, Lab, Snapshot} from '../types.js';

/** The agreement of layers about each of n nodes: the mean, over its neighbours in any layer, of the share of the other layers that link it to
 * them, too. NaN for a node without links. */
export function agreement(among: Adjacency[], n: number) {
  return Float64Array.from({length: n}, (_, i) => {
    const times: Map<number, number> = new Map();
    for (const a of among) for (const j of a.neighbours(i)) times.set(j, (times.get(j) ?? 0) + 1);
    let sum = 0;
    for (const c of times.values()) sum += (c - 1) / (among.length - 1);
    return sum / times.size;
  });
}

/** Numbers in shades, from the least to the largest; those that are missing have none, which is -1. */
export function shadesOf(values: ArrayLike<number>) {
  const known = Array.from(values).filter(Number.isFinite), [first = 0] = known;
  const low = known.reduce((a, b) => Math.min(a, b), first);
  const high = known.reduce((a, b) => Math.max(a, b), first);
  const span = high - low;
  const of = Int32Array.from(values, v => Number.isFinite(v) ? span > 0 ? Math.min(SHADES - 1, Math.floor((v - low) / span * SHADES)) : SHADES >> 1 : -1);
  return {of, low, high, missing: values.length - known.length};
}

/** Colours by numbers. */
export function shaded(values: ArrayLike<number>, title: string): Colouring {
  const {of, low, high, missing} = shadesOf(values), edge = (k: number) => figure(low + (high - low) * k / SHADES);
  const legend = h('span', {class: 'scale', role: 'img', 'aria-label': `${title}, from ${figure(low)} to ${figure(high)}`},
    `${title}: ${figure(low)} `, h('span', {class: 'ramp', 'aria-hidden': 'true'}), ` ${figure(high)}`, missing ? `, ${missing} missing` : '');
  return {
    of, classes: Array.from({length: SHADES}, (_, k) => `${edge(k)} to ${edge(k + 1)}`), marks: shades(),
    scale: {title, values, low, high, missing, legend},
  };
}

/** colouring gives what colours show of a number, null while it is not there; redraw() is called when it is. */
export function create({session, attempt, redraw}: Pick<Lab, 'session' | 'attempt'> & {redraw: () => void}) {
  /** The last result. */
  let last: {key: string, from: object, made: Colouring} | null = null;

  /** The values, and their sources; null while they are not there. */
  function valuesOf(data: DataSet, [, kind, ...rest]: string[], snapshot: Snapshot | undefined): [object, () => ArrayLike<number>] | null {
    const name = rest.join(':'), k = Number(name) - 1, n = data.summary.nodes, {drawing} = data;
    if (kind === 'column') {
      const column = data.numbers?.find(c => c.name === name);
      return column ? [column.of, () => column.of] : null;
    }
    if (kind === 'label') {
      const set = data.labels.find(s => s.name === name);
      return set ? [data, () => Float64Array.from(set.of, c => c < 0 ? NaN : Number(set.classes[c]))] : null;
    }
    if (kind === 'S') {
      const tokens = snapshot && wholeOf(snapshot);
      if (snapshot && !tokens) attempt(() => askWhole(session, snapshot, redraw))();
      if (!tokens) return null;
      const d = tokens.length / n / (2 * session.model.names.length - 1);
      return k >= 0 && k < d ? [tokens, () => Float64Array.from({length: n}, (_, i) => sure(tokens[i * d + k]))] : null;
    }
    if (!drawing) return null;
    if (kind === 'agreement') return [drawing, () => agreement(drawing.links.map(pairs => adjacencyOf(n, pairs)), n)];
    const pairs = drawing.links[k];
    return pairs ? [drawing, () => Float64Array.from({length: n}, (_, i) => adjacencyOf(n, pairs).neighbours(i).length)] : null;
  }

  return {
    colouring(value: string, snapshot: Snapshot | undefined): Colouring | null {
      const {data} = session.model;
      const found = data?.summary && valuesOf(data, value.split(':'), snapshot);
      if (!data || !found) return null;
      const [from, values] = found;
      if (last?.key !== value || last.from !== from) {
        const title = numbersOf(data, 0).find(([v]) => v === value)?.[1] ?? `column ${value.split(':')[2]} of S`;
        last = {key: value, from, made: shaded(values(), title)};
      }
      return last.made;
    },
  };
}
