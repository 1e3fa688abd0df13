// The dialog about ambiguous files: the choice of their parts, the columns of a list, questions about the files of a brain, and progress of reading.
// Guesses, figures and possible roles come from the engine (`inspect` in wasm/PROTOCOL.md), the words from here.
import {button, h, radios, setText} from '../dom/elements.js';
import {bytes, capital} from '../dom/figures.js';
import {parse} from '../settings/catalogue.js';
import {columnsForm} from './columnsform.js';
import {count, degreeTable, labelText, layerText, number, rowsTable, shape} from './surveytext.js';
import type {Child} from '../dom/elements.js';
import type {Options, SurveyedLabels, Thrown} from '../types.js';

const ROLES: [string, string][] = [['layer', 'Layer'], ['features', 'Features'], ['labels', 'Labels'], ['split', 'Split for scores'], ['', 'Not used']];
const NONE = 'none'; // no features or no labels in a choice

/** Whether a radio button of a group is the chosen one. */
const isChecked = (group: HTMLElement, value: string) => Boolean(group.querySelector(`[value="${value}"]:checked`));

/** The dialog; there is one. */
class Importer {
  #el = h('dialog', {class: 'import', 'aria-labelledby': 'import-title'});
  /** The result of closing it. */
  #end: (() => void) | null = null;
  #bar = h('progress', {'aria-label': 'Files read'});

  constructor() {
    this.#el.addEventListener('cancel', e => {
      e.preventDefault();
      this.#end?.();
    });
    document.body.append(this.#el);
  }

  #show(...content: (Node | string)[]) {
    this.#el.replaceChildren(...content);
    if (!this.#el.open) this.#el.showModal();
  }

  close() {
    this.#end = null;
    if (this.#el.open) this.#el.close();
  }

  /** Ends what is asked, as Cancel does. */
  giveUp() { this.#end?.(); }

  /** Says that files are being read; cancel() ends that. */
  reading(names: string[], cancel: () => void) {
    this.#end = cancel;
    this.progress(0);
    this.#show(bodyOf('Reading files\u2026', h('p', {class: 'soft'}, names.join(', ')), this.#bar), footOf(cancel, []));
  }

  /** Says how much of them has been read, from 0 to 1. */
  progress(part: number) { this.#bar.value = part; }

  /**
   * Lets the reader choose. estimate(choice) -> {bytes, most, features?, refused?}; open(choice) opens it and may fail, which is said here. Resolves
   * to true when it was opened, to false when it was given up.
   */
  choose(what: Omit<Parameters<typeof form>[0], 'end'>) { return this.#ask(end => form({...what, end})); }

  /**
   * Asks the reader the open questions about the files of a subject's brain: the properties; said has the known answers.
   * open(values) as above; resolves likewise.
   */
  complete(what: Omit<Parameters<typeof questions>[0], 'end'>) { return this.#ask(end => questions({...what, end})); }

  /** Asks the reader for the columns of a list; chosen is the earlier choice. Resolves to the choice, or to null. */
  async columns(question: Question, chosen: string | undefined) {
    let said: string | null = null;
    await this.#ask(end => columnsForm({question, chosen, done: columns => {
      said = columns;
      end(columns !== null);
    }}));
    return said;
  }

  /** Lets the reader say what is done with the series of several subjects: pick('first') or pick('all'), before it resolves to true. */
  subjects(what: Omit<Parameters<typeof subjectsForm>[0], 'end'>) { return this.#ask(end => subjectsForm({...what, end})); }

  #ask(make: (end: (opened: boolean) => void) => HTMLElement) {
    return new Promise(resolve => {
      const end = (opened: boolean) => {
        this.close();
        resolve(opened);
      };
      this.#end = () => end(false);
      this.#show(make(end));
      (this.#el.querySelector('select, input, button') as HTMLElement | null)?.focus();
    });
  }
}

/** Ends what is asked: whether something was opened. */
type End = (opened: boolean) => void;

function roleOf(v: Surveyed, {layers = [], features, labels = [], splits}: Choice) {
  if (v.fixed) return v.role;
  return layers.includes(v.name) ? 'layer' : features === v.name ? 'features' : labels.includes(v.name) ? 'labels'
    : (splits ? splits.includes(v.name) : v.role === 'split') ? 'split' : '';
}

function form({names, survey, choice, estimate, open, end}: {
  names: string[]; survey: {variables: Surveyed[], nodes: number}; choice: Choice; open: (choice: Choice) => Promise<unknown>; end: End;
  estimate: (choice: Choice) => Promise<{bytes: number, most: number, features?: string, refused?: string}>;
}) {
  const roles = new Map(survey.variables.map((v: Surveyed) => [v, roleOf(v, choice)]));
  const unsaid = new Set(survey.variables.filter(v => v.asked && choice.features === undefined));
  const selects = new Map();
  const weighting = radios('Weights of links', 'import-weights',
    [['keep', 'Keep them'], ['binary', 'All the same: a link is there or not']], choice.binary ? 'binary' : 'keep', changed);
  const directing = radios('Links in one direction', 'import-directions',
    [['either', 'Take them in both, with the larger weight'], ['mutual', 'Leave out those that do not come back']],
    choice.mutual ? 'mutual' : 'either', changed);
  const keep = h('input', {type: 'number', id: 'import-keep', min: 0.01, max: 100, step: 'any', value: String(choice.keep || 100),
    'aria-describedby': 'import-keep-doc', oninput: changed});
  const keeping = h('div', {class: 'field'}, h('label', {for: keep.id}, 'Keep the strongest links', h('span', {class: 'soft'}, ' (% of all pairs)')),
    h('div', {class: 'control'}, keep),
    h('p', {class: 'small soft', id: 'import-keep-doc'}, 'Of each layer with weights, as of connectivity, which joins nearly every pair.'));
  const normal = h('input', {type: 'checkbox', id: 'import-normal', checked: !choice.raw, onchange: changed});
  const normalising = h('label', {class: 'check'}, normal, 'Make the features of each node sum to 1');
  const without = h('p', {class: 'small soft'}),
    need = h('p', {class: 'small', role: 'status', id: 'import-need'}),
    wrong = h('p', {class: 'problem', role: 'alert', id: 'import-problem'});
  const go = h('button', {type: 'submit', class: 'primary', id: 'import-open'}, 'Open');
  let asked = 0, busy = false;

  const used = (role: string) => survey.variables.filter((v: Surveyed) => roles.get(v) === role);

  /** The choice in the form of the protocol, without defaults. */
  function chosen() {
    const labels = used('labels').filter((v: Surveyed) => !v.fixed).map((v: Surveyed) => v.name);
    const splits = used('split').map((v: Surveyed) => v.name);
    const parted = survey.variables.some((v: Surveyed) => v.roles.includes('split'));
    const binary = isChecked(weighting, 'binary') && !weighting.hidden;
    const mutual = isChecked(directing, 'mutual') && !directing.hidden;
    const share = keep.valueAsNumber, strongest = share < 100 && !keeping.hidden;
    return {
      ...(choice.columns && {columns: choice.columns}),
      layers: used('layer').map((v: Surveyed) => v.name), features: used('features')[0]?.name ?? NONE, labels: labels.length ? labels : [NONE],
      ...(parted && {splits: splits.length ? splits : [NONE]}),
      ...(binary && {binary}), ...(mutual && {mutual}), ...(strongest && {keep: share}), ...(!normal.checked && !normalising.hidden && {raw: true}),
    };
  }

  function assign(v: Surveyed, role: string) {
    if (role === 'features') for (const other of used('features')) set(other, '');
    set(v, role);
    changed();
  }

  function set(v: Surveyed, role: string) {
    unsaid.delete(v);
    roles.set(v, role);
    if (selects.has(v)) selects.get(v).value = role;
  }

  function changed() {
    const layers = used('layer');
    // A layer with no pairs in both directions, or with all, is undirected: nothing to decide.
    directing.hidden = layers.every((v: Surveyed) => v.layer?.symmetric);
    keeping.hidden = weighting.hidden = !layers.some((v: Surveyed) => v.weights);
    normalising.hidden = !used('features').length;
    without.hidden = !normalising.hidden;
    setText(without, `No features are chosen: each of the ${count(survey.nodes, 'node')} gets one of its own.`);
    const [vague] = unsaid;
    const problem = layers.length < 2 ? 'Choose at least two layers.'
      : vague ? `Say what ${vague.name} is: features, labels or neither.`
      : !keeping.hidden && !keep.checkValidity() ? 'Keep the strongest links: a share from 0.01 to 100 %.' : '';
    setText(wrong, problem);
    go.disabled = busy || Boolean(problem);
    ask(layers.length);
  }

  async function ask(layers: number) {
    const mine = ++asked;
    const e = layers ? await estimate(chosen()).catch(() => null) : null;
    if (mine !== asked) return;
    if (e?.features) setText(without, `No features are chosen: they are made of the links (${e.features}).`);
    need.className = e?.refused ? 'small problem' : 'small soft';
    setText(need, !e ? '' : e.refused || `Training takes about ${bytes(e.bytes)} of the ${bytes(e.most)} a page can use.`);
  }

  function part(v: Surveyed) {
    let use: HTMLElement = h('span', {class: 'soft small'}, v.fixed ? ROLES.find(([r]) => r === v.role)?.[1] : 'Cannot be used');
    if (!v.fixed && v.roles.length) {
      const select = use = h('select', {'aria-label': `Use ${v.name} as`, onchange: () => assign(v, select.value)},
        unsaid.has(v) && h('option', {value: 'ask', disabled: true}, 'Features or labels?'),
        ROLES.filter(([r]) => r === '' || v.roles.includes(r)).map(([r, text]) => h('option', {value: r}, text)));
      select.value = unsaid.has(v) ? 'ask' : roles.get(v) ?? '';
      selects.set(v, select);
    }
    const table = rowsTable(v), degrees = degreeTable(v);
    return h('li', {'data-part': v.name},
      h('div', {class: 'part-head'}, h('strong', {}, v.name), h('span', {class: 'soft small'}, `${v.kind} \u00b7 ${shape(v.shape)} \u00b7 ${v.type}`)), use,
      h('div', {class: 'part-text small'},
        v.layer ? h('p', {}, layerText(v.layer)) : v.nnz && !v.classes ? h('p', {}, `${number.format(v.nnz)} not 0`) : null,
        v.classes ? h('p', {}, labelText(v as SurveyedLabels)) : null,
        v.note ? h('p', {class: 'caution'}, v.note) : null,
        v.problem ? h('p', {class: 'problem'}, v.problem) : null,
        table || degrees ? h('details', {class: 'twin', open: v.joined ?? false},
          h('summary', {}, degrees ? 'First rows and degrees' : 'First rows'), h('div', {class: 'part-more'}, table, degrees)) : null));
  }

  const list = h('ul', {class: 'parts'}, survey.variables.map(part));
  const body = h('form', {class: 'import-form', onsubmit: submitting({go, wrong, open: () => open(chosen()), end, busy: on => { busy = on; }})},
    bodyOf('What of this is used?',
      h('p', {class: 'soft'}, `${names.join(', ')}: ${count(survey.nodes, 'node')}. Layers are the kinds of links; labels are only for colours and scores.`),
      list, directing, weighting, keeping, normalising, without),
    footOf(end, [need, wrong], go));
  changed();
  return body;
}

/** What the dialog says and asks, under a title. */
const bodyOf = (title: string, ...content: Child[]) =>
  h('div', {class: 'import-body'}, h('h2', {id: 'import-title'}, title), ...content);

/** The foot of the dialog: its message, and its buttons; the last one is Cancel. */
const footOf = (end: End, said: Child[], ...buttons: Child[]) =>
  h('div', {class: 'import-foot'}, ...said, h('div', {class: 'actions'}, ...buttons, button('Cancel', () => end(false))));

/** Opens when a form is submitted, and says there why it failed. */
function submitting({go, wrong, open, end, busy = () => {}}: {
  go: HTMLButtonElement; wrong: HTMLElement; open: () => Promise<unknown>; end: End; busy?: (on: boolean) => void;
}) {
  const wait = (on: boolean) => {
    busy(on);
    go.disabled = on;
    setText(go, on ? 'Opening\u2026' : 'Open');
  };
  return async (e: SubmitEvent) => {
    e.preventDefault();
    if (go.disabled) return;
    wait(true);
    setText(wrong, '');
    try {
      await open();
      end(true);
    } catch (error) {
      wait(false);
      setText(wrong, (error as Thrown).message);
    }
  };
}

/** One question: a choice as radio buttons, the guess marked, or a number, which may be left out. */
function question(p: Property, {guess, said}: {guess?: string, said?: OptionValue}) {
  const doc = h('p', {class: 'small soft', id: `ask-${p.name}-doc`}, p.doc);
  if (p.kind === 'choice') {
    const at = said ?? guess;
    const list = (p.choices ?? []).filter(c => c !== p.default).map(c => h('input', {type: 'radio', name: `ask-${p.name}`, value: c, checked: c === at}));
    return {
      el: h('fieldset', {class: 'switch', 'aria-describedby': doc.id}, h('legend', {}, capital(p.label)),
        list.map(r => h('label', {}, r, capital(r.value), r.value === guess ? h('span', {class: 'soft'}, ' (a guess)') : null)), doc),
      value: () => list.find(r => r.checked)?.value,
    };
  }
  const input = h('input', {type: 'text', inputmode: 'decimal', id: `ask-${p.name}`, size: 10, autocomplete: 'off', value: said || null,
    placeholder: 'unknown', 'aria-describedby': doc.id});
  return {
    el: h('div', {class: 'field'}, h('label', {for: input.id}, capital(p.label), h('span', {class: 'soft'}, ` (${p.unit})`)),
      h('div', {class: 'control'}, input), doc),
    value() {
      const r = parse(p, input.value.trim() || String(p.default));
      if (!('value' in r)) throw new Error(`${capital(p.label)}: found ${r.found}, expected ${p.expected}`);
      return r.value;
    },
  };
}

function questions({survey, properties, said, open, end}: {
  survey: {guess?: string, files: {file: string, as: string}[]}; properties: Property[]; said: Options;
  open: (values: Options) => Promise<unknown>; end: End;
}) {
  const asked = properties.map(p => [p.name, question(p, {guess: survey.guess, said: said[p.name]})] as const);
  const wrong = h('p', {class: 'problem', role: 'alert', id: 'import-problem'}),
    go = h('button', {type: 'submit', class: 'primary', id: 'import-open'}, 'Open');
  const answers = async () => open(Object.fromEntries(asked.map(([name, q]) => [name, q.value()])) as Options);
  return h('form', {class: 'import-form', onsubmit: submitting({go, wrong, open: answers, end})},
    bodyOf('One subject\u2019s brain',
      h('ul', {class: 'parts'}, survey.files.map(f => h('li', {}, h('strong', {}, f.file), ' ', h('span', {class: 'soft'}, f.as)))),
      asked.map(([, q]) => q.el)),
    footOf(end, [wrong], go));
}

function subjectsForm({subjects, first, pick, end}: {subjects: string[], first: string, pick: (what: 'first' | 'all') => void, end: End}) {
  const some = subjects.slice(0, 3).join(', ') + (subjects.length > 3 ? '\u2026' : '');
  const choice = (what: 'first' | 'all', text: string) => button(text, () => {
    pick(what);
    end(true);
  }, {id: `import-${what}`});
  return h('div', {class: 'import-form'},
    bodyOf(`Series of ${subjects.length} subjects`,
      h('p', {},
        `Subjects: ${some}. One model is trained on the brain of one subject. The experiments train a model on each scan and compare the subjects.`)),
    footOf(end, [], choice('first', `Train on ${first}`), choice('all', 'Compare them in Experiments')));
}

export const dialog = new Importer();
