// Embeddings: their pictures, colours and axes.
import {active, all, frame, maybe, nth, one, pause, pictured, pixels, pointAt, send, state} from './dom';

const canvases = () => all('#embeddings-view canvas');
const keys = () => all('#embeddings-view .legend .key');
export const drawn = () => canvases().every(pictured);
export const pictures = (n: number) => canvases().length === n;
export const focus = () => one('#embeddings-view canvas').focus();
export const groups = (n: number) => keys().length === n;
export const legend = (part: string) => keys().some(k => k.textContent.includes(part));
export const legendTitles = () => Object.fromEntries(keys().map(k => [k.textContent.trim(), k.title]));
export const legendMarks = () => all('#embeddings-view .legend .key svg').map(s => s.innerHTML);
/** How many nodes the legend counts. */
export const nodes = (n: number) => keys().reduce((sum, k) => sum + parseInt(k.title), 0) === n;

export const offers = (colour: string) => [...one('#colour-by').options].some(o => o.value === colour);
export function colourBy(colour: string) {
  one('#colour-by').value = colour;
  send(one('#colour-by'), 'change');
}
export const colouredBy = (colour: string) => cadem.settings().view.color === colour && one('#colour-by').value === colour;
export const scale = (text: string) => maybe('#embeddings-view .scale')?.textContent.replace(/\s+/g, ' ') === text;
/** Waits for a second at most until it is said how the axes were found. */
export const axesSaid = () => Promise.race([pause(1000), (async () => {
  while (!maybe('.axes [role=status]')?.textContent) await frame();
})()]);

/** How many colours of a picture are those of twenty pixels or more. */
export function colours(i: number) {
  const seen = new Map<number, number>();
  for (const p of pixels(nth('#embeddings-view canvas', i))) seen.set(p, (seen.get(p) ?? 0) + 1);
  return [...seen.values()].filter(n => n >= 20).length;
}
/** How many shades the middle of a picture has. */
export function shades() {
  const c = one('#embeddings-view canvas'), [w, h] = [c.width / 4, c.height / 4];
  return new Set(new Uint32Array(c.getContext('2d').getImageData(w, h, 2 * w, 2 * h).data.buffer)).size;
}

/** At how many points of a picture an arrow is: pointing there lights a row; -1 if it stays lit. */
export function arrowsIn(k: number) {
  const c = nth('#embeddings-view canvas', k), r = c.getBoundingClientRect();
  let n = 0;
  for (let x = 2; x < r.width; x += 6) for (let y = 2; y < r.height; y += 6) {
    pointAt(c, x / r.width, y / r.height);
    if (maybe('#why .lit')) n++;
  }
  c.dispatchEvent(new PointerEvent('pointerleave'));
  return maybe('#why .lit') ? -1 : n;
}
/** The third picture, once all is drawn. */
async function third() {
  do await pause(60); while (!state().drawn);
  return nth('#embeddings-view canvas', 2).toDataURL();
}
export function pictureUnfocused() {
  active().blur();
  return third();
}
export function pictureFocused(css: string) {
  one(css).focus();
  return third();
}

/** How far apart pictures of two compared runs stand that should be level. */
export function comparedApart() {
  const tops = (k: number) => [...nth('#compare-view .plots', k).children].map(f => f.getBoundingClientRect().top), b = tops(1);
  return Math.max(...tops(0).map((top, k) => Math.abs(top - (b[k] ?? Infinity))));
}
