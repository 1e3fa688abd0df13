// @ts-check
// What the layers of a run were found to share, in words.
import {fixed} from '../dom/figures.js';

const directions = (/** @type {number} */ n) => `${n} ${n === 1 ? 'direction' : 'directions'}`;

/** What was found, in words.
 * @param {Shares} s
 */
export function sentence({agreement: c, chance, least, shared, ranks}) {
  const kept = `Of their features the layers keep ${ranks.join(', ')} directions.`;
  if (!c.length) return `${kept} All of them are noise, so nothing is shared: the common embedding is 0.`;
  const edge = `Independent layers of these sizes stay below ${fixed(chance, 2)}.`;
  const needed = `a shared direction exceeds ${fixed(least, 2)}`;
  if (!shared) return `Nothing is shared: the largest agreement is ${fixed(c[0], 2)}, and ${needed}. The common embedding is 0. ${edge} ${kept}`;
  const next = c.length > shared ? ` The next one has ${fixed(c[shared], 2)}.` : '';
  const highest = fixed(c[0], 2), lowest = fixed(c[shared - 1], 2);
  const range = shared === 1 ? `Its agreement is ${highest}` : `Their agreement is ${lowest === highest ? highest : `from ${lowest} to ${highest}`}`;
  return `The layers share ${directions(shared)}. ${range}, and ${needed}.${next} ${edge} ${kept}`;
}
