// The pictures of all embeddings as one to keep, and as a table in figures.
import {tableOf} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {drawMark, fillOf, markOf} from './palette.js';
import {ground, write} from './pen.js';
import {pointOf} from './points.js';
import {linesOf} from './saving.js';
import type {Colouring, NodePicture, Pen, Snapshot, Theme} from '../types.js';

const SIDE = 340, GAP = 24, HEAD = 44, KEY = 130, LINE = 22, FOOT = 18; // units of the drawing

/** Lays out pictures in rows of so many columns, the legend below. sets are the colours' label sets, named if there are several. */
export function plotSheet({plots, sets, t, caption, columns = plots.length > 4 ? 3 : plots.length}: {
  columns?: number; plots: {title: string, view: Pick<NodePicture, 'exportImage'>}[];
  sets: (Pick<Colouring, 'classes' | 'marks' | 'scale'> & {name?: string})[]; t: Theme;
  caption: string;
}) {
  const [first] = sets, scale = first?.scale;
  const lines = Math.ceil(plots.length / columns);
  const width = columns * (SIDE + GAP) + GAP, keys = scale ? [] : sets.flatMap(s => s.classes.map((name, k) =>
    ({name: sets.length > 1 ? `${s.name?.replaceAll('_', ' ')}: ${name}` : name, mark: markOf(s, k)})));
  const legendRows = scale ? 1 : Math.ceil(keys.length / Math.max(1, Math.floor((width - 2 * GAP) / KEY)));
  const foot = linesOf(caption, `13px ${t.font}`, width - 2 * GAP);
  const height = GAP + lines * (SIDE + HEAD) + legendRows * LINE + 46 + foot.length * FOOT;

  function paint(pen: Pen) {
    ground(pen, width, height);
    plots.forEach(({title, view}, i) => {
      const x = GAP + (i % columns) * (SIDE + GAP), y = GAP + Math.floor(i / columns) * (SIDE + HEAD);
      write(pen, t, title, x, y + 12, {font: '600 15px'});
      pen.save();
      pen.translate(x, y + 24);
      ground(pen, SIDE, SIDE, t.card);
      view.exportImage(pen, SIDE, t);
      pen.restore();
    });
    let x = GAP, y = GAP + lines * (SIDE + HEAD) + 14;
    if (scale) {
      const {title, low, high, missing} = scale, from = `${title}: ${figure(low)}`, marks = first?.marks ?? [], each = KEY / marks.length;
      write(pen, t, from, x, y);
      x += 7.5 * from.length + 8; // pens that write files do not measure
      for (const [k, mark] of marks.entries()) ground(pen, each, 12, fillOf(t, mark), x + k * each, y - 10);
      write(pen, t, figure(high) + (missing ? `, ${missing} missing` : ''), x + KEY + 8, y);
    }
    keys.forEach(({name, mark}) => {
      if (x + KEY > width) [x, y] = [GAP, y + LINE];
      drawMark(pen, t, mark, x + 6, y - 4, 5);
      write(pen, t, name, x + 18, y, {most: 104});
      x += KEY;
    });
    foot.forEach((text, k) => write(pen, t, text, GAP, y + 30 + k * FOOT, {colour: t.soft}));
  }
  return {width, height, text: caption, paint};
}

/** Where each class lies and how far it spreads, in units of the whole picture's spread. */
export function spreadTable({epoch, xy}: Snapshot, titles: string[], {of, classes}: {of: ArrayLike<number>, classes: string[]}) {
  const m = xy.length / 2 / titles.length;
  const rows: string[][] = [];
  titles.forEach((title, e) => {
    const plane = xy.subarray(2 * e * m, 2 * (e + 1) * m);
    let total = 0;
    for (const v of plane) total += v * v;
    const unit = Math.sqrt(total / m) || 1;
    classes.forEach((label, c) => {
      const own = Array.from({length: m}, (_, i) => i).filter(i => of[i] === c).map(i => pointOf(plane, i)), n = own.length;
      if (!n) return;
      const x = own.reduce((sum, p) => sum + p[0], 0) / n, y = own.reduce((sum, p) => sum + p[1], 0) / n;
      const s = own.reduce((sum, p) => sum + (p[0] - x) ** 2 + (p[1] - y) ** 2, 0);
      const values = [n, x / unit, y / unit, Math.sqrt(s / n) / unit];
      rows.push([title, label, ...values.map((v, i) => i ? figure(Math.round(v * 100) / 100) : String(v))]);
    });
  });
  return tableOf({
    caption: `Epoch ${epoch}. A class stands apart where its centre is far from the others and its spread is small; the whole picture has spread 1.`,
    head: ['Picture', 'Class', 'Nodes', 'Centre across', 'Centre up', 'Spread'], of: k => k > 1 ? 'n' : null, rows,
  });
}
