// How well a fresh classifier tells the layer of C over the epochs of a training, as a small curve; dotted is chance.
import {pathOf, svg} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';

const WIDE = 300, HIGH = 90;

export function probeCurve(looks: {epoch: number, probe: number}[], chance: number) {
  const [first = {epoch: 0, probe: 0}] = looks, end = looks.at(-1)?.epoch || 1, y = (p: number) => HIGH * (1 - p);
  const text = `from ${fixed(first.probe, 2)} ${first.epoch ? 'after the first step' : 'before training'}`
    + ` to ${fixed(looks.at(-1)?.probe ?? 0, 2)} at epoch ${end}; chance is ${fixed(chance, 2)}`;
  return svg('svg', {viewBox: `0 -2 ${WIDE} ${HIGH + 4}`, class: 'leak', role: 'img', 'aria-label': text},
    svg('line', {class: 'guess', x1: 0, x2: WIDE, y1: y(chance), y2: y(chance)}),
    svg('path', {class: 'course', d: pathOf(looks.map(l => [WIDE * l.epoch / end, y(l.probe)]))}));
}
