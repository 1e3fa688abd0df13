// The method, box by box: what goes through the model of the run on screen, with its shapes and its present numbers. One stage at a time stands
// out, with its words; after the last one the run takes a step.
import {h, setText, svg} from '../dom/elements.js';
import {figure} from '../dom/figures.js';

/** What the boxes are drawn from. */
interface Sizes {
  m: number; // nodes
  n: number; // layers
  f: number; // features
  hidden: number;
  d: number;
  kept: number; // nodes of a small pooled graph
  graphs: number; // small pooled graphs
  whole: boolean; // the complete layers are pooled, too
  beside: boolean; // psi takes both parts side by side
  power: boolean; // S follows the leading directions that layers share
  prepared: boolean; // inputs are trimmed or split before training
}

interface Numbers {losses: Record<string, number> | null; guessing: number | undefined; rank: number | undefined; epoch: number; step: number; ended: boolean;
  innerSteps: number; links: number[]}

/** Symbol, what it is, rows, columns. */
type Box = [string, string, number, number];

const STAGES: {name: string, terms: string[], boxes: (s: Sizes) => Box[], words: (s: Sizes, x: Numbers) => string[]}[] = [
  {
    name: 'Layers', terms: [], boxes: s => [['A', 'links of a layer', s.m, s.m], ['X', 'features', s.m, s.f]],
    words: (s, x) => [
      `${s.n} layers join the same ${s.m} nodes, by ${x.links.map(l => figure(l)).join(', ')} links.`,
      s.f === s.m ? 'These data have no features, so each node\u2019s only feature is who it is.' : `Every node has ${s.f} features.`,
    ],
  },
  {
    name: 'Neighbours', terms: [], boxes: s => [['Z', s.prepared ? 'averaged, then prepared' : 'averaged features', s.m, s.f]],
    words: s => [
      'In every layer a node takes over the features of its neighbours, averaged over its links.',
      'This happens once, before training. Nothing is learned in it.',
      ...s.prepared ? ['This preset then keeps the leading directions of Z, and parts what layers share from what is a layer\u2019s own.'] : [],
    ],
  },
  {
    name: 'Encoders', terms: ['private'],
    boxes: s => [['W\u2081', 'weights', s.f, s.hidden], ['W\u2082', 'weights', s.hidden, s.d], ['C, P', 'of every layer', s.m, s.d]],
    words: s => [
      `Two encoders in each layer multiply Z by weights: one makes C, the other P. Both have ${s.d} numbers a node.`,
      `These ${figure(2 * s.n * (s.f * s.hidden + s.hidden * s.d + s.d))} weights are what is learned, with those of \u03c6 and \u03c8.`,
    ],
  },
  {
    name: 'Consensus', terms: ['matching'], boxes: s => [['S', 'the common embedding', s.m, s.d]],
    words: (s, x) => [
      s.power ? 'S is a table with independent columns, drawn to the leading directions that the layers share.'
        : 'S is the table with independent columns that comes closest to the C of all layers.',
      `It is computed anew every ${x.innerSteps} steps.${x.rank === undefined ? '' : ` It has ${x.rank} directions now.`}`,
      loss('Matching asks every C to come closer to S', x, 'matching'),
    ],
  },
  {
    name: 'Pooled graphs', terms: [], boxes: s => [['h', 'sums over nodes', s.graphs + (s.whole ? s.n : 0), s.d]],
    words: s => [
      `${s.graphs} small graphs are cut from the layers, of ${s.kept} nodes each.${s.whole ? ` The ${s.n} complete layers join them.` : ''}`,
      'The C of their nodes are added up, and so are the P, each with a little noise.',
    ],
  },
  {
    name: 'Guesses', terms: ['selfsupervised', 'causal'],
    boxes: s => [['\u03c6', 'from P', s.d, s.n], ['\u03c8', 'from P and another C', s.beside ? 2 * s.d : s.d, s.n]],
    words: (_, x) => [
      loss('\u03c6 names the layer of a pooled graph by its P', x, 'selfsupervised'),
      loss('\u03c8 does so while the C of another graph stands beside it', x, 'causal'),
      ...x.guessing ? [`Blind guessing costs ${figure(x.guessing)}.`] : [],
    ],
  },
  {
    name: 'Step', terms: ['total'], boxes: () => [],
    words: (_, x) => [
      'The losses are weighed and added. Every weight moves a little in the direction in which the sum falls.',
      loss(`This is step ${x.step}, epoch ${x.epoch}. The sum`, x, 'total'),
      x.ended ? 'This run has ended. Press Reset, and \u201cNext\u201d takes a step here.' : '\u201cNext\u201d now takes a step and begins again.',
    ],
  },
];

/** A sentence with the current loss, where there is one. */
const loss = (text: string, x: Numbers, term: string) => x.losses ? `${text}: the loss is ${figure(x.losses[term])}.` : `${text}.`;

const ROOM = 64; // of a box, px
/** The side of a box for so many rows or columns: large ones are drawn larger, not in proportion. */
const side = (n: number) => 8 + (ROOM - 8) * Math.min(1, Math.log10(Math.max(1, n)) / 3.2);

export function mount(el: HTMLElement, {session, setup, highlight, attempt}: ViewContext): PageView {
  let at = 0;
  const stages = STAGES.map((s, k) => {
    const boxes = h('span', {class: 'boxes'});
    const button = h('button', {type: 'button', class: 'stage-box', onclick: () => go(k)}, h('strong', {}, `${k + 1} ${s.name}`), boxes);
    for (const on of ['pointerenter', 'focus']) button.addEventListener(on, () => highlight(s.terms[0] ?? null));
    for (const on of ['pointerleave', 'blur']) button.addEventListener(on, () => highlight(null));
    return {button, boxes, drawn: ''};
  });
  const words = h('div', {class: 'method-words', 'aria-live': 'polite'}), back = h('button', {type: 'button', onclick: () => go(Math.max(0, at - 1))}, 'Back');
  const next = h('button', {type: 'button', id: 'method-next', onclick: attempt(async () => {
    if (at < STAGES.length - 1) {
      go(at + 1);
      return;
    }
    go(0);
    if (session.model.phase === 'paused') await session.step();
  })}, 'Next');
  el.append(
    h('p', {class: 'small measure'}, 'What one step of training does, with the sizes of the run on screen. A box is a table of numbers: rows by columns.'),
    h('ol', {class: 'method'}, stages.map(s => h('li', {}, s.button))), words, h('div', {class: 'toolbar'}, back, next));

  function go(k: number) {
    at = k;
    show();
  }

  function sizes(): Sizes {
    const {record, data} = session.model, o = record?.options ?? setup.values.options, {summary} = data as DataSet;
    const m = summary.nodes, n = summary.layers.length, number = (name: string) => Number(o[name]);
    return {
      m, n, f: summary.features, hidden: number('hidden'), d: number('dim'), kept: Math.max(1, Math.floor(number('node_ratio') * m + 1e-9)),
      graphs: n * number('augmented'), whole: o.graphs === 'both', beside: o.combine === 'concat', power: o.target === 'power',
      prepared: o.trim !== 'off' || o.split !== 'off',
    };
  }

  function show() {
    const {data, progress: p, losses, record, phase} = session.model;
    if (!data?.summary?.layers) return;
    const s = sizes(), last = p?.losses ?? null;
    const x: Numbers = {
      losses: last && losses.n ? last : null, guessing: p?.guessing, rank: p?.rank_S, epoch: p?.epoch ?? 0, step: p?.step ?? 0, ended: phase !== 'paused',
      innerSteps: Number((record?.options ?? setup.values.options).inner_steps), links: data.summary.layers.map(l => l.edges),
    };
    for (const [k, stage] of stages.entries()) {
      stage.button.setAttribute('aria-current', k === at ? 'step' : 'false');
      const list = STAGES[k].boxes(s), key = JSON.stringify(list);
      if (stage.drawn === key) continue;
      stage.drawn = key;
      stage.boxes.replaceChildren(...list.map(([symbol, what, rows, columns]) => {
        const [wide, high] = [side(columns), side(rows)];
        return h('span', {class: 'box'},
          svg('svg', {viewBox: `0 0 ${ROOM} ${ROOM}`, 'aria-hidden': 'true'},
            svg('rect', {x: (ROOM - wide) / 2, y: (ROOM - high) / 2, width: wide, height: high})),
          h('span', {}, h('i', {}, symbol), ` ${figure(rows)} \u00d7 ${figure(columns)}`), h('span', {class: 'soft'}, what));
      }));
    }
    const said = STAGES[at].words(s, x);
    const lines = [...words.children];
    if (lines.length !== said.length) words.replaceChildren(...said.map(t => h('p', {}, t)));
    else said.forEach((t, i) => setText(lines[i], t));
    back.disabled = at === 0;
  }

  show();
  return {show};
}
