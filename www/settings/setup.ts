// The present setup: the settings of the form, the reader's own files, and the parts used. It alone changes them, by the
// operations below, and notifies subscribers. It knows nothing of the document.
import {figure, spaced} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {named} from '../engine/pool.js';
import {READER} from '../engine/reader.js';
import {freshSettings, prune, resolve, toHash} from './state.js';
import type {Catalogue} from './catalogue.js';
import type {DataSet, FileContent, Made, Model, Options, PageChoices, ReadFile, RunPlan, RunRecord,
  Settings, SettingsField, ShippedRun} from '../types.js';

const LONGEST = 120; // characters of a run's name

/** JSON that does not depend on the order of fields. */
const inOrder = (value: unknown) => JSON.stringify(value, (_, v) => v && typeof v === 'object' && !Array.isArray(v)
  ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => a < b ? -1 : 1)) : v);


export class Setup {
  #settings: Settings;
  #files: ReadFile[] | null = null;
  #choice: Choice | null = null;
  /** How the files were read first, see `reader` in wasm/PROTOCOL.md; undefined of a run from before it was noted. */
  #reader: number | undefined;
  /** Settings of an address whose run is being brought back. */
  #asked: Settings | null = null;
  #subscribers: ((keepProblems: boolean) => void)[] = [];
  #catalogue; #shippedCourse = '';
  /** How the shipped run was made that was known last. */
  #shippedMade: Made | null = null;

  constructor(catalogue: Catalogue, settings: Settings) {
    this.#catalogue = catalogue;
    this.#settings = settings;
  }

  /** Has f called after every change; its argument reports whether what was refused in the form stays. */
  subscribe(f: (keepProblems: boolean) => void) { this.#subscribers.push(f); }

  #changed(keepProblems = false) {
    prune(this.#settings, this.#catalogue);
    for (const f of this.#subscribers) f(keepProblems);
  }

  // --- What is set up

  get settings() { return this.#settings; }
  get files() { return this.#files; }
  get choice() { return this.#choice; }

  /** All values, defaults filled in. */
  get values() { return resolve(this.#settings, this.#catalogue); }

  /** The settings are those of the reader's own files. */
  get own() { return this.#settings.data === 'files'; }

  /** There are data to train on: the files that the settings are for are open. */
  get possible() { return !this.own || Boolean(this.#files); }

  /** The same as the text behind the # of the address. */
  get hash() { return toHash(this.#settings); }

  /** The same with other view settings; null takes one out. */
  hashWith(view: PageChoices) {
    const of = Object.entries({...this.#settings.view, ...view}).filter(([, v]) => v !== null);
    return toHash({...this.#settings, view: Object.fromEntries(of)});
  }

  /** Whether settings are the same as these, in the form of an address. */
  says(settings: Settings) { return toHash(settings) === this.hash; }

  /** The answers of a link, or the form, about files of a subject's brain. */
  get said() { return this.own ? this.#settings.dataOptions : {}; }

  /** What was changed for the reader's own files: what is usual for them depends on their size. */
  get changesForFiles() { return this.own ? this.#settings : freshSettings('files'); }

  /** The reader's own data as the protocol names it: the files and the choice of their parts. */
  #ownData(): DataSpec {
    return {
      ...(this.#settings.subject && {options: this.values.dataOptions}),
      files: named(this.#files ?? []), ...(this.#choice && {choice: this.#choice}), ...(this.#reader && {reader: this.#reader}),
    };
  }

  /** The settings of a new run, from the form, with a name that no other run has. */
  plan(unique: (name: string) => string): RunPlan {
    const {own} = this, {dataOptions, data_seed, options} = this.values;
    return {
      data: own ? this.#ownData() : {example: this.#settings.data, options: dataOptions, data_seed}, method: this.#settings.method, options,
      files: own ? (this.#files ?? []).map(f => f.content) : [],
      values: opened => {
        if (own) {
          this.#settings.recommended = opened.defaults || {};
          this.#changed();
        }
        const {options, preset, method, level, model_seed, eval_seed, evaluation} = this.values;
        const name = unique(this.runName(opened));
        return {name, options, preset, ...(method && {method, level}), model_seed, eval_seed, evaluation};
      },
    };
  }

  /** A name that identifies runs: the data and the changes. */
  runName(data?: {name?: string} | null) {
    const s = this.#settings;
    const changes = [s.dataOptions, s.options, s.seeds].flatMap(o => Object.entries(o))
      .map(([k, v]) => `${spaced(k)} ${typeof v === 'number' ? figure(v) : v}`);
    const title = this.#catalogue.titleOf(s.data) || data?.name || 'Own files';
    const {method, level} = this.values, version = method ? `${this.#catalogue.method(method)?.label} ${level}` : s.preset === 'released' ? '' : s.preset;
    const name = [title, version, ...changes].filter(Boolean).join(', ');
    // A value that is cut in two would be another value.
    const cut = name.lastIndexOf(', ', LONGEST - 3);
    return name.length <= LONGEST ? name : name.slice(0, cut > 0 ? cut + 2 : LONGEST - 1) + '\u2026';
  }

  // --- What decides a run's course

  /** The settings that determine the course of a run: if they differ from a run's own, the form describes another run. */
  course(settings: Settings = this.#settings) {
    const v = resolve(settings, this.#catalogue);
    const data = settings.data === 'files' ? this.#files && this.#ownData() : {example: settings.data, options: v.dataOptions, data_seed: v.data_seed};
    return inOrder([data, v.options, v.method || v.preset, v.method && v.level, v.model_seed]);
  }

  /**
   * The options of a record. An older one lacks those that came later: they were what they are without advice, whatever the data recommend now.
   */
  #optionsOf(group: 'training' | 'evaluation', {data, preset, method = '', level = '', options, evaluation}: RunRecord): Options {
    const plain = this.#catalogue.defaults(group, {data: data.example || 'files', preset, method, level, recommended: {}});
    return {...plain, ...group === 'training' ? options : evaluation};
  }

  /** The same of a record; the command line writes only the options of data that were given, and no seed that is 0. */
  courseOf(record: RunRecord) {
    const {data, summary, preset, method = '', level = '', model_seed} = record;
    const of = data.example || (summary?.subject ? 'files' : '');
    const options = of && {...this.#catalogue.defaults('data', {data: of}), ...this.#catalogue.typed('data', of, data.options)};
    const drawn = data.example && {example: data.example, options, data_seed: data.data_seed ?? 0};
    return inOrder([drawn || (of ? {...data, options} : data), this.#optionsOf('training', record), method || preset, method && level, model_seed]);
  }

  /** The course of an example as it comes. */
  courseOfExample(example: string) { return this.course(freshSettings(example)); }

  /** Works out which course a shipped run took, which is on screen then, or may be. */
  knowShipped(run: ShippedRun) {
    const settings = {
      ...freshSettings(run.example), preset: run.preset, options: {...run.options}, dataOptions: {...run.options, ...run.data_options},
      seeds: {data_seed: run.data_seed, model_seed: run.model_seed},
    };
    prune(settings, this.#catalogue);
    this.#shippedCourse = this.course(settings);
    const {options, dataOptions, preset, model_seed, eval_seed, evaluation, data_seed} = resolve(settings, this.#catalogue);
    this.#shippedMade = {
      name: this.#catalogue.titleOf(run.example), data: {example: run.example, options: dataOptions, data_seed}, options, preset, model_seed, eval_seed,
      evaluation,
    };
  }

  /** How the run on screen was made; null if there is none. */
  madeOf({phase, record}: Model): Made | null { return phase === 'shipped' ? this.#shippedMade : record; }

  /** The settings that determined the course of the shipped run. */
  get shippedCourse() { return this.#shippedCourse; }

  /** The settings are those of the shipped run. */
  get describesShipped() { return this.#shippedCourse !== '' && !this.own && this.course() === this.#shippedCourse; }

  /** The settings are those of an example as it comes. */
  get asItComes() { return !this.own && this.course() === this.courseOfExample(this.#settings.data); }

  /** The settings in the form are not those of the run on screen. */
  differs({phase, record}: Model) {
    if (phase === 'shipped') return this.course() !== this.#shippedCourse;
    return Boolean(record) && this.course() !== this.courseOf(record as RunRecord);
  }

  // --- Operations

  /** Changes one value. */
  set(field: SettingsField, name: string, value: OptionValue) {
    Object.assign(this.#settings[field], {[name]: value});
    if (field === 'dataOptions' || name === 'data_seed') this.#forgetNodes();
    this.#changed(true);
  }

  /** Other nodes have the numbers of those that were chosen. */
  #forgetNodes() { for (const name of ['select', 'if'] as const) delete this.#settings.view[name]; }

  setPreset(preset: string) {
    this.#settings.preset = preset;
    this.#changed(true);
  }

  /** Has another method trained in place of CaDeM, or that with "", at its usual level; what was set of the one before does not suit it. */
  setMethod(method: string) {
    Object.assign(this.#settings, {method, level: '', options: {}});
    this.#changed(true);
  }

  setLevel(level: string) {
    Object.assign(this.#settings, {level, options: {}});
    this.#changed(true);
  }

  /** Back to the usual values of the same data and method. */
  reset() {
    const {data, method, recommended, view, subject} = this.#settings;
    this.#settings = {...freshSettings(data), method, recommended, view, subject};
    this.#changed();
  }

  /** Changes what is said of the view; null and undefined say nothing more of it. */
  setView(view: PageChoices) {
    this.#settings.view = Object.fromEntries(Object.entries({...this.#settings.view, ...view}).filter(([, v]) => v !== null && v !== undefined));
    this.#changed(true);
  }

  /** Chooses an example; the view stays the same, except for colours, epoch, nodes and curves, which are those of other data. */
  chooseExample(name: string) {
    this.#settings = {...freshSettings(name), view: this.#viewOfOther()};
    this.#changed();
  }

  /** Takes over all settings, of a link. */
  replace(settings: Settings) {
    this.#settings = settings;
    this.#changed();
  }

  /**
   * Takes files with the choice of their parts, null if there is nothing to choose, or with answers about a subject's brain. Settings
   * of a link for files wait for the files; those of an example do not suit them, nor answers about other files. Returns a function
   * that restores the former state.
   */
  takeFiles(files: ReadFile[], choice: Choice | null, said: Options | null) {
    const before = {settings: this.#settings, files: this.#files, choice: this.#choice, reader: this.#reader}, view = this.#viewOfOther();
    this.#settings = this.own ? {...this.#settings, recommended: null, view} : {...freshSettings('files'), view};
    this.#settings.subject = Boolean(said);
    this.#settings.dataOptions = said ? {...before.files ? this.#catalogue.steps(this.#settings.dataOptions) : this.#settings.dataOptions, ...said} : {};
    this.#files = files;
    this.#choice = choice;
    this.#reader = READER;
    return () => {
      ({settings: this.#settings, files: this.#files, choice: this.#choice, reader: this.#reader} = before);
      this.#changed();
    };
  }

  /** The files are open now, and the settings are theirs. */
  filesTaken() { this.#changed(); }

  #viewOfOther() {
    const {color, at, select, if: turned, ...view} = this.#settings.view;
    return view;
  }

  /** Keeps what the address says, for a run that is being brought back and may have been trained with something else. */
  keepAsked() { this.#asked = this.#settings; }

  /** There is no such run. */
  dropAsked() { this.#asked = null; }

  /** Whether a record has what the address says. */
  asks(record: RunRecord) {
    const {options, seeds, preset, method} = this.#asked ?? this.#settings;
    if (method !== (record.method ?? '')) return false;
    const pairs: [object, object][] = [[options, record.options], [seeds, record], [{preset}, record]];
    return pairs.every(([some, all]) => Object.entries(some).every(([k, v]) => (all as Record<string, unknown>)[k] === v));
  }

  /** Goes where a stored run's record says, or where the address says that had it brought back; contents are those of its files. */
  adopt(record: RunRecord, data: DataSet, contents: FileContent[]) {
    const of = record.data.example || 'files', seeds = {model_seed: record.model_seed, eval_seed: record.eval_seed};
    this.#settings = {
      data: of, preset: record.preset, method: record.method ?? '', level: record.level ?? '',
      view: of === this.#settings.data ? this.#settings.view : this.#viewOfOther(),
      recommended: of === 'files' ? data.defaults ?? null : null,
      subject: Boolean(record.summary?.subject), options: this.#optionsOf('training', record),
      dataOptions: this.#catalogue.typed('data', of, record.data.options), evaluation: this.#optionsOf('evaluation', record),
      seeds: {...seeds, ...(record.data.example && {data_seed: record.data.data_seed ?? 0})},
    };
    if (this.#asked) {
      const {preset, method, level, options, dataOptions, evaluation, seeds} = this.#asked;
      Object.assign(this.#settings, {preset, method, level, options, dataOptions, evaluation, seeds});
      this.#asked = null;
    }
    this.#files = of === 'files' ? (record.data.files ?? []).map((f, i) => ({...f, content: nth(contents, i)})) : null;
    this.#choice = record.data.choice || null;
    this.#reader = record.data.reader;
    this.#changed();
  }
}
