// Answers about three layers are points of a plane (views/psiplane.ts): what logits have in common does not count.
import {entry, nth} from '../dom/nth.js';
import {directionsOf, plus, sectorOf} from '../views/psiplane.js';
import {arrow, mark, SHAPES} from './marks.js';
import type {Host} from './host.js';
import type {Drawing, Panel} from './pose.js';
import type {Point} from './runs.js';

const DIRECTIONS = directionsOf(3);

/** The layer in whose sector a place is. */
export function answerAt([x, y]: Point) {
  const along = DIRECTIONS.map(([dx, dy]) => dx * x + dy * y);
  return along.indexOf(Math.max(...along));
}

/** The three sectors, with the names of the layers; hot: the one that is answered. */
function sectors(h: Host, q: Panel, names: string[], hot: number) {
  const {ctx, rem} = h, r = q.ux;
  ctx.save();
  ctx.beginPath();
  ctx.rect(q.x - r, q.y - r, 2 * r, 2 * r);
  ctx.clip();
  DIRECTIONS.forEach((_, k) => {
    ctx.beginPath();
    for (const [x, y] of sectorOf(k, 3, r)) ctx.lineTo(q.x + x, q.y + y);
    ctx.closePath();
    ctx.fillStyle = h.colours.wash;
    ctx.globalAlpha = q.alpha;
    if (k === hot) ctx.fill();
    ctx.strokeStyle = h.colours.soft;
    ctx.lineWidth = 1;
    ctx.stroke();
  });
  ctx.restore();
  ctx.globalAlpha = q.alpha;
  h.font(1.06, 600);
  const edge = r - rem * 0.8, tight = r < rem * 5;
  const put = (k: number, x: number, y: number, align: CanvasTextAlign) =>
    h.text(tight ? nth(SHAPES, k) : `${SHAPES[k]} ${names[k]}`, x, y, {align, colour: hot < 0 || k === hot ? 'ink' : 'soft'});
  put(0, q.x, q.y - r + rem * 1.6, 'center');
  put(1, q.x - edge, q.y + r - rem, 'left');
  put(2, q.x + edge, q.y + r - rem, 'right');
}

/** Numbers two by two. */
const pairsOf = (list: number[]) =>
  list.flatMap((x, k): Point[] => k % 2 ? [[nth(list, k - 1), x]] : []);

/** Bags where phi answers about them, numbers.bags; the people in the first one are joined to it. */
export const bags = (names: string[], filled: number[]): Drawing => (h, q, now) => {
  sectors(h, q, names, -1);
  const list = pairsOf(entry(now.numbers, 'bags')), each = list.length / names.length;
  for (const [i, [x, y]] of list.entries()) {
    const l = Math.floor(i / each), first = i === 0, p: Point = [q.x + x * q.ux, q.y + y * q.ux];
    if (first) {
      h.ctx.globalAlpha = 0.3 * q.alpha;
      h.ctx.strokeStyle = h.colours['own-1'];
      h.ctx.lineWidth = 1;
      h.ctx.beginPath();
      for (const who of filled) {
        h.ctx.moveTo(...nth(nth(now.pixels, 6), who));
        h.ctx.lineTo(...p);
      }
      h.ctx.stroke();
      h.ctx.globalAlpha = q.alpha;
    }
    const r = Math.max(4, q.ux * 0.028);
    mark(h, l, p, first ? r * 1.6 : r, first ? h.colours['own-1'] : h.colours.ink, h.colours.card);
  }
};

/** Where the arrows of psi end, and its plane's middle, in pixels, to be chosen. */
export const ends: Point[] = [], middle: Point = [0, 0];

/**
 * The two arrows. numbers.psi: the private arrow, the common one, where the answer was before the swap, and the common parts of all
 * bags. pick: what the reader expects, -1 for nothing yet, while the answer is not drawn; else null.
 */
export const swap = (names: string[], layers: number[], chosen: number, pick: number | null): Drawing => (h, q, now) => {
  type Given = [Point, Point, Point, ...Point[]];
  const [own, common, ghost, ...commons] = pairsOf(entry(now.numbers, 'psi')) as Given;
  const {ctx, rem} = h, size = q.ux * 0.86, r = Math.max(4, q.ux * 0.02);
  const px = ([x, y]: Point): Point => [q.x + x * size, q.y + y * size];
  const end = plus(own, common), half: Point = [common[0] / 2, common[1] / 2];
  sectors(h, q, names, pick ?? answerAt(end));
  ends.length = 0;
  [middle[0], middle[1]] = [q.x, q.y];
  if (pick !== null) {
    const wide = Math.max(5, q.ux * 0.026), [dx, dy] = half;
    arrow(h, px([0, 0]), px(own), wide, h.colours.ink);
    arrow(h, px([-0.7 - dx, -0.75 - dy]), px([dx - 0.7, dy - 0.75]), wide, h.colours.card);
    return;
  }
  layers.forEach((l, i) => {
    const to = px(plus(own, nth(commons, i)));
    ends.push(to);
    ctx.globalAlpha = q.alpha * 0.35;
    ctx.strokeStyle = h.colours.soft;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(...px(own));
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.globalAlpha = q.alpha;
    mark(h, l, to, r, h.colours.card, h.colours.soft);
  });
  ctx.globalAlpha = q.alpha;
  if (Math.hypot(end[0] - ghost[0], end[1] - ghost[1]) > 0.03) {
    ctx.setLineDash([3, 4]);
    mark(h, 'o', px(ghost), r * 1.9, 'transparent', h.colours.ink, 0.2);
    ctx.setLineDash([]);
  }
  const wide = Math.max(5, q.ux * 0.026);
  arrow(h, px([0, 0]), px(own), wide, h.colours.ink);
  arrow(h, px(own), px(end), wide, h.colours.card);
  mark(h, nth(layers, chosen), px(end), r * 1.5, h.colours.ink, h.colours.card);
  h.font(0.94, 600);
  const beside = (words: string, [x, y]: Point, [dx, dy]: Point) => { // of the middle of an arrow, on the outer side
    const d = Math.hypot(dx, dy) || 1, sx = dy / d, sy = -dx / d;
    const out = Math.hypot(x + sx * 0.1, y + sy * 0.1) > Math.hypot(x - sx * 0.1, y - sy * 0.1) ? 1 : -1;
    const [mx, my] = px([x, y]);
    h.text(words, mx + out * sx * rem * (1.1 + Math.abs(sx) * 1.3), my + out * sy * rem * 1.4,
      {align: 'center', middle: true});
  };
  beside('private', [own[0] / 2, own[1] / 2], own);
  if (Math.hypot(...common) > 0.12) beside('common', plus(own, half), common);
};
