// One training several ways, beside the run on screen: with its own common parts or exchanged ones, by each preset; or with the causal loss and
// without it. The pool of workers trains them; what psi answers, what common parts tell of their layer over the training, and scores where
// they are asked for are measured on each. Knows nothing of the document.
import {FILE} from '../engine/pool.js';
import type {Pool} from '../engine/pool.js';

const PRESETS = ['released', 'refined'];
const MEASURES = ['posterior', 'interventions', 'pairings'].map(kind => ({kind})), SCORES = {kind: 'scores'};
// Columns of "posterior" (core/study/measure, PosteriorColumns).
const EPOCH = 0, ENTROPY = 1, PROBE = 3;

/** A training of the comparison. */
export interface Way {
  name: string;
  preset: string;
  options: Options; // differences from the present settings
  own?: boolean; // every private part stays beside its own common part: nothing is exchanged
  exchange: Exchange | null;
  scores?: Score[];
  /**
   * What common parts tell of their layer over the training: the entropy of psi's posterior as a share of that of guessing, and the
   * accuracy of a fresh classifier.
   */
  looks: {epoch: number, entropy: number, probe: number}[];
}

/** Rows of a matrix in an array. */
const rowsOf = (a: Float64Array & {shape: number[]}): number[][] =>
  Array.from({length: a.shape[0]}, (_, i) => Array.from(a.subarray(i * a.shape[1], (i + 1) * a.shape[1])));

/** The results of a training. */
const found = (arrays: Arrays): Pick<Way, 'exchange' | 'looks'> => ({
  exchange: {
    invariance: arrays.invariance[0], pairs: arrays.pairs[0], observed: rowsOf(arrays.observed), do: rowsOf(arrays.do),
    layer: Array.from(arrays['pairings:layer']), private: rowsOf(arrays['pairings:private']), common: rowsOf(arrays['pairings:common']),
  },
  looks: rowsOf(arrays.posterior).map(row => ({epoch: row[EPOCH], entropy: row[ENTROPY], probe: row[PROBE]})),
});

export type Setup = import('../settings/setup.js').Setup;

/** With own and with exchanged common parts, by the preset that is set up and by those that the page speaks of. */
function pairs({values}: Setup) {
  const {pairing: set} = values.options, exchanged = set === 'own' ? 'permutation' : String(set);
  return [...new Set([values.preset, ...PRESETS])].flatMap(preset => [exchanged, 'own'].map(pairing =>
    ({name: `${preset}, ${pairing === 'own' ? 'own pairs' : 'swapped pairs'}`, preset, options: {pairing}, own: pairing === 'own'})));
}

/** As it is set up, and without the causal loss. */
const losses = ({values: {preset}}: Setup): {name: string, preset: string, options: Options}[] => [
  {name: 'with the causal loss', preset, options: {}}, {name: 'without it', preset, options: {weight_causal: 0}},
];

/** The comparisons of a page, by its session. */
const comparisons: WeakMap<object, {pairs: Comparison, losses: Comparison}> = new WeakMap();

function comparisonsOf({session, setup, pool, changed}: ViewContext) {
  const known = comparisons.get(session), parts = {pool, setup, changed: () => changed('exchange')};
  const both = known ?? {pairs: new Comparison({...parts, ways: pairs}), losses: new Comparison({...parts, ways: losses, measure: [...MEASURES, SCORES]})};
  if (!known) comparisons.set(session, both);
  return both;
}

/** Trainings with own and with exchanged common parts. */
export const comparisonOf = (context: ViewContext) => comparisonsOf(context).pairs;

/** The training that is set up, with the causal loss and without it. */
export const withoutCausal = (context: ViewContext) => comparisonsOf(context).losses;

export class Comparison {
  #pool; #setup; #changed; #ways; #measure;
  #stop: AbortController | null = null;
  ways: Way[] = [];
  /** The parts that the reader pairs by hand, once there is a lab: the pair, the answer of psi, and the choice. */
  hand: {readonly pair: [number, number] | null, readonly said: string, choose(i: number, j: number): void} | null = null;
  /** The course of the run that was set up for it. */
  course = '';
  done = 0;

  /** ways() says what is trained, each with what it differs in; `measure` what is measured on it. */
  constructor({pool, setup, changed, ways, measure = MEASURES}: {
    pool: Pool; setup: Setup; changed: () => void; ways: (setup: Setup) => Pick<Way, 'name' | 'preset' | 'options' | 'own'>[];
    measure?: {kind: string}[];
  }) {
    this.#pool = pool;
    this.#setup = setup;
    this.#changed = changed;
    this.#ways = ways;
    this.#measure = measure;
  }

  get running() { return this.#stop !== null; }

  /** It is about what is set up now. */
  get current() { return this.course === this.#setup.course(); }

  /** A training of it that is done. */
  way(own: boolean, preset: string = this.#setup.values.preset) { return this.ways.find(w => w.own === own && w.preset === preset && w.exchange); }

  cancel() { this.#stop?.abort(); }

  /** Trains what is set up in all ways; rejects when one of them fails. */
  async run() {
    if (this.#stop) return;
    const {values, settings: {options, evaluation}} = this.#setup, plan = this.#setup.plan(name => name);
    this.#stop = new AbortController();
    this.course = this.#setup.course();
    this.done = 0;
    this.ways = this.#ways(this.#setup).map(w => ({...w, exchange: null, looks: []}));
    this.#changed();
    try {
      const data = {...plan.data}, contents = plan.files ?? [];
      if (data.files) {
        const describe = async (f: FileName, content: FileContent) =>
          (await this.#pool.ask('describe', {data: {files: [f]}}, {[FILE + 0]: content})).result.files[0];
        data.files = await Promise.all(data.files.map((f, i) => describe(f, contents[i])));
      }
      const outcomes = await this.#pool.run(this.ways.map(({name, preset, options: own}) => ({
        name, data, preset, options: {...options, ...evaluation, ...own}, model_seed: values.model_seed, eval_seed: values.eval_seed,
        measure: this.#measure,
      })), {
        signal: this.#stop.signal,
        arrays: () => Object.fromEntries(contents.map((c, i) => [FILE + i, c])),
        onResult: (i, {error, arrays, result}) => {
          if (error) return;
          Object.assign(this.ways[i], found(arrays as Arrays), {scores: result.scores ?? []});
          this.#changed();
        },
        onProgress: ({done}) => {
          this.done = done;
          this.#changed();
        },
      });
      const failed = outcomes.find(o => o.error);
      if (failed) throw failed.error;
    } catch (e) {
      if (e.name !== 'AbortError') throw e;
    } finally {
      this.#stop = null;
      this.#changed();
    }
  }
}
