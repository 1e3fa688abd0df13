// A scatter plot of nodes on a canvas: the first two principal components of one embedding, or a graph with its links.
import {nth, sure} from '../dom/nth.js';
import {Host} from './canvas.js';
import {square, stamp, stamps} from './blit.js';
import {MOST_LINES, paintLinks} from './linkpixels.js';
import {dashOf, drawMark, fillOf, rgb} from './palette.js';
import {ground as clear, line, lines, ring} from './pen.js';
import {inside, nearest, pointOf, stepped} from './points.js';
import type {Adjacency} from './adjacency.js';
import type {Stamp} from './blit.js';
import type {Coordinate, Point} from './points.js';
import type {Pen, Theme} from '../types.js';

const MARGIN = 10; // around the points, in CSS pixels
const MANY = 20_000; // nodes; of more the density is drawn
const FADED = 0.16; // how strongly nodes are drawn beside those that are chosen
const SMALLER = 0.75; // marks of a graph, beside whose links they stand
const LINK = 0.3; // how strongly a link is drawn in a picture to keep
const REST = 0.09; // how strongly other links are drawn while a node is looked at, of their usual strength: 5 % of a full line
const GHOST = 0.3; // how strongly nodes of another run are drawn
const CHOSEN = 0.5; // and those that are chosen
const REACH = 14, ON = 4;  // largest distance of the pointer from a node, and from one that it is right above, in CSS pixels

/** Nodes that the run has not seen, drawn hollow: where they are, and the mark of each, -1 for none. */
export interface Added { xy: Float32Array; marks: number[] }

/**
 * A drawing above the marks. reach is its largest coordinate. at gives the node of the drawing at a point in pixels, -1 for a part without a node, and null
 * for an empty place. x and y turn a coordinate into pixels.
 */
export interface Over {
  reach: number;
  paint(to: Pen, t: Theme, x: Coordinate, y: Coordinate): void;
  at(px: number, py: number, x: Coordinate, y: Coordinate): number | null;
}

/** The drawn data, see create. */
interface Scattered {xy: Float32Array; classes: ArrayLike<number>; marks: number[]; dim: number | null; live?: boolean; ghost?: Float32Array | null;
  added?: Added | null; over?: Over | null;
  links?: {pairs: Int32Array, layer: number, among: Adjacency}[] | null; within?: boolean}
interface ScatterOptions {onHover(node: number): void; onSelect(nodes: number[], add: boolean): void; describe(node: number): string; kind?: string}

/** Radius of a mark for n nodes on a square of that side. */
const radius = (n: number, side: number) => Math.max(2, Math.min(5.5, 0.3 * side / Math.sqrt(n)));

/**
 * create(el, options) -> {label, update, select, exportImage, destroy}
 *
 * options: onHover(node or -1), onSelect(nodes, add), describe(node) -> text, kind, the name for a screen reader.
 * label(text) names the plot. update({xy, classes, marks, dim, links, ghost}): xy Float32Array of M pairs, classes Int32Array (-1 missing), marks those of
 * the classes, dim the class to keep while others fade (or null); links, of a graph, of every layer that is drawn: [{pairs, layer, among}], with
 * among an Adjacency; within, whether only those inside a class are drawn, undefined if there are no classes; ghost, where the nodes are in another
 * run, which is drawn faintly below, with a trail to each that is pointed at or chosen; added, nodes that the run has not seen, drawn hollow;
 * over, a drawing above all marks.
 * Positions are scaled about 0 by one factor for both axes.
 */
export function create(el: HTMLElement, {onHover, onSelect, describe, kind = 'scatter plot'}: ScatterOptions) {
  let model: Scattered, lasso: Point[] | null = null;
  let pixels: Stamp[], pixelsKey = '', image: ReturnType<typeof square>, reach = 0, stale = true, seen = -1,
    density: typeof import('./density.js') | null = null;

  const count = () => model ? model.xy.length / 2 : 0;
  const across = (v: number) => on.side / 2 + v * factor(), down = (v: number) => on.side / 2 - v * factor();
  const px = (i: number) => across(sure(model.xy[2 * i]));
  const py = (i: number) => down(sure(model.xy[2 * i + 1]));
  const ghostX = (i: number) => across(sure(model.ghost?.[2 * i]));
  const ghostY = (i: number) => down(sure(model.ghost?.[2 * i + 1]));
  const factor = () => reach > 0 ? (on.side / 2 - MARGIN) / reach : 0;

  function draw() {
    const {canvas, ctx, side, scale, colours} = on;
    if (!model) {
      ground(ctx, side, colours);
      return;
    }
    const r = radius(count(), side) * (model.links ? SMALLER : 1);
    const key = [model.marks, r, scale, canvas.width, colours.ink].join();
    if (key !== pixelsKey) {
      pixels = stamps(colours, model.marks, r, scale, canvas.width);
      pixelsKey = key;
      stale = true;
    }
    if (image?.side !== canvas.width) {
      image = square(canvas.width);
      stale = true;
    }
    const {hovered, selected} = on, looked = !model.links ? -1 : hovered >= 0 ? hovered : selected.size === 1 ? Math.max(...selected) : -1;
    if (looked !== seen) stale = true;
    seen = looked;
    if (stale) points(); // moving the pointer does not change the marks, which may be thousands
    stale = false;
    ctx.putImageData(image.image, 0, 0);
    if (model.added) hollow(ctx, colours, model.added, across, down, r);
    model.over?.paint(ctx, colours, across, down);
    joined(looked);
    for (const [i, width] of [[hovered, 1.5], [on.at, 2.5]] as const) {
      if (i >= 0 && i < count()) ring(ctx, px(i), py(i), r + 4, colours.ink, width);
    }
    if (lasso) line(ctx, [...lasso, ...lasso.slice(0, 1)], colours.accent, 1, [4, 3]);

    function points() {
      const near = looked >= 0 ? new Set([looked, ...(model.links ?? []).flatMap(({among}) => [...among.neighbours(looked)])]) : null;
      const fade = (i: number) => near ? !near.has(i)
        : (selected.size > 0 && !selected.has(i)) || (model.dim !== null && model.classes[i] !== model.dim);
      image.data.set(base(near ? REST : 1));
      const n = count(), {ghost} = model;
      if (ghost) {
        const x = (i: number) => (i < n ? px(i) : ghostX(i - n)) * scale;
        const y = (i: number) => (i < n ? py(i) : ghostY(i - n)) * scale;
        const moved = Array.from({length: n}, (_, i) => i).filter(i => Math.hypot(ghostX(i) - px(i), ghostY(i) - py(i)) > 1);
        const followed = moved.filter(i => i === hovered || selected.has(i)); // the trails of all would tangle
        paintLinks({data: image.data, side: canvas.width}, Int32Array.from(followed.flatMap(i => [i, n + i])), x, y, {colours: [rgb(colours.soft)]});
        for (const i of moved) {
          stamp(image, pixels, sure(model.classes[i]), ghostX(i) * scale, ghostY(i) * scale, selected.has(i) ? CHOSEN : fade(i) ? 0.08 : GHOST);
        }
      }
      const x = (i: number) => px(i) * scale, y = (i: number) => py(i) * scale, weight = (i: number) => fade(i) ? FADED : 1;
      if (n > MANY) {
        if (!density) import('./density.js').then(module => { density = module; stale = true; redraw(); });
        density?.paintPoints({data: image.data, side: canvas.width}, n, x, y, {of: i => sure(model.classes[i]) + 1, weight,
          colours: [colours.missing, ...model.marks.map(k => fillOf(colours, k))].map(rgb)});
        return;
      }
      for (const strength of [FADED, 1]) {
        for (let i = 0; i < n; i++) if (weight(i) === strength) stamp(image, pixels, sure(model.classes[i]), x(i), y(i), strength);
      }
    }

    /** The links of a node, above all others. */
    function joined(i: number) {
      if (i < 0 || i >= count()) return;
      for (const {among, layer} of model.links ?? []) {
        lines(ctx, Array.from(among.neighbours(i), (j): Point[] => [[px(i), py(i)], [px(j), py(j)]]), colours.ink, 1.5, styleOf(layer));
      }
    }
  }

  /** How lines of a layer are drawn: where it is alone, without gaps. */
  const styleOf = (layer: number) => model.links?.length === 1 ? [] : dashOf(layer);
  /** The place of a link's colour: that of the class that it stays within, or the last one; -1 if it is left out. */
  const colourAt = (pairs: Int32Array) => {
    const {classes, marks, within} = model;
    return (k: number) => {
      const c = sure(classes[sure(pairs[k])]);
      return c >= 0 && c === classes[sure(pairs[k + 1])] && within !== undefined ? c : within ? -1 : marks.length;
    };
  };
  const linkColours = (t: Theme) => [...model.marks.map(mark => fillOf(t, mark)), t.soft];

  // The layer under the marks as pixels, by the strength of links, kept until size, colours or links change.
  const bases: Map<number, Uint8ClampedArray> = new Map();
  let basesKey = '', linked: Scattered['links'], grouped: Scattered['classes'];
  function base(strength: number) {
    const {links, classes, marks, within} = model, {canvas, side, scale, colours} = on; // axes stand whatever the scale
    const key = [canvas.width, colours.card, colours.line, links ? [reach, within, marks] : ''].join();
    if (key !== basesKey || linked !== links || links && grouped !== classes) bases.clear();
    [basesKey, linked, grouped] = [key, links, classes];
    const known = bases.get(strength);
    if (known) return known;
    const c = document.createElement('canvas');
    c.width = c.height = canvas.width;
    const to = c.getContext('2d', {alpha: false, willReadFrequently: true}) as CanvasRenderingContext2D;
    to.scale(scale, scale);
    ground(to, side, colours);
    const data = to.getImageData(0, 0, c.width, c.height).data, list = linkColours(colours).map(rgb);
    const x = (i: number) => px(i) * scale, y = (i: number) => py(i) * scale;
    for (const {pairs, layer} of links ?? []) {
      const [on = 1, off = 0] = styleOf(layer);
      paintLinks({data, side: c.width}, pairs, x, y, {colours: list, of: colourAt(pairs), dash: [on * scale, off * scale], strength});
    }
    bases.set(strength, data);
    return data;
  }

  function ground(to: Pen, size: number, t: Theme) {
    clear(to, size, size, t.card);
    if (model?.links) return; // a graph has no axes
    const mid = Math.round(size / 2) + 0.5;
    lines(to, [[[mid, 0], [mid, size]], [[0, mid], [size, mid]]], t.line);
  }

  const at = (x: number, y: number) => nearest(count(), px, py, x, y, REACH);
  /** The node of the drawing above the marks at a point, as its at; null if a mark is right there. */
  const above = (x: number, y: number) => {
    const found = model?.over?.at(x, y, across, down) ?? null;
    if (model?.over) redraw(); // the arrow at the pointer may be lit
    return nearest(count(), px, py, x, y, ON) < 0 ? found : null;
  };

  const point = (e: PointerEvent): Point => [e.offsetX, e.offsetY];
  const pointer = {
    pointermove(e: PointerEvent) {
      lasso?.push(point(e));
      if (lasso) redraw();
      else onHover(above(...point(e)) ?? at(...point(e)));
    },
    pointerleave() { onHover(-1); },
    pointerdown(e: PointerEvent) {
      // A finger scrolls the page; mouse and pen may draw around nodes.
      if (e.button === 0 && e.pointerType !== 'touch' && model) {
        lasso = [point(e)];
        on.canvas.setPointerCapture(e.pointerId);
      }
    },
    pointerup(e: PointerEvent) {
      const drawn = lasso ?? [], [[left, top] = [0, 0]] = drawn;
      lasso = null;
      if (!model) return;
      if (drawn.some(([x, y]) => Math.hypot(x - left, y - top) > 8)) onSelect(inside(count(), px, py, drawn), e.shiftKey);
      else {
        const over = above(...point(e)), i = over ?? at(...point(e));
        if (over === null) onSelect(i < 0 ? [] : [i], e.shiftKey);
        if (e.pointerType === 'touch') onHover(i);
      }
      redraw();
    },
    pointercancel() { lasso = null; redraw(); },
  };
  // A canvas that is given a size is empty. Until it is drawn anew, it shows its ground and, stretched, what it showed before.
  const on: Host = new Host(el, {
    kind, draw, describe, pointer,
    stale() { stale = true; },
    sized(before) {
      ground(on.ctx, on.side, on.colours);
      if (before && model) on.ctx.drawImage(before, 0, 0, on.side, on.side);
    },
    go: (key, from) => stepped(key, from, count(), px, py, on.side / 2),
    choose: (i, add) => onSelect(i < 0 ? [] : [i], add),
    hover: onHover,
  });
  const redraw = () => on.redraw();

  return Object.assign(on, {
    update(next: Scattered) {
      const parts = Object.keys({...model, ...next}) as (keyof Scattered)[];
      if (model && parts.every(k => alike(model?.[k], next[k]))) return;
      if (next.xy.length !== model?.xy.length) on.at = -1;
      model = next;
      stale = true;
      const own = Math.max(extent(model.xy), model.ghost ? extent(model.ghost) : 0, model.added?.xy.length ? extent(model.added.xy) : 0,
        model.over?.reach ?? 0);
      // Follow a shrinking cloud slowly, so that the eye sees points move and not the scale.
      reach = own > reach || own < 0.2 * reach || !model.live ? own : 0.9 * reach + 0.1 * own;
      redraw();
    },
    /** Draws the plot into another context of that side. */
    exportImage(to: Pen, size: number, t: Theme) {
      ground(to, size, t);
      const f = (size / 2 - MARGIN) / (reach || 1), r = radius(count(), size) * (model.links ? SMALLER : 1), {xy, ghost} = model;
      const across = (v: number) => size / 2 + v * f, down = (v: number) => size / 2 - v * f;
      const at = (of: Float32Array, i: number): Point => {
        const [x, y] = pointOf(of, i);
        return [across(x), down(y)];
      };
      for (const {pairs, layer} of model.links ?? []) {
        const stride = 2 * Math.ceil(pairs.length / 2 / MOST_LINES), of = colourAt(pairs);
        const drawn = [...pairs.keys()].filter(k => k % stride === 0), end = (k: number) => at(xy, sure(pairs[k]));
        to.globalAlpha = LINK;
        linkColours(t).forEach((colour, c) => lines(to, drawn.filter(k => of(k) === c).map(k => [end(k), end(k + 1)]), colour, 0.5, styleOf(layer)));
        to.globalAlpha = 1;
      }
      if (ghost) {
        lines(to, Array.from(on.selected, i => [at(ghost, i), at(xy, i)]), t.missing, 0.5);
        for (let i = 0; i < count(); i++) drawMark(to, t, -1, ...at(ghost, i), r * 0.7);
      }
      for (let i = 0; i < count(); i++) drawMark(to, t, model.marks[sure(model.classes[i])] ?? -1, ...at(xy, i), r);
      if (model.added) hollow(to, t, model.added, across, down, r);
      model.over?.paint(to, t, across, down);
    },
  });
}

/** Draws nodes that the run has not seen: rings with the mark of their class within. */
function hollow(to: Pen, t: Theme, {xy, marks}: Added, x: (v: number) => number, y: (v: number) => number, r: number) {
  for (const [i, mark] of marks.entries()) {
    const [a, b] = pointOf(xy, i);
    ring(to, x(a), y(b), 1.6 * r, t.ink, 1.5, t.card);
    if (mark >= 0) drawMark(to, t, mark, x(a), y(b), 0.8 * r);
  }
}

/** Whether two values draw the same. */
const alike = (a: unknown, b: unknown) => a === b
  || listed(a) && listed(b) && a.length === b.length && a.every((v, i) => v === b[i]);
const listed = (v: unknown): v is unknown[] => Array.isArray(v) || v instanceof Float32Array;

/** The largest coordinate, or 1 when all points lie in one place. */
function extent(xy: Float32Array) {
  let m = 0;
  for (const v of xy) m = Math.max(m, Math.abs(v));
  return m || 1;
}
