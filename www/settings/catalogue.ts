// The option table that Go emits as options.json: the options, their ranges and reasons, and
// recommendations for each example. Every number of the method that the page shows comes from there.

import {nth, own} from '../dom/nth.js';
import type {Options, Readable, Seed} from '../types.js';

/** Names under which the three seeds appear in forms, links and records. */
export const SEEDS: Seed[] = ['data_seed', 'model_seed', 'eval_seed'];

export interface Catalogue extends OptionTable {}
export class Catalogue {
  constructor(table: OptionTable) {
    Object.assign(this, {methods: [], seeds: {data_seed: 0, model_seed: 0, eval_seed: 0}}, table);
  }

  static async load() {
    const answer = await fetch('options.json?v=' + __VERSION__);
    if (!answer.ok) throw new Error(`options.json could not be loaded (HTTP ${answer.status})`);
    return new Catalogue(await answer.json());
  }

  /** An experiment by its name, or by one that it had first. */
  study(name: string) { return this.studies.find(s => s.name === name || s.also?.includes(name)) || null; }

  /** The example that a page without an address shows. */
  get first() { return nth(this.examples, 0, 'examples').name; }

  example(name: string) { return this.examples.find(e => e.name === name) || null; }

  /** The short name of an example; undefined for other names. */
  titleOf(name: string | undefined) { return this.example(name ?? '')?.title.split(':')[0]; }

  /** A method that CaDeM is compared with. */
  method(name: string) { return this.methods.find(m => m.name === name) || null; }

  /** The level of a method's settings: the one asked for, or the one that fits a tab. */
  level({method = '', level = ''}: {method?: string, level?: string}) {
    const levels = this.method(method)?.levels ?? [], named = (name: string) => levels.find(l => l.name === name);
    return named(level) || named('lite') || levels[0];
  }

  /** Names of the presets, the usual one first. */
  get presetNames() { return Object.keys(this.presets).sort((a, b) => Number(b === 'released') - Number(a === 'released')); }

  /**
   * The properties of a group: training, of CaDeM or of another method, evaluation, or data of an example; of files, those that the files of a
   * brain have.
   */
  properties(group: 'training' | 'evaluation' | 'data', example?: string, method: string = ''): Property[] {
    if (group === 'training' && method) return this.method(method)?.options ?? [];
    if (group !== 'data') return this.groups[group];
    if (example === 'files') return this.groups.connectome;
    return own(this.groups.data, example) ?? [];
  }

  /** Options in the types of the table, from values that may be text; unknown ones are left out. */
  typed(group: 'training' | 'evaluation' | 'data', example: string, options?: Options | null): Options {
    const typed: Options = {};
    for (const p of this.properties(group, example)) {
      const given = own(options ?? {}, p.name), {value} = given !== undefined ? parse(p, given) : {};
      if (value !== undefined) typed[p.name] = value;
    }
    return typed;
  }

  /** The steps among the options of a brain's files: these suit other files as well. */
  steps(options: Options) {
    const ofFiles = this.groups.connectome.filter(p => p.group === 'files').map(p => p.name);
    return Object.fromEntries(Object.entries(options).filter(([name]) => !ofFiles.includes(name)));
  }

  /**
   * The values without any change: the table's defaults, recommendations for the data, and under
   * another preset the values in which that preset differs.
   */
  defaults(group: 'training' | 'evaluation' | 'data', {data, preset, method = '', level, recommended}: {
    data: string; preset?: string; method?: string; level?: string; recommended?: Options | null;
  }) {
    if (method && group !== 'data') return this.#ofMethod(group, {data, method, level, recommended});
    const advice = recommended || this.example(data)?.defaults || this.own || {};
    const plain = this.presets.released || {}, chosen = own(this.presets, preset) ?? {};
    const values: Options = {};
    for (const p of this.properties(group, data)) {
      const usual = plain[p.name] ?? p.default, its = chosen[p.name] ?? usual;
      values[p.name] = its === usual ? advice[p.name] ?? usual : its;
    }
    return values;
  }

  /** The same of a method in place of CaDeM: its level stands above what is recommended for the data, which says nothing of its own options. */
  #ofMethod(group: 'training' | 'evaluation', {data, method, level, recommended}: {
    data: string; method: string; level?: string; recommended?: Options | null;
  }) {
    const advice = group === 'evaluation' ? recommended || this.example(data)?.defaults || this.own || {} : {};
    const set = this.level({method, level})?.settings ?? {};
    return Object.fromEntries(this.properties(group, data, method).map(p => [p.name, set[p.name] ?? advice[p.name] ?? p.default]));
  }

  /** For each column of the losses whether its term exists, under options of training and with that number of features. */
  present(options: Options, features: number = Infinity) {
    return this.terms.map(({needs}) => !needs || features > Number(options.dim) && needs.some(name => (options[name] ?? 'off') !== 'off'));
  }
}

/** The range of a seed; the same shape as a row of the option table. */
export const seedProperty: Readable = {kind: 'int', min: 0, max: 2 ** 53 - 1, expected: `a whole number from 0 to ${2 ** 53 - 1}`};

/** Into how many clusters nodes may be grouped for a picture; likewise. */
export const clustersProperty: Readable & {min: number, max: number} = {kind: 'int', min: 2, max: 50, expected: 'a whole number from 2 to 50'};

/** The beginning of a text, to be repeated in a message. */
export const clip = (text: string) => text.length > 40 ? text.slice(0, 40) + '\u2026' : text;

/** Reads what a person typed: {value}, or {found, expected} when it will not do. */
export function parse(p: Readable, text: unknown): {value?: OptionValue, found?: string, expected?: string} {
  const entered = String(text).trim();
  const refuse = () => ({found: entered === '' ? 'nothing' : `"${clip(entered)}"`, expected: p.expected});
  switch (p.kind) {
    case 'int': case 'float': {
      const v = entered === '' ? NaN : Number(entered.replace('\u2212', '-'));
      const whole = p.kind !== 'int' || Number.isSafeInteger(v);
      return Number.isFinite(v) && whole && v >= (p.min ?? -Infinity) && v <= (p.max ?? Infinity) ? {value: v} : refuse();
    }
    case 'choice': {
      const counts = (k: string) => /^[1-9]\d*$/.test(k) && Number(k) <= (p.max ?? Infinity);
      const fits = (c: string) => c === entered || c.endsWith('#') && entered.startsWith(c.slice(0, -1)) && counts(entered.slice(c.length - 1));
      return p.choices?.some(fits) ? {value: entered} : refuse();
    }
    case 'bool':
      return {value: entered === 'true' || entered === 'on' || entered === '1'};
  }
  return p.pattern?.test(entered) === false ? refuse() : {value: entered};
}
