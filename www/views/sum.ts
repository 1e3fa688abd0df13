// The place of a node, drawn as a sum: arrows head to tail, one for each contributing node, from the place of 0 to the place of the node. Arrows of a class
// stand together. The class with the longest sum comes first, and in each class the strongest arrow. Pure geometry and painting, without a document.
import {nth, sure} from '../dom/nth.js';
import {drawMark, fillOf} from './palette.js';
import {line, lines, ring} from './pen.js';
import {placeOf} from './points.js';
import type {Coordinate, Point} from './points.js';
import type {Over} from './scatter.js';
import type {Pen, Theme} from '../types.js';

/** A part of a place: a step in the picture, its share of the whole, and the node that makes it, or -1. */
export interface Part { x: number; y: number; share: number; node: number; what: string }

/** The parts of a place in a picture, in the order in which they came; the place of 0, and that of the node before training. */
export interface Sum { zero: Point; untrained: Point; parts: Part[] }

/** Parts that no node makes, as they come (`why` in wasm/PROTOCOL.md); those of nodes follow. */
const OTHERS = ['bias', 'means taken off', 'left by the split', 'rest'], HEAD = 2;
export const REST = 'rest', OF_NODE = 'node';

/** Reads rows of x, y and share, and the nodes of the later rows. Leaves out parts that are 0. */
export function sumOf(rows: Float32Array, from: Int32Array): Sum {
  const at = (k: number): Point => [sure(rows[3 * k]), sure(rows[3 * k + 1])];
  const parts = Array.from({length: OTHERS.length + from.length}, (_, k) => {
    const [x, y, share] = placeOf(rows, HEAD + k);
    return {x, y, share, node: from[k - OTHERS.length] ?? -1, what: OTHERS[k] ?? OF_NODE};
  });
  return {zero: at(0), untrained: at(1), parts: parts.filter(p => p.x || p.y || p.share)};
}

/** Arrows of one class, or of one part that no node makes: the mark of the class, -1 for a missing one, null for none. */
export interface Bundle { name: string; mark: number | null; first: number; end: number; share: number }

/** The drawn arrows: arrow k goes from place k to place k + 1. Bundles are ranges of arrows. */
export interface Laid { places: Point[]; arrows: Part[]; bundles: Bundle[] }

/**
 * Lays the parts head to tail: bias and means first, then the classes, and the rest last. classOf says the class of a node, and names and marks are those of
 * the classes.
 */
export function laidOut({zero, parts}: Sum, classOf: (node: number) => number, {names, marks}: {names: string[], marks: number[]}): Laid {
  const groups: Map<number, Part[]> = new Map();
  for (const p of parts) {
    if (p.node < 0) continue;
    const c = classOf(p.node), known = groups.get(c);
    if (known) known.push(p);
    else groups.set(c, [p]);
  }
  const net = (list: Part[]) => Math.hypot(list.reduce((s, p) => s + p.x, 0), list.reduce((s, p) => s + p.y, 0));
  const lone = (rest: boolean) => parts.filter(p => p.node < 0 && (p.what === REST) === rest).map(p => ({name: p.what, mark: null, list: [p]}));
  const classes = [...groups].map(([c, list]) => ({name: names[c] ?? 'missing', mark: marks[c] ?? -1, list, net: net(list)}))
    .sort((a, b) => b.net - a.net);
  const places = [zero], arrows: Part[] = [];
  let [x, y] = zero;
  const bundles = [...lone(false), ...classes, ...lone(true)].map(({name, mark, list}) => {
    const first = arrows.length;
    for (const p of list) {
      arrows.push(p);
      places.push([x += p.x, y += p.y]);
    }
    return {name, mark, first, end: arrows.length, share: list.reduce((s, p) => s + p.share, 0)};
  });
  return {places, arrows, bundles};
}

const BARB = 5, SHORTEST = 4; // pixels: of a head, and of an arrow that has one
const WIDTH = 1.5, LIT = 3.5, RIM = 2; // pixels
const MARK = 5, REACH = 5; // pixels: radius of a bundle's mark, and how near the pointer must come to an arrow
const PALE = 0.25; // how strongly other arrows are drawn while some are lit

/** The drawing above the marks of a plot. lit(k) says if arrow k is lit; pointed(k) is called with the arrow at the pointer, or -1. */
export function overOf({zero, untrained}: Sum, {places, arrows, bundles}: Laid, lit: (k: number) => boolean, pointed: (k: number) => void): Over {
  const end = nth(places, arrows.length, 'places');
  /** Both ends of an arrow, in pixels. */
  const endsOf = (k: number, x: Coordinate, y: Coordinate) => [places.at(k), places.at(k + 1)].map(([u, v] = end): Point => [x(u), y(v)]) as [Point, Point];
  return {
    reach: Math.max(...[...places, untrained].flat().map(Math.abs)),
    paint(to: Pen, t: Theme, x: Coordinate, y: Coordinate) {
      const shaft = (k: number): Point[][] => {
        const [[a, b], [c, d]] = endsOf(k, x, y), long = Math.hypot(c - a, d - b);
        if (long < SHORTEST) return [[[a, b], [c, d]]];
        const s = Math.min(BARB, long / 2) / long, [p, q] = [(c - a) * s, (d - b) * s];
        return [[[a, b], [c, d]], [[c - p - q / 2, d - q + p / 2], [c, d]], [[c - p + q / 2, d - q - p / 2], [c, d]]];
      };
      const draw = (list: number[], colour: string, width: number) => {
        if (list.length) lines(to, list.flatMap(shaft), colour, width);
      };
      const all = arrows.map((_, k) => k), bright = all.filter(lit);
      const colourOf = (b: Bundle) => b.mark === null ? t.ink : b.mark < 0 ? t.missing : fillOf(t, b.mark);
      line(to, [untrained, end].map(([u, v]): Point => [x(u), y(v)]), t.soft, 1, [2, 3]); // from where the untrained node is
      const about = ([u, v]: Point, r: number, colour: string) => ring(to, x(u), y(v), r, colour, WIDTH);
      about(untrained, MARK, t.soft);
      draw(all, t.card, WIDTH + RIM); // parts the arrows from what is below
      to.globalAlpha = bright.length ? PALE : 1;
      for (const b of bundles) draw(all.slice(b.first, b.end), colourOf(b), WIDTH);
      to.globalAlpha = 1;
      draw(bright, t.card, LIT + RIM);
      for (const b of bundles) draw(bright.filter(k => k >= b.first && k < b.end), colourOf(b), LIT);
      about(zero, 3, t.ink);
      for (const b of bundles) { // its shape, beside its colour
        if (b.mark !== null && b.end < arrows.length) drawMark(to, t, b.mark, ...endsOf(b.end, x, y)[0], MARK);
      }
      about(end, MARK + 2, t.ink);
    },
    at(px, py, x, y) {
      let best = -1, least = REACH * REACH;
      for (const k of arrows.keys()) {
        const [[a, b], [c, d]] = endsOf(k, x, y), square = (c - a) ** 2 + (d - b) ** 2;
        const s = square ? Math.max(0, Math.min(1, ((px - a) * (c - a) + (py - b) * (d - b)) / square)) : 0;
        const far = (a + s * (c - a) - px) ** 2 + (b + s * (d - b) - py) ** 2;
        if (far < least) [best, least] = [k, far];
      }
      pointed(best);
      return arrows[best]?.node ?? null;
    },
  };
}
