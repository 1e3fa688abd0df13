// One layer in a glass brain: three projections on one canvas. Marks are the chosen regions, their shape and colour the
// network, their size the value; dots are all others.
import {Host, along} from './canvas.js';
import {drawMark} from './palette.js';
import {ring} from './pen.js';
import {layout, nearest} from './projection.js';

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
    on.ctx.fillStyle = on.colours.card;
    on.ctx.fillRect(0, 0, on.side, plan.height);
    paint(on.ctx, plan, on.colours);
    for (const i of on.selected) rim(i, 2);
    rim(on.hovered, 1.5);
    if (on.at >= 0) rim(model.top[on.at], 2.5);
  }

  function radius(i: number) {
    const largest = model.values[model.top[0]] || 1;
    return 2.5 + 3 * model.values[i] / largest;
  }

  function rim(i: number, width: number) {
    if (i >= 0) for (const {x, y} of plan.panels) ring(on.ctx, x[i], y[i], radius(i) + 3.5, on.colours.ink, width);
  }

  function paint(to: Pen, {panels, height}: ReturnType<typeof layout>, t: Theme) {
    for (const {view, left, width: wide, x, y, outline} of panels) {
      to.strokeStyle = t.missing;
      to.lineWidth = 1;
      smooth(to, outline);
      to.stroke();
      to.fillStyle = t.soft;
      to.font = `11px ${t.font}`;
      to.textBaseline = 'bottom';
      to.textAlign = 'left';
      to.fillText(view.ends[0], left + 4, height - 2);
      to.textAlign = 'right';
      to.fillText(view.ends[1], left + wide - 4, height - 2);
      to.fillStyle = t.line;
      for (let i = 0; i < x.length; i++) to.fillRect(x[i] - 1, y[i] - 1, 2, 2);
      to.strokeStyle = t.soft;
      to.globalAlpha = 0.35;
      to.beginPath();
      for (let k = 0; k < Math.min(model.edges.length, 2 * model.most); k += 2) {
        const i = model.edges[k], j = model.edges[k + 1];
        to.moveTo(x[i], y[i]);
        to.lineTo(x[j], y[j]);
      }
      to.stroke();
      to.globalAlpha = 1;
      for (let k = model.top.length - 1; k >= 0; k--) drawMark(to, t, model.marks[model.top[k]], x[model.top[k]], y[model.top[k]], radius(model.top[k]));
    }
    to.textAlign = 'left';
    to.textBaseline = 'alphabetic';
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
    describe: k => `${k + 1} of ${model.top.length}, ${describe(model.top[k])}`,
    choose: k => onPick(k < 0 ? -1 : model.top[k]),
    hover(k) {
      if (k < 0) onHover(-1);
      else onHover(model.top[k], plan.panels[0].x[model.top[k]], plan.panels[0].y[model.top[k]], on.canvas);
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
function smooth(to: Pen, corners: [number, number][]) {
  const n = corners.length;
  const mid = (k: number): [number, number] => [(corners[k % n][0] + corners[(k + 1) % n][0]) / 2, (corners[k % n][1] + corners[(k + 1) % n][1]) / 2];
  to.beginPath();
  if (n < 3) return;
  to.moveTo(...mid(n - 1));
  for (let k = 0; k < n; k++) to.quadraticCurveTo(...corners[k], ...mid(k));
  to.closePath();
}
