// @ts-check
// One training several ways, beside the run on screen: with its own common parts or exchanged ones, by each preset. The pool of workers
// trains them; what psi answers, and what common parts tell of their layer over the training, is measured on each. Knows nothing of the document.
import {FILE} from '../engine/pool.js';

const PRESETS = ['released', 'refined'];
const MEASURES = ['posterior', 'interventions', 'pairings'].map(kind => ({kind}));
// Columns of "posterior" (core/study/measure, PosteriorColumns).
const EPOCH = 0, ENTROPY = 1, PROBE = 3;

/**
 * @typedef {object} Way a training of the comparison
 * @property {string} preset
 * @property {string} pairing
 * @property {boolean} own  every private part stays beside its own common part: nothing is exchanged
 * @property {Exchange | null} exchange
 * @property {{epoch: number, entropy: number, probe: number}[]} looks  what common parts tell of their layer over the training: the entropy of psi's
 *   posterior as a share of that of guessing, and the accuracy of a fresh classifier
 */

/** Rows of a matrix in an array. @param {Float64Array & {shape: number[]}} a @returns {number[][]} */
const rowsOf = a => Array.from({length: a.shape[0]}, (_, i) => Array.from(a.subarray(i * a.shape[1], (i + 1) * a.shape[1])));

/** What was found of a training. @param {Arrays} arrays @returns {Pick<Way, 'exchange' | 'looks'>} */
const found = arrays => ({
  exchange: {
    invariance: arrays.invariance[0], pairs: arrays.pairs[0], observed: rowsOf(arrays.observed), do: rowsOf(arrays.do),
    layer: Array.from(arrays['pairings:layer']), private: rowsOf(arrays['pairings:private']), common: rowsOf(arrays['pairings:common']),
  },
  looks: rowsOf(arrays.posterior).map(row => ({epoch: row[EPOCH], entropy: row[ENTROPY], probe: row[PROBE]})),
});

/** The comparison of a page, by its session. @type {WeakMap<object, Comparison>} */
const comparisons = new WeakMap();

/** @param {ViewContext} context */
export function comparisonOf({session, setup, pool, changed}) {
  let c = comparisons.get(session);
  if (!c) comparisons.set(session, c = new Comparison({pool, setup, changed: () => changed('exchange')}));
  return c;
}

export class Comparison {
  #pool; #setup; #changed;
  /** @type {AbortController | null} */
  #stop = null;
  /** @type {Way[]} */
  ways = [];
  /** The parts that the reader pairs by hand, once there is a lab: which pair, what psi says of it, and what chooses one.
   * @type {{readonly pair: [number, number] | null, readonly said: string, choose(i: number, j: number): void} | null}
   */
  hand = null;
  /** The course of the run that was set up for it. */
  course = '';
  done = 0;

  /** @param {{pool: import('../engine/pool.js').Pool, setup: import('../settings/setup.js').Setup, changed: () => void}} parts */
  constructor({pool, setup, changed}) {
    this.#pool = pool;
    this.#setup = setup;
    this.#changed = changed;
  }

  get running() { return this.#stop !== null; }

  /** It is about what is set up now. */
  get current() { return this.course === this.#setup.course(); }

  /** A training of it that is done. @param {boolean} own @param {string} [preset] */
  way(own, preset = this.#setup.values.preset) { return this.ways.find(w => w.own === own && w.preset === preset && w.exchange); }

  cancel() { this.#stop?.abort(); }

  /** Trains what is set up in all ways; rejects when one of them fails. */
  async run() {
    if (this.#stop) return;
    const {values, settings: {options}} = this.#setup, {pairing: set} = values.options, plan = this.#setup.plan(name => name);
    const exchanged = set === 'own' ? 'permutation' : String(set), presets = [...new Set([values.preset, ...PRESETS])];
    this.#stop = new AbortController();
    this.course = this.#setup.course();
    this.done = 0;
    this.ways = presets.flatMap(preset => [exchanged, 'own'].map(pairing => ({preset, pairing, own: pairing === 'own', exchange: null, looks: []})));
    this.#changed();
    try {
      const data = {...plan.data}, contents = plan.files ?? [];
      if (data.files) {
        const describe = async (/** @type {FileName} */ f, /** @type {FileContent} */ content) =>
          (await this.#pool.ask('describe', {data: {files: [f]}}, {[FILE + 0]: content})).result.files[0];
        data.files = await Promise.all(data.files.map((f, i) => describe(f, contents[i])));
      }
      const outcomes = await this.#pool.run(this.ways.map(({preset, pairing}) => ({
        name: `${preset}, ${pairing}`, data, preset, options: {...options, pairing}, model_seed: values.model_seed, eval_seed: values.eval_seed,
        measure: MEASURES,
      })), {
        signal: this.#stop.signal,
        arrays: () => Object.fromEntries(contents.map((c, i) => [FILE + i, c])),
        onResult: (i, {error, arrays}) => {
          if (error) return;
          Object.assign(this.ways[i], found(/** @type {Arrays} */ (arrays)));
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
