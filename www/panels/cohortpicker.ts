// Where an experiment on many scans takes its files: chosen, a folder, or dropped on its card.
import {fileInput, filesDropped} from '../dom/dropped.js';
import {button, h} from '../dom/elements.js';
import type {Options} from '../types.js';

interface PickerOptions {label: string; what: 'scans' | 'graphs'; offers: string[]; groups: Record<'connectome' | 'cohort', Property[]>; own: Property[];
  conditions: string[]; take(list: File[]): void; drawn(): void; changed(): void}

const CONDITIONS = 'conditions', COLUMNS = 'columns'; // names that a text may be

interface Told extends Pick<Scans, 'questions' | 'said' | 'unused'> {ids?: string}

/**
 * The card takes files that are dropped on it; take(files) is called with what was chosen, drawn() goes back to the synthetic cohort, or to no graphs.
 * offers names the options that are asked for, groups the tables that describe them, own has those of the experiment itself. conditions are those of the
 * synthetic cohort. show tells the scans that are in use, null for synthetic ones; values are the options that
 * differ from the usual. tell shows what names of files leave open, with a field each, and which files are not used and why, null for nothing;
 * again(answer) is called with another answer, {name: value}.
 */
export function cohortPicker(card: HTMLElement, {label, what, offers, groups, own, conditions, take, drawn, changed}: PickerOptions) {
  const named = [CONDITIONS, COLUMNS].map(of => h('datalist', {id: `${label}-${of}`}));
  /** A field of a property, which is usual where it is empty. */
  const fieldOf = (p: Property) => {
    const {name} = p, about = {name, oninput: changed};
    if (p.kind === 'choice') {
      return h('select', about, (p.choices ?? []).map(c => h('option', {value: c === p.default ? '' : c}, c === p.default ? `${c} (usual)` : c)));
    }
    if (p.kind === 'text') {
      const of = /^(first|second)$/.test(name) ? CONDITIONS : COLUMNS;
      return h('input', {...about, type: 'text', placeholder: p.default || (of === COLUMNS ? 'none' : 'usual'), list: `${label}-${of}`, autocomplete: 'off'});
    }
    return h('input', {...about, type: 'number', min: p.min, max: p.max, step: 'any', placeholder: p.default, inputmode: 'decimal'});
  };
  const fields = [...own, ...offers].map(of => {
    const brain = typeof of !== 'string' || groups.connectome.find(p => p.name === of),
      p = (typeof of === 'string' ? [...groups.connectome, ...groups.cohort].find(p => p.name === of) : of) as Property;
    const input = fieldOf(p);
    // Questions about files do not apply to the synthetic cohort, nor its options to files.
    return {
      name: p.name, input, number: p.kind === 'int' || p.kind === 'float',
      fits: (own: boolean) => (own ? Boolean(brain) : p.group !== 'files'),
      el: h('label', {title: p.doc}, `${p.label || p.name}${p.unit ? ` (${p.unit})` : ''} `, input),
    };
  });
  const away = {hidden: true, 'aria-hidden': 'true', tabindex: -1};
  const files = fileInput(take, away), folder = fileInput(take, {...away, webkitdirectory: true});
  const quiet = (text: string, onclick: () => void) => button(text, onclick, {class: 'quiet', 'aria-describedby': label});
  const open = quiet(`Own ${what}`, () => files.click()),
    whole = quiet('A folder of them', () => folder.click()),
    back = quiet(what === 'scans' ? 'The synthetic cohort' : 'None of them', drawn);
  const asked = h('div', {class: 'small', hidden: true});
  let shown: Scan[] | null | undefined; // in the lists of names
  card.append(files, folder);
  card.addEventListener('dragover', e => {
    if (e.dataTransfer?.types.includes('Files')) e.preventDefault();
  });
  card.addEventListener('drop', async e => {
    if (!e.dataTransfer?.files.length) return;
    e.preventDefault();
    e.stopPropagation(); // or they would be opened as one data set
    take(await filesDropped(e.dataTransfer));
  });
  return {
    parts: [h('p', {class: 'actions'}, open, whole, back), h('p', {class: 'orders'}, fields.map(f => f.el), named), asked],
    tell(told: Told | null, again: (answer: Record<string, string>) => void) {
      asked.hidden = !told;
      const numbers: HTMLInputElement = h('input', {type: 'checkbox', name: 'ids', checked: Boolean(told?.ids),
        onchange: () => again({ids: numbers.checked ? 'numbers' : ''})});
      const of = (list: string[]) => (list.length === 1 ? list[0] : `${list.length} files such as ${list[0]}`);
      const field = (q: ScanQuestion) => h('label', {title: q.said}, `${q.name} `,
        h('select', {name: q.name, onchange: (e: {target: HTMLSelectElement}) => again({[q.name]: e.target.value})},
          q.values.map(v => h('option', {value: v, selected: v === q.chosen}, v))));
      asked.replaceChildren(...(told ? [h('p', {class: 'orders'}, told.questions.map(field),
        what === 'scans' && h('label', {title: 'Reports, their tables and the names of files in them have 1, 2, 3 for the ids of participants.'}, numbers,
          ' Numbers in place of ids')), ...told.said.map(s => h('p', {class: 'soft'}, s)),
        ...told.unused.map(u => h('p', {class: 'soft'}, `Not used: ${of(u.files)} (${u.why}).`))] : []));
    },
    show(scans: Scan[] | null, busy: boolean) {
      open.hidden = whole.hidden = busy;
      back.hidden = busy || !scans;
      for (const f of fields) f.el.hidden = !f.fits(Boolean(scans));
      if (scans === shown) return;
      shown = scans;
      const of = [scans ? scans.map(s => s.condition ?? '') : conditions, scans?.flatMap(s => Object.keys(s.facts ?? {})).concat('motion') ?? []];
      for (const [k, list] of of.entries()) named[k]?.replaceChildren(...[...new Set(list)].map(value => h('option', {value})));
    },
    values: (own: boolean) => Object.fromEntries(fields.filter(f => f.fits(own) && f.input.value !== '' && f.input.checkValidity())
      .map(f => [f.name, f.number ? Number(f.input.value) : f.input.value])),
    set(options: Options = {}) {
      for (const f of fields) f.input.value = String(options[f.name] ?? '');
    },
  };
}
