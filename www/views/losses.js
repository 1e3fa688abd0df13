// The three terms of the loss and their total over the steps of a run.
import './locale.js'; // before uPlot
import uPlot from '../vendor/uplot/uPlot.esm.js';
import {h, setText, figure, throttleDraw} from '../dom/dom.js';
import {paint, WIDTH, HEIGHT} from './losspicture.js';
import {TERMS, TERM_LABELS, theme, lightTheme} from './palette.js';
import {saved, saveButtons} from './saving.js';

const POINTS = 1500; // more than a screen has columns; a longer run is thinned evenly
const DASHES = {matching: [], selfsupervised: [6, 3], causal: [2, 3], total: []};

/** Makes uPlot's columns from rows of four, at most POINTS of them; the last row is always there. */
function columns(steps, values, log) {
  const n = steps.length, stride = Math.max(1, Math.ceil(n / POINTS));
  const rows = [];
  for (let i = 0; i < n; i += stride) rows.push(i);
  if (n && rows[rows.length - 1] !== n - 1) rows.push(n - 1);
  const keep = v => Number.isFinite(v) && (!log || v > 0) ? v : null;
  return [rows.map(i => steps[i]), ...TERMS.map((_, t) => rows.map(i => keep(values[4 * i + t])))];
}

/** The range of the logarithmic axis, which has one before there is a positive loss, too: the default one stops at that. */
const decades = (_, low, high) => low > 0 ? uPlot.rangeLog(low, high, 10, false) : [0.1, 1];

/**
 * create(el, options) -> {update, select, exportImage, destroy}
 *
 * options: log (start with a logarithmic scale), onView({log}), onTerm(term or null) when a curve's name is pointed at,
 * onSave(type), png or svg, when the picture is wanted.
 * update({steps, values}): steps an array of step numbers, values four numbers for each (matching, self-supervised, causal, total).
 * select(term) lets that curve stand out; null ends it.
 */
export function create(el, {log = false, onView, onTerm, onSave}) {
  let data = {steps: [], values: new Float32Array()}, plot = null, emphasised = null, colours = theme(el), rows = [[], [], [], [], []];

  const readout = h('p', {class: 'readout figures', 'aria-live': 'off'});
  const chart = h('div', {class: 'chart', tabindex: 0, role: 'application', 'aria-roledescription': 'line chart', 'aria-label': 'Losses over steps; left and right arrow keys move the cursor', onkeydown: key});
  const scale = h('input', {type: 'checkbox', id: 'log-scale', onchange: () => {
    log = scale.checked;
    onView({log});
    rebuild();
  }});
  scale.checked = log;
  const keys = h('div', {class: 'legend'}, TERMS.map(t => h('span', {class: 'key line', 'data-term': t, onpointerenter: () => onTerm(t), onpointerleave: () => onTerm(null)},
    h('span', {class: `swatch term-${t}`, 'aria-hidden': 'true'}), TERM_LABELS[t])));
  el.append(keys, chart, readout, h('div', {class: 'toolbar'}, h('label', {class: 'check'}, scale, ' log scale'),
    saveButtons('losses', onSave)));

  function options(width, height) {
    const axis = {stroke: () => colours.soft, grid: {stroke: () => colours.line, width: 1}, ticks: {show: false}, font: `11px ${colours.font}`};
    return {
      width, height,
      hooks: {setCursor: [read]},
      legend: {show: false},
      cursor: {y: false, drag: {x: false, y: false}, points: {size: 6}},
      scales: {x: {time: false}, y: log ? {distr: 3, range: decades} : {range: (_, low, high) => [Math.min(0, low), high > low ? high * 1.04 : low + 1]}},
      axes: [{...axis, size: 26, gap: 4, values: (_, splits) => splits.map(v => Number.isInteger(v) ? String(v) : '')},
        {...axis, size: 46, values: (_, splits) => splits.map(v => v === null ? '' : figure(v))}],
      series: [{}, ...TERMS.map(term => ({
        label: TERM_LABELS[term],
        stroke: () => colours.terms[term],
        width: term === 'total' ? 2.25 : 1.5,
        alpha: 1,
        dash: DASHES[term],
        points: {show: false},
        spanGaps: true,
      }))],
    };
  }

  function rebuild() {
    plot?.destroy();
    rows = columns(data.steps, data.values, log);
    const width = chart.clientWidth || 320;
    plot = new uPlot(options(width, height(width)), rows, chart);
    emphasise();
  }

  const height = width => Math.round(Math.max(180, Math.min(280, width * 0.52)));

  function emphasise() {
    if (!plot) return;
    TERMS.forEach((t, i) => { plot.series[i + 1].alpha = emphasised && emphasised !== t ? 0.18 : 1; });
    plot.redraw(false, false);
  }

  function read() {
    const i = plot.cursor.idx;
    const at = i === null || i === undefined ? rows[0].length - 1 : i;
    if (at < 0) {
      setText(readout, 'No steps yet.');
      return;
    }
    setText(readout, `step ${rows[0][at]}: ` + TERMS.map((t, k) => `${TERM_LABELS[t].toLowerCase()} ${rows[k + 1][at] === null ? '\u2013' : figure(rows[k + 1][at])}`).join(', '));
  }

  function key(e) {
    const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity}[e.key];
    if (move === undefined || !rows[0].length) return;
    e.preventDefault();
    const last = rows[0].length - 1;
    const i = Math.max(0, Math.min(last, (plot.cursor.idx ?? last) + move));
    readout.setAttribute('aria-live', 'polite');
    plot.setCursor({left: plot.valToPos(rows[0][i], 'x'), top: 10});
  }

  const show = throttleDraw(() => {
    if (!plot) rebuild();
    else {
      rows = columns(data.steps, data.values, log);
      plot.setData(rows);
    }
    read();
  });

  // In the next frame: the chart's new height moves what is observed with it.
  const resized = new ResizeObserver(() => requestAnimationFrame(() => {
    const width = chart.clientWidth;
    if (!plot || !width || width === plot.width) return;
    plot.setSize({width, height: height(width)});
  }));
  resized.observe(chart);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => {
    colours = theme(el);
    plot?.redraw(false, true);
  };
  dark.addEventListener('change', recolour);

  return {
    update(next) {
      data = next;
      readout.setAttribute('aria-live', 'off');
      show();
    },
    select(term) {
      if (emphasised === term) return;
      emphasised = term;
      emphasise();
    },
    set log(value) {
      if (value === log) return;
      log = scale.checked = value;
      if (plot) rebuild();
    },
    /** The picture on a light ground, with legend and caption, as a Blob: a PNG, or an SVG. */
    exportImage: (caption, type) => saved(WIDTH, HEIGHT, type, caption, ctx => paint(ctx, {columns: columns(data.steps, data.values, log), log, dashes: DASHES, t: lightTheme(), caption})),
    destroy() {
      resized.disconnect();
      dark.removeEventListener('change', recolour);
      plot?.destroy();
      el.replaceChildren();
    },
  };
}
