// The causality lab: whether psi's answer depends on the common part. The run on screen is asked as it stands; a comparison trains it several
// ways. What is said of results is computed from them.
import {h, holdHeight, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed, grouped, spaced} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {comparisonOf} from '../run/comparison.js';
import {askExchange} from '../run/exchanged.js';
import {diagram} from './causaldiagram.js';
import {create as createLoss} from './causalloss.js';
import {create as createArms, trainer} from './arms.js';
import {causalPicture} from './causalpicture.js';
import {create as createClaims} from './claims.js';
import {answerOf, create as createPairings} from './pairings.js';
import {probeCurve} from './probecurve.js';
import {keeps} from './saving.js';
import type {Exchange, PageView, Theme, ViewContext} from '../types.js';

const HERE = 'run';

/** How probable psi finds layer k of a private part of layer l, once common parts are exchanged. */
const doing = (e: Exchange, l: number, k: number) => nth(nth(e.do, l, 'layers'), k, 'layers');

/** How often psi changes its answer, in words. */
export const changedOf = ({invariance, pairs}: Exchange) => {
  const changed = Math.round((1 - invariance) * pairs);
  return `${grouped(changed)} of ${grouped(pairs)} swaps`
    + ` (${fixed(100 * (1 - invariance), 1)} %)`;
};

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session} = context, comparison = comparisonOf(context);
  let shown = HERE, visible = false;
  const which = h('select', {id: 'causality-of', onchange: () => {
    shown = which.value;
    show();
  }});
  const verdict = h('p', {id: 'causality-verdict', class: 'verdict'}), pairs = h('div', {class: 'pairings-view'}), change = h('div');
  const tables = scrolled('p(layer | P) and p(layer | do(P))');
  const trains = trainer(context, comparison, 'causality-compare');
  const sentences = h('div', {id: 'causality-claims'}), layer = h('div', {id: 'causality-layer'});
  const ways = scrolled('Trainings compared'), findings = h('div', {id: 'causality-findings'});
  el.append(
    h('p', {class: 'small measure'}, 'ψ sees a private part and a common part of pooled graphs and names the layer of the private one. ',
      'The causal loss trains it with common parts of other graphs. Here you see whether its answer depends on the common part.'),
    h('div', {class: 'toolbar'}, h('label', {for: 'causality-of'}, 'Answers of '), which, keeps(context, 'answers', 'causality', picture)), verdict,
    h('div', {class: 'posteriors-row'},
      h('figure', {}, h('figcaption', {}, h('strong', {}, 'Observed'), ' p(layer | P): the back door through C is open.'), diagram(false)),
      h('figure', {}, h('figcaption', {}, h('strong', {}, 'Intervention'), ' p(layer | do(P)), adjusted over C: the back door is closed.'), diagram(true)),
      tables),
    pairs,
    h('h3', {}, 'Trained with own pairs, trained with swapped pairs'),
    h('p', {class: 'small measure'}, 'Own pairs are the control: the same training, but every private part stays beside its own common part.'),
    trains.el, ways, findings,
    h('h3', {}, 'What removes the layer from C?'), layer, sentences, change, // grows by the same trainings: below what it would push away
    h('details', {class: 'twin'}, h('summary', {}, 'What this shows, and what it does not'), h('ul', {class: 'small measure'},
      h('li', {}, 'It shows whether the classifier ψ uses the common part. The mean over exchanged common parts is its answer for do(P), adjusted over C.'),
      h('li', {}, 'It does not show that the common part has forgotten its layer. A fresh classifier on C tells that; the comparison has one.'),
      h('li', {}, 'It says nothing about causes in the data. Nobody has changed a network and observed what follows.'),
      h('li', {}, 'All of it is about pooled graphs, sums over many nodes, and not about single nodes.'))));
  const loss = createLoss(change, context), arms = createArms(layer, context), claims = createClaims(sentences, context);
  const pairings = createPairings(pairs, {onPair: () => context.changed('exchange')});
  new IntersectionObserver(entries => {
    visible = Boolean(entries.at(-1)?.isIntersecting);
    if (visible) show();
  }).observe(el);

  const layerNames = () => (session.model.data?.summary?.layers ?? []).map(l => spaced(l.name));

  /** What psi says of each layer's private parts, as observed and after the intervention. */
  function posteriors(e: Exchange, names: string[]) {
    return tableOf({
      caption: 'What ψ says, as the mean probability: observed, then after the intervention.', head: ['P of', ...names], of: k => k ? 'number' : null,
      rows: e.observed.map((row, l) => [names[l], ...row.map((p, k) => `${fixed(p, 2)}, ${fixed(doing(e, l, k), 2)}`)]),
    });
  }

  /** What exchanging common parts did to the answers. */
  function said(e: Exchange) {
    const gap = Math.max(...e.observed.flatMap((row, l) => row.map((p, k) => Math.abs(p - doing(e, l, k)))));
    const n = e.layer.length, wrong = e.layer.flatMap((l, i) => e.layer.filter((_, j) => answerOf(e, i, j).layer !== l)).length;
    return `ψ changed its answer in ${changedOf(e)}.`
      + ` The intervention moves a layer\u2019s mean probability by ${gap < 0.0005 ? 'less than 0.001' : `${fixed(gap, 3)} at most`}.`
      + ` Of the ${n * n} pairs below it names the wrong layer in ${wrong}.`;
  }

  function drawWays() {
    const {ways: list, running} = comparison;
    trains.show('Train and compare');
    ways.hidden = list.length === 0;
    ways.replaceChildren(...list.length ? [tableOf({
      kind: 'ways', head: ['Training', 'answers kept', 'layer read from C', 'undecided ψ', 'layer read from C, over the epochs'],
      of: k => k && k < 4 ? 'number' : null,
      rows: list.map(({name, exchange, looks}) => [
        name, ...[exchange?.invariance, looks.at(-1)?.probe, looks.at(-1)?.entropy].map(v => v === undefined ? '\u2013' : fixed(v, 2)),
        looks.length ? probeCurve(looks, 1 / (exchange?.do.length || 1)) : h('span', {class: 'leak-room'}, running ? 'training\u2026' : 'stopped'),
      ]),
    })] : []);
    const other = list.length > 0 && !comparison.current;
    findings.replaceChildren(...list.length ? [h('p', {class: 'soft small measure'}, 'Answers kept: the share of swaps that leave ψ’s answer as it was.'
      + ' Layer read from C: how often a fresh classifier names the layer of a common part; dotted is chance.'
      + ' Undecided ψ: the entropy of its answer to a common part beside the mean private part; 1 is guessing.')] : [],
    ...other ? [h('p', {class: 'soft'}, 'This was trained with other settings than those set up now.')] : [], ...findingsOf().map(t => h('p', {}, t)));
  }

  /** What the trainings say, one sentence for each preset and finding. */
  function findingsOf() {
    const list = comparison.ways, chance = 1 / Math.max(1, layerNames().length);
    return [...new Set(list.map(w => w.preset))].flatMap(preset => {
      const own = list.find(w => w.preset === preset && w.own), swapped = list.find(w => w.preset === preset && !w.own);
      if (!own?.exchange || !swapped?.exchange) return [];
      const a = own.exchange.invariance, b = swapped.exchange.invariance, p = own.looks.at(-1)?.probe ?? 0, q = swapped.looks.at(-1)?.probe ?? 0;
      const close = 0.02;
      const kept = b > a + close ? 'So swapped pairs taught it to rely less on the common part.'
        : a > b + close ? 'So swapped pairs did not make it rely less on the common part.' : 'So the pairs made hardly a difference to it.';
      const left = q > chance + 0.05 ? 'so the common part still tells its layer' : 'so the common part no longer tells its layer';
      return [
        `${preset}: ψ keeps its answer in ${fixed(100 * a, 1)} % of the swaps when trained with own pairs, and in`
          + ` ${fixed(100 * b, 1)} % with swapped pairs. ${kept}`,
        `${preset}: a fresh classifier reads the layer from C in ${fixed(p, 2)} of the cases with own pairs and in ${fixed(q, 2)} with swapped`
          + ` pairs. Chance is ${fixed(chance, 2)}, ${left}.`,
      ];
    });
  }

  /** The answers that are shown; null where there are none. */
  function answers(names: string[]) {
    const e = shown === HERE ? session.model.exchange : comparison.ways[Number(shown)]?.exchange;
    return e && e.observed.length === names.length ? e : null;
  }

  /** What the view shows as a picture to keep. */
  function picture(t: Theme, caption: string) {
    const names = layerNames(), of = shown === HERE ? '' : `${which.selectedOptions[0]?.text}: `;
    return causalPicture({said: of + verdict.textContent, exchange: answers(names), names, ...arms.found, caption, t});
  }

  function show() {
    const options = [[HERE, 'the run on screen'], ...comparison.ways.flatMap((w, k) => w.exchange ? [[String(k), w.name]] : [])];
    if (!options.some(([value]) => value === shown)) shown = HERE;
    if (String(options) !== String(Array.from(which.options, o => [o.value, o.text]))) {
      which.replaceChildren(...options.map(([value, text]) => h('option', {value}, text)));
    }
    which.value = shown;
    const {record, progress: p} = session.model, names = layerNames(), known = answers(names);
    setText(verdict, known ? (shown === HERE ? `At epoch ${known.epoch}: ` : '') + said(known)
      : record && p?.step ? 'Asking ψ\u2026' : 'ψ of this run is not known. Press Train, or compare below.');
    holdHeight(tables, !known);
    tables.replaceChildren(...known ? [posteriors(known, names)] : []);
    pairings.update({exchange: known, names});
    drawWays();
    loss.show();
    arms.show();
    claims.show();
    if (visible) askExchange(context);
  }

  show();
  context.changed('exchange'); // so that who waits for the lab learns that it stands
  return {show};
}
