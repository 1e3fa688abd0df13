// The combiner's attention: the weight of each embedding of a node, once it was trained on all nodes that have a class. Nodes can be
// coloured by it, and exports of the same weights have it from then on.
import {h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed, spaced} from '../dom/figures.js';
import {sure} from '../dom/nth.js';
import {rests} from '../run/layertold.js';
import {embeddingTitle} from './names.js';
import type {Attention, ViewContext} from '../types.js';

/** create(el, context) -> {show} */
export function create(el: HTMLElement, {session, setup, attempt, changed, showView}: ViewContext) {
  let found: (Attention & {of: string, epoch: number}) | null = null, asking = false;
  const set = h('select', {id: 'attention-set', 'aria-label': 'Trained to tell', onchange: () => show()});
  const said = h('p', {class: 'measure', role: 'status'}), table = scrolled('What the combiner looks at');
  const button = h('button', {type: 'button', id: 'attention-ask', onclick: attempt(async () => {
    const {record, progress} = session.model, of = `${record?.run} ${progress?.step} ${set.value}`;
    asking = true;
    show();
    try {
      found = {...await session.attention(set.value, record?.evaluation ?? setup.values.evaluation, setup.values.eval_seed), of, epoch: progress?.epoch ?? 0};
    } finally {
      asking = false;
      show();
    }
  })}, 'Ask the combiner');
  el.append(h('div', {class: 'toolbar'}, h('label', {for: set.id}, 'Trained to tell '), set, button), said, table);

  const symbol = (name: string) => embeddingTitle(name, session.model.data?.summary).slice(0, 2).join(' ');

  /** Colours nodes by how much the combiner looks at one of their embeddings. */
  function colour(k: number) {
    const {data} = session.model, {embeddings, weights} = found as Attention, n = embeddings.length, name = `attention to ${embeddings[k]}`;
    if (!data) return;
    const of = Float32Array.from({length: weights.length / n}, (_, i) => sure(weights[i * n + k]));
    data.numbers = [...(data.numbers ?? []).filter(c => c.name !== name), {name, of}];
    changed('data');
    showView({color: `number:column:${name}`});
  }

  function show() {
    const {data, record, progress} = session.model, labels = data?.labels ?? [];
    if ([...set.options].map(o => o.value).join() !== labels.map(s => s.name).join()) {
      set.replaceChildren(...labels.map(s => h('option', {value: s.name}, spaced(s.name))));
    }
    const still = rests(session.model) && !record?.method;
    button.disabled = asking || !still || !labels.length;
    const here = found?.of === `${record?.run} ${progress?.step} ${set.value}` ? found : null;
    setText(said, !labels.length ? 'These data have no labels that it could be trained to tell.' : asking ? 'It is being trained\u2026'
      : here ? `At epoch ${here.epoch}: the mean weight of each embedding, by class. The weights of a node add up to 1. Press one to colour nodes by it.`
        + ' Embeddings that are saved now have them as \u201cattention\u201d.' : still ? '' : 'It can be asked when a run of CaDeM rests.');
    table.replaceChildren(...here ? [tableOf({
      head: ['Class', 'Nodes', ...here.embeddings.map((name, k) => h('button', {type: 'button', class: 'quiet', onclick: () => colour(k)}, symbol(name)))],
      of: k => k ? 'number' : null, rows: here.classes.map(c => [spaced(c.class), String(c.nodes), ...c.mean.map(v => fixed(v, 2))]),
    })] : []);
  }

  show();
  return {show};
}
