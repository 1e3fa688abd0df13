// The form that says how experiments are run.
import {h} from '../dom/elements.js';
import {capital} from '../dom/figures.js';
import type {Lab} from '../types.js';

/** A choice of one of some values, [value, text] each. */
const choice = (name: string, label: string, values: [string, string][], hint: string | null = null) =>
  h('label', {title: hint}, label, ' ', h('select', {name}, values.map(([value, text]) => h('option', {value}, text))));

const count = (name: string, label: string, hint: string, placeholder: string = 'usual', max = 100) =>
  h('label', {title: hint}, label, ' ', h('input', {type: 'number', name, min: 1, max, placeholder, inputmode: 'numeric'}));

const COUNTS = ['seeds', 'data_seeds', 'links', 'width'] as const;

/** presets lists the usual one first; offered are options of the evaluation that change what a table means. */
export function orderForm({presets, offered, pool, onInput}: Pick<Lab, 'pool'> & {presets: string[], offered: Property[], onInput: () => void}) {
  const workers = h('input', {type: 'number', name: 'workers', min: 1, max: 64, value: pool.size, oninput: () => {
    if (workers.checkValidity() && workers.value) pool.size = Number(workers.value);
  }});
  const listeners = {onsubmit: (e: Event) => e.preventDefault(), oninput: onInput};
  const el = h('form', {class: 'orders', 'aria-label': 'How experiments are run', ...listeners},
    choice('data', 'Data', [['drawn', 'drawn here'], ['published', 'the published instance']]),
    choice('preset', 'Preset', presets.map(p => [p, p])),
    choice('methods', 'Methods', [['', 'CaDeM alone'], ['lite', 'all others, lite settings'], ['official', 'all others, official settings']],
      'Others are trained on the same data, where an experiment compares methods. Lite settings fit a tab; official ones are those of the papers.'),
    count('width', 'Width', 'How many columns all embeddings of a method together have, or as near as their number allows, where an experiment compares'
      + ' methods that embed nodes', 'own', 256),
    count('seeds', 'Model seeds', 'How many trainings from different first weights'),
    count('data_seeds', 'Data seeds', 'How many data sets are drawn'),
    count('links', 'Held-out links', 'How many more trainings, each without another 15 % of the links, are asked to tell these from pairs that are not linked,'
      + ' where an experiment can do so. It needs no labels.', 'none'),
    choice('predictions', 'Predictions', [['', 'left out'], ['on', 'kept, to be saved']],
      'What each fold or split trains on, tests and finds, as a table beside the report'),
    ...offered.map(p => choice(p.name, capital(p.label), (p.choices ?? []).map((c): [string, string] => [c, c === p.default ? `${c} (usual)` : c]), p.doc)),
    h('label', {title: 'Trainings at a time; the results do not depend on it'}, 'Workers ', workers));
  const field = (name: string) => el.elements.namedItem(name) as HTMLInputElement;
  const names = [...new FormData(el).keys()].filter(name => name !== 'workers');
  const usual = new Map(names.map(name => [name, field(name).value]));
  const changed = (name: string) => field(name).value !== usual.get(name);
  const sound = (name: string) => field(name).checkValidity();
  const folds: HTMLDetailsElement[] = [];
  function open(fold: HTMLDetailsElement | undefined) {
    for (const f of folds) f.open = f === fold;
    fold?.append(el);
  }
  return {
    /** The settings of a card: one form, which stands where it was opened last. What it says holds for all. */
    fold() {
      const fold = h('details', {class: 'small', ontoggle: () => { if (fold.open) open(fold); }}, h('summary', {}, 'Settings'), !folds.length && el);
      folds.push(fold);
      return fold;
    },
    /** Whether all of it can be used; if not, it stands there and says what cannot. */
    valid() {
      if (!el.checkValidity()) open(folds.find(f => f.contains(el)));
      return el.reportValidity();
    },
    /** Chooses the settings of other methods. */
    compare(level: string) { field('methods').value = level; },
    /** Where the data come from, unless drawn here. */
    data: () => (field('data').value === 'drawn' ? null : field('data').value),
    /** What the form asks of a study, beside its data; `one`: there is one data set. */
    asks(study: Study, one: boolean) {
      const o: Partial<Order> = {};
      if (changed('preset')) o.preset = field('preset').value;
      if (study.methods && field('methods').value) Object.assign(o, {methods: 'all', level: field('methods').value});
      const takes = {seeds: true, data_seeds: !one, links: study.linked, width: study.methods === 'nodes'};
      for (const name of COUNTS) if (takes[name] && field(name).value && sound(name)) o[name] = Number(field(name).value);
      if (study.classifies && field('predictions').value && !study.without?.includes('predictions')) o.predictions = true;
      return o;
    },
    /** Options of the evaluation that differ from the usual. */
    options: (study: Study) => study.classifies && Object.fromEntries(offered
      .filter(p => changed(p.name) && !study.without?.includes(p.name)).map(p => [p.name, field(p.name).value])),
    /** Puts the form where an order says. */
    adopt(o: Order) {
      const said: Record<string, unknown> = {...o.options, ...o, methods: o.level, predictions: o.predictions && 'on'};
      for (const [name, value] of usual) field(name).value = String(said[name] ?? value);
    },
    /** The unusual settings of the form, in the form of a link: "width-16.predictions-on". */
    text: () => names.filter(name => changed(name) && sound(name)).map(name => `${name}-${field(name).value}`).join('.'),
    /** Puts the form where a link says, and returns what of it cannot be used. */
    take(text: string) {
      return text.split('.').filter(part => {
        const [name = '', value] = part.split(/-(.*)/);
        if (!names.includes(name) || !value) return true;
        const of = field(name), before = of.value;
        of.value = value;
        if (of.value === value && sound(name)) return false;
        of.value = before;
        return true;
      });
    },
  };
}
