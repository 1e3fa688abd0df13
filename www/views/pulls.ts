// The terms of the loss as forces on the embeddings, beside them: formula, weight, course and present value of each, and the loss of
// pure guessing for a term that guesses.
import {h, setText, svg} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {sliderScale, symbol} from '../settings/form.js';
import {curveOf} from './palette.js';
import type {Losses} from '../run/model.js';
import type {Model, PageView, ViewContext} from '../types.js';

const WIDE = 160, HIGH = 40, POINTS = 120; // of a course
const HARDEST = 100; // weight at the end of the sliders, which have one scale; larger ones are shown there

/** A loss in plain figures. */
const plain = (v: number) => v > 0 && v < 1e-5 ? '< 0.00001' : Number(v.toPrecision(3)).toLocaleString('en-US', {maximumFractionDigits: 5});

export function mount(el: HTMLElement, {session, setup, catalogue, change, highlight, look, pinned}: ViewContext): PageView {
  const rows = catalogue.terms.flatMap((term, column) => {
    const p = catalogue.properties('training').find(p => p.name === term.weight);
    return p ? [createRow(term, column, p)] : [];
  });
  const formulas = h('input', {type: 'checkbox', id: 'pulls-formulas', onchange: () => el.classList.toggle('formulas', formulas.checked)});
  el.append(
    h('p', {class: 'soft small'}, 'Training makes these losses small. A larger weight lets one pull harder, at once. Notch: the usual weight.'
      + ' Dotted: the loss of pure guessing.'),
    h('label', {class: 'check small'}, formulas, 'formulas'),
    h('div', {class: 'pulls'}, rows.map(r => r.el)));

  /** The scale that all sliders have. */
  const scale = () => sliderScale({min: 0, max: HARDEST} as Property, HARDEST / 20);

  /** @param p its weight */
  function createRow({name, label, guess}: Term, column: number, p: Property) {
    const {mark} = curveOf(column, catalogue.terms.length), formula = h('div', {class: 'formula'});
    const weight = h('output'), notch = h('span', {class: 'notch', 'aria-hidden': 'true'}), value = h('output', {class: 'value figures'});
    const course = svg('path', {class: 'course'}), ghost = svg('path', {class: 'course ghost'});
    const line = svg('line', {class: 'guess'}), then = svg('line', {class: 'then', y1: 0, y2: HIGH});
    const slider = h('input', {type: 'range', min: 0, max: 1000, step: 1, 'aria-label': `Weight of ${label}`, oninput: () => {
      change(p.name, scale().value(Number(slider.value)));
    }});
    const picture = svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'}, line, ghost, course, then);
    const row = h('div', {class: `pull ${mark}`, 'data-term': name}, h('strong', {}, label), formula,
      h('label', {}, symbol(p.symbol ?? ''), h('span', {class: 'notched'}, notch, slider), weight), picture, value);
    for (const on of ['pointerenter', 'focusin']) row.addEventListener(on, () => highlight(name));
    for (const on of ['pointerleave', 'focusout']) row.addEventListener(on, () => highlight(null));
    let written = '';

    /** The formula of the card for the present options. */
    function copyFormula() {
      const of = document.querySelector(`.term[data-term="${name}"] .formula math`), shown = of?.outerHTML ?? '';
      if (shown === written) return;
      written = shown;
      formula.replaceChildren(...of ? [of.cloneNode(true)] : []);
    }

    /** @param behind those of the pinned run */
    function draw(losses: Losses | undefined, behind: Losses | undefined, guessing: number | undefined) {
      const n = Math.max(losses?.n ?? 0, behind?.n ?? 0), stride = Math.max(1, Math.ceil(n / POINTS)), limit = guess && guessing ? guessing : 0;
      const values = (l: Losses | undefined) =>
        Array.from({length: Math.ceil((l?.n ?? 0) / stride)}, (_, k) => Number(l?.at(k * stride, column)));
      const own = values(losses), its = values(behind), top = Math.max(limit, ...[...own, ...its].filter(Number.isFinite));
      const x = (i: number) => WIDE * i / Math.max(1, n - 1), y = (v: number) => (HIGH - 2) * (1 - v / (1.05 * top || 1)) + 1;
      const path = (list: number[]) => {
        const points = list.flatMap((v, k) => Number.isFinite(v) ? [`${x(k * stride).toFixed(1)} ${y(v).toFixed(1)}`] : []);
        return points.length > 1 ? 'M' + points.join('L') : '';
      };
      course.setAttribute('d', path(own));
      ghost.setAttribute('d', path(its));
      for (const [k, v] of Object.entries({x1: 0, x2: limit ? WIDE : 0, y1: y(limit), y2: y(limit)})) line.setAttribute(k, String(v));
    }

    return {
      el: row,
      show({losses, progress, data}: Model) {
        row.hidden = !catalogue.present(setup.values.options, data?.summary?.features)[column];
        if (row.hidden) return;
        copyFormula();
        // The settings may differ from those of the run on screen.
        const made = setup.madeOf(session.model), trained = !made || catalogue.present(made.options, data?.summary?.features)[column];
        const w = Number(setup.values.options[p.name]), at = look.step < 0 ? losses.n - 1 : losses.indexOf(look.step);
        const behind = pinned.behind(session.model)?.losses, most = Math.max(losses.n, behind?.n ?? 0);
        const last = trained && at >= 0 ? losses.at(at, column) : NaN, x = look.step < 0 ? -1 : WIDE * at / Math.max(1, most - 1);
        for (const k of ['x1', 'x2']) then.setAttribute(k, String(x)); // what is looked back at; or out of the picture
        notch.style.setProperty('--at', String(scale().position(Number(catalogue.defaults('training', setup.settings)[p.name])) / 1000));
        if (document.activeElement !== slider) slider.value = String(scale().position(w));
        slider.setAttribute('aria-valuetext', figure(w));
        setText(weight, figure(w));
        setText(value, Number.isFinite(last) ? plain(last) : '\u2013');
        value.title = guess && progress?.guessing ? `pure guessing: ${plain(progress.guessing)}` : '';
        draw(trained ? losses : undefined, behind, progress?.guessing);
      },
    };
  }

  const show = () => { for (const r of rows) r.show(session.model); };
  look.follow(what => { if (what === 'time') show(); });
  show();
  return {show};
}
