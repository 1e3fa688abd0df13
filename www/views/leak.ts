// The leak meter: what linear probes read from S, from the private embeddings and from the C_l at every epoch that was kept. It is computed
// where it is open and the run rests, one epoch after the other, and given up as soon as the run goes on.
import {h, pathOf, setText, svg, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {single} from '../dom/idle.js';
import {epochsAtHand, rests} from '../run/layertold.js';
import {COURSES, kindsOf, leakSentence, lookOf} from './leakwords.js';
import type {Look} from './leakwords.js';
import type {ViewContext} from '../types.js';

const WIDE = 360, HIGH = 120, LEFT = 22, BELOW = 16; // of the chart and of what is written beside it

export function create(el: HTMLElement, {session, attempt}: ViewContext) {
  let held = false, of = '';
  const said = h('p', {class: 'measure', role: 'status'});
  const stop = h('button', {type: 'button', onclick: attempt(async () => {
    held = !held;
    if (held) await session.stopAsking();
    show();
  })});
  const chart = h('div', {}), note = h('p', {class: 'soft small measure'},
    'Groups: the agreement of a linear probe with them, where 0 is chance and 1 is exact. The layer: how often a probe names it; dotted is chance.');
  el.append(h('div', {class: 'toolbar'}, stop, said), chart, note);

  const resting = () => rests(session.model), asked = () => epochsAtHand(session.model);

  /** Asks about one epoch after the other. */
  const go = attempt(async () => { if (await all()) show(); });
  const all = single(async () => {
    for (let next; !held && el.checkVisibility() && resting() && (next = asked().find(s => !session.found('leak', s)));) {
      if (!await session.ask('leak', next)) break;
    }
  });

  function draw(looks: Look[], chance: number) {
    const x = (k: number) => LEFT + (WIDE - LEFT - 8) * k / Math.max(1, looks.length - 1);
    const y = (v: number) => 4 + (HIGH - 8) * (1 - Math.min(1, Math.max(0, v)));
    const there = COURSES.filter(([key]) => looks.some(l => l[key] !== undefined));
    const ticks = looks.map(({epoch}, k) => svg('text', {x: x(k), y: HIGH + BELOW - 3, 'text-anchor': 'middle'}, String(epoch)));
    const lines = there.map(([key, name]) => svg('path', {
      class: `course course-${key}`, 'data-course': name, d: pathOf(looks.map((l, k) => [x(k), y(l[key] ?? 0)])),
    }));
    const picture = svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH + BELOW}`, class: 'leak', role: 'img', 'aria-label': 'What probes read, over the epochs'},
      ...[0, 1].map(v => svg('text', {x: LEFT - 6, y: y(v) + 3, 'text-anchor': 'end'}, String(v))),
      svg('line', {class: 'guess', x1: LEFT, x2: WIDE - 8, y1: y(chance), y2: y(chance)}), ...lines, ...ticks);
    chart.replaceChildren(
      h('div', {class: 'legend'}, there.map(([key, name]) => h('span', {class: 'key line'},
        svg('svg', {viewBox: '0 0 24 8', class: 'leak', 'aria-hidden': 'true'}, svg('path', {class: `course course-${key}`, d: 'M0 4L24 4'})), name))),
      picture,
      h('details', {class: 'twin'}, h('summary', {}, 'The meter in figures'), tableOf({
        head: ['Epoch', ...there.map(([, name]) => name)], of: k => k ? 'number' : null,
        rows: looks.map(l => [String(l.epoch), ...there.map(([key]) => l[key] === undefined ? '\u2013' : fixed(Number(l[key]), 2))]),
      })));
  }

  let drawn = '';
  function show() {
    const m = session.model, all = asked(), layers = m.names.length - 1, found = all.filter(s => session.found('leak', s));
    const kinds = kindsOf(m.data?.labels ?? [], m.names, m.data?.summary), looks = found.map(s => lookOf(s.epoch, session.found('leak', s) as Leak, kinds));
    const text = JSON.stringify(looks);
    if (text !== drawn) {
      drawn = text;
      if (looks.length > 1) draw(looks, 1 / layers);
      else chart.replaceChildren();
    }
    if (m.record && of !== m.record.run) [of, held] = [m.record.run, false];
    const left = all.length - found.length;
    stop.hidden = left === 0 || !m.record;
    setText(stop, held ? 'Go on' : 'Stop');
    setText(said, !m.record ? 'Press Train: the meter reads the epochs of a run.'
      : left === 0 ? leakSentence(looks, layers) || 'Only the last epoch is kept of a run this large.'
        : resting() ? `Epoch ${found.length + 1} of ${all.length}\u2026` : 'The meter reads the epochs when the run rests.');
    if (left && !held && resting() && el.checkVisibility()) go();
  }

  return {show};
}
