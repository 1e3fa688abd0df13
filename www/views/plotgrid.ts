// The common embedding and every private one side by side: the same nodes, colours and selection in each.
import {button, byId, h, scrolled, setText} from '../dom/elements.js';
import {fixed, spaced} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {clustersProperty} from '../settings/catalogue.js';
import {fit} from './fit.js';
import {OWN, choicesOf} from './colourby.js';
import {groupsOffered, nodesInGroups} from './groupsearch.js';
import {headingOf, keysOf} from './legend.js';
import * as scatter from './scatter.js';
import {stacked} from './strip.js';
import {embeddingTitle, ownSet} from './names.js';
import {legendMark, markOf} from './palette.js';
import {plotSheet, spreadTable} from './plotsheet.js';
import {keeps} from './saving.js';
import {aboutNode, createTip} from './tip.js';
import type {Added, Over} from './scatter.js';
import type {Clusters, Colouring, LabelSet, PageChoices, Snapshot, Theme,
  ViewContext} from '../types.js';

const OFFERED = 12; // names, while one is typed
const USUAL = ['common', 'private_1', 'private_2', 'private_3']; // the embeddings of most examples

/** The shown data, see create. */
interface Pictured {names: string[]; snapshots: Snapshot[]; labels: LabelSet[]; nodes?: string[]; summary: Summary | undefined; clusters: Clusters | null;
  numbered: [string, string][]; numbers: Colouring | null | undefined; canCluster: boolean; live: boolean;
  behind: ((name: string, plane: Float32Array) => {xy: Float32Array, ghost: Float32Array} | null) | null;
  added: ((name: string, colouring: Colouring) => Added | null) | null;
  over: ((name: string, colouring: Colouring) => Over | null) | null}
/** The inputs of colours. */
type Coloured = Pick<Pictured, 'names' | 'snapshots' | 'labels' | 'summary' | 'clusters' | 'numbers'>;
interface GridOptions {context: ViewContext; chosen(count: number): Iterable<number>; onView(view: PageChoices): void; onClusters(): void;
  onCard(node: number): void}
interface Plot {caption: HTMLElement; box: HTMLElement; view: ReturnType<typeof scatter.create>; name: string; what: string; note: HTMLElement;
  spread: HTMLElement}

/**
 * chosen(n) lists which of n nodes a link has chosen; onView is called when colouring or place in time was changed, onClusters when clusters may be
 * wanted, onCard(node) when all about a node is. Of an update, snapshots come in order, each with the planes of all embeddings, (1 + N) x M x 2;
 * numbered lists the numbers that colours can show, and numbers is the colouring of the chosen one, once it is known; behind(name, plane) gives the
 * plane as it is drawn before another run and where the nodes are in that one, or null; added(name, colouring) gives the nodes
 * that the run has not seen, or null; over(name, colouring) gives what is painted above the plane, or null.
 */
export function create(el: HTMLElement, {context, chosen, onView, onClusters, onCard}: GridOptions) {
  const {look} = context;
  let model: Pictured, plots: Plot[] = [], shownAt = -1, follow = true, wanted = -1;
  let unlabelled = {of: new Int32Array(), classes: ['nodes']}; // the colouring of data without labels
  let colour = '', k = 0, legendKey = '', twinDue = 0;

  const colourBy = h('select', {id: 'colour-by', onchange: () => choose(colourBy.value)});
  const groups = h('input', {id: 'cluster-count', type: 'text', inputmode: 'numeric', size: 3, 'aria-label': 'Number of clusters', onchange: recluster});
  const groupsBox = h('span', {class: 'k', hidden: true}, ' K = ', groups);
  const time = byId<HTMLInputElement>('snapshot'), timeText = byId('snapshot-text');
  time.addEventListener('input', travel);
  const offered = h('datalist', {id: 'node-names'});
  const find = h('input', {type: 'search', id: 'find-node', list: 'node-names', size: 10, placeholder: 'node or group', autocomplete: 'off',
    oninput: search, onsearch: search});
  const found = h('span', {class: 'soft small', role: 'status'});
  const legend = h('div', {class: 'legend', role: 'group', 'aria-label': 'Classes: press to single one out'});
  const grid = h('div', {class: 'plots'});
  const picked = h('p', {class: 'picked', hidden: true});
  const agreement = h('p', {class: 'soft small figures', hidden: true});
  const twinTable = scrolled('Pictures in figures');
  const twin = h('details', {class: 'twin', ontoggle: () => twinNow()}, h('summary', {}, 'Pictures in figures'), twinTable);
  const save = keeps(context, 'pictures', 'embeddings', picture);
  const toolbar = h('div', {class: 'toolbar'}, h('label', {for: 'colour-by'}, 'Colour by '), colourBy, groupsBox,
    h('div', {class: 'marks'}, legend), h('label', {}, 'Find ', find), offered, found, save);
  el.append(toolbar, agreement, grid, twin);
  byId('pointed').after(picked); // in sight of every view
  addEventListener('keydown', e => {
    if (e.key === 'Escape' && !document.querySelector('dialog[open], :popover-open')) clear();
  });

  /** Nothing is chosen or singled out any longer. */
  function clear() {
    if (look.selection.size) look.choose([]);
    if (look.isolated !== null) look.isolate(look.isolated);
  }
  const refit = fit(grid, {lead: true});
  const tip = createTip(look);
  look.follow(what => {
    if (what === 'selection') showSelection();
    else if (what === 'node') for (const p of plots) p.view.highlight(look.node);
    else if (what === 'colours') render();
  });

  function choose(value: string) {
    colour = value;
    look.isolated = null;
    onView({color: value, ...(value.startsWith('clusters:') ? {k} : {})});
    render();
    onClusters();
  }

  function recluster() {
    const n = Number(groups.value);
    const {min, max} = clustersProperty, most = Math.min(max, count()), bad = !Number.isInteger(n) || n < min || n > most;
    groups.setAttribute('aria-invalid', String(bad));
    groups.title = bad ? `a whole number from ${min} to ${most}` : '';
    if (bad) return;
    k = n;
    onView({k});
    onClusters();
  }

  function travel() {
    shownAt = Number(time.value);
    follow = shownAt === model.snapshots.length - 1;
    onView({at: follow ? null : nth(model.snapshots, shownAt, 'epochs').epoch});
    render();
  }

  function search() {
    const text = find.value.trim().toLowerCase();
    offered.replaceChildren();
    if (!model || text === '') {
      setText(found, '');
      return;
    }
    const i = look.numbered(text);
    const some = i >= 0 ? [i] : Array.from({length: count()}, (_, i) => i).filter(i => look.nameOf(i).toLowerCase().includes(text));
    const members = some.length ? null : nodesInGroups(text, look.labels), n = (members ?? some).length;
    setText(found, members ? `${n} in ${find.value.trim()}` : n === 1 ? '' : n ? `${n} nodes` : `no node or group "${find.value}"`);
    if (members || n === 1) look.choose(members ?? some);
    const offers = [...some.map(i => look.nameOf(i)), ...groupsOffered(find.value.trimStart(), look.labels)];
    if (members || n !== 1) offered.append(...offers.slice(0, OFFERED).map(value => h('option', {value})));
  }

  const count = (m: Coloured | undefined = model) => (m?.snapshots[0]?.xy.length ?? 0) / 2 / (m?.names.length || 1);
  /** The classes in force: a label set, or clusters. */
  function colouring(m: Coloured = model): Colouring {
    if (colour.startsWith('clusters:') && m.clusters && 'clusters:' + m.clusters.embedding === colour) {
      return {of: m.clusters.of, classes: Array.from({length: m.clusters.k}, (_, i) => `cluster ${i + 1}`)};
    }
    if (colour.startsWith('number:') && m.numbers) return m.numbers;
    const set = m.labels.find(s => 'labels:' + s.name === colour) || m.labels[0], n = count(m);
    if (unlabelled.of.length !== n) unlabelled = {of: new Int32Array(n), classes: ['nodes']};
    return set || unlabelled;
  }

  const wordsOf = (set: LabelSet) => spaced(set.name);
  const ownOf = (i: number, m: Coloured = model) => ownSet(m.labels, m.summary, m.names, i);

  const ownSets = () => colour === OWN ? [...new Set(model.names.flatMap((_, i) => ownOf(i) ?? []))] : [];

  function offerColours() {
    colourBy.replaceChildren(...choicesOf(model, model.names.some((_, i) => ownOf(i))));
    const values = [...colourBy.options].filter(o => !o.disabled).map(o => o.value);
    colourBy.value = values.includes(colour) ? colour : values[0] ?? ''; // what cannot be had now may come later
    if (!k) {
      k = Math.max(2, model.labels[0]?.classes.length || 2);
      groups.value = String(k);
    }
  }

  /** Has a plot for every embedding. Those that are there stay, with their last picture until the next one is drawn. */
  function build(names: string[], summary: Summary | null | undefined) {
    for (const p of plots.splice(names.length)) {
      p.view.destroy();
      p.box.remove();
    }
    while (plots.length < names.length) {
      const caption = h('figcaption'), box = h('figure', {}, caption);
      plots.push({caption, box, view: scatter.create(box, {
        onHover: hover, onSelect: (nodes, add) => look.choose(nodes, add),
        describe: i => look.describe(i),
      })} as Plot);
      grid.append(box);
    }
    plots.forEach((p, i) => {
      p.name = nth(names, i, 'names');
      const [kind, symbol, what] = embeddingTitle(p.name, summary);
      p.box.className = p.name === 'common' ? 'plot common' : 'plot';
      p.box.dataset.term = p.name === 'common' ? 'matching causal' : 'selfsupervised causal'; // what pulls at it
      p.what = what;
      p.note = h('span', {class: 'soft note'}, what);
      p.spread = h('span', {class: 'soft'});
      p.caption.replaceChildren(h('strong', {}, kind, ' ', h('i', {}, symbol)), p.note, p.spread);
      p.view.label(`${kind} ${symbol}, ${what}; arrow keys go from node to node`);
    });
    refit();
  }

  function hover(i: number) {
    look.point(i);
    if (i >= 0) tip.show(aboutNode(look, i));
  }

  function showSelection() {
    const {selection} = look;
    for (const p of plots) p.view.select(selection);
    picked.hidden = selection.size === 0;
    if (selection.size === 0) return;
    const some = [...selection].slice(0, 6), one = look.chosen;
    const text = one >= 0 ? look.describe(one)
      : `${selection.size} nodes: ${some.map(i => look.nameOf(i)).join(', ')}${selection.size > some.length ? ', \u2026' : ''}`;
    picked.title = text; // there may be room for its beginning alone
    picked.replaceChildren(h('span', {}, text),
      one >= 0 ? button('All about it', () => onCard(one), {class: 'quiet', id: 'about-node'}) : '',
      button('Clear', clear, {class: 'quiet'}));
  }

  function showLegend(set: Colouring) {
    const {classes, of, scale} = set, {isolated} = look;
    if (scale) {
      if (legend.firstChild !== scale.legend) legend.replaceChildren(scale.legend);
      legendKey = '';
      return;
    }
    const counts = classes.map((_, c) => of.filter(own => own === c).length), missing = of.filter(own => own < 0).length, others = ownSets();
    const key = JSON.stringify([classes, set.marks, counts, missing, isolated, others.map(s => s.name)]);
    if (key === legendKey) return;
    legendKey = key;
    const entry = (c: number, name: string, n: number) => button([legendMark(markOf(set, c)), name], () => {
      look.isolate(c);
      legend.querySelector<HTMLElement>(`[data-class="${c}"]`)?.focus(); // the button was made anew
    }, {class: 'key', 'data-class': c, 'aria-pressed': String(isolated === c), title: `${n} nodes`});
    legend.replaceChildren(
      others.length ? headingOf(set as LabelSet) : '',
      ...classes.map((name, c) => entry(c, name, nth(counts, c))),
      missing ? entry(-1, 'missing', missing) : '',
      ...others.flatMap(keysOf),
    );
  }

  function render() {
    if (!model) return;
    const n = model.snapshots.length;
    if (wanted >= 0 && !model.live && (model.snapshots.at(-1) as Snapshot).epoch >= wanted) {
      shownAt = Math.max(0, model.snapshots.findLastIndex(s => s.epoch <= wanted));
      follow = shownAt === n - 1;
      wanted = -1;
    }
    if (follow || shownAt >= n) shownAt = n - 1;
    time.max = String(Math.max(0, n - 1)); // a stop for every epoch that was kept: the first ones lie close together
    time.disabled = n < 2;
    const snapshot = model.snapshots[shownAt];
    time.value = String(shownAt);
    look.lookBack(follow || !snapshot ? -1 : snapshot.step);
    setText(timeText, snapshot ? String(snapshot.epoch) : '');
    time.setAttribute('aria-valuetext', snapshot ? `epoch ${snapshot.epoch}` : 'none');
    groupsBox.hidden = !colour.startsWith('clusters:');
    const there = 'clusters:' + model.clusters?.embedding === colour ? model.clusters : null;
    const found = there?.scores.map(s => `${spaced(s.labels)} ${fixed(s.ari, 2)}`) ?? [];
    const other = there && snapshot && there.step !== snapshot.step;
    setText(agreement, [
      other ? `Clusters at epoch ${there.epoch}${follow ? '' : `: the embeddings of epoch ${snapshot?.epoch} were not kept`}.` : '',
      found.length ? `Agreement of these clusters with the labels, ARI: ${found.join(', ')}` : '',
    ].filter(Boolean).join(' '));
    agreement.hidden = !agreement.textContent;
    const c = colouring();
    if (look.colour(c)) return; // this one was told, too
    showLegend(c);
    if (snapshot) {
      let refits = false;
      plots.forEach((p, i) => {
        const own = colour === OWN && ownOf(i) || c, share = snapshot.explained?.[i];
        const taken = snapshot.xy.subarray(2 * i * count(), 2 * (i + 1) * count()), turned = model.behind?.(p.name, taken);
        const plane = turned?.xy ?? taken, xy = stacked(plane);
        setText(p.note, [
          p.what, own === c ? '' : `coloured by ${wordsOf(own as LabelSet)}`, xy === plane ? '' : 'one dimension, marks stacked',
        ].filter(Boolean).join(' \u00b7 '));
        setText(p.spread, share && xy === plane ? `${Math.round(100 * share)}\u00a0% of the spread` : '');
        p.caption.title = p.note.textContent + (p.spread.textContent && `. Its two axes have ${p.spread.textContent}.`);
        const over = follow && xy === plane ? model.over?.(p.name, own) : null;
        if (p.box.classList.contains('summed') !== Boolean(over)) refits = true;
        p.box.classList.toggle('summed', Boolean(over));
        p.view.update({
          xy, classes: own.of, marks: own.classes.map((_, k) => markOf(own, k)),
          dim: own === c ? look.isolated : null, live: model.live && follow, ghost: turned?.ghost,
          added: follow && xy === plane ? model.added?.(p.name, own) : null,
          over,
        });
      });
      if (refits) refit();
    }
    if (twin.open && performance.now() > twinDue) twinNow();
  }

  function twinNow() {
    twinDue = performance.now() + 1000;
    const snapshot = model?.snapshots[shownAt];
    if (twin.open && snapshot) twinTable.replaceChildren(spreadTable(snapshot, model.names.map(n => titleOf(n)), colouring()));
  }

  const titleOf = (name: string) => embeddingTitle(name, model.summary).slice(0, 2).join(' ');

  /** The pictures as one to keep, with legend and caption. */
  function picture(t: Theme, caption: string) {
    const {epoch = 0, axes = 'Two principal axes'} = model.snapshots[shownAt] ?? {};
    return {...plotSheet({
      plots: plots.map(p => ({view: p.view, title: `${titleOf(p.name)}, ${embeddingTitle(p.name, model.summary)[2]}`})), sets: [colouring(), ...ownSets()], t,
      caption: `${caption} Epoch ${epoch}. ${axes}, coloured by ${colourBy.selectedOptions[0]?.textContent}.`,
    }), text: caption};
  }

  build(USUAL, null); // their places, before there are data

  return {
    update(next: Pictured) {
      grid.classList.toggle('before', !next.snapshots.length);
      if (!next.snapshots.length) return; // a run that is being made ready: what was there stays until it can be seen, and fades
      const shapeOf = ({names, canCluster, numbered}: Pictured) => `${names} ${canCluster} ${numbered.length}`;
      const sameShape = model && shapeOf(next) === shapeOf(model) && next.labels === model.labels && next.summary === model.summary;
      const fresh = !model || next.labels !== model.labels;
      model = next;
      if (fresh) {
        k = 0;
        follow = true;
        look.open(model.nodes, count(), model.labels, chosen(count()));
      }
      if (!sameShape) {
        build(model.names, model.summary);
        offerColours();
        showSelection();
      }
      render();
    },
    /** Chooses what colours show, from a link. */
    colour(value: string, clusters: number) {
      if (clusters) {
        k = clusters;
        groups.value = String(clusters);
      }
      colour = value;
      if (model) {
        offerColours();
        render();
      }
    },
    /** Looks back at an epoch, from a link, as soon as the run has been there; at -1 at none. */
    lookBack(epoch: number) {
      wanted = epoch;
      if (epoch < 0) follow = true;
      if (model) render();
    },
    get colouring() { return {colour, k}; },
    /** The colours of such embeddings' pictures of a run, which may not be drawn yet: a class for every node of each. */
    colours: (names: string[], m: Coloured) => names.map((_, i) => (colour === OWN && ownOf(i, m) || colouring(m)).of),
    get count() { return count(); },
  };
}
