// The brain view: which regions each layer's private embedding marks, in a glass brain, and their networks against chance.
import {cell} from '../dom/csv.js';
import {button, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {figure, fixed, chance} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {nodeName} from '../run/model.js';
import * as brainplot from './brainplot.js';
import {SVGContext} from './svgcontext.js';
import {drawMark, legendMark, markOf} from './palette.js';
import {ground, write as put} from './pen.js';
import {keeps} from './saving.js';
import type {Colouring, LabelSet, Pen, RegionLayer, Regions, Theme, ViewContext} from '../types.js';

const PAPER_SHARE = 10; // %: the regions that the paper's figure shows

/** The label set that tells a region's network. */
export const networksOf = (labels: LabelSet[]) => labels.find(s => s.name === 'network');

/** The shown data, see create; nothing before there are regions. */
interface Brains {places: Float32Array; nodes?: string[]; labels: LabelSet[]; regions: Regions; conditions: boolean}

/** A layer's brain and the table below it. */
interface Plot {box: HTMLElement; view: ReturnType<typeof brainplot.create>; body: HTMLElement}

const HEAD = ['Network', 'Marked', 'Untrained', 'By chance', 'Of', 'p'];

/** The columns of a network beside its name. */
const figuresOf = (c: NetworkCount, untrained: number) =>
  [String(c.count), String(untrained), fixed(c.expected, 1), String(c.size), chance(c.corrected)];

const percent = (v: number) => `${figure(v)}\u00a0%`;

/**
 * onShare() is called when another share of the regions is to be shown, onPick(regions) when one is chosen, onConditions() when the figure of all
 * conditions is requested. In an update, conditions says whether there are several, and places is M x 3 in mm.
 */
export function create(el: HTMLElement, {context, onShare, onPick, onConditions, onTable}: {
  context: ViewContext; onShare(): void; onPick(regions: number[]): void; onConditions(): void; onTable(): void;
}) {
  let model: Brains, plots: Plot[] = [], shownLayers = '', legendOf: LabelSet[] | null = null, wanted = PAPER_SHARE, twinDue = 0;
  let marks: ArrayLike<number>; // of every region, that of its network

  const share = h('input', {type: 'range', id: 'brain-share', min: 1, max: 100, step: 1, value: PAPER_SHARE, oninput: () => choose(Number(share.value))});
  const shareText = h('output', {for: 'brain-share', class: 'figures'}, percent(PAPER_SHARE));
  const paper = button(`Top ${percent(PAPER_SHARE)}`, () => choose(PAPER_SHARE), {id: 'brain-paper', title: 'As in the figure of the paper'});
  const conditions = button('All conditions', onConditions,
    {id: 'brain-conditions', hidden: true, title: 'The figure of the paper, with several subjects in every condition'});
  const edges = h('input', {type: 'range', id: 'brain-edges', min: 0, max: 400, step: 20, value: 100, oninput: render});
  const edgesText = h('output', {for: 'brain-edges', class: 'figures'});
  const legend = h('div', {class: 'legend'});
  const grid = h('div', {class: 'brains'});
  const tip = h('div', {class: 'tip', hidden: true});
  const twinTable = scrolled('Regions as a table');
  const twin = h('details', {class: 'twin', ontoggle: twinNow}, h('summary', {}, 'Regions as a table'), twinTable);
  el.append(
    h('p', {class: 'soft small'}, 'Marked are the regions with the largest private embeddings in each layer: the larger the mark, the larger the embedding. ',
      'Lines are edges of the layer between them. L and R are left and right, P and A back and front.'),
    h('div', {class: 'toolbar'},
      paper, conditions,
      h('label', {class: 'time'}, h('span', {}, 'Regions'), share, shareText),
      h('label', {class: 'time'}, h('span', {}, 'Edges'), edges, edgesText),
      button('Save table', onTable, {class: 'quiet'}),
      keeps(context, 'brains', 'brain', kept)),
    legend, grid, tip, twin);

  function choose(value: number) {
    wanted = value;
    share.value = String(value);
    setText(shareText, percent(value));
    share.setAttribute('aria-valuetext', `the top ${percent(value)}`);
    onShare();
  }

  const networks = (): Colouring => networksOf(model.labels) ?? {classes: ['region'], of: new Int32Array(model.places.length / 3)};
  const nameOf = (i: number) => nodeName(model.nodes, i, 'region');
  const classOf = (i: number) => sure(networks().of[i]);
  const networkOf = (i: number) => networks().classes[classOf(i)] ?? 'no network';
  const layer = (l: number) => nth(model.regions.layers, l, 'layers');
  const valueOf = (l: number, i: number) => figure(sure(layer(l).values[i]));
  const describe = (l: number) => (i: number) => `${nameOf(i)}, ${networkOf(i)}, ${valueOf(l, i)}`;

  function build() {
    for (const p of plots) p.view.destroy();
    plots = model.regions.layers.map(({name}, l) => {
      const box = h('figure', {class: 'brain'}, h('figcaption', {}, h('strong', {}, `Private P${l + 1}`), ' ', h('span', {class: 'soft'}, name)));
      const view = brainplot.create(box, {
        label: `Regions of the ${name} layer, largest embedding first; arrow keys go from one to the next`,
        describe: describe(l),
        onHover: (i, x, y, canvas) => hover(l, i, x, y, canvas),
        onPick: i => pick(i < 0 ? [] : [i]),
      });
      const body = h('tbody');
      box.append(
        h('table', {class: 'networks'},
          h('caption', {}, 'Networks of the marked regions, next to those that the untrained model marks.'
            + ' p: probability of this many or more by chance, corrected for the number of networks (Holm); bold if it is below 0.05'),
          h('thead', {}, h('tr', {}, HEAD.map((t, k) => h('th', {scope: 'col', class: k ? 'n' : null}, t)))), body));
      return {box, view, body};
    });
    grid.replaceChildren(...plots.map(p => p.box));
  }

  function hover(l: number, i: number, x = 0, y = 0, canvas: HTMLCanvasElement | undefined = undefined) {
    for (const p of plots) p.view.highlight(i);
    tip.hidden = i < 0;
    if (i < 0 || !canvas) return;
    tip.replaceChildren(
      h('strong', {}, nameOf(i)),
      h('span', {}, legendMark(markOf(networks(), classOf(i))), networkOf(i)),
      h('span', {}, `${layer(l).name}: ${valueOf(l, i)}`),
    );
    const at = canvas.getBoundingClientRect(), base = el.getBoundingClientRect();
    const left = Math.min(at.left - base.left + x + 12, base.width - tip.offsetWidth - 4);
    tip.style.transform = `translate(${Math.max(0, left)}px, ${at.top - base.top + y + 12}px)`;
  }

  function pick(regions: number[]) {
    for (const p of plots) p.view.select(regions);
    onPick(regions);
  }

  function render() {
    conditions.hidden = !model?.conditions;
    setText(edgesText, String(edges.value));
    grid.hidden = !model?.regions;
    if (!model?.regions) return;
    const names = model.regions.layers.map((l: RegionLayer) => l.name).join();
    const fresh = names !== shownLayers || legendOf !== model.labels;
    if (fresh) {
      shownLayers = names;
      legendOf = model.labels;
      build();
      tip.hidden = true;
      legend.replaceChildren(...networks().classes.map((name, k) => h('span', {class: 'key'}, legendMark(markOf(networks(), k)), name)));
      marks = networks().of.map((k: number) => markOf(networks(), k));
    }
    const net = networks();
    plots.forEach(({view, body}, l: number) => {
      const {values, top, edges: pairs, networks: counts, untrained} = layer(l);
      view.update({places: model.places, marks, values, top, edges: pairs, most: Number(edges.value)});
      (body.parentElement as HTMLElement).hidden = counts.length === 0;
      body.replaceChildren(...counts.map((c, k) => h('tr', {class: c.beyond ? 'more' : null},
        h('th', {scope: 'row'}, legendMark(markOf(net, k)), ' ', net.classes[k]), figuresOf(c, sure(untrained[k])).map(t => h('td', {class: 'n'}, t)))));
    });
    if (twin.open && performance.now() > twinDue) twinNow();
  }

  function twinNow() {
    twinDue = performance.now() + 1000;
    if (!twin.open || !model?.regions) return;
    twinTable.replaceChildren(tableOf({
      caption: `Epoch ${model.regions.epoch}: the top ${percent(model.regions.share)} of regions by the length of their private embedding.`,
      head: ['Layer', 'Rank', 'Region', 'Network', 'Embedding'],
      rows: model.regions.layers.flatMap(({name, top, values}) =>
        Array.from(top, (i, k) => [name, String(k + 1), nameOf(i), networkOf(i), figure(sure(values[i]))])),
      of: k => k === 1 || k === 4 ? 'n' : null,
    }));
  }

  // Sizes of the picture to keep, in CSS pixels.
  const GAP = 24, WIDE = 520, ROW = 20, KEY = 150;

  /** Measures that picture. */
  function measure(t: Theme) {
    const columns = Math.min(plots.length, 2), rows = Math.max(...model.regions.layers.map((l: RegionLayer) => l.networks.length));
    const brain = nth(plots, 0, 'brains').view.exportImage(new SVGContext(WIDE, 0), WIDE, t);
    const tall = brain + 56 + (rows ? ROW * rows + 34 : 0), width = columns * (WIDE + GAP) + GAP;
    const perLine = Math.max(1, Math.floor((width - 2 * GAP) / KEY)), legendLines = Math.ceil(networks().classes.length / perLine);
    const foot = GAP + Math.ceil(plots.length / columns) * tall + 8;
    return {columns, brain, tall, width, perLine, foot, end: foot + 22 * legendLines + 8, height: Math.ceil(foot + 22 * legendLines + 40)};
  }

  /** The layers beside each other, their networks against chance, legend and caption. */
  function kept(t: Theme, text: string) {
    if (!model?.regions) return null;
    const m = measure(t), {width, height} = m;
    return {width, height, text, paint: (pen: Pen) => picture(pen, t, text, m)};
  }

  /** Draws it. */
  function picture(ctx: Pen, t: Theme, caption: string, m: ReturnType<typeof measure>) {
    const net = networks();
    ground(ctx, m.width, m.height);
    const write = (text: string, x: number, y: number, how: Parameters<typeof put>[5] = {}) => put(ctx, t, text, x, y, how);
    plots.forEach((p, l: number) => {
      const x = GAP + (l % m.columns) * (WIDE + GAP), y = GAP + Math.floor(l / m.columns) * m.tall, table = y + m.brain;
      write(`Private P${l + 1}, ${layer(l).name}`, x, y + 12, {font: '600 15px'});
      ctx.save();
      ctx.translate(x, y + 24);
      p.view.exportImage(ctx, WIDE, t);
      ctx.restore();
      const {networks: counts, untrained} = layer(l), across = (texts: string[], y: number, how = {}) =>
        [215, 300, 385, 430, WIDE - 10].forEach((right, k) => write(texts[k] ?? '', x + right, y, {align: 'right', ...how}));
      if (counts.length) across(HEAD.slice(1).map(t => t.toLowerCase()), table + 44, {colour: t.soft});
      counts.forEach((c: NetworkCount, k: number) => {
        const line = table + 64 + ROW * k;
        drawMark(ctx, t, markOf(net, k), x + 6, line - 4, 5);
        write(net.classes[k] ?? '', x + 18, line, {most: 150});
        across(figuresOf(c, sure(untrained[k])), line);
      });
    });
    net.classes.forEach((name: string, k: number) => {
      const x = GAP + (k % m.perLine) * KEY, y = m.foot + 22 * Math.floor(k / m.perLine);
      drawMark(ctx, t, markOf(net, k), x + 6, y - 4, 5);
      write(name, x + 18, y, {most: KEY - 26});
    });
    const {epoch, share} = model.regions, top = `The top ${percent(share)} of regions by the length of their private embedding.`;
    write(`${caption} Epoch ${epoch}. ${top}`, GAP, m.end, {colour: t.soft, most: m.width - 2 * GAP});
  }

  return {
    /** Share of the regions that is asked for, in percent. */
    get share() { return wanted; },
    update(next: Brains) {
      model = next;
      render();
    },
    select(regions: number[]) { for (const p of plots) p.view.select(regions); },
    /** All regions as CSV: name, network, place, and for each layer the value and whether it is marked. */
    exportTable() {
      const write = (v: string | number) => typeof v === 'number' ? String(Number(v.toPrecision(7))) : cell(v); // as exact as they came
      const {layers} = model.regions, marked = layers.map(l => new Set(l.top));
      const head = ['region', 'network', 'x', 'y', 'z', ...layers.flatMap(l => [l.name, l.name + ' marked'])];
      const rows = Array.from({length: model.places.length / 3}, (_, i) => [
        nameOf(i), networkOf(i), ...model.places.subarray(3 * i, 3 * i + 3), ...layers.flatMap((l, k) => [sure(l.values[i]), marked[k]?.has(i) ? 1 : 0]),
      ]);
      return [head, ...rows].map(row => row.map(write).join()).join('\n') + '\n';
    },
  };
}
