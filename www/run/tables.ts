// The tables that go through the model of a finished run. A page keeps no weights of such a run; the pool trains its settings again, and what ends with the
// run's fingerprint is the run. Knows nothing of the document.
import {fileArrays} from '../engine/pool.js';
import type {Pool} from '../engine/pool.js';
import type {Arrays, FileContent, Made, Model} from '../types.js';

const MOST_NODES = 2048; // that have a row each (core/lab/study/measure, MostTableNodes)
const LONG = 60; // s of a training that is not done again for pictures alone
const MOST_BYTES = 64 * 2 ** 20; // of files that are read again for them

/** How it stands with the tables of the run on screen: none can be had, they are due, sought or there, or its settings end otherwise or fail. */
export type Known = 'none' | 'due' | 'busy' | 'there' | 'other' | 'failed';

/** The tables of finished runs, by their fingerprints. */
export class Tables {
  #pool; #changed;
  #found: Map<string, Arrays | 'busy' | 'other' | 'failed'> = new Map();
  #tokens: WeakMap<Arrays, Float32Array> = new WeakMap();

  constructor({pool, changed}: {pool: Pick<Pool, 'one'>; changed: () => void}) {
    this.#pool = pool;
    this.#changed = changed;
  }

  /** How it stands with the tables of a run. */
  known({phase, hash, data, record, progress}: Model, made: Made | null): Known {
    const over = phase === 'shipped' || phase === 'finished', nodes = data?.summary?.nodes ?? Infinity;
    if (!over || !hash || !made || record?.method || record?.changes.length) return 'none';
    const bytes = (made.data.files ?? []).reduce((sum, f) => sum + f.size, 0);
    if (nodes > MOST_NODES || bytes > MOST_BYTES || (progress?.seconds ?? 0) > LONG) return 'none';
    const found = this.#found.get(hash);
    return !found ? 'due' : typeof found === 'string' ? found : 'there';
  }

  /** The tables of a run, by the names that the measure gives them ("W1_2", "phi"). */
  of(hash: string | undefined) {
    const found = this.#found.get(hash ?? '');
    return found && typeof found !== 'string' ? found : null;
  }

  /** S, P_1 .. P_N, C_1 .. C_N in one, as the engine gives them. */
  tokens(tables: Arrays, layers: number) {
    const known = this.#tokens.get(tables);
    if (known) return known;
    const names = ['S', ...['P', 'C'].flatMap(part => Array.from({length: layers}, (_, l) => `${part}_${l + 1}`))], each = tables.S.length;
    const tokens = new Float32Array(names.length * each);
    names.forEach((name, k) => tokens.set(tables[name], k * each));
    this.#tokens.set(tables, tokens);
    return tokens;
  }

  /**
   * Trains the settings of a run, with its hash, on contents of files where its data are such. Where a node's only feature is who it is, columns come in the
   * order of the label set `groups`.
   */
  async ask(hash: string, {data, preset, options, evaluation, model_seed, eval_seed}: Made, groups: string | undefined, files: FileContent[] = []) {
    if (this.#found.get(hash)) return;
    this.#found.set(hash, 'busy');
    try {
      const task = {
        name: 'tables of a run', data, preset, options: {...options, ...evaluation}, model_seed, eval_seed,
        measure: [{kind: 'tables', ...groups !== undefined && {targets: [groups]}}],
      };
      const {result, arrays} = await this.#pool.one(task, () => fileArrays(files));
      this.#found.set(hash, result.hash === hash ? arrays : 'other');
    } catch (e) {
      this.#found.set(hash, 'failed');
      throw e;
    } finally {
      this.#changed();
    }
  }
}
