// An embedding of one dimension: its nodes on a line would hide each other, so they are stacked, as a histogram of marks.
import {nth, sure} from '../dom/nth.js';

const FLAT = 1e-6; // of the spread along the line, and less across it
const BINS = 36;

/** The points themselves, or where they lie on a line, that line with the nodes of each part of it stacked. */
export function stacked(xy: Float32Array) {
  let along = 0, across = 0;
  for (const [k, v] of xy.entries()) [along, across] = k % 2 ? [along, Math.max(across, Math.abs(v))] : [Math.max(along, Math.abs(v)), across];
  if (!along || across > FLAT * along) return xy;
  const bins = Array.from({length: BINS}, (): number[] => []);
  for (let i = 0; 2 * i < xy.length; i++) nth(bins, Math.min(BINS - 1, Math.floor((sure(xy[2 * i]) / along + 1) / 2 * BINS))).push(i);
  const rise = Math.min(2 / BINS, 1.8 / Math.max(...bins.map(list => list.length))) * along, out = new Float32Array(xy);
  for (const list of bins) for (const [k, i] of list.entries()) out[2 * i + 1] = k * rise - 0.9 * along;
  return out;
}
