// Places pictures by arrange.ts, in the frame in which their room changes.
import {byId} from '../dom/elements.js';
import {nth} from '../dom/nth.js';
import {arrange} from './arrange.js';
import type {Box} from './arrange.js';

const TEXT = 1.6, GAP = 0.7; // em: the line above a picture, and the gap between them

/** The room of an element. */
function roomOf(el: HTMLElement) {
  const em = parseFloat(getComputedStyle(el).fontSize);
  return {width: el.clientWidth, height: el.clientHeight, text: Math.ceil(TEXT * em), gap: Math.round(GAP * em)};
}

/** Puts a picture in its place, counted from a corner, with so high a text above it. */
function put(figure: Element, {x, y, side}: Box, text: number, [left, top] = [0, 0]) {
  const {style} = figure as HTMLElement;
  for (const [name, v] of Object.entries({x: left + x, y: top + y, side, text})) style.setProperty(`--${name}`, `${v}px`);
}

/** Pictures in the order of their places. The picture with arrows swaps its place with the first one, which is the largest. */
function placed(pictures: Iterable<Element>) {
  const list = [...pictures], k = list.findIndex(f => f.classList.contains('summed'));
  return k > 0 ? list.with(0, nth(list, k)).with(k, nth(list, 0)) : list;
}

/** Arranges pictures, the first larger if there is a large one. */
function fitOwn(grid: HTMLElement, lead: boolean) {
  const room = roomOf(grid), shown = [...grid.children].filter(f => f.getClientRects().length > 0), list = lead ? placed(shown) : shown;
  if (!list.length || !room.width || !room.height) return;
  const at = arrange({lead, cells: list.length - Number(lead), high: 1}, room);
  for (const [k, box] of [at.lead ?? [], at.cells].flat(2).entries()) put(nth(list, k, 'pictures'), box, room.text);
}

/** Arranges the pictures that the stage shows at once: the common embedding large, and beside it each layer over its own. */
export function fitTogether() {
  const el = byId('pictures'), room = roomOf(el);
  if (!room.width || !room.height) return;
  const layers = [...document.querySelectorAll('#layers .plot:not(.all)')], embeddings = placed(document.querySelectorAll('#embeddings .plot'));
  const corner: [number, number] = [el.offsetLeft, el.offsetTop], [common, ...own] = embeddings, whole = common && own.length === layers.length;
  const all = whole ? [common, ...layers.flatMap((layer, l) => [layer, nth(own, l)])] : [...layers, ...embeddings]; // or of another method
  const {lead, cells} = arrange(whole ? {lead: true, cells: own.length, high: 2} : {lead: false, cells: all.length, high: 1}, room, true);
  for (const [k, box] of [lead ?? [], cells].flat(2).entries()) put(nth(all, k, 'pictures'), box, room.text, corner);
}

/** Has the plots of a grid follow its size; gives what has them follow their number. */
export function fit(grid: HTMLElement, {lead}: {lead: boolean}) {
  const measure = () => grid.closest('.together') && byId('pictures').clientWidth ? fitTogether() : fitOwn(grid, lead);
  let asked = 0;
  const follows = new ResizeObserver(() => { // it may change the room, which is for the next frame
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(measure);
  });
  for (const room of [grid, byId('pictures')]) follows.observe(room); // one of them is the room
  return measure;
}
