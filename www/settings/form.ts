// The settings form, generated from the option table: one row for each property, with its symbol, its plain
// sentence, its range and the paper's value.
import {button, h, radios, reveal, setText} from '../dom/elements.js';
import {capital, spaced} from '../dom/figures.js';
import {entry as entryOf} from '../dom/nth.js';
import {SEEDS, parse, seedProperty} from './catalogue.js';
import type {Catalogue} from './catalogue.js';
import type {Options, Seed, Settings, SettingsField, Values} from '../types.js';

const SEED_ROWS = {
  data_seed: {label: 'Data seed', doc: 'Draws the data. Another seed is another graph of the same kind.'},
  model_seed: {label: 'Model seed', doc: 'Draws the first weights, the augmented graphs and the noise.'},
  eval_seed: {label: 'Evaluation seed', doc: 'Draws the folds and the first cluster centres of the scores.'},
};

const present = (v: unknown) => v !== undefined && v !== null;

/**
 * Positions of a slider for values that range over decades: even steps of asinh(v / unit), where the unit is a
 * fifth of the usual value, so that 0 has a place and the usual value lies in the middle ground.
 */
export function sliderScale(p: Property, usual: number) {
  const low = p.min ?? 0, highest = p.max ?? Infinity, top = highest <= 20 * usual ? highest : Math.max(10 * usual, low + 1);
  const unit = usual > 0 ? usual / 5 : top / 100;
  const f = (v: number) => Math.asinh(v / unit), g = (t: number) => Math.sinh(t) * unit;
  const from = f(low), to = f(top);
  return {
    position: (v: number) => 1000 * (f(Math.min(v, top)) - from) / (to - from),
    value: (x: number) => {
      const v = Math.min(top, Math.max(low, Number(g(from + x / 1000 * (to - from)).toPrecision(2))));
      return p.kind === 'int' ? Math.round(v) : v;
    },
  };
}

interface FormOptions {catalogue: Catalogue;
  onChange(field: SettingsField | 'preset' | 'method' | 'level' | 'usual', name?: string, value?: OptionValue): void;
  onInvalid(): void; onTerm(term: string | null): void}
/** A row of the form. */
interface Entry {field: SettingsField; p: Property; el: HTMLElement; problem: string | null; focus(): void;
  set(value: OptionValue, standard: OptionValue | undefined, keepProblem: boolean): void; complain(r: Refused | null): void}
interface Refused {message?: string; found?: string; expected?: string}

/**
 * show draws the form for settings with all values resolved, and keeps or clears what was refused (keepProblems). onChange reports an accepted change,
 * onInvalid a refused one. advise tells which preset fits the data, beside the chosen one.
 */
export function createForm(el: HTMLElement, {catalogue, onChange, onInvalid, onTerm}: FormOptions) {
  let rows: Map<string, Entry> = new Map();
  let shape = '', chosen = '';
  const advice = h('p', {class: 'doc', id: 'preset-advice', hidden: true});

  function row(field: SettingsField, p: Property, usual: OptionValue | undefined) {
    const id = `${field}-${p.name}`, doc = `${id}-doc`, wrong = `${id}-wrong`;
    const term = field === 'options' && !chosen ? catalogue.terms.find(t => t.weight === p.name)?.name ?? null : null;
    const problem = h('p', {class: 'problem', id: wrong, hidden: true});
    const changed = h('span', {class: 'changed', hidden: true, title: 'differs from the usual value'}, '\u2022');
    const common = {id, 'aria-describedby': `${doc} ${wrong}`};
    const control = p.kind === 'choice' && !p.choices?.some(c => c.endsWith('#'))
      ? h('select', common, (p.choices ?? []).map(c => h('option', {value: c}, spaced(c))))
      : h('input', {...common, ...p.kind === 'bool' ? {type: 'checkbox'}
        : {type: 'text', autocomplete: 'off', size: p.kind === 'choice' ? 12 : 8, inputmode: ['text', 'choice'].includes(p.kind) ? 'text' : 'decimal'}});
    let slider: {input: HTMLInputElement, scale: ReturnType<typeof sliderScale>} | null = null;
    if (p.live && (p.kind === 'float' || p.kind === 'int')) {
      const scale = sliderScale(p, Number(usual));
      const input = h('input', {type: 'range', min: 0, max: 1000, step: 1, 'aria-label': `${p.label}, slider`, oninput: () => {
        control.value = String(scale.value(Number(input.value)));
        input.setAttribute('aria-valuetext', control.value);
        accept(true);
      }});
      slider = {input, scale};
    }
    const read = () => p.kind === 'bool' ? String((control as HTMLInputElement).checked) : control.value;
    const entry: Entry = {
      field, p, el: control, problem: null,
      focus: () => {
        reveal(control);
        control.focus();
      },
      set(value: OptionValue, standard: OptionValue | undefined, keepProblem: boolean) {
        changed.hidden = value === standard;
        if (entry.problem && keepProblem) return;
        if (document.activeElement === control && !entry.problem && parse(p, read()).value === value) return;
        complain(null);
        if (p.kind === 'bool') (control as HTMLInputElement).checked = value === true || value === 'true';
        else control.value = String(value);
        if (slider) {
          slider.input.value = String(slider.scale.position(Number(value)));
          slider.input.setAttribute('aria-valuetext', String(value));
        }
      },
      complain,
    };
    function complain(r: Refused | null) {
      entry.problem = r && (r.message || `found ${r.found}, expected ${r.expected}`);
      problem.hidden = !r;
      setText(problem, entry.problem || '');
      if (r) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
    }
    function accept(fromSlider: boolean) {
      const r = parse(p, read());
      if (!('value' in r)) {
        complain(r);
        onInvalid();
        return;
      }
      complain(null);
      if (slider && !fromSlider) slider.input.value = String(slider.scale.position(Number(r.value)));
      onChange(field, p.name, r.value);
    }
    control.addEventListener('change', () => accept(false));
    const hint = [
      present(p.paper) && p.paper !== '' ? `Paper: ${p.paper}.` : '',
      present(p.program) && p.program !== '' ? `The authors\u2019 program: ${p.program}.` : '',
      present(p.printed) ? `As printed: ${String(p.printed).replaceAll('_', ' ')}.` : '',
      control.matches('select, [type=checkbox]') || p.kind === 'text' ? '' : capital(p.expected.replace(/^an? /, '')) + '.',
    ];
    entry.el = h('div', {class: 'field' + (p.live ? ' live' : ''), 'data-term': term},
      h('label', {for: id}, p.symbol && symbol(p.symbol), ' ', capital(p.label), p.unit && h('span', {class: 'soft'}, ` (${p.unit})`), changed,
        p.live && h('span', {class: 'tag', title: 'acts at once, while it trains'}, 'live')),
      h('div', {class: 'control'}, slider?.input, control),
      h('p', {class: 'doc', id: doc}, p.doc, ' ', h('span', {class: 'range'}, hint.filter(Boolean).join(' '))), problem);
    if (term) {
      for (const on of ['pointerenter', 'focusin']) entry.el.addEventListener(on, () => onTerm(term));
      for (const on of ['pointerleave', 'focusout']) entry.el.addEventListener(on, () => onTerm(null));
    }
    rows.set(id, entry);
    return entry.el;
  }

  /** The method to train, CaDeM or another one, and its level of settings. */
  function chooser(settings: Settings) {
    const method = catalogue.method(settings.method), families = new Map();
    for (const m of catalogue.methods) families.set(m.family, [...families.get(m.family) ?? [], m]);
    const option = (value: string, label: string) => h('option', {value, selected: value === settings.method}, label);
    const select = h('select', {id: 'method-choice', onchange: () => onChange('method', '', select.value)}, option('', 'CaDeM'),
      [...families].map(([family, list]) => h('optgroup', {label: capital(family)}, list.map((m: Method) => option(m.name, m.label)))));
    const now = catalogue.level(settings)?.name;
    const levels = h('select', {id: 'method-level', onchange: () => onChange('level', '', levels.value)},
      (method?.levels ?? []).map(l => h('option', {value: l.name, selected: l.name === now}, l.name)));
    return h('fieldset', {class: 'switch'}, h('legend', {}, 'Method'), h('label', {}, 'Trained: ', select),
      method ? h('label', {}, ' Level: ', levels) : null,
      method ? h('p', {class: 'doc'}, method.doc, now === 'lite' ? LITE : '') : null);
  }

  function build(settings: Settings) {
    rows = new Map();
    chosen = settings.method;
    const offered = Object.entries(PRESETS).filter(([name]) => name in catalogue.presets);
    const preset = radios('Version of the method', 'preset', offered.map(([name, {title}]) => [name, [' ', h('span', {}, title)]]), settings.preset,
      (e: {target: HTMLInputElement}) => onChange('preset', e.target.value, e.target.value));
    const {does, more} = presetOf(settings.preset);
    preset.append(h('p', {class: 'doc'}, does), advice,
      more ? h('details', {class: 'doc'}, h('summary', {}, 'more'), more.map(text => h('p', {class: 'doc'}, text))) : '');
    /** The rows of properties, by their group. */
    const grouped = (list: Property[], usualGroup: string, field: SettingsField, usual: Options | null) => {
      const groups: Map<string, HTMLElement[]> = new Map();
      for (const p of list) {
        const name = capital(p.group || usualGroup);
        groups.set(name, [...groups.get(name) ?? [], row(field, p, usual ? usual[p.name] : p.default)]);
      }
      return groups;
    };
    const sections = grouped(catalogue.properties('training', settings.data, settings.method), 'training', 'options', catalogue.defaults('training', settings));
    const own = settings.data === 'files';
    const data = grouped(own && !settings.subject ? [] : catalogue.properties('data', settings.data), 'data', 'dataOptions', null);
    const seeds = SEEDS.filter(name => name !== 'data_seed' || !own && data.size)
      .map(name => row('seeds', {...seedProperty, name, default: 0, ...SEED_ROWS[name]}, 0));
    const evaluation = catalogue.properties('evaluation', settings.data).map(p => row('evaluation', p, p.default));
    const kept = new Map([...(el.querySelectorAll('details.group') as NodeListOf<HTMLDetailsElement>)].map(d => [d.dataset.group, d.open]));
    const group = (title: string, fields: HTMLElement[], open: boolean) => fields.length ? [
      h('details', {class: 'group', open: kept.get(title) ?? open, 'data-group': title}, h('summary', {}, h('h3', {}, title)), fields)] : [];
    el.replaceChildren(chooser(settings), ...settings.method ? [] : [preset],
      ...[...data].flatMap(([title, fields]) => group(title, fields, true)),
      ...group('Seeds', seeds, false),
      ...[...sections].flatMap(([title, fields]) => group(title, fields, Boolean(chosen) || fields.some(f => f.dataset.term))),
      ...group('Scores', evaluation, false),
      button('Back to the usual values', () => onChange('usual'), {class: 'quiet', id: 'usual'}));
  }

  return {
    advise(a: Advice | undefined, preset: string) {
      advice.hidden = !a;
      if (!a) return;
      const name = presetOf(a.preset).title, take = () => onChange('preset', a.preset, a.preset);
      advice.replaceChildren(`Recommended for these data is ${name}: ${a.reason}. `,
        ...a.preset === preset ? [] : [button(`Take ${name}`, take, {class: 'quiet'})]);
    },
    show(settings: Settings, values: Values, keepProblems = false) {
      const key = [settings.data, settings.subject, settings.preset, settings.method, settings.level, JSON.stringify(settings.recommended)].join();
      if (key !== shape) {
        shape = key;
        build(settings);
      }
      const usual: Record<SettingsField, Options> = {
        options: catalogue.defaults('training', settings),
        dataOptions: catalogue.defaults('data', settings),
        evaluation: catalogue.defaults('evaluation', settings),
        seeds: {...catalogue.seeds},
      };
      for (const entry of rows.values()) {
        const {field, p} = entry;
        const value = field === 'seeds' ? values[p.name as Seed] : entryOf(values[field], p.name);
        entry.set(value, usual[field][p.name], keepProblems);
      }
    },
    /** Fields whose content was refused: [{field, message}]. */
    get problems() {
      return [...rows.values()].filter(r => r.problem).map(r => ({level: 'error', field: r.p.name, message: `${capital(r.p.label)}: ${r.problem}`}));
    },
    /** Marks a field that the engine refused. */
    refuse(name: string, message: string) {
      const r = [...rows.values()].find(r => r.p.name === name);
      if (!r) return false;
      r.complain({message});
      return true;
    },
    focus(name: string) { [...rows.values()].find(r => r.p.name === name)?.focus(); },
  };
}

const LITE = ' Lite settings are smaller than those of its paper, to fit a tab: never hold their figures against printed ones.';

/** What a version of the method does; `more` is what it costs, and where it cannot work (docs/refined.md). */
const PRESETS: Record<string, {title: string, does: string, more?: string[]}> = {
  released: {title: 'Released', does: 'What the authors\u2019 program does; it produced the published numbers.'},
  printed: {title: 'Printed', does: 'What the paper\u2019s equations say. Every difference is one option below.'},
  refined: {title: 'Refined', does: 'Common encoders see what the layers share, private ones what is their own. Not in the paper. On Syn1, where'
    + ' nothing is shared, a probe reads a layer\u2019s groups from S of Released at 1.000, here at 0.185, as by chance, and each P tells its own'
    + ' better. It costs a preparation before training.', more: [
    'The closed form, linear algebra without training, has the S and P of this on Syn2, within 0.01 of ARI in the mean.',
    'Where it cannot work: at \u03b3 = 1 no link of Syn2 depends on private groups, so a P at chance is right. Near that, a layer\u2019s own structure is'
    + ' hidden in noise, by arithmetic above a \u03b3 of 0.865 at 1000 nodes. With one feature (Syn3) two numbers a node do not determine three sources,'
    + ' and S has rank 0.',
    'Sparse layers without features: on CKM and Freebase it predicts worse than Released. With about 4 links a node or fewer, nearly all of a layer counts'
    + ' as noise, whatever it holds, and S has rank 0.',
    'With trimming off, each layer keeps up to 64 directions instead: from S of CKM the cities are then told at 0.969. On AUCS, which has 61 nodes,'
    + ' those are all directions there are, and S has rank 0.',
    'On ACM and IMDB a combiner that is not told which layer each part comes from (layer tag) predicts worse.',
  ]},
  evidence: {title: 'Evidence', does: 'For layers with few links and no features. A direction is shared when it was estimated without a layer and'
    + ' still explains the layer\u2019s links; it is private when it explains links that were held out. Not in the paper. It costs a preparation, and a larger'
    + ' program.', more: [
    'On CKM links that were held out have a fitted AUC of .884 after training, and of .912 by the closed form with the same split (docs/evidence.md).',
    'Where it cannot work: with too few links a layer shows nothing, however much it shares, and is then left out. What a layer has of its own needs'
    + ' more links than what is shared, about 10 a node for three groups.',
    'Where layers are dense, or nodes have features, take Refined. Weights of links are ignored, and it takes one graph.',
  ]},
};

const presetOf = (name: string) => entryOf(PRESETS, name);

/** A printed symbol: the text after _ is a subscript. */
export function symbol(s: string) {
  const [base, ...below] = s.split('_');
  return h('span', {class: 'symbol'}, base, below.length ? h('sub', {}, below.join(' ')) : null);
}
