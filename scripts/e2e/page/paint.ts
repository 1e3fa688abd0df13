// Paint: the chances of links between blocks, painted by hand.
import {all, key, maybe, one, pointAt} from './dom';

export const pictures = (n: number) => all('#paint-view canvas').length === n;
/** The number of links of the first layer. */
export const links = () => Number(maybe('#data-summary tbody td')?.textContent.replaceAll(/\D/g, ''));
export const linksPast = (n: number) => links() > n;
export function drag() {
  for (const [name, type] of [['0 0 2', 'pointerdown'], ['0 1 1', 'pointermove'], ['0 1 1', 'pointerup']]) {
    pointAt(one(`[data-cell="${name}"]`), .5, .5, type);
  }
}
/** Sends keys to a cell, one after the other. */
export function press(css: string, keys: string[]) {
  const at = one(css);
  at.focus();
  for (const name of keys) key(at, name);
}
