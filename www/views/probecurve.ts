// How well a fresh classifier tells the layer of C over the epochs of a training, as a small curve; dotted is chance.
import {svg} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';

const WIDE = 300, HIGH = 90;

export function probeCurve(looks: {epoch: number, probe: number}[], chance: number) {
  const end = looks.at(-1)?.epoch || 1, x = (e: number) => (WIDE * e / end).toFixed(1);
  const y = (p: number) => (HIGH * (1 - p)).toFixed(1);
  const text = `from ${fixed(looks[0].probe, 2)} ${looks[0].epoch ? 'after the first step' : 'before training'}`
    + ` to ${fixed(looks.at(-1)?.probe ?? 0, 2)} at epoch ${end}; chance is ${fixed(chance, 2)}`;
  return svg('svg', {viewBox: `0 -2 ${WIDE} ${HIGH + 4}`, class: 'leak', role: 'img', 'aria-label': text},
    svg('line', {class: 'guess', x1: 0, x2: WIDE, y1: y(chance), y2: y(chance)}),
    svg('path', {class: 'course', d: 'M' + looks.map(l => `${x(l.epoch)} ${y(l.probe)}`).join('L')}));
}
