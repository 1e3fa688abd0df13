// The terms of the loss and their total over the steps of a run.
import './locale.js'; // before uPlot
import uPlot from '../vendor/uplot/uPlot.esm.js';
import {followTheme} from '../dom/canvas.js';
import {throttleDraw} from '../dom/clock.js';
import {byId, h, setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {paint, WIDTH, HEIGHT} from './losspicture.js';
import {curveOf, theme} from './palette.js';
import {keeps} from './saving.js';
import {Losses} from '../run/model.js';
import type {Model, PageView, Pen, Theme, ViewContext} from '../types.js';

const FAINT = 0.4; // how strongly the curves of the pinned run are drawn
const POINTS = 1500; // more than a screen has columns; a longer run is thinned evenly

/** Makes uPlot's columns, at most POINTS long; the last row is always there. Columns of the pinned run, if there is one, come after those of the terms. */
function columns(losses: Losses, log: boolean, behind?: Losses | null): [number[], ...(number | null)[][]] {
  const last = losses.steps.at(-1) ?? 0, more = behind?.steps.filter(s => s > last) ?? [];
  const steps = more.length ? [...losses.steps, ...more] : losses.steps;
  const stride = Math.max(1, Math.ceil(steps.length / POINTS)), keep = (v: number) => Number.isFinite(v) && (!log || v > 0) ? v : null;
  const own = [...steps.keys()].filter(i => i % stride === 0 || i === steps.length - 1), kept = own.map(i => sure(steps[i]));
  const of = (l: Losses, rows: (number | undefined)[]) => Array.from({length: l.columns}, (_, t) =>
    rows.map(i => i === undefined || i >= l.n ? null : keep(l.at(i, t))));
  const rowOf = new Map(behind?.steps.map((step, i) => [step, i]));
  return [kept, ...of(losses, own), ...behind ? of(behind, kept.map(step => rowOf.get(step))) : []];
}

/** The range of the logarithmic axis, which has one before there is a positive loss, too: the default one stops at that. */
const decades = (_: unknown, low: number, high: number) => low > 0 ? uPlot.rangeLog(low, high, 10, false) : [0.1, 1];

const ROWS = 12;           // of the text twin
const TWIN_PAUSE = 1000; // ms between two versions of it while the run goes on

/** Some rows spread over the run. */
function sample({losses: l, progress}: Model, terms: Term[], there: boolean[]) {
  const perEpoch = progress?.epoch ? progress.step / progress.epoch : 0;
  return Array.from({length: Math.min(ROWS, l.n)}, (_, k) => {
    const i = l.n <= ROWS ? k : Math.round(k * (l.n - 1) / (ROWS - 1)), step = sure(l.steps[i]);
    return {
      step, epoch: perEpoch && progress ? Math.min(progress.epoch, Math.ceil(step / perEpoch)) : 0,
      ...Object.fromEntries(terms.flatMap((t, j) => there[j] ? [[t.name, l.at(i, j)]] : [])),
    };
  });
}

/** The curves on the page, with those of the pinned run behind them, and the text twin below, which the page's Go program writes. */
export function mount(el: HTMLElement, {setup, catalogue, attempt, caption, highlight, changed, send, look, pinned}: ViewContext): PageView {
  const {terms} = catalogue;
  let log = setup.settings.view.log === '1', there = terms.map(() => true); // which terms are
  let data = new Losses(terms.length), ghost: Losses | null = null;
  let plot: uPlot | null = null, emphasised: string | null = null, colours = theme(el), rows = columns(data, false);

  const readout = h('p', {class: 'readout figures', 'aria-live': 'off'});
  const chart = h('div', {
    class: 'chart', tabindex: 0, role: 'application', 'aria-roledescription': 'line chart', onkeydown: key,
    'aria-label': 'Losses over steps; left and right arrow keys move the cursor',
  });
  const scale = h('input', {type: 'checkbox', id: 'log-scale', onchange() {
    log = scale.checked;
    setup.setView({log: log ? '1' : null});
    rebuild();
  }});
  scale.checked = log;
  const keys = h('div', {class: 'legend'}, terms.map(({name, label}, k) => h('span', {
    class: 'key line', 'data-term': name, onpointerenter: () => highlight(name), onpointerleave: () => highlight(null),
  }, h('span', {class: `swatch ${curveOf(k, terms.length).mark}`, 'aria-hidden': 'true'}), label)));
  const tools = h('div', {class: 'toolbar'}, h('label', {class: 'check'}, scale, ' log scale'), keeps({attempt, caption}, 'losses', 'losses', picture));
  el.append(keys, chart, readout, tools);

  function options(width: number, height: number) {
    const texts = (f: (v: number) => string) => (_: unknown, splits: (number | null)[]) => splits.map(v => v === null ? '' : f(v));
    const axis = {stroke: () => colours.soft, grid: {stroke: () => colours.line, width: 1}, ticks: {show: false}, font: `11px ${colours.font}`};
    return {
      width, height,
      hooks: {setCursor: [read]},
      legend: {show: false},
      cursor: {y: false, drag: {x: false, y: false}, points: {size: 6}},
      scales: {
        x: {time: false},
        y: log ? {distr: 3, range: decades}
          : {range: (_: unknown, low: number, high: number) => [Math.min(0, low), high > low ? high * 1.04 : low + 1]},
      },
      axes: [
        {...axis, size: 26, gap: 4, values: texts(v => Number.isInteger(v) ? String(v) : '')},
        {...axis, size: 46, values: texts(figure)},
      ],
      series: [{}, ...(ghost ? [false, true] : [false]).flatMap(behind => terms.map(({label}, k) => {
        const {width, dash} = curveOf(k, terms.length), pen = behind ? {width: 1, alpha: FAINT} : {width, alpha: 1};
        return {label, show: there[k], stroke: () => colours.ink, dash, ...pen, points: {show: false}, spanGaps: true};
      }))],
    };
  }

  function rebuild() {
    plot?.destroy();
    rows = columns(data, log, ghost);
    const width = chart.clientWidth || 320;
    plot = new uPlot(options(width, height()), rows, chart);
    emphasise();
  }

  const height = () => Math.round(parseFloat(getComputedStyle(chart).minHeight)) || 180; // as the style has it

  function emphasise() {
    if (!plot) return;
    const {series} = plot;
    series.slice(1).forEach((s, i) => { // those of the pinned run come after those of the terms
      const faint = emphasised && emphasised !== nth(terms, i % terms.length, 'terms').name ? 0.18 : 1;
      s.alpha = i < terms.length ? faint : FAINT * faint;
    });
    plot.redraw(false, false);
  }

  function read() {
    const i = plot?.cursor.idx;
    const at = i === null || i === undefined ? rows[0].findLastIndex(s => Number(s) <= (data.steps.at(-1) ?? -1)) : i;
    if (at < 0) {
      setText(readout, 'No steps yet.');
      return;
    }
    const value = (v: number | null) => v === null ? '\u2013' : figure(v);
    const list = terms.flatMap(({label}, k) => there[k] ? `${label.toLowerCase()} ${value(rows[k + 1]?.[at] ?? null)}` : []);
    setText(readout, `step ${rows[0][at]}: ${list.join(', ')}`);
  }

  /** Has the cursor stand at a row, at -1 at none. */
  const stand = (i: number) => plot?.setCursor(i < 0 ? {left: -10, top: -10} : {left: plot.valToPos(nth(rows[0], i, 'steps'), 'x'), top: 10});

  function key(e: KeyboardEvent) {
    const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity}[e.key];
    if (!plot || move === undefined || !rows[0].length) return;
    e.preventDefault();
    const last = rows[0].length - 1;
    const i = Math.max(0, Math.min(last, (plot.cursor.idx ?? last) + move));
    readout.setAttribute('aria-live', 'polite');
    stand(i);
  }

  const draw = throttleDraw(() => {
    if (!plot) rebuild();
    else {
      rows = columns(data, log, ghost);
      plot.setData(rows);
    }
    read();
  });

  // In the next frame: the chart's new height moves what is observed with it.
  new ResizeObserver(() => requestAnimationFrame(() => {
    const width = chart.clientWidth, high = height();
    if (!plot || !width || width === plot.width && high === plot.height) return;
    plot.setSize({width, height: high});
  })).observe(chart);
  followTheme(() => {
    colours = theme(el);
    plot?.redraw(false, true);
  });

  function update(next: Losses, present: boolean[], behind: Losses | null) {
    data = next;
    const other = behind !== ghost;
    ghost = behind;
    if (other || String(present) !== String(there)) {
      there = present;
      [...keys.children].forEach((el, k) => el.toggleAttribute('hidden', !there[k]));
      if (plot) rebuild();
    }
    readout.setAttribute('aria-live', 'off');
    draw();
  }

  /** The picture to keep, with legend and caption. */
  function picture(t: Theme, caption: string) {
    const what = {columns: columns(data, log, ghost), labels: terms.map(t => t.label), there, log, t, caption};
    return {width: WIDTH, height: HEIGHT, text: caption, paint: (pen: Pen) => paint(pen, what)};
  }

  look.follow(what => { // stands at the step that is looked back at
    if (what !== 'time' || !plot) return;
    const i = rows[0].findLastIndex(s => Number(s) <= look.step);
    stand(look.step < 0 ? -1 : i);
  });
  const twin = byId<HTMLDetailsElement>('losses-twin');
  let due = 0, seen = false;
  new IntersectionObserver(entries => { seen = Boolean(entries.at(-1)?.isIntersecting); }).observe(el);
  twin.addEventListener('toggle', () => changed('losses'));
  return {
    show(model) {
      const there = model.record?.method ? terms.map(t => !t.weight)
        : catalogue.present(model.record?.options ?? setup.values.options, model.data?.summary?.features);
      const going = model.phase === 'running';
      if (!going || seen) update(model.losses, there, pinned.behind(model)?.losses ?? null); // of what is out of sight, the end
      if (going && !(twin.open && performance.now() > due)) return;
      due = performance.now() + TWIN_PAUSE;
      send('losses', {rows: sample(model, terms, there)});
    },
    follow({view}) {
      if ((view.log === '1') === log) return;
      log = scale.checked = view.log === '1';
      if (plot) rebuild();
    },
    /** Lets the curve of a term stand out; null ends it. */
    highlight(term) {
      if (emphasised === term) return;
      emphasised = term;
      emphasise();
    },
  };
}
