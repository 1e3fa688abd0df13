// Draws psi's plane: sectors, what every pair of parts comes to, the bags, and two arrows.
import {svg} from '../dom/elements.js';
import {layerMark} from './palette.js';
import {plus, sectorOf} from './psiplane.js';
import type {Plane, Point} from './psiplane.js';

const SIDE = 100, ROOM = 82; // of the drawing from its middle, and of what is drawn
const BARB = 5, DISC = 5.5;

/** An arrow as the data of a path. */
export function arrowPath([a, b]: Point, [c, d]: Point) {
  const long = Math.hypot(c - a, d - b) || 1, s = Math.min(BARB, long / 2) / long, [u, v] = [(c - a) * s, (d - b) * s];
  return `M${a} ${b}L${c} ${d}M${c - u - v / 2} ${d - v + u / 2}L${c} ${d}L${c - u + v / 2} ${d - v - u / 2}`;
}

/** The parts of a bag that are shown, and the C that is dragged: its tail is at `at`, and what it would come to is drawn where it is `taken`. */
export interface Arrows { p: number; c: number; dragged?: {c: number, at: Point, taken: boolean} | null }

/** layer is that of each bag, and layers those of the plane in the run; a bare plane has nothing but arrows. */
interface Shown { plane: Plane; layer: number[]; names: string[]; layers: number[]; bare: boolean; wrong(p: number, c: number): boolean }

/** onBag is called with a bag that is pressed. */
export function createPlane(label: string, onBag: (bag: number) => void) {
  const ground = svg('g'), over = svg('g');
  const el = svg('svg', {viewBox: `${-SIDE} ${-SIDE} ${2 * SIDE} ${2 * SIDE}`, class: 'psi-plane', role: 'img', 'aria-label': label},
    ground, over) as SVGSVGElement;
  let now: Shown | null = null;

  const unit = () => ROOM / (now?.plane.reach ?? 1);
  /** On a line every bag has a height of its own. */
  const lift = (bag: number): Point => now && now.plane.n === 2 ? [0, ROOM * (2 * (bag + 0.5) / now.layer.length - 1)] : [0, 0];
  const drawn = ([x, y]: Point, bag: number) => plus([x * unit(), y * unit()], lift(bag));
  const text = ([x, y]: Point, words: string, of: string, anchor = 'middle') => svg('text', {x, y, class: of, 'text-anchor': anchor}, words);
  const toned = (layer: number) => ({'data-layer': layerMark(now?.layers[layer] ?? 0)});

  function arrow(from: Point, to: Point, of: string, letter: string) {
    const [u, v] = [to[0] - from[0], to[1] - from[1]], long = Math.hypot(u, v);
    return svg('g', {class: of}, svg('path', {d: arrowPath(from, to)}), ...long > 2 * BARB
      ? [text([(from[0] + to[0]) / 2 - 5 * v / long, (from[1] + to[1]) / 2 + 5 * u / long + 2.5], letter, 'letter')] : []);
  }

  function drawGround() {
    if (!now) return;
    const {plane: {n, tips, steps}, layer, names, bare, wrong} = now;
    const corners: [Point, string][] = n === 2 ? [[[-96, -90], 'start'], [[96, -90], 'end']]
      : [[[0, -90], 'middle'], [[-96, 95], 'start'], [[96, 95], 'end']];
    const parts = names.flatMap((name, k) => [
      svg('polygon', {class: 'sector', ...toned(k), points: sectorOf(k, n, 2 * SIDE).map(p => p.join()).join(' ')}),
      text(corners[k][0], name, 'name', corners[k][1])]);
    const swaps = bare ? [] : tips.flatMap((tip, p) => steps.flatMap((step, c) => {
      if (p === c) return [];
      const [cx, cy] = drawn(plus(tip, step), p);
      return [svg('circle', {class: wrong(p, c) ? 'swap wrong' : 'swap', ...toned(layer[p]), 'data-pair': `${p} ${c}`, cx, cy, r: 1.4})];
    }));
    const bags = bare ? [] : tips.map((tip, i) => {
      const [x, y] = drawn(plus(tip, steps[i]), i), g = svg('g', {class: 'bag', ...toned(layer[i]), transform: `translate(${x} ${y})`},
        svg('circle', {r: DISC}), text([0, 2.4], String(now!.layers[layer[i]] + 1), ''));
      g.addEventListener('click', () => onBag(i));
      return g;
    });
    ground.replaceChildren(...parts, ...swaps, ...bags);
  }

  function drawArrows({p, c, dragged}: Arrows) {
    if (!now) return;
    const {tips, steps} = now.plane, zero = drawn([0, 0], p), tip = drawn(tips[p], p), end = drawn(plus(tips[p], steps[c]), p);
    const parts = [arrow(zero, tip, 'arrow of-p', 'P')];
    if (dragged) {
      const from: Point = dragged.taken ? tip : dragged.at, [x, y] = steps[dragged.c];
      parts.push(svg('circle', {class: 'target', cx: tip[0], cy: tip[1], r: 7}), arrow(tip, end, 'arrow of-c pale', ''),
        arrow(from, plus(from, [x * unit(), y * unit()]), 'arrow of-c', 'C'));
    } else parts.push(arrow(tip, end, 'arrow of-c', 'C'), svg('circle', {class: 'end', cx: end[0], cy: end[1], r: DISC + 2}));
    if (c !== p && !now.bare) {
      const [cx, cy] = drawn(plus(tips[p], steps[p]), p);
      parts.push(svg('circle', {class: 'before', cx, cy, r: DISC + 2}));
    }
    over.replaceChildren(...parts);
  }

  return {
    el,
    draw(shown: Shown, arrows: Arrows) {
      now = shown;
      drawGround();
      drawArrows(arrows);
    },
    drawArrows,
    /** The place in the drawing of a pointer, and how far that is from a bag's tip of P. */
    at(clientX: number, clientY: number, p: number): {at: Point, far: number} {
      const at = new DOMPoint(clientX, clientY).matrixTransform(el.getScreenCTM()?.inverse()), [x, y] = now ? drawn(now.plane.tips[p], p) : [0, 0];
      return {at: [at.x, at.y], far: Math.hypot(at.x - x, at.y - y)};
    },
  };
}
