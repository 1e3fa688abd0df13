// Pages of others that use the module (docs/javascript.md), and a notebook's.
import {all, maybe, one, pixels} from './dom';

const explained = (text: string) => /: node \d+ \(-?\d+ %\), .*the bias \(0 %\)/.test(text);
const framed = () => one('iframe').contentDocument;
/** What scripts/module.ts has found. */
export const told = () => (globalThis as any).told ?? null;
export const done = () => told()?.done;
export const drawn = () => document.title.endsWith('drawn') && pixels(one('canvas')).some(p => p > 0) && explained(one('p').textContent) &&
  /and the mean \(-?\d+ %\)/.test(one('p').textContent);
export const trained = () => document.title.endsWith(': trained');
export const asksForClick = () => framed()?.querySelector('p')?.textContent?.includes('a click on a node');
export function clickExplains() {
  const d = framed();
  if (!d) return false;
  maybe('canvas', d)?.click();
  return all('canvas', d).length > 2 && explained(one('p', d).textContent);
}
export const framesPicture = () => Boolean(framed()?.querySelector('canvas'));
