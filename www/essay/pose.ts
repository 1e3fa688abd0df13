// Where things stand in a scene, and the way from one scene to the next: elements travel and never jump.
import {entry, nth} from '../dom/nth.js';
import type {Point} from './runs.js';
import type {Host} from './host.js';

/** A caption: words, fewer where they do not fit, a number at the right, and marks before them. */
export interface Caption {text: string, short?: string, right?: string, mark?: 'shared' | number}

/** A panel: its middle, and two half sides. */
export interface Panel {
  x: number; y: number;
  ux: number; uy: number;
  vx: number; vy: number;
  /** How much of it is seen; how much of its ground. */
  alpha: number; ground: number;
  /** Draws what is on it, below the marks, or above them. */
  under?: Drawing; over?: Drawing;
  caption?: Caption;
  frame?: 'none' | 'strong' | number[];
}

export type Drawing = (h: Host, q: Panel, now: Pose) => void;

/** How marks look: plain, by a shared group, by a layer's own, or by both. */
export type Look = {by: 'ink' | 'shared' | 'own' | 'both', layer: number};

/** A mark for each person: on each sheet, in S as each layer has it, and in each P. */
export interface Marks {panel: string, at: Point[], look: Look, alpha: number}

/** How much links of shared groups, of own groups and others are seen. */
export interface Seen {shared: number, own: number, rest: number}

export interface Pose {
  panels: Record<string, Panel>;
  marks: Marks[];
  links: Seen[];
  /** Numbers that a panel draws, and that travel. */
  numbers: Record<string, number[]>;
  share: number;
  /** In pixels, once it is laid out: places and radii of the marks, the looks and the share before, and how far the way is. */
  pixels: Point[][];
  radii: number[];
  before?: {looks: Look[], share: number};
  way: number;
}

export const square = (x: number, y: number, side: number, more: Partial<Panel> = {}): Panel =>
  ({x, y, ux: side / 2, uy: 0, vx: 0, vy: side / 2, alpha: 1, ground: 0, ...more});

export const at = (q: Panel, [x, y]: Point): Point =>
  [q.x + x * q.ux + y * q.vx, q.y + x * q.uy + y * q.vy];

/** Squares in rows and columns, each with a line for its caption. */
export function grid(h: Host, rows: number, columns: number) {
  const line = 1.5 * h.rem, gap = Math.max(8, h.rem * 0.9);
  const side = Math.max(20, Math.min((h.width - 2 - (columns - 1) * gap) / columns,
    (h.height - 2 - rows * line - (rows - 1) * gap / 2) / rows));
  const row = side + line + gap / 2;
  const left = (h.width - columns * side - (columns - 1) * gap) / 2;
  const top = (h.height - rows * row + gap / 2) / 2;
  return (r: number, c: number, more: Partial<Panel> = {}) =>
    square(left + side / 2 + c * (side + gap), top + line + side / 2 + r * row, side, more);
}

const sizeOf = (q: Panel) => Math.max(1.9, Math.min(q.vx ? 5 : 7, 0.0285 * Math.min(
  Math.hypot(q.ux, q.uy), Math.hypot(q.vx, q.vy) * 1.7)));

/** Lays marks out in pixels. */
export function laid(pose: Pose): Pose {
  const under = pose.marks.map(m => entry(pose.panels, m.panel));
  pose.pixels = pose.marks.map((m, k) => m.at.map(p => at(nth(under, k), p)));
  pose.radii = under.map(sizeOf);
  return pose;
}

const mix = (a: number, b: number, t: number) => a + (b - a) * t;
const ease = (t: number) => t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
/** What has a name in a or in b: in each, where it is. */
const pairs = <T>(a: Record<string, T>, b: Record<string, T>) =>
  Object.keys({...a, ...b}).map((name): [string, T | undefined, T | undefined] => [name, a[name], b[name]]);

const STAGGER = 0.28; // of the way, between the first mark that leaves and the last

function panelBetween(a: Panel, b: Panel, e: number, half: boolean): Panel {
  const q = {...(half ? b : a)};
  q.caption ??= b.caption;
  for (const f of ['x', 'y', 'ux', 'uy', 'vx', 'vy', 'alpha', 'ground'] as const) q[f] = mix(a[f], b[f], e);
  return q;
}

/** The pose at t of the way, from 0 to 1. */
export function between(a: Pose, b: Pose, t: number): Pose {
  const e = ease(t), panels: Pose['panels'] = {}, numbers: Pose['numbers'] = {};
  for (const [k, p, q] of pairs(a.panels, b.panels)) {
    const one = p ?? q;
    if (one) panels[k] = panelBetween(p ?? {...one, alpha: 0}, q ?? {...one, alpha: 0}, e, !p || !!q && t >= 0.5);
  }
  for (const [k, p, q] of pairs(a.numbers, b.numbers)) {
    numbers[k] = (q ?? p ?? []).map((x, i) => mix(p?.[i] ?? x, x, e));
  }
  const pixels = b.pixels.map((list, k) => list.map(([x, y], i): Point => {
    const late = STAGGER * (i * 37 % list.length) / list.length, [fx, fy] = nth(nth(a.pixels, k), i);
    const f = ease(Math.min(1, Math.max(0, t * (1 + STAGGER) - late)));
    return [mix(fx, x, f), mix(fy, y, f)];
  }));
  return {
    panels, numbers, pixels, share: b.share, way: e,
    marks: b.marks.map((m, k) => ({...m, alpha: mix(nth(a.marks, k).alpha, m.alpha, e)})),
    before: {looks: a.marks.map(m => m.look), share: a.share},
    links: b.links.map((s, l) => {
      const {shared, own, rest} = nth(a.links, l);
      return {shared: mix(shared, s.shared, e), own: mix(own, s.own, e), rest: mix(rest, s.rest, e)};
    }),
    radii: b.radii.map((r, k) => mix(nth(a.radii, k), r, e)),
  };
}
