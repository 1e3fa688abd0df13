// @ts-check
// Who knows what: how well each embedding tells each set of labels, as squares. Filled is the trained model, the outline is the same
// model before training, the dashed one the run that is pinned; the area of a square is its score.
import {h, setText, svg} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {embeddingTitle} from './names.js';

const SIDE = 36;  // of the room of a square
const USUAL = ['common', 'private_1', 'private_2', 'private_3']; // the embeddings of most examples

/** What squares show, by where scores come from; the metric is the first one that there is. */
const METRICS = [
  {metric: 'ari', value: 'K-means clusters', words: 'Do clusters match the labels? A full square: exactly. No square: no better than chance (ARI).'},
  {metric: 'macro_f1', value: 'the classifier', words: 'Does a classifier find the labels? A full square: always. Guessing gives a small one (macro-F1).'},
];
const PROBE = 'Can straight cuts through the embedding tell the labels? A full square: always.';

/**
 * @param {HTMLElement} el
 * @param {ViewContext} context
 * @returns {PageView}
 */
export function mount(el, {session, setup, pinned}) {
  let probing = false;
  const radios = [false, true].map(probe => h('input', {type: 'radio', name: 'knows-by', value: probe ? 'probe' : 'value', onchange: () => {
    probing = probe;
    setup.setView({knows: probe ? 'probe' : null});
    show();
  }}));
  const by = h('span', {}, METRICS[0].value), dashed = h('span', {class: 'soft'}), words = h('p', {class: 'soft small', id: 'knows-words'});
  const box = h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Scores as squares'});
  el.append(
    h('div', {class: 'toolbar', role: 'radiogroup', 'aria-label': 'Read from each embedding by'},
      'Read by', h('label', {}, radios[0], by), h('label', {}, radios[1], 'a linear probe'),
      h('span', {class: 'soft'}, 'Filled: trained. Outline: before training.'), dashed),
    words, box);

  /** A score as a square; those below nothing are nothing.
   * @param {number | null | undefined} trained
   * @param {number | null | undefined} untrained
   * @param {number | null | undefined} before of the run that is pinned
   */
  function square(trained, untrained, before) {
    const rect = (/** @type {number} */ side, /** @type {string} */ of) =>
      svg('rect', {x: (SIDE - side) / 2, y: (SIDE - side) / 2, width: side, height: side, class: of});
    const side = (/** @type {number} */ v) => (SIDE - 2) * Math.sqrt(Math.min(1, Math.max(0, v)));
    /** @type {[number | null | undefined, string][]} */
    const parts = [[trained, 'trained'], [untrained, 'untrained'], [before, 'pinned']];
    return svg('svg', {viewBox: `0 0 ${SIDE} ${SIDE}`, 'aria-hidden': 'true'}, rect(SIDE, 'room'),
      ...parts.flatMap(([v, of]) => typeof v === 'number' ? [rect(side(v), of)] : []));
  }

  function show() {
    const {scores, data, names} = session.model;
    const labels = data?.labels ?? [], rows = scores ?? [];
    const of = METRICS.find(m => rows.some(r => r.metric === m.metric)) ?? METRICS[data?.task === 'classification' ? 1 : 0];
    for (const [k, radio] of radios.entries()) radio.checked = probing === (k === 1);
    setText(by, of.value);
    setText(words, data && !labels.length ? 'These data have no labels to compare with.' : probing ? PROBE : of.words);
    const behind = pinned.behind(session.model);
    setText(dashed, behind ? 'Dashed: the pinned run.' : '');
    const cell = (/** @type {string} */ name, /** @type {LabelSet} */ set) => {
      const rowOf = (/** @type {any[]} */ list) => list.find(r => r.embedding === name && r.target === set.name && r.metric === of.metric);
      const row = rowOf(rows), other = behind && rowOf(behind.scores)?.[probing ? 'probe' : 'value'];
      const trained = row?.[probing ? 'probe' : 'value'], untrained = row?.[probing ? 'untrained_probe' : 'untrained'];
      const text = typeof trained !== 'number' ? 'no score yet'
        : fixed(trained, 2) + (typeof untrained === 'number' ? `, before training ${fixed(untrained, 2)}` : '')
        + (typeof other === 'number' ? `, of the pinned run ${fixed(other, 2)}` : '');
      return h('td', {title: text}, square(trained, untrained, other), h('span', {class: 'unseen'}, text));
    };
    const title = (/** @type {string} */ name) => {
      const [kind, symbol, what] = embeddingTitle(name, data?.summary);
      return h('th', {scope: 'row'}, `${kind} `, h('i', {}, symbol), ' ', h('span', {class: 'soft'}, what));
    };
    box.replaceChildren(h('table', {class: 'knows'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Embedding'), labels.map(s => h('th', {scope: 'col'}, s.name.replaceAll('_', ' '))))),
      h('tbody', {}, (names.length ? names : USUAL).map(name => h('tr', {}, title(name), labels.map(s => cell(name, s)))))));
  }

  show();
  return {
    show,
    follow({view}) {
      probing = view.knows === 'probe';
      show();
    },
  };
}
