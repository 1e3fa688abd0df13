// The form that says how experiments are run.
import {h} from '../dom/elements.js';
import {capital} from '../dom/figures.js';

/** A choice of one of some values, [value, text] each. */
const choice = (name: string, label: string, values: string[][], hint: string | null = null) =>
  h('label', {title: hint}, label, ' ', h('select', {name}, values.map(([value, text]) => h('option', {value}, text))));

const count = (name: string, label: string, hint: string, placeholder: string = 'usual') =>
  h('label', {title: hint}, label, ' ', h('input', {type: 'number', name, min: 1, max: 100, placeholder, inputmode: 'numeric'}));

export function orderForm({presets, offered, cores, onWorkers, onInput}: {
  presets: string[]; offered: Property[]; cores: number; onWorkers: (n: number) => void; onInput: () => void;
}) {
  const workers = h('input', {type: 'number', name: 'workers', min: 1, max: 64, value: cores, oninput: () => {
    if (workers.checkValidity() && workers.value) onWorkers(Number(workers.value));
  }});
  const listeners = {onsubmit: (e: Event) => e.preventDefault(), oninput: onInput};
  return h('form', {class: 'orders', 'aria-label': 'How experiments are run', ...listeners},
    choice('data', 'Data', [['drawn', 'drawn here'], ['published', 'the published instance']]),
    choice('preset', 'Preset', presets.map(p => [p, p])),
    choice('methods', 'Methods', [['', 'CaDeM alone'], ['lite', 'all others, lite settings'], ['official', 'all others, official settings']],
      'Others are trained on the same data, where an experiment compares methods. Lite settings fit a tab; official ones are those of the papers.'),
    count('seeds', 'Model seeds', 'How many trainings from different first weights'),
    count('data_seeds', 'Data seeds', 'How many data sets are drawn'),
    count('links', 'Held-out links', 'How many more trainings, each without another 15 % of the links, are asked to tell these from pairs that are not linked,'
      + ' where an experiment can do so. It needs no labels.', 'none'),
    ...offered.map(p => choice(p.name, capital(p.label), (p.choices ?? []).map(c => [c, c === p.default ? `${c} (usual)` : c]), p.doc)),
    h('label', {title: 'Trainings at a time; the results do not depend on it'}, 'Workers ', workers));
}
