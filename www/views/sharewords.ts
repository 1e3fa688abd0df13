// The shared part of a run's layers, in words.
import {capital, fixed, inARow} from '../dom/figures.js';
import {nth} from '../dom/nth.js';

/** The counts of a data set. */
interface Counted {nodes: number; layers: {edges: number}[]}

/** Links a node up to which a layer without features may be noise for that alone. */
const FEW = 4.5;
const directions = (n: number) => `${n} ${n === 1 ? 'direction' : 'directions'}`;


/** Which layers count as noise, and why those do that have few links and no features. */
function noiseOf({ranks, featureless}: Shares, data?: Counted) {
  const noise = ranks.flatMap((r, l) => r ? [] : [l]);
  if (!noise.length) return '';
  const [layers, count, have] = noise.length < 2 ? ['Layer', 'counts', 'it has'] : ['Layers', 'count', 'they have'];
  const links = noise.map(l => data ? 2 * nth(data.layers, l).edges / data.nodes : Infinity), few = links.every(n => n <= FEW);
  const why = !featureless || !few ? ''
    : `: ${have} ${inARow(links.map(n => fixed(n, 1)))} links a node and no features, and up to about 4 nothing can stand out`;
  return ` ${layers} ${inARow(noise.map(l => l + 1))} ${count} as noise${why}.`;
}

/** The results, in words. */
export function sentence(s: Shares, data?: Counted) {
  if (s.words) return `${s.words.map(capital).join('. ')}.`;
  const {agreement: c, chance, least, shared, ranks} = s, empty = noiseOf(s, data);
  const [most] = c, next = c[shared];
  if (most === undefined) return `No direction of any layer stands above noise, so nothing is shared: the common embedding is 0.${empty}`;
  const kept = `Of their features the layers keep ${inARow(ranks)} directions.${empty}`;
  const edge = `Independent layers of these sizes stay below ${fixed(chance, 2)}.`;
  const needed = `a shared direction exceeds ${fixed(least, 2)}`;
  if (!shared) return `Nothing is shared: the largest agreement is ${fixed(most, 2)}, and ${needed}. The common embedding is 0. ${edge} ${kept}`;
  const then = next === undefined ? '' : ` The next one has ${fixed(next, 2)}.`;
  const low = fixed(nth(c, shared - 1), 2), high = fixed(most, 2);
  const range = `${shared === 1 ? 'Its' : 'Their'} agreement is ${low === high ? high : `from ${low} to ${high}`}`;
  return `The layers share ${directions(shared)}. ${range}, and ${needed}.${then} ${edge} ${kept}`;
}
