// One training several ways, beside the run on screen: with its own common parts or exchanged ones, by each preset; or with matching alone and with
// each of the further losses. The pool of workers trains them; what psi answers, what common parts tell of their layer over the training, and scores where
// they are asked for are measured on each. Knows nothing of the document.
import {nth} from '../dom/nth.js';
import {FILE, fileArrays} from '../engine/pool.js';
import type {Arrays, Exchange, FileContent, Lab, Options, Thrown, ViewContext} from '../types.js';

const PRESETS = ['released', 'refined'];
const MEASURES = ['posterior', 'interventions', 'pairings'].map(kind => ({kind}));
const SCORES = {kind: 'scores'};
// Columns of "posterior" (core/lab/study/measure, PosteriorColumns).
const EPOCH = 0, ENTROPY = 1, PROBE = 3;

/** Which losses act: matching alone, with the self-supervised loss, with the causal loss, or all of them. */
export type Arm = 'alone' | 'guess' | 'causal' | 'all';

/** A training of the comparison. */
export interface Way {
  name: string;
  preset: string;
  options: Options; // differences from the present settings
  own?: boolean; // every private part stays beside its own common part: nothing is exchanged
  arm?: Arm; // which of the losses act
  exchange: Exchange | null;
  scores?: Score[];
  /**
   * What common parts tell of their layer over the training: the entropy of psi's posterior as a share of that of guessing, and the
   * accuracy of a fresh classifier.
   */
  looks: {epoch: number, entropy: number, probe: number}[];
}

/** Rows of a matrix in an array. */
const rowsOf = (a: Float64Array & {shape: [number, number]}, [rows, wide] = a.shape): number[][] =>
  Array.from({length: rows}, (_, i) => Array.from(a.subarray(i * wide, (i + 1) * wide)));

/** The results of a training. */
const found = (arrays: Arrays): Pick<Way, 'exchange' | 'looks'> => ({
  exchange: {
    invariance: arrays.invariance[0], pairs: arrays.pairs[0], observed: rowsOf(arrays.observed), do: rowsOf(arrays.do),
    layer: Array.from(arrays['pairings:layer']), private: rowsOf(arrays['pairings:private']), common: rowsOf(arrays['pairings:common']),
  },
  looks: rowsOf(arrays.posterior).map(row => ({epoch: nth(row, EPOCH), entropy: nth(row, ENTROPY), probe: nth(row, PROBE)})),
});

type Setup = Lab['setup'];

/** With own and with exchanged common parts, by the preset that is set up and by those that the page speaks of. */
function pairs({values}: Setup) {
  const {pairing: set} = values.options, exchanged = set === 'own' ? 'permutation' : String(set);
  return [...new Set([values.preset, ...PRESETS])].flatMap(preset => [exchanged, 'own'].map(pairing =>
    ({name: `${preset}, ${pairing === 'own' ? 'own pairs' : 'swapped pairs'}`, preset, options: {pairing}, own: pairing === 'own'})));
}

/**
 * What is set up with all losses, with matching alone, and with each of the others beside it. A loss that is asked for has its usual weight where
 * none is set up.
 */
function arms({values: {preset, options}}: Setup, usual: Options) {
  const weights = ['weight_selfsupervised', 'weight_causal'].map(name => [name, Number(options[name] || usual[name])] as const);
  const arm = (arm: Arm, name: string, ...on: boolean[]) =>
    ({name, arm, preset, options: Object.fromEntries(weights.map(([weight, value], k) => [weight, on[k] ? value : 0]))});
  return [arm('alone', 'matching alone', false, false), arm('guess', 'with the self-supervised loss', true, false),
    arm('causal', 'with the causal loss', false, true), arm('all', 'with both', true, true)];
}

/** The comparisons of a page, by its session. */
const comparisons: WeakMap<object, {pairs: Comparison, arms: Comparison}> = new WeakMap();

function comparisonsOf({session, setup, catalogue, pool, changed}: ViewContext) {
  const known = comparisons.get(session), parts = {pool, setup, changed: () => changed('exchange')};
  const usual = () => catalogue.defaults('training', setup.settings);
  const both = known ?? {
    pairs: new Comparison({...parts, ways: pairs}),
    arms: new Comparison({...parts, ways: of => arms(of, usual()), measure: [...MEASURES, SCORES]}),
  };
  if (!known) comparisons.set(session, both);
  return both;
}

/** Trainings with own and with exchanged common parts. */
export const comparisonOf = (context: ViewContext) => comparisonsOf(context).pairs;

/** The training that is set up, with matching alone and with more of its losses. */
export const armsOf = (context: ViewContext) => comparisonsOf(context).arms;

export class Comparison {
  #pool; #setup; #changed; #ways; #measure;
  #stop: AbortController | null = null;
  #made = ''; // all that decides what is found
  ways: Way[] = [];
  /** The course of the run that was set up for it. */
  course = '';
  /** The fraction of the trainings that is done. */
  done = 0;

  /** ways() says what is trained, each with what it differs in; `measure` what is measured on it. */
  constructor({pool, setup, changed, ways, measure = MEASURES}: Pick<Lab, 'pool' | 'setup'> & {
    changed: () => void; ways: (setup: Setup) => Pick<Way, 'name' | 'preset' | 'options' | 'own' | 'arm'>[];
    measure?: {kind: string}[];
  }) {
    this.#pool = pool;
    this.#setup = setup;
    this.#changed = changed;
    this.#ways = ways;
    this.#measure = measure;
  }

  get running() { return this.#stop !== null; }

  /** What is or would be trained, by name. */
  get planned() { return this.ways.length ? this.ways : this.#ways(this.#setup).map(w => ({...w, looks: [] as Way['looks']})); }

  /** It is about what is set up now. */
  get current() { return this.course === this.#setup.course(); }

  /** A training of it that is done, by the losses that act. */
  arm(arm: Arm) { return this.ways.find(w => w.arm === arm && w.exchange); }

  /** A training of it that is done. */
  way(own: boolean, preset: string = this.#setup.values.preset) { return this.ways.find(w => w.own === own && w.preset === preset && w.exchange); }

  cancel() { this.#stop?.abort(); }

  /**
   * Trains what is set up in all ways, or in those that are wanted; what is known of the same settings is not trained again while others are missing.
   * Rejects when one of them fails.
   */
  async run(wanted: (way: Way) => boolean = () => true) {
    if (this.#stop) return;
    const {values, settings: {options, evaluation}} = this.#setup;
    const plan = this.#setup.plan(name => name);
    this.#stop = new AbortController();
    const made = JSON.stringify([this.#setup.course(), values.eval_seed, evaluation]);
    const known = made === this.#made ? this.ways : [];
    this.#made = made;
    this.course = this.#setup.course();
    this.done = 0;
    this.ways = this.#ways(this.#setup).map(w => known.find(k => k.name === w.name) ?? {...w, exchange: null, looks: []});
    const missing = this.ways.filter(w => wanted(w) && !w.exchange);
    const due = missing.length ? missing : this.ways.filter(wanted);
    this.#changed();
    try {
      const data = {...plan.data}, contents = plan.files ?? [];
      if (data.files) {
        const describe = async (f: FileName, content: FileContent) =>
          (await this.#pool.ask('describe', {data: {files: [f]}}, {[FILE + 0]: content})).result.files[0] as FileName;
        data.files = await Promise.all(data.files.map((f, i) => describe(f, nth(contents, i))));
      }
      const outcomes = await this.#pool.run(due.map(({name, preset, options: own}) => ({
        name, data, preset, options: {...options, ...evaluation, ...own}, model_seed: values.model_seed, eval_seed: values.eval_seed,
        measure: this.#measure,
      })), {
        signal: this.#stop.signal,
        arrays: () => fileArrays(contents),
        onResult: (i, {error, arrays, result}) => {
          if (error) return;
          Object.assign(nth(due, i), found(arrays as Arrays), {scores: result?.scores ?? []});
          this.#changed();
        },
        onProgress: ({done}) => {
          this.done = done / due.length;
          this.#changed();
        },
      });
      const failed = outcomes.find(o => o.error);
      if (failed) throw failed.error;
    } catch (e) {
      if ((e as Thrown).name !== 'AbortError') throw e;
    } finally {
      this.#stop = null;
      this.#changed();
    }
  }
}
