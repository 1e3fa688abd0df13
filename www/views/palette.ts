// Colours and marks. Colours are CSS variables, so that themes live in one place (style.css); every class has
// a mark of its own shape too, so that nothing hangs on colour alone.
import {pathOf, svg} from '../dom/elements.js';
import {nth} from '../dom/nth.js';
import type {Point} from './points.js';
import type {Pen, Theme} from '../types.js';

/** Number of colours in the Okabe-Ito set as the style sheet orders it. */
export const COLOURS = 8;
/** Line styles, one for each term of the loss and each layer. */
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [4, 4]];
/** Stops of the scale for numbers, likewise; how many shades are made of them; and the first of these among the marks: discs. */
const STOPS = 7, SHADE = 1000;
export const SHADES = 24;

// Outlines in units of the mark's radius, sized to look equally heavy.
const polygon = (...points: Point[]) => points;
const SHAPES: (Point[] | null)[] = [
  null, // a disc
  polygon([-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]),
  polygon([0, -1.15], [1.1, 0.8], [-1.1, 0.8]),
  polygon([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]),
  [[1, 0], [0, 1], [-1, 0], [0, -1]].flatMap(([c = 0, s = 0]) => // a cross, side by side
    polygon([-0.38, -0.38], [-0.38, -1.1], [0.38, -1.1]).map(([x, y]): Point => [c * x - s * y, s * x + c * y])),
  polygon([0, 1.15], [1.1, -0.8], [-1.1, -0.8]),
  polygon([-1.2, -0.55], [0, -0.2], [1.2, -0.55], [1.2, 0.2], [0, 0.6], [-1.2, 0.2]),
];

/** The mark of class k of a label set, -1 for a missing label: its own place in the table, where the engine gives it one, as it does to networks of a brain. */
export const markOf = (set: {marks?: number[]}, k: number) => k < 0 ? -1 : set.marks?.[k] ?? k;

/** The marks of numbers, from low to high. */
export const shades = () => Array.from({length: SHADES}, (_, k) => SHADE + k);

/** Mark k's colour and shape: both change from mark to mark, and no pair repeats before 56. */
export const colourOf = (k: number) => k % COLOURS;
export const shapeOf = (k: number) => k >= SHADE ? 0 : (k + Math.floor(k / COLOURS)) % SHAPES.length;

/** The colour of mark k in a theme: that of a class, or between two stops of the scale. */
export function fillOf(t: Theme, k: number) {
  if (k < SHADE) return nth(t.classes, colourOf(k), 'colours');
  const at = (k - SHADE) / (SHADES - 1) * (STOPS - 1), low = Math.min(Math.floor(at), STOPS - 2);
  const [a, b] = [rgb(nth(t.stops, low, 'stops')), rgb(nth(t.stops, low + 1, 'stops'))];
  return '#' + a.map((v, c) => Math.round(v + (nth(b, c) - v) * (at - low)).toString(16).padStart(2, '0')).join('');
}

/** The parts of a colour that is written as #rrggbb. */
export const rgb = (hex: string): [number, number, number] => [parseInt(hex.slice(1, 3), 16), parseInt(hex.slice(3, 5), 16), parseInt(hex.slice(5, 7), 16)];

/** Reads the colours that hold at an element. */
export function theme(el: HTMLElement) {
  const style = getComputedStyle(el);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: read('--ink'), card: read('--card'), soft: read('--soft'), line: read('--line'), missing: read('--missing'), accent: read('--accent'),
    font: style.fontFamily,
    classes: Array.from({length: COLOURS}, (_, k) => read('--class-' + k)),
    stops: Array.from({length: STOPS}, (_, k) => read('--stop-' + k)),
  };
}

/** The place of layer l among the line styles, and the style itself: pixels drawn and left out. */
export const layerMark = (l: number) => l % DASHES.length;
export const dashOf = (mark: number) => nth(DASHES, mark, 'line styles');

/** The style of the curve of column k among all: the last one is the total. `mark` names its style in the style sheet. */
export function curveOf(k: number, columns: number) {
  if (k === columns - 1) return {mark: 'term-total', width: 2.75, dash: []};
  const own = k % DASHES.length;
  return {mark: `term-${own}`, width: 1.5, dash: dashOf(own)};
}

/** The light colours, whatever the reader's theme: for pictures that leave the page. */
export function lightTheme() {
  const probe = document.createElement('div');
  probe.className = 'light-theme';
  probe.hidden = true;
  document.body.append(probe);
  const t = theme(probe);
  probe.remove();
  return t;
}

function trace(ctx: Pen, shape: number, x: number, y: number, r: number) {
  const corners = SHAPES[shape];
  ctx.beginPath();
  if (!corners) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else {
    corners.forEach(([px, py], i) => i ? ctx.lineTo(x + px * r, y + py * r) : ctx.moveTo(x + px * r, y + py * r));
    ctx.closePath();
  }
}

/** Draws mark k (-1: label missing) at a point; `scale` is device pixels per unit. */
export function drawMark(ctx: Pen, t: Theme, k: number, x: number, y: number, r: number, scale = 1) {
  if (k < 0) {
    trace(ctx, 0, x, y, r * 0.9);
    ctx.strokeStyle = t.missing;
    ctx.lineWidth = Math.max(scale, r * 0.35);
    ctx.stroke();
    return;
  }
  trace(ctx, shapeOf(k), x, y, r);
  ctx.fillStyle = fillOf(t, k);
  ctx.fill();
  if (r < 3.5 * scale) return;
  ctx.strokeStyle = t.card; // sets overlapping marks apart, where they are large enough to lose a rim
  ctx.lineWidth = r * 0.16;
  ctx.stroke();
}

/**
 * Marks in a row, the one for missing labels first, as a canvas of squares of `size` device pixels
 * with the mark in the middle; below it rows with the mark moved by parts of a pixel, phases * phases in all.
 */
export function markSheet(t: Theme, marks: number[], r: number, scale: number, phases = 1) {
  const size = 2 * Math.ceil((1.3 * r + 1) * scale + 1);
  const sheet = document.createElement('canvas');
  sheet.width = size * (marks.length + 1);
  sheet.height = size * phases * phases;
  const ctx = sheet.getContext('2d', {willReadFrequently: phases > 1}) as CanvasRenderingContext2D;
  for (let row = 0; row < phases * phases; row++) {
    const dx = (row % phases) / phases, dy = Math.floor(row / phases) / phases;
    [-1, ...marks].forEach((mark, k) => drawMark(ctx, t, mark, size * (k + 0.5) + dx, size * (row + 0.5) + dy, r * scale, scale));
  }
  return {sheet, size};
}

/** The same mark as a small inline picture for legends. */
export function legendMark(k: number) {
  const shape = k < 0 ? null : SHAPES[shapeOf(k)];
  const mark = shape
    ? svg('path', {d: pathOf(shape.map(([x, y]) => [5 * x, 5 * y])) + 'Z'})
    : svg('circle', {r: k < 0 ? 4 : 5});
  mark.setAttribute('class', k < 0 ? 'mark-missing' : 'mark-' + colourOf(k));
  return svg('svg', {viewBox: '-7 -7 14 14', class: 'mark', 'aria-hidden': 'true'}, mark);
}
