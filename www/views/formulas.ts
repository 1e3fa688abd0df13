// The formulas of a step with the numbers of a run put in: those of one node in one layer, and of the losses. Pure.
import {figure, fixed} from '../dom/figures.js';
import {sure} from '../dom/nth.js';

/** The numbers that are at hand. */
export interface Known {
  /** S, P_1 .. P_N, C_1 .. C_N, each M x d; null while they are not known. */
  tokens: Float32Array | null;
  nodes: number; layers: number; layer: number;
  layerName: string;
  node: number; // -1 for none
  name: string;
  neighbours: ArrayLike<number> | null; // of the node in the layer
  weighted: boolean; // links have weights, so that D is no number of links
  kipf: boolean; // Z is averaged once, with a self loop
  mean: boolean; // the matching loss is a mean over nodes
  /** The terms of the loss, each with its weight, and its value at the last step; empty before it. */
  terms: {symbol: string; by: string; weight: number; value: number}[];
  total: number;
}

const MOST = 6; // numbers of a row that are shown

/** A row of a table as it is written. */
const row = (list: ArrayLike<number>) => `(${Array.from(list).slice(0, MOST).map(v => fixed(v, 2)).join(', ')}${list.length > MOST ? ', \u2026' : ''})`;

/** Part k of the tokens: 0 is S, then come the P_l, then the C_l. */
function part({tokens, nodes, layers}: Known, k: number) {
  const d = tokens ? tokens.length / (1 + 2 * layers) / nodes : 0;
  return {d, all: tokens?.subarray(k * nodes * d, (k + 1) * nodes * d) ?? null};
}

/** The row of the node in such a part; null where there is none. */
function rowOf(x: Known, k: number) {
  const {d, all} = part(x, k);
  return all && x.node >= 0 ? all.subarray(x.node * d, (x.node + 1) * d) : null;
}

/** The formula of every stage, by its name, and what it comes to. */
export const FORMULAS = {
  Layers: x => x.neighbours ? [`${x.name} has ${figure(x.neighbours.length)} ${x.neighbours.length === 1 ? 'link' : 'links'} in ${x.layerName}.`] : [],
  Neighbours: x => [x.kipf ? 'Z = n(A + I) X, with n(A) = D^\u2212\u00bd A D^\u2212\u00bd, D having the degrees of A.'
    : 'Z = n(n(A)) X, with n(A) = D^\u2212\u00bd A D^\u2212\u00bd, D having the degrees of A.',
  ...x.neighbours && !x.weighted ? [`The degree of ${x.name} in ${x.layerName} is ${figure(x.neighbours.length)}.`] : []],
  Encoders(x) {
    const [p, c] = [rowOf(x, 1 + x.layer), rowOf(x, 1 + x.layers + x.layer)];
    return ['C = Z W\u2081 W\u2082 + b, and P likewise with weights of its own.',
      ...c && p ? [`Of ${x.name} in ${x.layerName}: C = ${row(c)}, P = ${row(p)}.`] : []];
  },
  Consensus(x) {
    const [s, c] = [rowOf(x, 0), rowOf(x, 1 + x.layers + x.layer)];
    const far = s && c ? s.reduce((sum, v, k) => sum + (sure(c[k]) - v) ** 2, 0) : 0;
    return [`L_matching = \u03a3 \u2016C \u2212 S\u2016\u00b2 over nodes and layers${x.mean ? `, divided by ${figure(x.nodes)} nodes` : ''}.`,
      ...s && c ? [`Of ${x.name}: S = ${row(s)}, and in ${x.layerName} \u2016C \u2212 S\u2016\u00b2 = ${figure(far)}.`] : []];
  },
  'Pooled graphs'(x) {
    const {d, all} = part(x, 1 + x.layer);
    const sums = all ? Array.from({length: d}, (_, k) => all.reduce((sum, v, i) => i % d === k ? sum + v : sum, 0)) : null;
    return ['h = \u03a3 P over the nodes of a graph, and noise.', ...sums ? [`Over all ${figure(x.nodes)} nodes of ${x.layerName}: h = ${row(sums)}.`] : []];
  },
  Guesses: x => [`A guess costs \u2212ln p, p being what it gives the right layer. Blindly, p = 1/${x.layers} and it costs ${fixed(Math.log(x.layers), 2)}.`],
  Step(x) {
    const shown = x.terms.filter(t => t.weight !== 0);
    return !shown.length ? [] : [`L = ${shown.map(t => `${t.by} ${t.symbol}`).join(' + ')} = ${
      shown.map(t => `${figure(t.weight)} \u00b7 ${figure(t.value)}`).join(' + ')} = ${figure(x.total)}`];
  },
} satisfies Record<string, (x: Known) => string[]>;
