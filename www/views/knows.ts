// How well each embedding predicts each set of labels. A cell has the score and a line for it from 0 to 1: the open dot is the model before
// training, the filled one the trained model, the square the run that is pinned.
import {h, scrolled, setText, svg} from '../dom/elements.js';
import {fixed, spaced} from '../dom/figures.js';
import {single} from '../dom/idle.js';
import {rests} from '../run/layertold.js';
import {kindsOf} from './leakwords.js';
import {embeddingTitle} from './names.js';
import {box as frame, ground, line as stroke, ring, write} from './pen.js';
import {keeps} from './saving.js';
import type {LabelSet, PageView, Pen, Snapshot, Theme, ViewContext} from '../types.js';

const WIDE = 56, HIGH = 16, EDGE = 6; // of the line in a cell, and the margin on both sides of it
const USUAL = ['common', 'private_1', 'private_2', 'private_3']; // the embeddings of most examples

/** The content of cells, by where scores come from; the metric is the first one that exists. */
const METRICS = [
  {metric: 'ari', value: 'K-means clusters', words: 'Do clusters match the labels? 1: exactly. 0: no better than chance (ARI).'},
  {metric: 'macro_f1', value: 'the classifier', words: 'Does a classifier find the labels? 1: always. Guessing is above 0 (macro-F1).'},
] as const;
const BEFORE_ASKING = 300; // ms that a reader looks back at an epoch until it is scored
const NO_LABELS = 'These data have no labels to compare with. Under Experiments, \u201cWhat the layers share\u201d asks their links instead.';
const PROBE = 'Can straight cuts through the embedding tell the labels? 1: always.';

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, setup, attempt, look, pinned} = context;
  let probing = false, due = 0;
  const radios = [false, true].map(probe => h('input', {type: 'radio', name: 'knows-by', value: probe ? 'probe' : 'value', onchange: () => {
    probing = probe;
    setup.setView({knows: probe ? 'probe' : null});
    show();
  }}));
  const ideal = h('span', {hidden: true}, ' Framed: where groups would be found if S and P kept them apart.');
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
  const box = scrolled('Scores');
  el.append(
    h('div', {class: 'toolbar', role: 'radiogroup', 'aria-label': 'Read from each embedding by'},
      h('span', {class: 'by'}, 'Read by'), h('label', {}, radios[0], by), h('label', {}, radios[1], 'a linear probe'),
      h('span', {class: 'soft'}, 'Filled dot: trained. Open dot: before training.', ideal), dashed, keeps(context, 'scores', 'scores', picture)),
    when, words, box, meter, looks);

  /** Scores on a line from 0 to 1; those below 0 are drawn at 0. */
  function line(trained: number | null | undefined, untrained: number | null | undefined, before: number | null | undefined) {
    const x = (v: number) => EDGE + (WIDE - 2 * EDGE) * Math.min(1, Math.max(0, v)), y = HIGH / 2, there = (v: unknown): v is number => typeof v === 'number';
    const parts = [svg('line', {x1: EDGE, x2: WIDE - EDGE, y1: y, y2: y, class: 'room'})];
    if (there(trained) && there(untrained)) parts.push(svg('line', {x1: x(untrained), x2: x(trained), y1: y, y2: y, class: 'way'}));
    if (there(untrained)) parts.push(svg('circle', {cx: x(untrained), cy: y, r: 3.5, class: 'untrained'}));
    if (there(before)) parts.push(svg('rect', {x: x(before) - 3.5, y: y - 3.5, width: 7, height: 7, class: 'pinned'}));
    if (there(trained)) parts.push(svg('circle', {cx: x(trained), cy: y, r: 4.5, class: 'trained'}));
    return svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, 'aria-hidden': 'true'}, ...parts);
  }

  /** Last known scores of a model before training, with its data and settings. */
  let untrained: {course: string, scores: Score[]} | null = null;
  /** The scores to show: at the first step those before training, where the same training has told them. */
  function scoresNow(): Score[] {
    const {scores, record, progress} = session.model, course = record ? record.changes.length ? '' : setup.courseOf(record) : setup.shippedCourse;
    if (scores?.length) {
      untrained = {course, scores: scores.map(r => ({...r, value: null, probe: null}) as unknown as Score)};
      return scores;
    }
    return course && untrained?.course === course && progress?.step === 0 ? untrained.scores : [];
  }

  /** The contents of the table. */
  let shown: {labels: string[], words: string, rows: {title: string, cells: {trained?: number | null, untrained?: number | null, value: string,
    wanted: boolean}[]}[]} = {labels: [], words: '', rows: []};

  /** The table as a picture to keep. */
  function picture(t: Theme, caption: string) {
    const {labels, rows} = shown, side = 120, head = 220, high = 56, width = head + side * labels.length + 24;
    const text = `${caption} ${shown.words} Open dot: before training.`, height = 44 + high * rows.length + 48;
    const paint = (pen: Pen) => {
      ground(pen, width, height);
      labels.forEach((name, k) => write(pen, t, name, head + side * k + 8, 28, {font: '600 14px', most: side - 16}));
      rows.forEach(({title, cells}, i) => {
        const top = 44 + high * i;
        write(pen, t, title, 16, top + 32, {font: '14px', most: head - 24});
        cells.forEach(({trained, untrained, value, wanted}, k) => {
          const left = head + side * k, x = (v: number) => left + 12 + (side - 40) * Math.min(1, Math.max(0, v)), y = top + 40;
          if (wanted) frame(pen, left + 2, top + 4, side - 20, high - 8, t.ink, 1.5);
          write(pen, t, value, left + 12, top + 24, {font: wanted ? '600 15px' : '15px'});
          stroke(pen, [[x(0), y], [x(1), y]], t.line, 1.5);
          if (typeof untrained === 'number') ring(pen, x(untrained), y, 4, t.ink, 1.5, '#fff');
          if (typeof trained === 'number') ring(pen, x(trained), y, 4, t.ink, 1.5, t.ink);
        });
      });
      write(pen, t, text, 16, height - 18, {font: '12px', most: width - 32});
    };
    return {width, height, text, paint};
  }

  /** The picture that is looked back at. */
  const past = () => look.step < 0 ? undefined : session.model.snapshots.find(s => s.step === look.step);

  /** Has the epoch that is looked back at scored, while the run rests. */
  const ask = attempt(async () => {
    const at = past();
    if (!at?.tokens || !session.model.data?.labels.length || !rests(session.model) || session.found('past', at)) return;
    if (await asked(at) && past() !== at) ask();
  });
  const asked = single((at: Snapshot) => session.ask('past', at));

  function show() {
    const {data, names} = session.model, now = scoresNow(), at = past(), found = at && session.found('past', at);
    const labels = data?.labels ?? [], rows = ((at ? found?.scores : now) ?? []) as Score[];
    const {own, shared} = kindsOf(labels, names, data?.summary);
    const wanted = (name: string, set: LabelSet) =>
      own.size > 0 && (name === 'common' ? shared.includes(set) : own.get(name) === set);
    ideal.hidden = !own.size;
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
    setText(dashed, behind ? 'Square: the pinned run.' : '');
    const scoreOf = (name: string, set: LabelSet) => {
      const rowOf = (list: Score[]) => list.find(r => r.embedding === name && r.target === set.name && r.metric === of.metric);
      const row = rowOf(rows), other = behind && rowOf(behind.scores)?.[probing ? 'probe' : 'value'];
      const trained = row?.[probing ? 'probe' : 'value'], untrained = row?.[probing ? 'untrained_probe' : 'untrained'];
      const value = typeof trained === 'number' ? fixed(trained, 2) : typeof untrained === 'number' ? `(${fixed(untrained, 2)})` : '\u2013';
      return {trained, untrained, other, value};
    };
    const cell = (name: string, set: LabelSet) => {
      const {trained, untrained, other, value} = scoreOf(name, set);
      const text = typeof trained !== 'number' ? typeof untrained === 'number' ? `before training ${fixed(untrained, 2)}` : 'no score yet'
        : fixed(trained, 2) + (typeof untrained === 'number' ? `, before training ${fixed(untrained, 2)}` : '')
        + (typeof other === 'number' ? `, of the pinned run ${fixed(other, 2)}` : '');
      return h('td', {title: text, class: wanted(name, set) ? 'wanted' : null}, h('span', {class: 'score', 'aria-hidden': 'true'}, value),
        line(trained, untrained, other), h('span', {class: 'unseen'}, text));
    };
    const title = (name: string) => {
      const [kind, symbol, what] = embeddingTitle(name, data?.summary);
      return h('th', {scope: 'row'}, `${kind} `, h('i', {}, symbol), ' ', h('span', {class: 'soft'}, what));
    };
    shown = {labels: labels.map(s => spaced(s.name)), words: words.textContent ?? '', rows: (names.length ? names : USUAL).map(name => ({
      title: embeddingTitle(name, data?.summary).join(' '), cells: labels.map(s => ({...scoreOf(name, s), wanted: wanted(name, s)})),
    }))};
    box.replaceChildren(h('table', {class: 'knows'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Embedding'), labels.map(s => h('th', {scope: 'col'}, spaced(s.name))))),
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
