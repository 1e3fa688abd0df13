// The losses as a picture to keep: one drawing for PNG and SVG, in place of uPlot's canvas, which has only pixels to give.
import {figure} from '../dom/figures.js';
import {curveOf} from './palette.js';
import {ground, line, write} from './pen.js';
import type {Point} from './points.js';
import type {Pen, Theme} from '../types.js';

export const WIDTH = 760, HEIGHT = 460;
const BOX = {left: 60, right: WIDTH - 20, top: 64, bottom: HEIGHT - 60};

interface LossPicture {columns: [number[], ...(number | null)[][]]; labels: string[]; there: boolean[]; log: boolean; t: Theme; caption: string}

/** Round numbers from low to high, about `most` of them. */
function round(low: number, high: number, most: number) {
  const least = (high - low) / most, unit = 10 ** Math.floor(Math.log10(least));
  const step = unit * ([1, 2, 5, 10].find(k => k * unit >= least * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({length: Math.floor(high / step + 1e-9) - first + 1}, (_, k) => (first + k) * step);
}

/** Powers of ten from low to high; if there are too few, others between them. */
function powers(low: number, high: number) {
  const from = Math.floor(Math.log10(low)), every = Math.ceil((Math.log10(high) - from) / 8);
  for (const of of [[1], [1, 2, 5]]) {
    const ticks = [];
    for (let e = from; e <= Math.log10(high); e += every) for (const k of of) if (k * 10 ** e >= low && k * 10 ** e <= high) ticks.push(k * 10 ** e);
    if (ticks.length > 1) return ticks;
  }
  return round(low, high, 4);
}

/**
 * Draws into a context of WIDTH by HEIGHT, that of a canvas or an SVGContext. columns: the steps, then the values of each term, null if
 * missing, and after them those of a pinned run, if there is one; labels: their names; there: which are shown; t: the colours.
 */
export function paint(ctx: Pen, {columns: [steps, ...values], labels, there, log, t, caption}: LossPicture) {
  const shown = labels.flatMap((_, k) => there[k] ? [k] : []);
  const known = shown.flatMap(k => [...values[k] ?? [], ...values[k + labels.length] ?? []]).filter(v => v !== null);
  let low = Math.min(...known), high = Math.max(...known);
  if (!known.length) [low, high] = [log ? 0.1 : 0, 1];
  if (!log) [low, high] = [Math.min(0, low), high + 0.04 * (high - Math.min(0, low))];
  if (!(high > low)) high = log ? 2 * low : low + 1;
  const of = log ? Math.log : (v: number) => v;
  const end = Math.max(steps.at(-1) ?? 1, 1), start = Math.min(steps[0] ?? 0, end - 1);
  const x = (step: number) => BOX.left + (BOX.right - BOX.left) * (step - start) / (end - start);
  const y = (v: number) => BOX.bottom - (BOX.bottom - BOX.top) * (of(v) - of(low)) / (of(high) - of(low));

  /** Where the values of a column stand that are there. */
  const placed = (column: (number | null)[] = []) => steps.flatMap((step, i): Point[] => typeof column[i] === 'number' ? [[x(step), y(column[i])]] : []);

  ground(ctx, WIDTH, HEIGHT);
  write(ctx, t, 'Losses over steps' + (log ? ', on a logarithmic scale' : ''), BOX.left, 22, {font: '600 15px'});
  shown.forEach((k, place) => {
    const at = BOX.left + place * Math.min(150, (BOX.right - BOX.left) / shown.length), {width, dash} = curveOf(k, labels.length);
    line(ctx, [[at, 42], [at + 24, 42]], t.ink, width, dash);
    write(ctx, t, labels[k] ?? '', at + 30, 46);
  });
  for (const v of log ? powers(low, high) : round(low, high, 6)) {
    line(ctx, [[BOX.left, y(v)], [BOX.right, y(v)]], t.line, 1);
    write(ctx, t, figure(v), BOX.left - 6, y(v) + 4, {colour: t.soft, align: 'right', font: '11px'});
  }
  for (const step of round(start, end, 8).filter(Number.isInteger)) {
    line(ctx, [[x(step), BOX.top], [x(step), BOX.bottom]], t.line, 1);
    write(ctx, t, String(step), x(step), BOX.bottom + 16, {colour: t.soft, align: 'center', font: '11px'});
  }
  shown.forEach(k => {
    const points = placed(values[k]), its = placed(values[k + labels.length]), {width, dash} = curveOf(k, labels.length);
    if (its.length) line(ctx, its, t.missing, 1, dash);
    if (points.length) line(ctx, points, t.ink, width, dash);
  });
  write(ctx, t, caption, BOX.left, HEIGHT - 16, {colour: t.soft, most: BOX.right - BOX.left});
}
