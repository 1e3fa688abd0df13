// Brain: regions in their networks, and the surface.
import {all, cell, key, one, pointAt} from './dom';

export const hidden = () => one('#brain').hidden;
export const openSurface = () => { one('#surface').open = true; };
/** Both tables of networks hold so many nodes. */
export function networksHold(n: number) {
  const tables = all('#brain-view .networks');
  return tables.length === 2 && tables.every(t => [...t.tBodies[0]?.rows ?? []].reduce((sum, r) => sum + Number(cell(r, 1)), 0) === n);
}
/** The class of the mark beside every name, in its legend, its tables and that of embeddings. */
export const marks = () => all('#brain-view .legend .key, #brain-view .networks tbody th, #embeddings-view .legend .key')
  .map(e => [e.textContent.trim(), one('.mark :first-child', e).getAttribute('class')]);
export const networkRows = () => all('#brain-view .networks tbody tr')
  .map(r => ({bold: Number(getComputedStyle(r).fontWeight) >= 600, p: cell(r, 5)}));
/** What is said on the way through the matrix by the keys. */
export function walk() {
  const c = one('#brain-view canvas');
  c.focus();
  return ['ArrowRight', 'ArrowRight', 'End'].map(name => {
    key(c, name);
    return c.getAttribute('aria-label');
  });
}
/** Whether there is WebGL 2. */
export const canDraw = () => Boolean(document.createElement('canvas').getContext('webgl2'));
export function pointAtSurface() {
  pointAt(one('.surface canvas'), .5, .5);
  return one('.surface [role=status]').textContent;
}
export function turnLeft() {
  const c = one('.surface canvas');
  c.focus();
  for (let k = 0; k < 18; k++) key(c, 'ArrowLeft');
}
