// One layer in a glass brain: three projections on one canvas. Marks are the chosen regions, their shape and colour the
// network, their size the value; dots are all others.
import {nth, sure} from '../dom/nth.js';
import {Host, along} from './canvas.js';
import {drawMark} from './palette.js';
import {ground, lines, ring, write} from './pen.js';
import {layout, nearest} from './projection.js';
import {pointOf} from './points.js';
import type {Point} from './points.js';
import type {Pen, Theme} from '../types.js';

const REACH = 12; // largest distance of the pointer from a region, in CSS pixels

/** The drawn data, see create. */
interface Marked {places: Float32Array; marks: ArrayLike<number>; top: Int32Array; values: Float32Array; edges: Int32Array; most: number}
interface BrainOptions {label: string; onHover(region: number, x?: number, y?: number, canvas?: HTMLCanvasElement): void; onPick(region: number): void;
  describe(region: number): string}

/**
 * onHover and onPick get a region, -1 for none. In an update, top are the chosen regions, largest value first, and edges pairs among them, strongest
 * first; `most` of them are drawn.
 */
export function create(el: HTMLElement, {label, onHover, onPick, describe}: BrainOptions) {
  let model: Marked, plan: ReturnType<typeof layout>;

  function draw() {
    if (!plan) return;
    ground(on.ctx, on.side, plan.height, on.colours.card);
    paint(on.ctx, plan, on.colours);
    for (const i of on.selected) rim(i, 2);
    rim(on.hovered, 1.5);
    if (on.at >= 0) rim(ranked(on.at), 2.5);
  }

  /** The region at a place among the chosen ones. */
  const ranked = (k: number) => nth(model.top, k, 'regions');
  const markOf = (i: number) => sure(model.marks[i]);
  const radius = (i: number) => 2.5 + 3 * sure(model.values[i]) / (model.values[ranked(0)] || 1);

  function rim(i: number, width: number) {
    if (i >= 0) for (const {points} of plan.panels) ring(on.ctx, ...nth(points, i, 'regions'), radius(i) + 3.5, on.colours.ink, width);
  }

  function paint(to: Pen, {panels, height}: ReturnType<typeof layout>, t: Theme) {
    for (const {view, left, width: wide, points, outline} of panels) {
      to.strokeStyle = t.missing;
      to.lineWidth = 1;
      smooth(to, outline);
      to.stroke();
      const [first, last] = view.ends, at = (i: number) => nth(points, i, 'regions');
      const how = {font: '11px', colour: t.soft};
      write(to, t, first, left + 4, height - 5, how);
      write(to, t, last, left + wide - 4, height - 5, {...how, align: 'right'});
      to.fillStyle = t.line;
      for (const [x, y] of points) to.fillRect(x - 1, y - 1, 2, 2);
      const shown = Math.min(model.edges.length / 2, model.most);
      to.globalAlpha = 0.35;
      lines(to, Array.from({length: shown}, (_, k) => pointOf(model.edges, k).map(at)), t.soft);
      to.globalAlpha = 1;
      for (const i of model.top.toReversed()) drawMark(to, t, markOf(i), ...at(i), radius(i));
    }
  }

  function point(x: number, y: number) {
    if (model) onHover(nearest(plan.panels, model.top, x, y, REACH), x, y, on.canvas);
  }

  const on: Host = new Host(el, {
    kind: 'brain view', draw,
    pointer: {
      pointermove: e => point(e.offsetX, e.offsetY),
      pointerleave: () => onHover(-1),
      pointerup(e) {
        if (!model) return;
        point(e.offsetX, e.offsetY);
        onPick(nearest(plan.panels, model.top, e.offsetX, e.offsetY, REACH));
      },
    },
    height(width) {
      if (model) plan = layout(model.places, width);
      return plan?.height ?? on.canvas.height / on.scale;
    },
    go: (key, from) => model && along(key, from, model.top.length - 1),
    describe: k => `${k + 1} of ${model.top.length}, ${describe(ranked(k))}`,
    choose: k => onPick(k < 0 ? -1 : ranked(k)),
    hover(k) {
      if (k < 0) onHover(-1);
      else onHover(ranked(k), ...nth(nth(plan.panels, 0).points, ranked(k)), on.canvas);
    },
  });
  on.label(label);
  return Object.assign(on, {
    update(next: Marked) {
      const moved = next.places !== model?.places;
      model = next;
      on.at = Math.min(on.at, model.top.length - 1);
      if (moved) on.fit(true);
      else on.redraw();
    },
    /** Draws the brain on that width into another context whose origin is the upper left corner; gives the height. */
    exportImage(to: Pen, wide: number, t: Theme) {
      const own = layout(model.places, wide);
      paint(to, own, t);
      return own.height;
    },
  });
}

/** A closed line that rounds its corners. */
function smooth(to: Pen, corners: Point[]) {
  const middle = ([a, b]: Point, [c, d]: Point): Point => [(a + c) / 2, (b + d) / 2];
  to.beginPath();
  const [first] = corners;
  if (!first || corners.length < 3) return;
  to.moveTo(...middle(nth(corners, corners.length - 1), first));
  for (const [k, corner] of corners.entries()) to.quadraticCurveTo(...corner, ...middle(corner, corners[k + 1] ?? first));
  to.closePath();
}
