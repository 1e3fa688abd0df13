// Causality: what swapping parts does.
import {active, all, cell as cellOf, key, one} from './dom';

const row = (css: string, name: string) => all(css).find(r => cellOf(r, 0) === name);
export const ends = () => all('#causality-layer tbody tr').map(r => cellOf(r, 2));
/** Walks to a pairing by the keys, and presses it. */
export function pick(last: number) {
  one('.pairings .cell').focus();
  for (let k = 0; k < last; k++) key(active(), 'ArrowRight');
  active().click();
}
export const way = (name: string) => [1, 2].map(k => cellOf(row('.ways tbody tr', name), k));
export const cell = (name: string, k: number) => cellOf(row('#causality table.ways tr', name), k);
