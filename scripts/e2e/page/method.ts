// Method: the model as a chain of boxes.
import {all, one, pixels, textOf} from './dom';

export const row = (start: string) => textOf('#method-row').startsWith(start);
/** How many boxes name their largest number. */
export const largest = (n: number) => all('#method-view .box').filter(b => /largest [0-9.e-]+$/.test(b.textContent)).length === n;
/** The colours of every box that is filled, with their pixels counted. */
export const colours = () => Object.fromEntries(all('#method-view .box').flatMap(b => {
  const c = one('canvas', b), px = pixels(c), seen = new Map<number, number>();
  for (const p of px) seen.set(p, (seen.get(p) ?? 0) + 1);
  return Number(px[c.width * c.height / 2 + c.width / 2]) >>> 24 ? [[one('i', b).textContent, JSON.stringify([...seen])]] : [];
}));
export const unselect = () => { location.hash = location.hash.replace(/&select=[0-9.]*/, ''); };
