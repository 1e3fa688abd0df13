// Marks of the figure: people, links, frames, arrows and captions.
import {nth} from '../dom/nth.js';
import {at} from './pose.js';
import {groupOf, linksOf} from './runs.js';
import type {Host} from './host.js';
import type {Caption, Look, Panel, Pose} from './pose.js';
import type {Point, Three, Town} from './runs.js';

/** The shape of a layer in words. */
export const SHAPES = ['\u25a0', '\u25c6', '\u25b2'];

/** Shapes: a circle, or that of a layer. */
export type Shape = 'o' | number;

const OUTLINES: Point[][] = [
  [[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]],
  [[0, -1.22], [1.22, 0], [0, 1.22], [-1.22, 0]],
  [[0, -1.15], [1.12, 0.85], [-1.12, 0.85]],
];

export function mark(h: Host, shape: Shape, [x, y]: Point, r: number, fill: string, edge = '', wide = 0.26) {
  const {ctx} = h;
  ctx.beginPath();
  if (shape === 'o') ctx.arc(x, y, r, 0, 7);
  else {
    for (const [dx, dy] of nth(OUTLINES, shape)) ctx.lineTo(x + dx * r, y + dy * r);
    ctx.closePath();
  }
  ctx.fillStyle = fill;
  ctx.fill();
  if (!edge) return;
  ctx.strokeStyle = edge;
  ctx.lineWidth = Math.max(0.8, r * wide);
  ctx.stroke();
}

type Group = 0 | 1 | 2;

export const sharedColour = (h: Host, g: number) => h.colours[`shared-${g as Group}`];
export const ownColour = (h: Host, g: number) => h.colours[`own-${g as Group}`];
/** Lines in the tone of an own group: hollow marks have that of their edge. */
export const ownLine = (h: Host, g: number) => g === 2 ? h.colours['own-edge'] : ownColour(h, g);

/** Draws a person by a look. */
export function person(h: Host, town: Town, {by, layer}: Look, i: number, p: Point, r: number) {
  const shared = sharedColour(h, groupOf(town, 0, i)), g = groupOf(town, layer + 1, i);
  if (by === 'ink') mark(h, 'o', p, r, h.colours.soft, h.colours.card);
  else if (by === 'shared') mark(h, 'o', p, r, shared, h.colours.card);
  else if (by === 'own') mark(h, layer, p, r, ownColour(h, g), g ? h.colours['own-edge'] : ownColour(h, 0));
  else {
    mark(h, 'o', p, r * 1.5, shared);
    mark(h, layer, p, r * 0.85, ownColour(h, g), h.colours.card);
  }
}

/** A ring about a person. */
export function halo(h: Host, [x, y]: Point, r: number, full = false) {
  const {ctx} = h;
  ctx.globalAlpha = 1;
  ctx.beginPath();
  ctx.arc(x, y, r * 1.9, 0, 7);
  ctx.fillStyle = ctx.strokeStyle = h.colours.ink;
  if (full) ctx.fill();
  ctx.lineWidth = 2;
  ctx.stroke();
}

export function outline(h: Host, q: Panel) {
  h.ctx.beginPath();
  for (const p of [[-1, -1], [1, -1], [1, 1], [-1, 1]] as Point[]) h.ctx.lineTo(...at(q, p));
  h.ctx.closePath();
}

/** The ground and the edge of a panel. */
export function frame(h: Host, q: Panel) {
  const {ctx} = h;
  if (q.frame === 'none') return;
  ctx.globalAlpha = q.alpha;
  outline(h, q);
  ctx.fillStyle = h.colours.card;
  ctx.fill();
  ctx.lineWidth = q.frame === 'strong' ? 3 : 1.25;
  ctx.strokeStyle = q.frame ? h.colours.ink : h.colours.soft;
  ctx.setLineDash(Array.isArray(q.frame) ? q.frame : []);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Frames of layers differ by their lines. */
export const DASHES: Three<number[]> = [[], [9, 3], [2, 3]];

/** Soft grounds where the shared groups stand on a sheet. */
export function ground(h: Host, q: Panel) {
  if (q.ground < 0.02) return;
  const {ctx} = h, soft = (z: number) => Math.sign(z) * Math.abs(z) ** 0.42;
  const groups: [number, number, number][] = [[0, -0.5, 0.46], [-0.49, 0.47, 0.46], [0.49, 0.47, 0.46]];
  groups.forEach(([x, y, r], g) => {
    ctx.beginPath();
    for (let k = 0; k < 36; k++) {
      const turn = k * Math.PI / 18;
      ctx.lineTo(...at(q, [x + r * soft(Math.cos(turn)), y + r * soft(Math.sin(turn))]));
    }
    ctx.globalAlpha = 0.16 * q.ground * q.alpha;
    ctx.fillStyle = sharedColour(h, g);
    ctx.fill();
  });
}

function strokes(h: Host, list: Point[], places: Point[], alpha: number, colour: string) {
  if (alpha < 0.01) return;
  h.ctx.globalAlpha = alpha;
  h.ctx.strokeStyle = colour;
  h.ctx.beginPath();
  for (const [i, j] of list) {
    h.ctx.moveTo(...nth(places, i));
    h.ctx.lineTo(...nth(places, j));
  }
  h.ctx.stroke();
}

/** Links of a sheet: inside shared groups in their hues, inside a layer's own groups in its tones. */
export function links(h: Host, town: Town, l: number, now: Pose, q: Panel) {
  const shared = nth(town.groups, 0), own = nth(town.groups, l + 1), seen = nth(now.links, l);
  const tone = Math.min(1, Math.max(0.5, q.ux / 105)) * q.alpha;
  const plain = nth(now.marks, l).look.by === 'ink';
  h.ctx.lineWidth = Math.max(0.4, q.ux / 170);
  const pass = (share: number, part: number) => {
    const list = linksOf(town, share, l), others = list.filter(([i, j]) => shared[i] !== shared[j]);
    const draw = (lines: Point[], much: number, colour: string) =>
      strokes(h, lines, nth(now.pixels, l), much * tone * part, plain ? h.colours.ink : colour);
    const inGroup = (lines: Point[], of: number[], g: number) =>
      lines.filter(([i, j]) => of[i] === g && of[j] === g);
    draw(others.filter(([i, j]) => own[i] !== own[j]), seen.rest, h.colours.ink);
    for (const g of [0, 1, 2]) draw(inGroup(list, shared, g), seen.shared, sharedColour(h, g));
    for (const g of [0, 1, 2]) draw(inGroup(others, own, g), seen.own, ownLine(h, g));
  };
  if (now.before && now.before.share !== now.share) {
    pass(now.before.share, 1 - now.way);
    pass(now.share, now.way);
  } else pass(now.share, 1);
  h.ctx.globalAlpha = 1;
}

export function caption(h: Host, q: Panel) {
  if (!q.caption) return;
  const {ctx, rem} = h, {text, short: few = text.replace(/ .*/, ''), right = '', mark: sign}: Caption = q.caption;
  const [x, top] = at(q, [-1, -1]), [end] = at(q, [1, -1]), y = top - 0.4 * rem;
  ctx.globalAlpha = Math.min(1, q.alpha * 1.4);
  h.font(0.94, 600);
  const short = right.split(' ').pop() ?? '', fits = (words: string) =>
    end - x - ctx.measureText(text).width - (words ? ctx.measureText(words).width + rem * 0.5 : 0);
  const number = fits(right) > 0 ? right : short, spare = fits(number);
  let dx = 0;
  if (sign === 'shared' && spare > rem * 1.75) {
    for (const g of [0, 1, 2]) {
      mark(h, 'o', [x + rem * (0.4 + 0.4 * g), y - rem * 0.3], rem * 0.3, sharedColour(h, g), h.colours.paper);
    }
    dx = rem * 1.75;
  } else if (typeof sign === 'number' && spare > rem) {
    mark(h, sign, [x + rem * 0.4, y - rem * 0.3], rem * 0.32, h.colours.ink);
    dx = rem;
  }
  h.text(spare < 0 ? few : text, x + dx, y);
  h.font(0.94);
  if (number) h.text(number, end, y, {align: 'right', colour: 'soft'});
  ctx.globalAlpha = 1;
}

/** An arrow with a body. */
export function arrow(h: Host, [x0, y0]: Point, [x1, y1]: Point, wide: number,
  fill: string, edge = h.colours.ink) {
  const {ctx} = h, turn = Math.atan2(y1 - y0, x1 - x0), long = Math.hypot(x1 - x0, y1 - y0);
  const neck = long - Math.min(wide * 3.4, long * 0.6);
  const corners: Point[] = [
    [0, 0.5], [neck, 0.5], [neck, 1.25], [long, 0], [neck, -1.25], [neck, -0.5], [0, -0.5],
  ];
  ctx.beginPath();
  for (const [along, side] of corners) {
    ctx.lineTo(x0 + Math.cos(turn) * along - Math.sin(turn) * side * wide,
      y0 + Math.sin(turn) * along + Math.cos(turn) * side * wide);
  }
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = edge;
  ctx.lineWidth = 1.6;
  ctx.stroke();
}

/** Words in lines that are no wider than that. */
export function wrapped(h: Host, words: string, x: number, y: number, wide: number) {
  let line = '';
  for (const word of words.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && h.ctx.measureText(longer).width > wide) {
      h.text(line, x, y, {colour: 'soft'});
      y += 1.2 * h.rem;
      line = word;
    } else line = longer;
  }
  h.text(line, x, y, {colour: 'soft'});
}
