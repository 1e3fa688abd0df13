// The pictures of all embeddings as one to keep, and as a table in figures.
import {tableOf} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {drawMark, fillOf, markOf} from './palette.js';
import {ground, write} from './pen.js';
import {linesOf} from './saving.js';

const SIDE = 340, GAP = 24, HEAD = 44, KEY = 130, LINE = 22, FOOT = 18; // units of the drawing

/** Lays out pictures in rows of so many columns, the legend below. sets are the colours' label sets, named if there are several. */
export function plotSheet({plots, sets, t, caption, columns = plots.length > 4 ? 3 : plots.length}: {
  columns?: number; plots: {title: string, view: Pick<NodePicture, 'exportImage'>}[];
  sets: (Pick<Colouring, 'classes' | 'marks' | 'scale'> & {name?: string})[]; t: Theme;
  caption: string;
}) {
  const [{scale}] = sets;
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
      view.exportImage(pen, {x, y: y + 24, side: SIDE, colours: t});
    });
    let x = GAP, y = GAP + lines * (SIDE + HEAD) + 14;
    if (scale) {
      const [{classes, marks}] = sets, {title, low, high, missing} = scale, from = `${title}: ${figure(low)}`, each = KEY / classes.length;
      write(pen, t, from, x, y);
      x += 7.5 * from.length + 8; // pens that write files do not measure
      marks?.forEach((mark, k) => {
        pen.fillStyle = fillOf(t, mark);
        pen.fillRect(x + k * each, y - 10, each, 12);
      });
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
  return {width, height, paint};
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
      let n = 0, x = 0, y = 0, s = 0;
      for (let i = 0; i < m; i++) if (of[i] === c) { n++; x += plane[2 * i]; y += plane[2 * i + 1]; }
      if (!n) return;
      x /= n; y /= n;
      for (let i = 0; i < m; i++) if (of[i] === c) s += (plane[2 * i] - x) ** 2 + (plane[2 * i + 1] - y) ** 2;
      const values = [n, x / unit, y / unit, Math.sqrt(s / n) / unit];
      rows.push([title, label, ...values.map((v, i) => i ? figure(Math.round(v * 100) / 100) : String(v))]);
    });
  });
  return tableOf({
    caption: `Epoch ${epoch}. A class stands apart where its centre is far from the others and its spread is small; the whole picture has spread 1.`,
    head: ['Picture', 'Class', 'Nodes', 'Centre across', 'Centre up', 'Spread'], of: k => k > 1 ? 'n' : null, rows,
  });
}
