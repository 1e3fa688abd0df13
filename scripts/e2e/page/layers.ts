// Layers: their graphs, matrices and communities.
import {all, frame, maybe, nth, one, pictured, pointAt, rowsOf, state, textOf} from './dom';
import {pointedLines} from './node';

const canvases = () => all('#layers-view canvas');
const plots = '#layers-view .plot:not(.all)';
const kind = (is: string) => all(`#layers-view [aria-roledescription${is}]`).length;
const visibleDrawn = () => canvases().filter(c => c.checkVisibility()).every(pictured);
export const drawn = () => canvases().length > 2 && visibleDrawn();
export const matrices = (n: number) => kind('^=adjacency') === n;
export const graphs = (n: number) => kind('=graph') === n;
/** Two layers, and both at once, as communities. */
export const communities = () => kind('="graph of communities"') === 3 && textOf('#layers-words').startsWith('Each mark is a community') &&
  state().drawn && visibleDrawn();
export const searching = () => /^looking for communities, [1-9]/.test(textOf('#layers-words'));
export const sized = () => canvases().every(c => c.width || !c.checkVisibility());
export const focus = () => one('#layers-view canvas').focus();
export const caption = (l: number) => nth(plots + ' figcaption', l).textContent;
export const cells = (l: number) => [...nth('#layers-view tbody tr', l).cells].map(c => c.textContent);
export function showWhole() {
  if (!one('#layers-whole').checked) one('#layers-whole').click();
}

/** The table of a layer's communities, its caption first. */
export function table(l: number) {
  const t = nth('#layers-view details table', 1 + l);
  return [[t.caption.textContent], ...rowsOf(t.tBodies[0]?.rows ?? [])];
}

/** All that is said while the mouse goes over a layer. */
export function meet() {
  const canvas = nth('#layers-view canvas', 1), box = canvas.getBoundingClientRect(), met = new Set<string>();
  for (let y = 2; y < box.height; y += 3) for (let x = 2; x < box.width; x += 3) {
    pointAt(canvas, x / box.width, y / box.height);
    if (maybe('#pointed.tells')) met.add(pointedLines().join('\n'));
  }
  canvas.dispatchEvent(new PointerEvent('pointerleave'));
  return [...met];
}

/** How long frames take while the mouse moves in a spiral, in ms. */
export async function frameTimes() {
  const canvas = one('#layers-view canvas'), times: number[] = [];
  let last = 0;
  for (let k = 0; k < 300; k++) {
    const now = await frame() as number, r = .45 * k / 300, {width, height} = canvas.getBoundingClientRect();
    if (last) times.push(now - last);
    last = now;
    pointAt(canvas, .5 + r * Math.cos(k / 6), .5 + r * Math.sin(k / 6) * width / height);
  }
  return times;
}

/** What every layer says at a place where it names three numbers that differ. */
export function threeNumbers() {
  const layers = all(plots + ' canvas');
  const at = (c: Element, x: number, y: number) => {
    pointAt(c, x, y);
    return maybe('#pointed.tells') ? pointedLines() : [];
  };
  for (let x = .1; x < 1; x += .05) for (let y = .1; y < 1; y += .05) {
    const numbers = at(nth(plots + ' canvas', 0), x, y).flatMap(t => t.match(/\d+(?= links)/) ?? []);
    if (new Set(numbers).size === 3) return layers.map(c => at(c, x, y));
  }
  return [];
}
