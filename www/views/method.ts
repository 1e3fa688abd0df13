// The method, box by box: what goes through the model of the run on screen, with its shapes and its present numbers, of which the larger tables are
// drawn. The row of a chosen node is lit in all of them. One stage at a time stands out, with its words and its formula with the numbers of the run; after the
// last one the run takes a step, or one begins again.
import {followTheme} from '../dom/canvas.js';
import {h, setText} from '../dom/elements.js';
import {figure, spaced} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {rests} from '../run/layertold.js';
import {Tables} from '../run/tables.js';
import {adjacencyOf, orderOf} from './adjacency.js';
import {FORMULAS} from './formulas.js';
import {heatOf, heatOfLinks, paintHeat, rowOf} from './heat.js';
import {theme} from './palette.js';
import {box, ground, write} from './pen.js';
import {keeps} from './saving.js';
import {askWhole, wholeOf} from './whole.js';
import type {Known} from '../run/tables.js';
import type {Heat} from './heat.js';
import type {DataSet, PageView, Pen, Snapshot, Theme, ViewContext} from '../types.js';

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
  power: boolean; // S follows the leading directions that layers share
  prepared: boolean; // inputs are trimmed or split before training
}

interface Numbers {losses: Record<string, number> | null; guessing: number | undefined; rank: number | undefined; epoch: number; step: number; phase: string;
  innerSteps: number; links: number[]}

/** Symbol, what it is, rows, columns. */
type Box = [string, string, number, number];

const STAGES: {name: keyof typeof FORMULAS, terms: string[], boxes: (s: Sizes) => Box[], words: (s: Sizes, x: Numbers) => string[]}[] = [
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
    boxes: s => [['W\u2081', 'weights of C', s.f, s.hidden], ['W\u2082', 'weights of C', s.hidden, s.d], ['C', 'of a layer', s.m, s.d],
      ['P', 'of a layer', s.m, s.d]],
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
    name: 'Pooled graphs', terms: [], boxes: s => [['h', 'sums over nodes', pooled(s), s.d]],
    words: s => [
      `${s.graphs} small graphs are cut from the layers, of ${s.kept} nodes each.${s.whole ? ` The ${s.n} complete layers join them.` : ''}`,
      'The C of their nodes are added up, and so are the P, each with a little noise.',
    ],
  },
  {
    name: 'Guesses', terms: ['selfsupervised', 'causal'],
    boxes: s => [['\u03c6', 'logits from P', pooled(s), s.n], ['\u03c8', 'and from C, mean', pooled(s), s.n]],
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
      x.phase === 'paused' ? '\u201cTake a step\u201d does that, and begins again at 1.'
        : x.phase === 'running' ? 'The run takes its steps by itself. Pause it, and it takes one here.'
        : 'This run has ended. After Reset it takes a step here.',
    ],
  },
];

/** How many graphs are pooled. */
const pooled = ({graphs, whole, n}: Sizes) => graphs + (whole ? n : 0);

/** Boxes of what is known of a finished run alone, with the array of each. */
const TABLES = {X: 'X', Z: 'Z', 'W\u2081': 'W1', 'W\u2082': 'W2', C: 'C', P: 'P', S: 'S', h: 'h', '\u03c6': 'phi', '\u03c8': 'psi'};
type Tabled = keyof typeof TABLES;
const OF_ALL = ['S', 'h', '\u03c6', '\u03c8']; // of all layers together

/** What is said below the picture, by what is known of the tables. */
const SAID: Partial<Record<Known, string>> = {
  none: 'Boxes that stay empty are filled when a run is over: one of at most 2048 nodes and a minute of training.',
  busy: 'The settings of this run are trained again beside it, for its tables\u2026',
  there: 'These are the tables of the run: its settings, trained again, ended with its fingerprint. Of more than 120 rows or 64 columns a cell is the mean of'
    + ' neighbours; the largest number is that of the whole table, whatever its sign.'
    + ' W\u2081 and W\u2082 are those of C; h is that of P; \u03c8 is the mean over the C that P may meet.',
  other: 'Trained again here, the settings of this run end with another fingerprint. So the boxes that it has not kept stay empty.',
};

/** A sentence with the current loss, where there is one. */
const loss = (text: string, x: Numbers, term: string) => x.losses ? `${text}: the loss is ${figure(x.losses[term] ?? NaN)}.` : `${text}.`;

const NONE = '\u00a0';
/** The name of the array of a box. */
const nameOf = (symbol: Tabled, layer: number) => OF_ALL.includes(symbol) ? TABLES[symbol] : `${TABLES[symbol]}_${layer + 1}`;

const ROOM = 104; // of a box, px
const DENSITY = 2; // pixels of a box for one of its units
/** The side of a box for so many rows or columns: large ones are drawn larger, not in proportion. */
const side = (n: number) => 8 + (ROOM - 8) * Math.min(1, Math.log10(Math.max(1, n)) / 3.2);

export function mount(el: HTMLElement, {session, setup, catalogue, highlight, attempt, look, caption, pool}: ViewContext): PageView {
  let at = 0;
  const tables = new Tables({pool, changed: show});
  const stages = STAGES.map((s, k) => {
    const boxes = h('span', {class: 'boxes'}), button = h('button', {type: 'button', class: 'quiet'}, h('strong', {}, `${k + 1} ${s.name}`));
    const box = h('div', {class: 'stage-box', onclick: (e: MouseEvent) => {
      if (!(e.target as Element).closest('[data-means]')) go(k);
    }}, button, boxes);
    for (const on of ['pointerenter', 'focusin']) box.addEventListener(on, () => highlight(s.terms[0] ?? null));
    for (const on of ['pointerleave', 'focusout']) box.addEventListener(on, () => highlight(null));
    return {...s, list: s.boxes, box, button, boxes, drawn: '',
      canvases: [] as {symbol: string, canvas: HTMLCanvasElement, largest: HTMLElement, wide: number, high: number}[]};
  });
  const words = h('div', {class: 'method-words', 'aria-live': 'polite'}), back = h('button', {type: 'button', onclick: () => go(Math.max(0, at - 1))}, 'Back');
  const formulas = h('div', {class: 'method-formulas figures', id: 'method-formulas'});
  const next = h('button', {type: 'button', id: 'method-next', onclick: attempt(async () => {
    if (at < STAGES.length - 1) {
      go(at + 1);
      return;
    }
    go(0);
    if (session.model.phase === 'paused') await session.step();
  })}, 'Next');
  const told = h('p', {class: 'soft small', id: 'method-tables', role: 'status'});
  const which = h('select', {id: 'method-layer', onchange: () => show()}), whose = h('p', {class: 'soft small', id: 'method-row', role: 'status'});
  el.append(
    h('p', {class: 'small measure'}, 'What one step of training does, with the sizes of the run on screen. A box is a table of numbers: rows by columns.'
      + ' Rows are nodes, in the order of their groups. In A, Z, C, P and S a stronger cell is a larger number.'),
    h('div', {class: 'toolbar'}, h('label', {for: 'method-layer'}, 'Layer '), which, keeps({attempt, caption}, 'method', 'method', picture)),
    h('ol', {class: 'method'}, stages.map(s => h('li', {}, s.box))), told, whose, words, formulas, h('div', {class: 'toolbar'}, back, next));

  function go(k: number) {
    at = k;
    show();
  }

  function sizes(): Sizes {
    const {record, data} = session.model, o = record?.options ?? setup.values.options, {summary} = data as DataSet;
    const m = summary.nodes, n = summary.layers.length, number = (name: string) => Number(o[name]);
    return {
      m, n, f: summary.features, hidden: number('hidden'), d: number('dim'), kept: Math.max(1, Math.floor(number('node_ratio') * m + 1e-9)),
      graphs: n * number('augmented'), whole: o.graphs === 'both', power: o.target === 'power',
      prepared: o.trim !== 'off' || o.split !== 'off',
    };
  }

  function show() {
    const {data, progress: p, losses, record, phase} = session.model;
    if (!data?.summary?.layers) return;
    const s = sizes(), last = p?.losses ?? null;
    const x: Numbers = {
      losses: last && losses.n ? last : null, guessing: p?.guessing, rank: p?.rank_S, epoch: p?.epoch ?? 0, step: p?.step ?? 0, phase,
      innerSteps: Number((record?.options ?? setup.values.options).inner_steps), links: data.summary.layers.map(l => l.edges),
    };
    const names = data.summary.layers.map(l => spaced(l.name));
    if ([...which.options].map(o => o.text).join() !== names.join()) which.replaceChildren(...names.map((text, k) => h('option', {value: k}, text)));
    for (const [k, stage] of stages.entries()) {
      if (k === at) stage.button.setAttribute('aria-current', 'step');
      else stage.button.removeAttribute('aria-current');
      const list = stage.list(s), key = JSON.stringify(list);
      if (stage.drawn === key) continue;
      stage.drawn = key;
      stage.canvases = [];
      stage.boxes.replaceChildren(...list.map(([symbol, what, rows, columns]) => {
        const canvas = h('canvas', {width: DENSITY * ROOM, height: DENSITY * ROOM, 'aria-hidden': 'true'}), largest = h('span', {class: 'soft'}, NONE);
        stage.canvases.push({symbol, wide: side(columns), high: side(rows), canvas, largest});
        return h('span', {class: 'box'}, canvas, h('span', {}, h('i', {}, symbol), ` ${figure(rows)} \u00d7 ${figure(columns)}`),
          h('span', {class: 'soft'}, what), largest);
      }));
    }
    const stage = nth(stages, at, 'stages'), said = stage.words(s, x), lines = [...words.children];
    if (lines.length !== said.length) words.replaceChildren(...said.map(t => h('p', {}, t)));
    else lines.forEach((line, i) => setText(line, nth(said, i)));
    back.disabled = at === 0;
    setText(next, at < STAGES.length - 1 ? 'Next' : phase === 'paused' ? 'Take a step' : 'Begin again');
    const numbers = FORMULAS[stage.name](atHand(s));
    if (formulas.textContent !== numbers.join('')) formulas.replaceChildren(...numbers.map(t => h('p', {}, t)));
    const node = litNode();
    setText(whose, node >= 0 ? `The lit row is that of ${look.nameOf(node)}.` : 'Choose a node in another picture, and its row is lit here.');
    drawBoxes();
  }

  /** What is known of the chosen node in the chosen layer, and of the losses. */
  function atHand({m, n}: Sizes) {
    const {data, record, losses} = session.model, node = litNode(), layer = Number(which.value) || 0, o = record?.options ?? setup.values.options;
    const links = data?.drawing?.links[layer], shown = shownSnapshot();
    const value = (k: number) => losses.at(losses.n - 1, k), property = (name: string) => catalogue.properties('training').find(p => p.name === name);
    return {
      tokens: shown ? wholeHere(shown) : null, nodes: m, layers: n, layer, layerName: which.selectedOptions[0]?.text ?? '', node,
      name: node < 0 ? '' : look.nameOf(node), neighbours: links && node >= 0 ? adjacencyOf(m, links).neighbours(node) : null,
      weighted: Boolean(data?.summary.layers[layer]?.weighted), kipf: o.propagation === 'kipf', mean: o.matching === 'mean',
      terms: losses.n ? catalogue.terms.flatMap(({symbol, weight}, k) => weight
        ? [{symbol, by: property(weight)?.symbol ?? '', weight: Number(o[weight]), value: value(k)}] : []) : [],
      total: losses.n ? value(catalogue.terms.length - 1) : 0,
    };
  }

  // --- What is in the tables

  const shownSnapshot = () => look.step < 0 ? session.model.snapshots.at(-1) : session.model.snapshots.find(s => s.step === look.step);

  /** The tables of the run on screen, where its last epoch is shown. */
  const tablesHere = (shown: Snapshot | undefined) => shown && shown === session.model.snapshots.at(-1) ? tables.of(session.model.hash) : null;

  /** The embeddings of an epoch with all their columns. */
  function wholeHere(shown: Snapshot) {
    const {record, data} = session.model, all = tablesHere(shown);
    return record && wholeOf(shown) || all && tables.tokens(all, data?.summary?.layers?.length ?? 0);
  }

  const litNode = () => look.node >= 0 ? look.node : look.chosen;
  let ordered: ArrayLike<number> | null = null, order = new Int32Array(), place = new Int32Array(), orders = 0;
  /** Pictures of tables, by what they are of. */
  const known = new WeakMap<object, Map<string, Heat>>();
  let asking = false;
  const refused = new WeakSet<DataSet>();

  function inOrder() {
    const {of} = look.colouring, m = session.model.data?.summary?.nodes ?? 0;
    if (ordered === of && order.length === m) return;
    ordered = of;
    orders++;
    order = orderOf(of.length === m ? of : new Int32Array(m));
    place = new Int32Array(m);
    order.forEach((node, k) => { place[node] = k; });
  }

  /** A picture, made once of a source in the present order. */
  function kept(of: object, name: string, make: () => Heat | null) {
    const all = known.get(of) ?? new Map<string, Heat>();
    known.set(of, all);
    const key = `${name} ${orders}`, heat = all.get(key) ?? make();
    if (heat) all.set(key, heat);
    return heat;
  }

  /** The pictures that are at hand, by their symbol; asks for what is missing while the run rests. */
  function heats(): Record<string, Heat | null> {
    inOrder();
    const {model} = session, {data} = model, m = place.length, n = data?.summary?.layers?.length ?? 0, layer = Number(which.value) || 0;
    const links = data?.drawing?.links[layer], snapshot = shownSnapshot();
    const whole = snapshot && wholeHere(snapshot), all = tablesHere(snapshot), d = whole ? whole.length / (1 + 2 * n) / m : 0;
    const part = (symbol: string, k: number) => whole ? kept(whole, symbol + layer, () => heatOf(whole.subarray(k * m * d, (k + 1) * m * d), place)) : null;
    /** A table of the layer, with rows in the order of the nodes, if they are nodes. */
    const table = (symbol: Tabled) => all && kept(all, symbol + layer, () => {
      const array = all[nameOf(symbol, layer)], [rows, columns] = array.shape;
      return rows === m && !OF_ALL.includes(symbol) && symbol !== 'W\u2082' ? heatOf(Float32Array.from(array), place)
        : {cells: Float32Array.from(array), rows, columns, signed: true, apart: true};
    });
    const z = data ? kept(data, `Z${layer}${model.record?.options.propagation}`, () => null) : null;
    const made = setup.madeOf(model), groups = model.data?.summary?.labels?.[0]?.name, state = tables.known(model, made);
    if (state === 'due' && made && model.hash && el.checkVisibility()) {
      attempt(() => tables.ask(model.hash as string, made, groups, made.data.files && session.files))();
    }
    setText(told, SAID[tables.known(model, made)] ?? '');
    if (snapshot && model.record && rests(model) && el.checkVisibility()) {
      if (!whole) askWhole(session, snapshot, show);
      if (!z && !all && state !== 'due' && state !== 'busy' && data && !asking && !refused.has(data)) askInputs(data, snapshot, layer);
    }
    return {
      A: links && data ? kept(data, `A${layer}`, () => heatOfLinks(links, place)) : null, Z: table('Z') ?? z, X: table('X'),
      ...Object.fromEntries((['W\u2081', 'W\u2082', 'h', '\u03c6', '\u03c8'] as Tabled[]).map(symbol => [symbol, table(symbol)])),
      S: part('S', 0), P: part('P', 1 + layer), C: part('C', 1 + n + layer),
    };
  }

  async function askInputs(data: DataSet, snapshot: Snapshot, layer: number) {
    const of = session.model.record?.options.propagation, wanted = order;
    asking = true;
    refused.add(data); // and stays there when it fails, as it would again
    await attempt(async () => {
      const answer = await session.inputs(snapshot, layer, wanted);
      refused.delete(data);
      if (!answer || wanted !== order) return;
      const {cells} = answer.arrays, [rows, columns] = cells.shape;
      kept(data, `Z${layer}${of}`, () => ({cells: cells.slice(), rows, columns, signed: false}));
    })();
    asking = false;
    if (!refused.has(data)) show();
  }

  /** Where the row of a node stands, -1 for none. */
  const rowOfNode = (node: number) => node >= 0 && node < place.length ? rowOf(sure(place[node]), place.length) : -1;

  let drawn = '';
  function drawBoxes() {
    const found = heats(), node = litNode(), lit = rowOfNode(node), t = theme(el);
    const key = JSON.stringify([lit, t.ink, which.value, stages.map(s => s.drawn), Object.values(found).map(numbered)]);
    if (key === drawn) return;
    drawn = key;
    const all = tablesHere(shownSnapshot());
    for (const {canvases} of stages) {
      for (const {symbol, canvas, largest, wide, high} of canvases) {
        const [most] = all?.[`largest:${nameOf(symbol as Tabled, Number(which.value) || 0)}`] ?? [];
        setText(largest, most === undefined ? NONE : `largest ${figure(most)}`);
        const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
        pen.setTransform(DENSITY, 0, 0, DENSITY, 0, 0);
        pen.clearRect(0, 0, ROOM, ROOM);
        paintBox(pen, found[symbol] ?? null, lit, {x: (ROOM - wide) / 2, y: (ROOM - high) / 2, wide, high}, t);
      }
    }
  }

  /** A table, or where its numbers are not at hand, its shape. */
  function paintBox(pen: Pen, heat: Heat | null, lit: number, at: {x: number, y: number, wide: number, high: number}, t: Theme) {
    if (heat) paintHeat(pen, heat, heat.apart ? -1 : lit, at, t);
    box(pen, at.x, at.y, at.wide, at.high, heat ? t.soft : t.line);
  }

  const numbers = new WeakMap<Heat, number>();
  let count = 0;
  /** A number that a picture alone has. */
  function numbered(heat: Heat | null) {
    if (!heat) return 0;
    if (!numbers.has(heat)) numbers.set(heat, ++count);
    return numbers.get(heat);
  }

  /** The boxes, with their words and what they are of. */
  function picture(t: Theme, caption: string) {
    const found = heats(), node = litNode(), lit = rowOfNode(node);
    if (!session.model.data) return null;
    const s = sizes(), gap = 20, wide = ROOM + 36, head = 40, row = head + ROOM + 44;
    const text = `${caption} Layer ${which.selectedOptions[0]?.text ?? ''}.${node >= 0 ? ` The lit row is that of ${look.nameOf(node)}.` : ''}`
      + ' Rows are nodes, in the order of their groups; a stronger cell is a larger number.';
    const lists = STAGES.map(({name, boxes}, k) => ({title: `${k + 1} ${name}`, list: boxes(s)})).filter(({list}) => list.length);
    const width = 4 * wide + 2 * gap + 12, lines: (typeof lists)[] = [];
    for (const one of lists) {
      const line = lines.at(-1);
      if (line && line.reduce((sum, {list}) => sum + list.length, one.list.length) <= 4) line.push(one);
      else lines.push([one]);
    }
    const height = gap + lines.length * row + 30;
    const paint = (pen: Pen) => {
      ground(pen, width, height);
      lines.forEach((line, i) => {
        let left = gap;
        const top = gap + i * row;
        for (const {title, list} of line) {
          write(pen, t, title, left, top + 14, {font: '600 15px', most: wide * list.length - 8});
          for (const [symbol, what, rows, columns] of list) {
            const [w, high] = [side(columns), side(rows)];
            paintBox(pen, found[symbol] ?? null, lit, {x: left + (ROOM - w) / 2, y: top + head - 12 + (ROOM - high) / 2, wide: w, high}, t);
            write(pen, t, `${symbol} ${figure(rows)} \u00d7 ${figure(columns)}`, left, top + head + ROOM + 6, {most: wide - 8});
            write(pen, t, what, left, top + head + ROOM + 22, {font: '12px', colour: t.soft, most: wide - 8});
            left += wide;
          }
        }
      });
      write(pen, t, text, gap, height - 14, {font: '12px', colour: t.soft, most: width - 2 * gap});
    };
    return {width, height, text, paint};
  }

  followTheme(drawBoxes);
  look.follow(() => { if (el.checkVisibility()) show(); });
  show();
  return {show};
}
