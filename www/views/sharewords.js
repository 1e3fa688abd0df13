// @ts-check
// What the layers of a run were found to share, in words.
import {fixed} from '../dom/figures.js';

const directions = (/** @type {number} */ n) => `${n} ${n === 1 ? 'direction' : 'directions'}`;
const listed = (/** @type {number[]} */ list) => list.length < 2 ? list.join() : `${list.slice(0, -1).join(', ')} and ${list[list.length - 1]}`;

/** What was found, in words.
 * @param {Shares} s
 */
export function sentence({agreement: c, chance, least, shared, ranks}) {
  if (!c.length) return 'No direction of any layer stands above noise, so nothing is shared: the common embedding is 0.';
  const noise = ranks.flatMap((r, l) => r ? [] : [l + 1]);
  const empty = noise.length ? ` ${noise.length > 1 ? 'Layers' : 'Layer'} ${listed(noise)} ${noise.length > 1 ? 'count' : 'counts'} as noise.` : '';
  const kept = `Of their features the layers keep ${listed(ranks)} directions.${empty}`;
  const edge = `Independent layers of these sizes stay below ${fixed(chance, 2)}.`;
  const needed = `a shared direction exceeds ${fixed(least, 2)}`;
  if (!shared) return `Nothing is shared: the largest agreement is ${fixed(c[0], 2)}, and ${needed}. The common embedding is 0. ${edge} ${kept}`;
  const next = c.length > shared ? ` The next one has ${fixed(c[shared], 2)}.` : '';
  const low = fixed(c[shared - 1], 2), high = fixed(c[0], 2);
  const range = `${shared === 1 ? 'Its' : 'Their'} agreement is ${low === high ? high : `from ${low} to ${high}`}`;
  return `The layers share ${directions(shared)}. ${range}, and ${needed}.${next} ${edge} ${kept}`;
}
