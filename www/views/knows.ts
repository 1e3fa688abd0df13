// Who knows what: how well each embedding tells each set of labels, as squares. Filled is the trained model, the outline is the same
// model before training, the dashed one the run that is pinned; the area of a square is its score.
import {h, scrolled, setText, svg} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {embeddingTitle, ownSet} from './names.js';

const SIDE = 36;  // of the room of a square
const USUAL = ['common', 'private_1', 'private_2', 'private_3']; // the embeddings of most examples

/** What squares show, by where scores come from; the metric is the first one that there is. */
const METRICS = [
  {metric: 'ari', value: 'K-means clusters', words: 'Do clusters match the labels? A full square: exactly. No square: no better than chance (ARI).'},
  {metric: 'macro_f1', value: 'the classifier', words: 'Does a classifier find the labels? A full square: always. Guessing gives a small one (macro-F1).'},
];
const BEFORE_ASKING = 300; // ms that a reader looks back at an epoch until it is scored
const NO_LABELS = 'These data have no labels to compare with. Under Experiments, \u201cWhat the layers share\u201d asks their links instead.';
const PROBE = 'Can straight cuts through the embedding tell the labels? A full square: always.';

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, setup, attempt, look, pinned} = context;
  let probing = false, due = 0, asking = false;
  const radios = [false, true].map(probe => h('input', {type: 'radio', name: 'knows-by', value: probe ? 'probe' : 'value', onchange: () => {
    probing = probe;
    setup.setView({knows: probe ? 'probe' : null});
    show();
  }}));
  const ideal = h('span', {hidden: true}, ' Dotted: where groups would be found if S and P kept them apart.');
  const when = h('p', {class: 'measure', id: 'knows-when', role: 'status', hidden: true});
  let leak: {show(): void} | null = null, attention: {show(): void} | null = null;
  const weights = h('div', {}), looks = h('details', {class: 'meter', id: 'attention', ontoggle: attempt(async () => {
    if (looks.open && !attention) attention = (await import('./attention.js')).create(weights, context);
    attention?.show();
  })}, h('summary', {}, 'What the combiner looks at'), weights);
  const inside = h('div', {}), meter = h('details', {class: 'meter', ontoggle: attempt(async () => {
    if (meter.open && !leak) leak = (await import('./leak.js')).create(inside, context);
    leak?.show();
  })}, h('summary', {}, 'Leak meter: what slips into S and C'), inside);
  const by = h('span', {}, METRICS[0].value), dashed = h('span', {class: 'soft'}), words = h('p', {class: 'soft small', id: 'knows-words'});
  const box = scrolled('Scores as squares');
  el.append(
    h('div', {class: 'toolbar', role: 'radiogroup', 'aria-label': 'Read from each embedding by'},
      'Read by', h('label', {}, radios[0], by), h('label', {}, radios[1], 'a linear probe'),
      h('span', {class: 'soft'}, 'Filled: trained. Outline: before training.', ideal), dashed),
    when, words, box, meter, looks);

  /** A score as a square, with the one before of the pinned run; those below nothing are nothing. wanted: embeddings that keep apart what layers share
   * would tell these labels. */
  function square(trained: number | null | undefined, untrained: number | null | undefined, before: number | null | undefined, wanted: boolean) {
    const rect = (side: number, of: string) =>
      svg('rect', {x: (SIDE - side) / 2, y: (SIDE - side) / 2, width: side, height: side, class: of});
    const side = (v: number) => (SIDE - 2) * Math.sqrt(Math.min(1, Math.max(0, v)));
    const parts: [number | null | undefined, string][] = [[trained, 'trained'], [untrained, 'untrained'], [before, 'pinned']];
    return svg('svg', {viewBox: `0 0 ${SIDE} ${SIDE}`, 'aria-hidden': 'true'}, rect(SIDE, 'room'), ...wanted ? [rect(SIDE - 2, 'wanted')] : [],
      ...parts.flatMap(([v, of]) => typeof v === 'number' ? [rect(side(v), of)] : []));
  }

  /** The picture that is looked back at. */
  const past = () => look.step < 0 ? undefined : session.model.snapshots.find(s => s.step === look.step);

  /** Has the epoch that is looked back at scored, while the run rests. */
  const ask = attempt(async () => {
    const at = past(), {phase, record, scoring, ending, data} = session.model;
    if (asking || !at?.tokens || !record || !data?.labels.length || !['paused', 'finished'].includes(phase) || scoring || ending) return;
    if (session.found('past', at)) return;
    asking = true;
    try {
      await session.ask('past', at);
    } finally {
      asking = false;
    }
    if (past() !== at) ask();
  });

  function show() {
    const {scores, data, names} = session.model, at = past(), found = at && session.found('past', at);
    const labels = data?.labels ?? [], rows = ((at ? found?.scores : scores) ?? []) as Score[];
    const own = new Map(names.map((name, i) => [name, ownSet(labels, data?.summary, names, i)]));
    const apart = [...own.values()].some(Boolean), wanted = (name: string, set: LabelSet) =>
      apart && (name === 'common' ? ![...own.values()].includes(set) : own.get(name) === set);
    ideal.hidden = !apart;
    when.hidden = !at;
    if (at) {
      setText(when, found ? `These are the scores of epoch ${at.epoch}.` : !at.tokens ? `No scores of epoch ${at.epoch}: its embeddings were not kept.`
        : `The scores of epoch ${at.epoch} come when the run rests.`);
      clearTimeout(due);
      if (!found) due = setTimeout(ask, BEFORE_ASKING);
    }
    leak?.show();
    attention?.show();
    const of = METRICS.find(m => rows.some(r => r.metric === m.metric)) ?? METRICS[data?.task === 'classification' ? 1 : 0];
    for (const [k, radio] of radios.entries()) radio.checked = probing === (k === 1);
    setText(by, of.value);
    setText(words, data && !labels.length ? NO_LABELS : probing ? PROBE : of.words);
    const behind = pinned.behind(session.model);
    setText(dashed, behind ? 'Dashed: the pinned run.' : '');
    const cell = (name: string, set: LabelSet) => {
      const rowOf = (list: Score[]) => list.find(r => r.embedding === name && r.target === set.name && r.metric === of.metric);
      const row = rowOf(rows), other = behind && rowOf(behind.scores)?.[probing ? 'probe' : 'value'];
      const trained = row?.[probing ? 'probe' : 'value'], untrained = row?.[probing ? 'untrained_probe' : 'untrained'];
      const text = typeof trained !== 'number' ? 'no score yet'
        : fixed(trained, 2) + (typeof untrained === 'number' ? `, before training ${fixed(untrained, 2)}` : '')
        + (typeof other === 'number' ? `, of the pinned run ${fixed(other, 2)}` : '');
      return h('td', {title: text}, square(trained, untrained, other, wanted(name, set)), h('span', {class: 'unseen'}, text));
    };
    const title = (name: string) => {
      const [kind, symbol, what] = embeddingTitle(name, data?.summary);
      return h('th', {scope: 'row'}, `${kind} `, h('i', {}, symbol), ' ', h('span', {class: 'soft'}, what));
    };
    box.replaceChildren(h('table', {class: 'knows'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Embedding'), labels.map(s => h('th', {scope: 'col'}, s.name.replaceAll('_', ' '))))),
      h('tbody', {}, (names.length ? names : USUAL).map(name => h('tr', {}, title(name), labels.map(s => cell(name, s)))))));
  }

  look.follow(what => { if (what === 'time') show(); });
  show();
  return {
    show,
    follow({view}) {
      probing = view.knows === 'probe';
      show();
    },
  };
}
