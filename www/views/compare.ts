// Two runs side by side: the pinned one, and the run on screen or a kept one. Axes of the second are turned as fits the first best, where both
// have the same nodes; in what the two differ is said in words, from both runs.
import {button, h, pathOf, scrolled, svg, tableOf} from '../dom/elements.js';
import {figure, fixed, spaced} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {besideOf, planeOf, sameNodes, turned} from '../run/beside.js';
import {scoresOfBoth, sentences, settingsThatDiffer, verdictOf} from '../run/differences.js';
import {keysOf} from './legend.js';
import {embeddingTitle, ownSet} from './names.js';
import {curveOf, markOf} from './palette.js';
import {fit} from './fit.js';
import * as scatter from './scatter.js';
import {stacked} from './strip.js';
import type {Beside, PageView, ViewContext} from '../types.js';

const WIDE = 240, HIGH = 64, POINTS = 160; // of a curve
const METRICS: Record<string, string | undefined> = {ari: 'clusters (ARI)', macro_f1: 'classifier (macro-F1)'};

export function mount(el: HTMLElement, {session, setup, catalogue, look, pinned}: ViewContext): PageView {
  let told = '';
  const columns = ['The pinned run', 'The other run'].map(title => {
    const head = h('h3'), grid = h('div', {class: 'plots'}), plots: {box: HTMLElement, view: ReturnType<typeof scatter.create>}[] = [];
    return {head, grid, plots, refit: fit(grid, {lead: true}), el: h('section', {'aria-label': title}, head, grid)};
  });
  const words = h('div', {class: 'compare-words', role: 'status'}), figures = h('div');
  const back = button('Compare with the run on screen', () => pinned.compareWith(null), {class: 'quiet'});
  const unpin = button('Unpin', () => pinned.pin(null), {class: 'quiet'});
  const legend = h('div', {class: 'legend'}), agree = h('p', {class: 'soft small figures'});
  el.append(words, h('div', {class: 'toolbar'}, legend, h('span', {class: 'actions'}, back, unpin)),
    h('div', {class: 'compare'}, columns.map(c => c.el)), agree, figures);

  const titleOf = (name: string, summary: Summary) => embeddingTitle(name, summary).slice(0, 2).join(' ');

  /** Has as many plots on a side as there are embeddings. */
  function build({plots, grid, refit}: typeof columns[number], n: number) {
    for (const p of plots.splice(n)) {
      p.view.destroy();
      p.box.remove();
    }
    while (plots.length < n) {
      const caption = h('figcaption'), box = h('figure', {class: 'plot'}, caption);
      const here = () => sides().every(s => s.run === (session.model.record?.run ?? null) || mates(s));
      const view = scatter.create(box, {
        onHover: (i: number) => { if (here()) look.point(i); },
        onSelect: (nodes: number[], add: boolean) => { if (here()) look.choose(nodes, add); },
        describe: (i: number) => here() ? look.describe(i) : `node ${i}`,
      });
      plots.push({box, view});
      grid.append(box);
    }
    refit();
  }

  /** The run on screen. */
  const present = () => {
    const made = setup.madeOf(session.model);
    return made ? besideOf(session.model, made) : null;
  };
  /** A run has the nodes that are on screen. */
  function mates(side: Beside) {
    const here = present();
    return Boolean(here && sameNodes(here, side));
  }
  /** Both runs, the pinned one first. */
  const sides = (): Beside[] => [pinned.run, pinned.other ?? present()].flatMap(s => s ? [s] : []);

  /** The labels of a run's nodes: those on screen, where it has the same nodes. */
  const labelsOf = (side: Beside) => mates(side) ? session.model.data?.labels ?? side.labels : side.labels;

  look.pictured(() => columns.flatMap(c => c.plots.map(p => p.view)));

  function draw(one: Beside, other: Beside) {
    const same = sameNodes(one, other), agreements: string[] = [];
    columns.forEach((column, k) => {
      const side = k ? other : one;
      build(column, side.xy ? side.names.length : 0);
      column.head.replaceChildren(k ? pinned.other ? '' : 'On screen: ' : 'Pinned: ', side.name, h('span', {class: 'soft small'},
        ` epoch ${side.epoch}${side.hash ? `, fingerprint ${side.hash}` : ''}`));
      const labels = labelsOf(side), nodes = (side.xy?.length ?? 0) / 2 / (side.names.length || 1);
      const [first = {name: '', of: new Int32Array(nodes), classes: ['nodes']}] = labels;
      const sets = side.names.map((_, i) => ownSet(labels, side.summary, side.names, i) ?? first);
      side.names.forEach((name, i) => {
        const plane = planeOf(side, name), before = k && same ? planeOf(one, name) : null;
        if (!plane) return;
        const fits = before && stacked(plane) === plane && stacked(before) === before ? turned(plane, before) : null;
        if (fits) agreements.push(`${titleOf(name, side.summary)} ${Math.round(100 * fits.agreement)}\u00a0%`);
        const set = nth(sets, i), title = titleOf(name, side.summary), {box, view} = nth(column.plots, i, 'plots');
        box.firstElementChild?.replaceChildren(h('strong', {}, title), ' ', h('span', {class: 'soft note'}, embeddingTitle(name, side.summary)[2]));
        view.label(`${title} of ${side.name}; arrow keys go from node to node`);
        view.update({xy: fits?.xy ?? stacked(plane), classes: set.of, marks: set.classes.map((_, c) => markOf(set, c)), dim: null});
      });
      if (!k) legend.replaceChildren(...labels.length ? [...new Set(sets)].flatMap(keysOf) : []);
    });
    agree.textContent = agreements.length
      ? 'The axes on the right are turned and mirrored to fit those on the left. Then the two pictures share this much of their spread: '
        + `${agreements.join(', ')}.`
      : !same ? 'The runs have different nodes, so their axes cannot be fitted to each other.' : '';
  }

  /** The curves of both runs, a small chart for each term. */
  function curves(one: Beside, other: Beside) {
    const there = [one, other].map(s => ({losses: s.losses, of: catalogue.present(s.made.options, s.summary?.features)}));
    return catalogue.terms.flatMap(({label}, t) => {
      if (!there.some(({of}) => of[t])) return [];
      const most = Math.max(one.losses.n, other.losses.n, 2), stride = Math.ceil(most / POINTS);
      const lists = there.map(({losses: l, of}) => of[t] ? Array.from({length: Math.ceil(l.n / stride)}, (_, i) => l.at(i * stride, t)) : []);
      const top = Math.max(...lists.flat().filter(Number.isFinite), 1e-12), {mark} = curveOf(t, catalogue.terms.length);
      const path = (list: number[]) => pathOf(list.map((v, k) => [WIDE * k * stride / (most - 1), HIGH * (1 - v / top / 1.05)]));
      const ends = there.map(({losses: l, of}) => l.n && of[t] ? figure(Number(l.at(l.n - 1, t).toPrecision(3))) : '\u2013');
      return [h('figure', {class: `pull ${mark}`}, h('figcaption', {}, h('strong', {}, label), h('span', {class: 'soft figures'}, ' ', ends.join(', then '))),
        svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
          ...lists.map((list, k) => svg('path', {class: k ? 'course' : 'course ghost', d: path(list)}))))];
    });
  }

  function tell(one: Beside, other: Beside) {
    const settings = settingsThatDiffer(one, other, catalogue), scores = scoresOfBoth(one, other);
    const said = sentences(one, other, {settings, scores, titleOf: name => titleOf(name, one.summary)});
    words.replaceChildren(...said.map(text => h('p', {}, text)));
    const table = (caption: string, head: string[], rows: string[][]) =>
      scrolled(caption, tableOf({caption, head, rows}));
    figures.replaceChildren(
      settings.length ? table('Settings that differ', ['Setting', 'Pinned', 'Other'], settings.map(s => [s.label, s.one, s.other])) : '',
      h('h3', {}, 'Losses'), h('p', {class: 'soft small'}, 'Faint: the pinned run. Values: at the end of each.'),
      h('div', {class: 'compare-curves'}, curves(one, other)),
      scores.length ? table('Scores of both runs', ['Embedding', 'Label set', 'Read by', 'Pinned', 'Other', 'Difference'], scores.map(s => [
        titleOf(s.embedding, one.summary), spaced(s.target), METRICS[s.metric] ?? '', fixed(s.one, 2), fixed(s.other, 2), verdictOf(s),
      ])) : '',
      scores.length ? h('p', {class: 'soft small'}, 'The spread is the deviation of the difference of two such scores, from how far each varied over'
        + ' its folds or its runs of K-means. It tells nothing of other model seeds.') : '');
  }

  function show() {
    if (!el.checkVisibility()) return; // it is drawn when it comes into sight
    const [one, other] = sides(), here = session.model.phase === 'running';
    if (!one || !other) return;
    back.hidden = !pinned.other;
    draw(one, other);
    // The text follows the run, but not ten times a second.
    const key = [one.run, one.step, other.run, here && !pinned.other ? '' : other.step, other.scores.length, one.scores.length, other.hash].join();
    if (key === told) return;
    told = key;
    tell(one, other);
  }

  new IntersectionObserver(entries => { if (entries.some(e => e.isIntersecting)) show(); }).observe(el);
  return {show};
}
