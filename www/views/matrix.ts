// Layers as an adjacency matrix: nodes in the order of their classes, a dot for every link, in the colour of the class that it stays
// within. A pixel is darker the more links it shows, of several layers, or of several nodes if there is no room for all.
import {h} from '../dom/elements.js';
import {nth, sure} from '../dom/nth.js';
import {Host, along} from './canvas.js';
import {fillOf, rgb} from './palette.js';
import {box, ground, lines} from './pen.js';
import type {Point} from './points.js';
import type {Pen, Scale, Theme} from '../types.js';

export const BAND = 6; // the classes along both sides, in CSS pixels
const FADED = 0.16; // as marks that are not chosen are in the other pictures
const LEAST = 0.15; // strength of a pixel for few links
const MOST_BINS = 240, SHADES = 5; // of a picture to keep

/** The drawn data, see create. */
interface Gridded {layers: Int32Array[]; order: Int32Array; classes: ArrayLike<number>; marks: number[]; dim: number | null; scale?: Scale}
interface MatrixOptions {onHover(row: number, column?: number): void; onSelect(nodes: number[], add: boolean): void; describe(node: number): string}

/**
 * create(el, options) -> {label, update, select, highlight, exportImage, destroy}
 *
 * options: onHover(row or -1, column), onSelect(nodes, add), describe(node) -> text.
 * update({layers, order, classes, marks, dim}): layers has the links of each layer that is drawn, order every node once, classes the class of each
 * node (Int32Array, -1 missing), marks those of the classes, scale that of numbers if they are such, dim the class to keep while others fade (or null).
 */
export function create(el: HTMLElement, {onHover, onSelect, describe}: MatrixOptions) {
  let model: Gridded, drag: {from: number, to: number} | null = null; // places
  let cells: HTMLCanvasElement | null = null;
  /** Where each node stands. */
  let place: Int32Array = new Int32Array();

  const count = () => model?.order.length ?? 0;
  /** The node at a place. */
  const nodeAt = (p: number) => nth(model.order, p, 'nodes');
  const size = () => (on.side - BAND) / Math.max(1, count());
  /** The place at a coordinate, -1 outside. */
  const placeAt = (v: number) => {
    const p = Math.floor((v - BAND) / size());
    return p >= 0 && p < count() ? p : -1;
  };

  /** Whether a node is among those that others fade beside. */
  const kept = (i: number) =>
    (on.selected.size === 0 || on.selected.has(i)) && (model.dim === null || model.classes[i] === model.dim);

  /** Counts the links in each pixel, given their number to a side, those that stay within a class, and those of nodes that do not fade; and says how
   * many links are usual in one. */
  function counted(bins: number) {
    const each = count() / bins, {classes} = model, bin = place.map(p => Math.floor(p / each));
    const links = new Float32Array(bins * bins), within = new Float32Array(bins * bins);
    const faded = on.selected.size > 0 || model.dim !== null, bright = faded ? new Float32Array(bins * bins) : links;
    for (const pairs of model.layers) {
      for (let k = 0; k < pairs.length; k += 2) { // there may be a million: no calls
        const i = sure(pairs[k]), j = sure(pairs[k + 1]), row = sure(bin[i]), column = sure(bin[j]), own = sure(classes[i]);
        const p = row * bins + column, q = column * bins + row;
        links[p] = sure(links[p]) + 1;
        links[q] = sure(links[q]) + 1;
        if (own >= 0 && own === classes[j]) {
          within[p] = sure(within[p]) + 1;
          within[q] = sure(within[q]) + 1;
        }
        if (faded && (kept(i) || kept(j))) {
          bright[p] = sure(bright[p]) + 1;
          bright[q] = sure(bright[q]) + 1;
        }
      }
    }
    const full = each * each * model.layers.length;
    let filled = 0, sum = 0;
    for (const c of links) if (c > 0) { filled++; sum += c; }
    const typical = Math.max(1, Math.min(full, 2 * sum / Math.max(1, filled)));
    const classAt = (b: number) => sure(model.classes[nodeAt(Math.floor(b * each))]);
    /** The class whose colour a pixel has, -1 for none: that of both ends, or of numbers what lies between them. */
    const of = (p: number) => {
      const row = classAt(Math.floor(p / bins)), column = classAt(p % bins);
      return model.scale ? Math.min(row, column) < 0 ? -1 : Math.round((row + column) / 2) : 2 * sure(within[p]) > sure(links[p]) ? row : -1;
    };
    return {links, bright, of, strength: (p: number) => Math.min(1, Math.max(LEAST, sure(links[p]) / typical))};
  }

  /** Draws the links, as many pixels to a side as there are nodes, if there is room. */
  function paint() {
    const bins = Math.max(1, Math.min(count(), Math.floor((on.side - BAND) * on.scale))), {links, bright, of, strength} = counted(bins);
    const image = new ImageData(bins, bins), {data} = image;
    const ink = rgb(on.colours.soft), tints = model.marks.map(k => rgb(fillOf(on.colours, k)));
    for (const [p, n] of links.entries()) {
      if (n === 0) continue;
      const own = of(p);
      data.set(own < 0 ? ink : nth(tints, own, 'colours'), 4 * p);
      data[4 * p + 3] = 255 * strength(p) * (FADED + (1 - FADED) * sure(bright[p]) / n);
    }
    cells = h('canvas', {width: bins, height: bins});
    cells.getContext('2d')?.putImageData(image, 0, 0);
  }

  function draw() {
    const {ctx, side, colours} = on;
    ground(ctx, side, side, colours.card);
    if (!count()) return;
    if (!cells) paint();
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(cells as HTMLCanvasElement, BAND, BAND, side - BAND, side - BAND);
    band();
    cross(on.hovered, 1);
    if (on.at >= 0) cross(nodeAt(on.at), 1.5);
    if (drag && drag.to >= 0) {
      const {low, high} = range(drag), at = BAND + low * size(), wide = (high - low + 1) * size();
      box(ctx, at, at, wide, wide, colours.accent, 1, [4, 3]);
    }
  }

  /** The classes along both sides, with a line where one ends; into a context of a side. */
  function band(to: Pen = on.ctx, long: number = on.side, t: Theme = on.colours) {
    const {order, classes, marks} = model, each = (long - BAND) / Math.max(1, order.length);
    for (let from = 0, p = 1; p <= order.length; p++) {
      const c = sure(classes[nodeAt(from)]);
      if (p < order.length && classes[nodeAt(p)] === c) continue;
      const at = BAND + from * each, wide = (p - from) * each, end = Math.round(at + wide), fill = c < 0 ? t.missing : fillOf(t, nth(marks, c, 'marks'));
      ground(to, wide, BAND - 2, fill, at, 0);
      ground(to, BAND - 2, wide, fill, 0, at);
      if (p < order.length && !model.scale) {
        ground(to, 1, long - BAND, t.line, end, BAND);
        ground(to, long - BAND, 1, t.line, BAND, end);
      }
      from = p;
    }
  }

  /** Row and column of a node. */
  function cross(i: number, width: number) {
    if (i < 0 || i >= count()) return;
    const at = BAND + sure(place[i]) * size(), wide = Math.max(size(), 1), {ctx, side, colours} = on;
    box(ctx, 0.5, at - 0.5, side - 1, wide + 1, colours.ink, width);
    box(ctx, at - 0.5, 0.5, wide + 1, side - 1, colours.ink, width);
  }

  const range = ({from, to}: {from: number, to: number}) => ({low: Math.min(from, to), high: Math.max(from, to)});
  const pointer = {
    pointermove(e: PointerEvent) {
      const row = placeAt(e.offsetY), column = placeAt(e.offsetX);
      if (drag && row >= 0) {
        drag.to = Math.abs(row - drag.from) > Math.abs(column - drag.from) ? row : Math.max(column, 0);
        redraw();
      } else if (model && row >= 0 && column >= 0) onHover(nodeAt(row), nodeAt(column));
      else onHover(-1);
    },
    pointerleave() { onHover(-1); },
    pointerdown(e: PointerEvent) {
      const row = model ? placeAt(e.offsetY) : -1;
      if (e.button !== 0 || e.pointerType === 'touch' || row < 0) return; // a finger scrolls the page
      drag = {from: row, to: -1};
      on.canvas.setPointerCapture(e.pointerId);
    },
    pointerup(e: PointerEvent) {
      const row = model ? placeAt(e.offsetY) : -1;
      if (drag && drag.to >= 0 && drag.to !== drag.from) {
        const {low, high} = range(drag);
        onSelect([...model.order.subarray(low, high + 1)], e.shiftKey);
      } else onSelect(row < 0 ? [] : [nodeAt(row)], e.shiftKey);
      if (e.pointerType === 'touch' && row >= 0) onHover(nodeAt(row));
      drag = null;
      redraw();
    },
    pointercancel() { drag = null; redraw(); },
  };
  const on: Host = new Host(el, {
    kind: 'adjacency matrix', draw, pointer, describe: p => describe(nodeAt(p)),
    stale() { cells = null; },
    go: (key, from) => along(key, from, count() - 1),
    choose: (p, add) => onSelect(p < 0 ? [] : [nodeAt(p)], add),
    hover: p => onHover(p < 0 ? -1 : nodeAt(p)),
  });
  const {redraw} = on;

  return Object.assign(on, {
    update(next: Gridded) {
      if (next.order !== model?.order) {
        on.at = -1;
        place = new Int32Array(next.order.length);
        next.order.forEach((i, p) => { place[i] = p; });
      }
      const same = model && cells && next.layers.length === model.layers.length && next.layers.every((pairs, l) => pairs === model.layers[l])
        && next.order === model.order && next.classes === model.classes && next.dim === model.dim && next.scale === model.scale
        && String(next.marks) === String(model.marks);
      model = next;
      if (same) return; // to count the links of thousands of pairs anew takes a while
      cells = null;
      redraw();
    },
    /** Draws the matrix into another context of that side: row by row, equal neighbours in one line. */
    exportImage(to: Pen, length: number, t: Theme) {
      const bins = Math.max(1, Math.min(count(), MOST_BINS)), wide = (length - BAND) / bins, {links, of, strength} = counted(bins);
      /** Lines by colour and strength; there are few. */
      const kinds: Map<string, {colour: string, alpha: number, list: Point[][]}> = new Map();
      const kind = (p: number) => links[p] ? `${of(p)} ${Math.ceil(SHADES * strength(p)) / SHADES}` : '';
      for (let row = 0; row < bins; row++) {
        for (let from = row * bins, p = from + 1, end = from + bins; p <= end; p++) {
          const key = kind(from), y = BAND + (row + 0.5) * wide, own = of(from);
          if (p < end && kind(p) === key) continue;
          const known = kinds.get(key) ?? {colour: own < 0 ? t.soft : fillOf(t, nth(model.marks, own, 'marks')), alpha: Number(key.split(' ')[1]), list: []};
          known.list.push([[BAND + (from - row * bins) * wide, y], [BAND + (p - row * bins) * wide, y]]);
          if (key) kinds.set(key, known);
          from = p;
        }
      }
      for (const {colour, alpha, list} of kinds.values()) {
        to.globalAlpha = alpha;
        lines(to, list, colour, wide);
      }
      to.globalAlpha = 1;
      band(to, length, t);
    },
  });
}
