// The layers themselves: the links of each between the same nodes, which have one place in all of them, its matrix, or its communities.
import {button, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {capital, fixed, grouped, spaced} from '../dom/figures.js';
import {single} from '../dom/idle.js';
import {nth, sure} from '../dom/nth.js';
import {adjacencyOf, insideOf, orderOf, shareWithin} from './adjacency.js';
import {fit} from './fit.js';
import * as matrix from './matrix.js';
import {MOST_LINES} from './linkpixels.js';
import {layerMark, markOf} from './palette.js';
import {plotSheet} from './plotsheet.js';
import {keeps} from './saving.js';
import * as scatter from './scatter.js';
import {aboutNode, createTip} from './tip.js';
import type {Adjacency} from './adjacency.js';
import type {DataSet, Drawing, LayersAs, NodePicture, PageView, Theme,
  ViewContext} from '../types.js';

// From this number of nodes or links of a layer on, a matrix shows more than links do.
const MANY_NODES = 300, MANY_LINKS = 3000;
/** From this number of nodes on, in a layer of more links than are drawn, a matrix has no room for them, and communities show more. */
const LARGE = 2000;
const USUAL = ['', '', '']; // layers of most examples

const KINDS = ['links', 'matrices', 'communities'] as const;
const WORDS = {
  links: 'The same node has the same place in every layer.',
  within: 'The same node has the same place in every layer. A link is drawn where both ends are in one group.',
  matrices: 'Rows and columns are the nodes, in the order of their groups, the same in every layer. A dot is a link, a stronger one several.',
};

export function mount(el: HTMLElement, {session, setup, attempt, caption: captionOf, usable, look}: ViewContext): PageView {
  /** The data that are drawn, and who is linked in each layer. */
  let drawn: {data: DataSet, among: Adjacency[]} | null = null;
  let chosen: LayersAs | null = null;
  /** What draws communities, once there is a large graph. */
  let aggregated: ReturnType<typeof import('./communities.js')['mount']> | null = null;
  /** How much of the search for them is done, in %. */
  let search = 0;
  let plots: {caption: HTMLElement, box: HTMLElement, view: NodePicture, layers: number[]}[] = [];
  let built = '';

  const radios = KINDS.map(kind => h('input', {type: 'radio', name: 'layers-as', value: kind, onchange: () => {
    chosen = kind;
    setup.setView({layers: kind});
    show();
  }}));
  const words = h('p', {class: 'soft small', id: 'layers-words'}, WORDS.links);
  const whole = h('input', {type: 'checkbox', id: 'layers-whole', onchange: () => {
    setup.setView({links: whole.checked ? 'all' : null});
    draw();
  }}), wholeBox = h('label', {class: 'check', title: 'Links between groups, too'}, whole, 'all links');
  const key = h('span', {class: 'layers-key'}); // of numbers; classes have theirs at the embeddings
  const stop = button('Stop', attempt(async () => {
    chosen = 'matrices';
    await session.stopDrawing();
    show();
  }), {class: 'quiet', hidden: true});
  const grid = h('div', {class: 'plots'});
  const table = scrolled('Layers as numbers');
  const twin = h('details', {class: 'twin', ontoggle: figures}, h('summary', {}, 'These layers as numbers'), table);
  el.append(
    h('div', {class: 'toolbar', role: 'radiogroup', 'aria-label': 'Show layers as'},
      radios.map((radio, k) => h('label', {}, radio, KINDS[k])), wholeBox, words, stop, key, keeps({attempt, caption: captionOf}, 'layers', 'layers', picture)),
    grid, twin);
  const refit = fit(grid, {lead: false});
  const tip = createTip(look);

  /** How layers are shown: as chosen, or as suits the data. */
  const kind = () => {
    const {data} = session.model;
    if (chosen && (chosen !== 'communities' || large()) || !data?.summary) return chosen ?? 'links';
    return large() ? 'communities' : data.summary.nodes >= MANY_NODES || someHas(MANY_LINKS) ? 'matrices' : 'links';
  };
  const someHas = (most: number) => session.model.data?.summary.layers.some(l => l.edges > most) ?? false;
  const large = () => (session.model.data?.summary?.nodes ?? 0) > LARGE && someHas(MOST_LINES);
  /** Whether links are drawn inside groups alone; undefined if colours show no groups. */
  const within = () => look.colouring.scale || look.colouring.classes.length < 2 ? undefined : !whole.checked;
  const wordsOf = (as: LayersAs) => as === 'communities' ? session.model.data?.communities ? aggregated?.sentence() ?? '' : looking()
    : WORDS[as === 'links' && within() ? 'within' : as];
  const looking = () => `looking for communities, ${search}\u00a0%`;
  const titleOf = (l: number) => capital((session.model.data?.summary?.layers?.[l]?.name || `layer ${l + 1}`).replaceAll('_', ' '));
  const namesOf = ([l, ...others]: number[]) => l === undefined || others.length ? 'All at once' : titleOf(l);
  const describe = (i: number) => `${look.describe(i)}; ${links(i).join(', ')}`;
  const links = (i: number) => drawn?.among.map((a, l) => `${titleOf(l)}: ${a.neighbours(i).length} links`) ?? [];

  /** Has a picture for every layer, and one for all of them at once. */
  function build(as: string, names: string[]) {
    if (built === as + names.join('\n')) return;
    built = as + names.join('\n');
    for (const p of plots) p.view.destroy();
    const onSelect = (nodes: number[], add: boolean) => look.choose(nodes, add);
    plots = [...names.map((_, l) => [l]), names.map((_, l) => l)].map(layers => {
      const caption = h('figcaption'), box = h('figure', {class: layers.length > 1 ? 'plot all' : 'plot'}, caption);
      const view = as === 'communities' ? (aggregated as NonNullable<typeof aggregated>).create(box, layers)
        : as === 'links' ? scatter.create(box, {onHover: pointNode, onSelect, describe, kind: 'graph'})
        : matrix.create(box, {onHover: pointPair, onSelect, describe});
      return {caption, box, view, layers};
    });
    (as === 'communities' ? grid : wholeBox).after(words); // a longer text than fits in a line
    grid.replaceChildren(...plots.map(p => p.box));
    refit();
    for (const p of plots) p.view.select(look.selection);
  }

  function pointNode(i: number) {
    look.point(i);
    if (i >= 0) tip.show([...aboutNode(look, i), ...links(i).map(text => h('span', {}, text))]);
  }

  function pointPair(i: number, j = i) {
    look.point(i);
    if (i < 0) return;
    const both = drawn?.among.flatMap((a, l) => a.joins(i, j) ? [titleOf(l)] : []) ?? [];
    const pair = [h('strong', {}, `${look.nameOf(i)} and ${look.nameOf(j)}`), h('span', {}, both.length ? `linked in ${both.join(', ')}` : 'not linked')];
    tip.show(i === j ? [...aboutNode(look, i), ...links(i).map(text => h('span', {}, text))] : pair);
  }

  look.pictured(() => plots.map(p => p.view), draw);

  /** The pictures as one, with legend and caption; null before there is anything to see. */
  function picture(t: Theme, caption: string) {
    if (drawn?.data !== session.model.data) return null;
    const shown = plots.map(({view, layers}) => ({view, title: namesOf(layers)}));
    return plotSheet({plots: shown, sets: [look.colouring], t, caption: `${caption} ${wordsOf(kind())}`});
  }

  function caption(to: HTMLElement, layers: number[]) {
    const {data} = session.model;
    if (kind() === 'communities') {
      const note = data?.communities ? aggregated?.note(layers) : looking();
      to.replaceChildren(h('strong', {}, namesOf(layers)), ' ', h('span', {class: 'soft note'}, note));
      return;
    }
    const swatch = (l: number) => h('span', {class: `swatch layer-${layerMark(l)}`, 'aria-hidden': 'true'});
    if (layers.length > 1) {
      const styles = kind() === 'links' ? layers.map(l => h('span', {class: 'soft note'}, swatch(l), ' ', titleOf(l))) : [];
      to.replaceChildren(h('strong', {}, 'All at once'), ...styles);
      return;
    }
    const [l = 0] = layers, pairs = data?.drawing?.links[l] ?? new Int32Array(), n = data?.drawing?.of[l];
    const there = pairs.length / 2, links = kind() === 'links', stride = links ? Math.ceil(there / MOST_LINES) : 1;
    const seen = links && within() ? insideOf(pairs, look.colouring.of) : there, shown = Math.ceil(seen / Math.max(1, stride));
    to.replaceChildren(h('strong', {}, titleOf(l)), ' ',
      h('span', {class: 'soft note'}, n === undefined ? '' : n > shown ? `${grouped(shown)} of ${grouped(n)} links` : `${grouped(n)} links`));
  }

  function draw() {
    const {data} = session.model, as = kind();
    const names = data?.summary?.layers?.map((l: {name: string, edges: number}) => l.name) ?? USUAL;
    if (as === 'communities') {
      if (!aggregated || !data) return;
      aggregated.show(data);
    }
    build(as, names);
    for (const radio of radios) radio.checked = radio.value === as;
    (radios.at(-1)?.parentElement as HTMLElement).hidden = !large();
    setText(words, wordsOf(as));
    wholeBox.hidden = as !== 'links' || within() === undefined;
    for (const p of plots) {
      caption(p.caption, p.layers);
      const what = p.layers.length > 1 ? 'All layers at once' : `${namesOf(p.layers)}, ${as === 'matrices' ? 'matrix' : as}`;
      p.view.label(`${what}; arrow keys go from ${as === 'communities' ? 'one to the next' : 'node to node'}`);
    }
    const drawing = data?.drawing, {of, classes, marks, scale} = look.colouring, n = data?.summary?.nodes;
    key.replaceChildren(scale ? scale.legend.cloneNode(true) : '');
    if (as === 'communities') for (const p of plots) p.view.update({});
    if (as === 'communities' || !data || !drawing || drawn?.data !== data || of.length !== n) return; // what was there stays until the next can be seen
    const common = {classes: of, marks: classes.map((_, c) => markOf({marks}, c)), scale, dim: look.isolated};
    if (as === 'links') {
      const {places} = drawing;
      if (places) for (const p of plots) p.view.update({xy: places, links: linksOf(p), within: within(), ...common});
      return;
    }
    for (const p of plots) p.view.update({layers: p.layers.map(l => nth(drawing.links, l, 'layers')), order: orderOf(of), ...common});
  }

  /** The drawn links of a picture, the same object as long as they are the same. */
  const shownLinks: WeakMap<object, {of: object; links: object[]}> = new WeakMap();
  function linksOf({view, layers}: {view: object, layers: number[]}) {
    const known = shownLinks.get(view);
    if (known?.of === drawn) return known.links;
    const of = drawn as NonNullable<typeof drawn>, {links} = of.data.drawing as Drawing;
    const list = layers.map(l => ({pairs: nth(links, l, 'layers'), layer: layerMark(l), among: nth(of.among, l, 'layers')}));
    shownLinks.set(view, {of, links: list});
    return list;
  }

  function figures() {
    const {data} = session.model;
    if (!twin.open || !drawn || drawn.data !== data) return;
    const {links: pairs, of} = data.drawing as Drawing, {among} = drawn;
    const head = ['Layer', 'Links', 'Nodes without links', ...data.labels.map(s => `Inside groups of \u201c${spaced(s.name)}\u201d`)];
    const share = (v: number) => Number.isNaN(v) ? '' : `${fixed(100 * v, 0)} %`;
    const more = kind() === 'communities' ? aggregated?.tables() ?? [] : [];
    table.replaceChildren(tableOf({
      caption: 'How many links of each layer stay inside a group, of those between nodes whose groups are known.', head, of: k => k ? 'n' : null,
      rows: pairs.map((p, l) => [titleOf(l), grouped(sure(of[l])), grouped(nth(among, l).isolated), ...data.labels.map(s => share(shareWithin(p, s.of)))]),
    }), ...more);
  }

  /** Asks for what is missing. */
  const ask = attempt(single(async () => {
    const {phase, data} = session.model;
    const as = kind(), missing = data && (!data.drawing || as === 'links' && !data.drawing.places || as === 'communities' && !data.communities);
    if (!missing || !usable() || !['shipped', 'paused', 'running', 'finished'].includes(phase)) return;
    await session.drawLayers(as, setup.plan(() => '').data, e => {
      if (e.event !== 'grouping') return;
      search = Math.floor(100 * e.done / e.total);
      stop.hidden = false;
      draw();
    }).finally(() => { stop.hidden = true; });
  }));

  function show() {
    const {data} = session.model;
    if (data?.drawing && drawn?.data !== data) {
      drawn = {data, among: data.drawing.links.map(pairs => adjacencyOf(data.summary.nodes, pairs))};
      for (const a of drawn.among) a.prepare(); // before a pointer asks for all
    }
    if (kind() === 'communities' && !aggregated) {
      import('./communities.js').then(module => {
        aggregated ??= module.mount({look, tip, titleOf});
        show();
      });
    }
    draw();
    figures();
    ask();
  }

  draw();
  return {
    show,
    follow({view}) {
      chosen = view.layers || null;
      whole.checked = view.links === 'all';
      show();
    },
  };
}
