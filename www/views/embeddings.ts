// The pictures of a run's embeddings on the page: they follow the run, and the clusters that colour them do, too.
import {button, byId, h} from '../dom/elements.js';
import {once, single} from '../dom/idle.js';
import {planeOf, sameNodes, turned} from '../run/beside.js';
import {nodesOfText, nodesToText} from '../settings/nodes.js';
import {numbersOf} from './colourby.js';
import * as plotgrid from './plotgrid.js';
import {stacked} from './strip.js';
import type {create} from './axes.js';
import type {Picture, Shown} from './why.js';
import type {Model, PageChoices, PageView, Snapshot, ViewContext} from '../types.js';

const AXES: [string, string][] = [['', 'principal'], ['separating', 'that separate the colours'], ['columns', 'two columns'], ['tsne', 't-SNE']];
const BETWEEN_CLUSTERS = 1500; // ms, while the run goes on

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, setup, attempt, usable, look, pinned} = context;
  let clustered = 0;
  /** All about a node, once a reader has asked. */
  let card: {show(node: number, goes?: boolean): void, update(): void} | null = null;
  let opening = false;
  async function opened(node: number, goes = true) {
    opening = true;
    card ??= (await import('./nodecard.js')).createCard(byId('stage'), {session, setup, look, attempt, picture, draw(next) {
      if (next === there && !next) return;
      there = next;
      redraw();
    }, linear(common) {
      setup.setView({axes: null, at: null, of: common ? 'C' : null});
      pictures.lookBack(-1);
      redraw();
    }});
    card.show(node, goes);
    opening = false;
  }
  /** Nodes that the run has not seen, once a reader has asked. */
  let fresh: ReturnType<typeof import('./newnodes.js').createNewNodes> | null = null;
  /** The answer that the pictures show. */
  let there: Shown | null = null;
  let pictured: Picture | null = null;
  /** The drawing of the last epoch, as long as it is on screen. */
  const picture = () => look.step < 0 ? pictured : null;
  const pictures = plotgrid.create(el, {
    context,
    chosen: (count: number) => nodesOfText(setup.settings.view.select ?? '', count),
    onView: (view: PageChoices) => setup.setView(view),
    onClusters: () => redraw(), // and so they follow, and numbers
    onCard: attempt(opened),
  });

  const by = h('select', {id: 'axes-by', onchange: () => {
    setup.setView({axes: by.value === 'columns' ? 'columns:1.2' : by.value || null});
    redraw();
  }}, AXES.map(([value, text]) => h('option', {value}, text)));
  const common = h('input', {type: 'checkbox', id: 'common-by-layer', onchange: () => {
    setup.setView({of: common.checked ? 'C' : null});
    redraw();
  }});
  const told = h('span', {class: 'axes'});
  el.querySelector('.toolbar')?.append(h('span', {class: 'axes-choice'},
    h('label', {}, 'Axes ', by),
    h('label', {class: 'check', title: 'The common part of each layer in the place of its private one'}, common, ' C for P'), told),
  button('Add nodes', attempt(async () => {
    fresh ??= (await import('./newnodes.js')).createNewNodes(byId('stage'), {...context, redraw,
      picture: () => setup.settings.view.of === 'C' ? null : picture()?.xy ?? null});
    fresh.show();
    redraw();
  }), {id: 'add-nodes', class: 'quiet'}));
  let axes: ReturnType<typeof import('./axes.js').create> | null = null;
  const loadAxes = once(attempt(async () => {
    axes = (await import('./axes.js')).create(told, {session, setup, attempt, redraw, colours: names => {
      const {colour, k} = pictures.colouring;
      return {key: JSON.stringify([colour, k, session.model.clusters?.step]), of: pictures.colours(names, colouredOf(session.model))};
    }});
    redraw();
  }));
  /** Colours by numbers. */
  let numbers: ReturnType<typeof import('./numbers.js').create> | null = null;
  const loadNumbers = once(attempt(async () => {
    numbers = (await import('./numbers.js')).create({session, attempt, redraw});
    redraw();
  }));

  /** The picture that is looked at. */
  const shown = (m: Model) => m.snapshots.find(s => s.step === look.step) ?? m.snapshots.at(-1);

  /** The number that is chosen, as colours show it. */
  function numbered(m: Model) {
    const {colour} = pictures.colouring;
    if (!colour.startsWith('number:')) return null;
    loadNumbers();
    return numbers?.colouring(colour, shown(m)) ?? null;
  }

  /** The inputs of a run's colours. */
  const colouredOf = (m: Model) => ({
    names: m.names, snapshots: m.snapshots, labels: m.data?.labels || [], summary: m.data?.summary, clusters: m.clusters, numbers: numbered(m),
  });

  /** The shown picture of a run: the present epoch's along the chosen axes, once it is there. */
  function chosen(m: Model): {names: string[], snapshots: Snapshot[]} {
    const {axes: kind, of} = setup.settings.view, at = shown(m);
    [by.value = ''] = (kind ?? '').split(':');
    common.checked = of === 'C';
    if (kind || of) loadAxes();
    const other = at && axes?.picture(at);
    return other ? {names: other.names, snapshots: m.snapshots.map(s => s === at ? {...s, ...other} : s)} : {names: m.names, snapshots: m.snapshots};
  }

  look.follow(what => {
    if (axes && (what === 'time' || what === 'colours')) redraw();
    if (what !== 'selection') return;
    const select = nodesToText(look.selection) || undefined;
    if (select !== setup.settings.view.select) setup.setView({select});
  });

  /** Clusters that colour the pictures follow the run. */
  const followClusters = attempt(single(async () => {
    const {colour, k} = pictures.colouring, {phase, clusters, progress, record, scoring} = session.model;
    if (!colour.startsWith('clusters:') || !record || scoring || !['running', 'paused', 'finished'].includes(phase)) return;
    const embedding = colour.slice('clusters:'.length);
    const at = shown(session.model), past = at?.tokens && look.step >= 0 ? at : undefined;
    if (clusters?.embedding === embedding && clusters.k === k && clusters.step === (past ?? progress)?.step) return;
    if (phase === 'running' && performance.now() - clustered < BETWEEN_CLUSTERS) return;
    await session.cluster(embedding, k, setup.values.eval_seed, past).finally(() => { clustered = performance.now(); });
  }));

  /** Draws a plane before the pinned run: turned to fit that one best, over the same nodes. A line is drawn by itself. */
  function behind(m: Model) {
    const run = pinned.behind(m), made = setup.madeOf(m), xy = m.snapshots.at(-1)?.xy;
    if (!run || !made || !xy || !sameNodes(run, {made, xy, names: m.names})) return null;
    return (name: string, plane: Float32Array) => {
      const other = planeOf(run, name);
      return other && stacked(plane) === plane && stacked(other) === other ? turned(plane, other) : null;
    };
  }

  /** Draws a plane with the places where nodes would be, before those where they are. No pinned run turns a plane that arrows are drawn in. */
  function ifMoved(names: string[]) {
    const at = there;
    if (!at || at.of !== pictured || look.step >= 0) return null;
    return (name: string, plane: Float32Array) => {
      const k = names.indexOf(name), n = plane.length;
      const xy = stacked(plane) === plane && at.places?.subarray(k * n, (k + 1) * n);
      const still = 1e-3 * plane.reduce((m, v) => Math.max(m, Math.abs(v)), 0); // less is no move
      return xy && plane.some((v, i) => Math.abs(v - (xy[i] ?? v)) > still) ? {xy, ghost: plane} : null;
    };
  }

  let drawing = false, again = false;
  function redraw() {
    again = drawing; // the drawing gives its time and colours; there may be another picture
    if (drawing) return;
    drawing = true;
    try {
      draw(session.model);
      if (again) draw(session.model);
    } finally {
      drawing = false;
    }
  }

  function draw(m: Model) {
    const shows = chosen(m), xy = shows.snapshots.at(-1)?.xy, common = setup.settings.view.of === 'C';
    if (xy !== pictured?.xy) pictured = xy ? {xy, common} : null;
    pictures.update({
      ...colouredOf(m), ...shows, nodes: m.data?.nodes,
      canCluster: Boolean(m.record) && usable(), numbered: numbersOf(m.data, m.record?.method ? 0 : Number(m.record?.options?.dim ?? 0)),
      live: m.phase === 'running', behind: ifMoved(shows.names) ?? (setup.settings.view.axes || setup.settings.view.of ? null : behind(m)),
      added: fresh && ((name, colouring) => fresh?.added(shows.names, name, colouring) ?? null),
      over: (name, colouring) => there && there.of === pictured && shows.names.indexOf(name) === there.plane ? there.over(colouring) : null,
    });
    followClusters();
    fresh?.update();
    card?.update();
    if (!card && !opening && setup.settings.view.why && look.chosen >= 0 && m.record && ['paused', 'finished'].includes(m.phase)) {
      attempt(() => opened(look.chosen, false))();
    }
  }

  return {
    show: redraw,
    follow({view}) {
      pictures.colour(view.color || '', Number(view.k) || 0);
      pictures.lookBack(view.at ?? -1);
      redraw();
      if (pictures.count && (view.select ?? '') !== nodesToText(look.selection)) look.choose(nodesOfText(view.select ?? '', pictures.count));
    },
  };
}
