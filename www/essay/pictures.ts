// Larger marks over the panels: arrows of the hero, the thread, matrices, bars of a probe, before against after.
import {entry, nth} from '../dom/nth.js';
import {plus} from '../views/psiplane.js';
import {at} from './pose.js';
import {
  arrow, halo, mark, outline, ownColour, ownLine, person, sharedColour, wrapped,
} from './marks.js';
import {linksOf} from './runs.js';
import type {Drawing} from './pose.js';
import type {Host} from './host.js';

import type {Point, Sum, Town} from './runs.js';

/** Two places after the point, with a true minus. */
export const hundredths = (v: number) => (Math.abs(v) < 0.005 ? 0 : v).toFixed(2).replace('-', '\u2212');

/** The name of a map: S, or the private one of a layer. */
export const nameOf = (k: number) => k ? `P${'\u2081\u2082\u2083'.charAt(k - 1)}` : 'S';

function head(h: Host, [x, y]: Point, dx: number, dy: number) {
  const r = Math.max(3, h.rem * 0.3);
  h.ctx.beginPath();
  h.ctx.moveTo(x - dx * r * 1.6 - dy * r, y - dy * r * 1.6 + dx * r);
  h.ctx.lineTo(x, y);
  h.ctx.lineTo(x - dx * r * 1.6 + dy * r, y - dy * r * 1.6 - dx * r);
  h.ctx.stroke();
}

/** What is shared rises, what is a layer's own falls. */
export const flow: Drawing = (h, s, now) => {
  const {ctx} = h;
  ctx.globalAlpha = 0.9 * s.alpha;
  ctx.strokeStyle = h.colours.soft;
  ctx.lineWidth = 1.5;
  for (const l of [0, 1, 2]) {
    const q = entry(now.panels, 'L' + l), [x, y] = at(q, [0.5, -1]), [bx, by] = at(q, [0.12, 1]);
    const low = at(entry(now.panels, 'P' + l), [0, -1])[1] - 3;
    ctx.beginPath();
    ctx.moveTo(bx, by + 3);
    ctx.lineTo(bx, low);
    ctx.stroke();
    head(h, [bx, low], 0, 1);
    const side = l - 1, up = at(s, [0, 1])[1] + 3;
    const [ex, ey] = side ? [at(s, [side, 0])[0] + side * 4, at(s, [0, 0.5])[1]] : [x, up];
    ctx.beginPath();
    ctx.moveTo(x, y - 3);
    ctx.quadraticCurveTo(x, ey, ex, ey);
    ctx.stroke();
    head(h, [ex, ey], -side, side ? 0 : -1);
  }
  for (const [name, own] of [['L0', false], ['L2', true]] as const) {
    const {x, ux} = entry(now.panels, name);
    legend(h, x - ux, s.y - s.uy - s.vy, s.ux * 2, own);
  }
  ctx.globalAlpha = 1;
};

function legend(h: Host, x: number, top: number, wide: number, own: boolean) {
  const r = Math.max(4, h.rem * 0.38), y = top + h.rem * 0.6;
  for (const g of [0, 1, 2]) {
    const p: Point = [x + r + g * r * 3, y];
    if (own) mark(h, 0, p, r, ownColour(h, g), ownLine(h, g ? 2 : 0));
    else mark(h, 'o', p, r, sharedColour(h, g));
  }
  h.font(0.88);
  wrapped(h, own ? 'A layer\u2019s own groups' : 'Groups all layers share', x, y + h.rem * 1.6, wide);
}

/** Everybody whom a person is linked to in a layer. */
export const linkedTo = (town: Town, share: number, l: number, i: number) =>
  linksOf(town, share, l).filter(e => e.includes(i)).map(([a, b]) => a === i ? b : a);

/** Those to whom a person is linked in every layer. */
export function inAll(town: Town, share: number, i: number) {
  const others = [1, 2].map(l => linkedTo(town, share, l, i));
  return linkedTo(town, share, 0, i).filter(j => others.every(list => list.includes(j)));
}

/** One person's links on a sheet. */
export const star = (town: Town, share: number, l: number, i: number): Drawing => (h, q, now) => {
  const {ctx} = h, places = nth(now.pixels, l), r = nth(now.radii, l), all = inAll(town, share, i);
  const near = linkedTo(town, share, l, i), place = (j: number) => nth(places, j);
  ctx.globalAlpha = q.alpha;
  ctx.lineWidth = Math.max(1.2, h.width / 620);
  ctx.strokeStyle = h.colours.ink;
  ctx.beginPath();
  for (const j of near) {
    ctx.moveTo(...place(i));
    ctx.lineTo(...place(j));
  }
  ctx.stroke();
  for (const j of near) {
    if (all.includes(j)) mark(h, 'o', place(j), r * 1.6, h.colours.card, h.colours.ink, 0.5);
    else mark(h, 'o', place(j), r * 1.25, h.colours.ink, h.colours.card);
  }
  halo(h, place(i), r * 1.1, true);
};

/** The thread through the sheets: one person, and those linked to them in every way. */
export const thread = (town: Town, share: number, i: number): Drawing => (h, q, now) => {
  const {ctx, rem} = h, place = (l: number, j: number) => nth(nth(now.pixels, l), j);
  ctx.strokeStyle = h.colours.ink;
  ctx.setLineDash([2, 5]);
  ctx.lineCap = 'round';
  for (const j of [i, ...inAll(town, share, i)]) {
    ctx.lineWidth = j === i ? 3 : 1.5;
    ctx.globalAlpha = (j === i ? 1 : 0.55) * q.alpha;
    ctx.beginPath();
    for (const l of [0, 1, 2]) ctx.lineTo(...place(l, j));
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.lineCap = 'butt';
  ctx.globalAlpha = q.alpha;
  h.font(1, 600);
  const [x, y] = place(0, i), left = x > h.width * 0.6;
  h.text(nth(town.names, i), x + (left ? -1 : 1) * rem * 0.8, y - rem * 0.7, {align: left ? 'right' : 'left'});
  ctx.globalAlpha = 1;
};

/** What makes a place in map k, as arrows of the groups, head to tail and the longest first; rings about the people who move it most. */
export const arrows = (town: Town, sum: Sum, k: number, who: number): Drawing => (h, q, now) => {
  const {ctx} = h, place = (i: number) => nth(nth(now.pixels, 5 + k), i), r = nth(now.radii, 5 + k);
  const wide = Math.max(4, q.ux * 0.03);
  ctx.globalAlpha = 0.72 * q.alpha; // what stands behind
  outline(h, q);
  ctx.fillStyle = h.colours.card;
  ctx.fill();
  ctx.globalAlpha = q.alpha;
  for (const n of sum.named) {
    person(h, town, nth(now.marks, 5 + k).look, n.who, place(n.who), r);
    halo(h, place(n.who), r);
  }
  let from = sum.start;
  mark(h, 'o', at(q, from), wide * 0.7, h.colours.card, h.colours.ink, 0.5);
  const longest = [...sum.groups.entries()]
    .sort(([, a], [, b]) => Math.hypot(...b) - Math.hypot(...a));
  for (const [g, step] of longest) {
    const to = plus(from, step);
    const [fill, edge] = k ? [ownColour(h, g), h.colours['own-edge']] : [sharedColour(h, g)];
    arrow(h, at(q, from), at(q, to), wide, fill, edge);
    from = to;
  }
  halo(h, place(who), r * 1.3);
};

/** Links as a matrix; numbers.rank says where everybody stands in each layer. */
export const matrix = (town: Town, share: number, l: number, own: boolean): Drawing => (h, q, now) => {
  const {ctx} = h, n = town.names.length, cell = 2 * q.ux / n, [x, y] = at(q, [-1, -1]);
  const groups = nth(town.groups, own ? l + 1 : 0), rank = entry(now.numbers, 'rank');
  for (const g of [-1, 0, 1, 2]) {
    ctx.beginPath();
    ctx.fillStyle = g < 0 ? h.colours.soft : own ? ownLine(h, g) : sharedColour(h, g);
    ctx.globalAlpha = q.alpha * (g < 0 ? 0.5 : 1);
    for (const [i, j] of linksOf(town, share, l)) {
      if ((groups[i] === groups[j] ? groups[i] : -1) !== g) continue;
      const a = nth(rank, l * n + i) * cell, b = nth(rank, l * n + j) * cell;
      ctx.rect(x + a, y + b, cell, cell);
      ctx.rect(x + b, y + a, cell, cell);
    }
    ctx.fill();
  }
  ctx.globalAlpha = 1;
};

/** Bars of what a probe finds of each grouping in S, below it, with ticks of the untrained S. numbers[key]: found, then before. */
export const bars = (key: string): Drawing => (h, q, now) => {
  const {ctx, rem} = h, v = entry(now.numbers, key), [left, bottom] = at(q, [-1, 1]);
  const wide = q.ux / 2, tight = wide < 4.4 * rem, gap = tight ? 4 : rem * 0.6, high = rem * 0.55;
  for (const k of [0, 1, 2, 3]) {
    const x = left + (wide + gap / 4) * k, y = bottom + rem * 0.55, full = wide - gap;
    const found = nth(v, k);
    ctx.globalAlpha = q.alpha;
    ctx.fillStyle = h.colours.line;
    ctx.fillRect(x, y, full, high);
    ctx.fillStyle = h.colours.ink;
    ctx.fillRect(x, y, full * Math.max(0, found), high);
    ctx.strokeStyle = h.colours.soft;
    ctx.lineWidth = 2;
    ctx.strokeRect(x + full * Math.max(0, nth(v, 4 + k)) - 1, y - 3, 1, high + 6);
    const number = hundredths(found);
    h.font(tight ? 0.75 : 0.94, 600);
    mark(h, k ? k - 1 : 'o', [x + rem * 0.35, y + rem * 1.3], rem * 0.3, k ? h.colours['own-edge'] : sharedColour(h, 0));
    h.text(tight ? number.replace('0.', '.').replace('1.00', '1') : number, x + rem * (tight ? 0.8 : 1), y + rem * 1.6);
  }
};

/** What is read at each length of training: own groups and shared ones. */
export const lengths = ({epochs, own, shared}: Town['longer']): Drawing => (h, q) => {
  const {ctx, rem} = h, [left, bottom] = at(q, [-1, 1]), r = Math.max(5, rem * 0.5);
  const place = (k: number, v: number) => at(q, [k * 0.8 - 0.8, 1 - 2 * v]);
  ctx.globalAlpha = q.alpha;
  h.font(0.94);
  for (const v of [0, 0.5, 1]) {
    h.text(String(v), left - rem * 0.4, place(0, v)[1], {align: 'right', colour: 'soft', middle: true});
  }
  epochs.forEach((n, k) => h.text(n ? `${n} epochs` : 'untrained', place(k, 0)[0], bottom + rem * 1.4, {align: 'center'}));
  const draw = (values: number[], words: string, up: number, put: (p: Point) => void) => {
    ctx.lineWidth = Math.max(2, rem * 0.18);
    ctx.strokeStyle = values === own ? ownColour(h, 1) : sharedColour(h, 0);
    ctx.beginPath();
    for (const [k, v] of values.entries()) ctx.lineTo(...place(k, v));
    ctx.stroke();
    h.font(0.94, 600);
    for (const [k, v] of values.entries()) {
      const [x, y] = place(k, v);
      put([x, y]);
      h.text(hundredths(v), x, y + (v > 0.6 && v < 0.9 && values === shared ? -0.9 : 1.7) * rem, {align: 'center'});
    }
    put([left + 1.1 * rem, bottom - up * rem - 0.3 * rem]);
    h.text(words, left + 2 * rem, bottom - up * rem);
  };
  draw(shared, 'shared, in all maps', 2.1, p => mark(h, 'o', p, r, sharedColour(h, 0), h.colours.card));
  draw(own, 'own, in S', 0.7, p => mark(h, 0, p, r, ownColour(h, 1), h.colours['own-edge']));
};

/** Before against after, numbers.dots: before, after and how much each is seen; from: where the axes begin. */
export const scatter = (from: number, names: string[], guess: number): Drawing => (h, q, now) => {
  const {ctx, rem} = h, v = entry(now.numbers, 'dots');
  const side = q.ux * 2, [left, bottom] = at(q, [-1, 1]);
  const x = (t: number) => left + side * (t - from) / (1 - from), y = (t: number) => bottom - side * (t - from) / (1 - from);
  const half = (1 + from) / 2, words = from ? 0.45 : 0.7; // where nothing stands
  ctx.globalAlpha = q.alpha;
  ctx.setLineDash([6, 5]);
  ctx.strokeStyle = h.colours.soft;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x(from), y(from));
  ctx.lineTo(x(1), y(1));
  ctx.stroke();
  ctx.setLineDash([]);
  h.font(0.94);
  for (const t of [from, half, 1]) {
    const label = String(Math.round(100 * t) / 100);
    h.text(label, x(t), bottom + rem * 1.2, {align: 'center', colour: 'soft'});
    h.text(label, left - rem * 0.4, y(t), {align: 'right', colour: 'soft', middle: true});
  }
  h.font(1, 600);
  h.text('score before training', x(half), bottom + rem * 2.5, {align: 'center'});
  ctx.save();
  ctx.translate(left - rem * (left > rem * 3.2 ? 2.6 : 0.9), y((3 + from) / 4));
  ctx.rotate(-Math.PI / 2);
  h.text('after training', 0, 0, {align: 'center'});
  ctx.restore();
  ctx.save();
  ctx.translate(x(from + words * (1 - from)), y(from + words * (1 - from)));
  ctx.rotate(-Math.PI / 4);
  h.font(0.94);
  if (side > rem * 14) h.text('training added nothing', 0, rem * 1.2, {align: 'center', colour: 'soft'});
  ctx.restore();
  const dots = names.map((name, k) => {
    const before = nth(v, 3 * k);
    return {k, name, x: x(before), y: y(nth(v, 3 * k + 1)), seen: nth(v, 3 * k + 2), on: y(before)};
  });
  for (const d of dots) {
    if (d.seen < 0.05) continue;
    ctx.globalAlpha = d.seen * q.alpha;
    ctx.strokeStyle = h.colours.ink;
    ctx.lineWidth = Math.max(3, rem * 0.28);
    ctx.beginPath();
    ctx.moveTo(d.x, d.on);
    ctx.lineTo(d.x, d.y);
    ctx.stroke();
    mark(h, d.k ? d.k - 1 : 'o', [d.x, d.y], Math.max(6, rem * 0.55), h.colours.ink, h.colours.card);
    if (d.k === guess) halo(h, [d.x, d.y], Math.max(6, rem * 0.5));
  }
  named(h, dots.filter(d => d.seen > 0.5), left + side);
  choices.splice(0, choices.length, ...dots.map((d): Point => d.seen > 0.5 ? [d.x, d.y] : [-1e4, 0]));
};

/** Where the marks of the scatter are, in pixels, to be chosen. */
export const choices: Point[] = [];

/** Writes names beside marks; those of marks that stand together go in a list with leaders. */
function named(h: Host, dots: {x: number, y: number, name: string}[], right: number) {
  const {ctx, rem} = h;
  h.font(0.94, 600);
  const close = (d: typeof dots[0]) => dots.filter(o => Math.hypot(o.x - d.x, o.y - d.y) < rem * 3.2);
  const crowd = dots.filter(d => close(d).length > 1).sort((a, b) => a.y - b.y);
  for (const d of dots) {
    if (crowd.includes(d)) continue;
    const inward = d.x > right - rem * 6;
    h.text(d.name, d.x + (inward ? -1 : 1) * rem, d.y + rem * 0.3, {align: inward ? 'right' : 'left'});
  }
  const [highest] = crowd;
  if (!highest) return;
  const inward = Math.max(...crowd.map(d => d.x)) > right - rem * 8, lowest = Math.max(...crowd.map(d => d.y));
  const x = inward ? Math.min(...crowd.map(d => d.x)) - rem * 2.4 : Math.max(...crowd.map(d => d.x)) + rem * 2.4;
  const first = Math.min(highest.y, lowest - rem * 1.4 * (crowd.length - 1));
  crowd.forEach((d, i) => {
    const y = first + i * rem * 1.4;
    ctx.strokeStyle = h.colours.soft;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(d.x, d.y);
    ctx.lineTo(x + (inward ? 4 : -4), y - rem * 0.3);
    ctx.stroke();
    h.text(d.name, x, y, {align: inward ? 'right' : 'left'});
  });
}
