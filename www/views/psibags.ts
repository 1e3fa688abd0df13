// Bags of nodes as psi sees them: their arrows in the plane of three layers at most, their names and what psi says. Pure functions of its answers.
import {figure} from '../dom/figures.js';
import {answerOf, percent} from './pairings.js';
import {among, planeOf} from './psiplane.js';

export type Bags = ReturnType<typeof bagsOf>;

/** The bags of some layers of a run; `all` names all layers of the run. */
export function bagsOf(whole: Exchange, layers: number[], all: string[]) {
  const e = among(whole, layers), names = layers.map(l => all[l]), places = whole.layer.flatMap((l, i) => layers.includes(l) ? [i] : []);
  return {
    e, layers, names, plane: planeOf(e), layer: e.layer,
    nameOf: (i: number) => `${names[e.layer[i]]} #${e.layer.slice(0, i + 1).filter(l => l === e.layer[i]).length}`,
    /** The layer of the plane that psi names for P of a bag beside C of another one. */
    named: (p: number, c: number) => answerOf(e, p, c).layer,
    /** The same in words, and what psi names among all layers where that is none of these. */
    said(p: number, c: number) {
      const {p: chances, layer} = answerOf(e, p, c), other = answerOf(whole, places[p], places[c]).layer;
      return `${names[layer]} (${percent(chances[layer]).replace(' %', '\u00a0%')})${layers.includes(other) ? '' : `, and of all layers ${all[other]}`}`;
    },
    /** Both arrows in figures: for each layer its logit above the mean of P, of C, and of both. */
    parts(p: number, c: number) {
      const [a, b] = [e.private[p], e.common[c]].map(z => z.map(v => v - z.reduce((s, w) => s + w, 0) / z.length));
      return names.map((name, k) => [name, ...[a[k], b[k], a[k] + b[k]].map(v => figure(Number(v.toPrecision(3))))]);
    },
  };
}
