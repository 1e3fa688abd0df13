// An example at one gamma after another: its layers, what the closed form makes of them at once, and what CaDeM does once it is trained. The pool computes it
// beside the run on screen. Knows nothing of the document.
import type {Catalogue} from '../settings/catalogue.js';
import type {Setup} from '../settings/setup.js';
import type {Pool} from '../engine/pool.js';

/** In per cent, where a curve is measured. */
export const GAMMAS = [0, 20, 40, 60, 80, 100];
const KEPT = 24; // pictures at most: those of a thousand nodes take megabytes

/** What nothing is trained for, and what is. */
export type How = 'closed' | 'trained';

/** What is found at one gamma. Agreements are ARIs of clusters. */
export interface Found {
  /** Of S with the shared groups, before and after the training, and of each P_l with its layer's own. */
  shared: number; untrained: number; own: number[];
  rank: number; // of S
  hash: string; // of the embeddings
  picture?: Picture; // unless it was let go
}

export interface Picture {
  links: Int32Array[]; // pairs of nodes, for every layer
  of: Int32Array[]; // the classes of nodes: the shared groups, then those of each layer's own
  planes: Float32Array[]; // the places of nodes in S and the P_l, turned by their classes
}

/** What the pool finds for a page, by its settings without gamma. */
export class Gammas {
  #pool; #setup; #catalogue; #changed;
  #of = ''; // the settings that everything here is about
  #course = ''; // those of now, once they are asked for: to write them takes a millisecond
  #found: Record<How, Map<number, Found>> = {closed: new Map(), trained: new Map()};
  /** The gammas that are asked for: of each kind the last one alone, as a slider leaves the others behind. */
  #wanted: Record<How, number | null> = {closed: null, trained: null};
  #busy: Record<How, boolean> = {closed: false, trained: false};
  #stop: AbortController | null = null;
  #failed: Set<string> = new Set();
  /** Which curve is being measured, and the part of it that is done. */
  measuring: {how: How, done: number} | null = null;

  constructor({pool, setup, catalogue, changed}: {pool: Pick<Pool, 'run'>; setup: Setup; catalogue: Catalogue; changed: () => void}) {
    this.#pool = pool;
    this.#setup = setup;
    this.#catalogue = catalogue;
    this.#changed = changed;
    setup.subscribe(() => { this.#course = ''; });
  }

  /** The example has a gamma, and CaDeM is what is set up. */
  get possible() {
    const {data, method} = this.#setup.settings;
    return !method && this.#catalogue.properties('data', data).some(p => p.name === 'gamma');
  }

  /** Gamma as it is set up, in per cent. */
  get now() { return Math.round(100 * Number(this.#setup.values.dataOptions.gamma)); }

  /** All that decides what is found, but gamma. */
  get course() {
    const {settings, values} = this.#setup, at = {...settings, dataOptions: {...settings.dataOptions, gamma: 0}};
    return this.#course ||= JSON.stringify([this.#setup.course(at), values.eval_seed, values.evaluation]);
  }

  /** What is found of the present settings. */
  at(percent: number, how: How) { return this.course === this.#of ? this.#found[how].get(percent) ?? null : null; }

  /** The measured curve; null while a gamma of it is missing. */
  curve(how: How) {
    const list = GAMMAS.map(g => this.at(g, how));
    return list.every(f => f !== null) ? list as Found[] : null;
  }

  #task(percent: number, how: How, layers: string[]) {
    const {values, settings: {options, evaluation}} = this.#setup, {data} = this.#setup.plan(name => name);
    const [shared, ...own] = layers;
    const clusters = (embedding: string, target: string) => ({kind: 'clusters', embeddings: [embedding], targets: [target]});
    return {
      name: `gamma ${percent} %`, data: {...data, options: {...data.options, gamma: percent / 100}}, preset: how === 'closed' ? 'closed' : values.preset,
      options: {...how === 'trained' && options, ...evaluation}, model_seed: values.model_seed, eval_seed: values.eval_seed,
      measure: [{kind: 'picture', targets: layers}, clusters('common', shared), ...own.map((name, l) => clusters(`private_${l + 1}`, name))],
    };
  }

  /** Forgets what other settings led to. */
  #follow() {
    if (this.course === this.#of) return;
    this.#of = this.course;
    this.#stop?.abort();
    this.#failed.clear();
    for (const list of Object.values(this.#found)) list.clear();
  }

  #keep(percent: number, how: How, of: string, found: Found) {
    if (of !== this.#of) return;
    const list = this.#found[how];
    list.delete(percent);
    list.set(percent, found);
    const drawn = [...list.values()].filter(f => f.picture);
    for (const f of drawn.slice(0, Math.max(0, drawn.length - KEPT))) delete f.picture;
  }

  /** Finds what there is at a gamma, or, while that takes its time, at the one that was asked for last. `sets` are the shared groups and the layers' own. */
  async look(percent: number, how: How, sets: string[]) {
    this.#follow();
    this.#wanted[how] = percent;
    if (this.#busy[how]) return;
    this.#busy[how] = true;
    try {
      for (;;) {
        const next: number | null = this.#wanted[how];
        if (next === null) break;
        this.#wanted[how] = null;
        if (this.at(next, how)?.picture) continue;
        const of = this.#of, [{result, arrays, error}] = await this.#pool.run([this.#task(next, how, sets)]);
        if (error) {
          this.#failed.add(`${how} ${next}`);
          throw error;
        }
        this.#keep(next, how, of, foundOf(result, arrays as Arrays, sets));
        this.#changed();
      }
    } finally {
      this.#busy[how] = false;
      this.#changed();
    }
  }

  /** Whether it was looked for in vain, and would be again. */
  failed(percent: number, how: How) { return this.course === this.#of && this.#failed.has(`${how} ${percent}`); }

  busy(how: How) { return this.#busy[how]; }

  cancel() { this.#stop?.abort(); }

  /** Finds what is missing of a curve. */
  async measure(how: How, sets: string[]) {
    this.#follow();
    const due = GAMMAS.filter(g => !this.at(g, how)), of = this.#of;
    if (!due.length || this.measuring) return;
    const stop = this.#stop = new AbortController();
    this.measuring = {how, done: 0};
    this.#changed();
    try {
      const outcomes = await this.#pool.run(due.map(g => this.#task(g, how, sets)), {
        signal: stop.signal,
        onResult: (i, {result, arrays, error}) => {
          if (error) return;
          this.#keep(due[i], how, of, foundOf(result, arrays as Arrays, sets));
          this.#changed();
        },
        onProgress: ({done, total}) => {
          this.measuring = {how, done: done / total};
          this.#changed();
        },
      });
      const failed = outcomes.find(o => o.error);
      if (failed) throw failed.error;
    } catch (e) {
      if (e.name !== 'AbortError') throw e;
    } finally {
      this.measuring = null;
      this.#changed();
    }
  }
}

/** What the result of a task says. */
function foundOf(result: {hash: string, rank_S: number, scores: Score[]}, arrays: Arrays, sets: string[]): Found {
  const score = (embedding: string, target: string) => result.scores.find(s => s.embedding === embedding && s.target === target && s.metric === 'ari');
  const [shared, ...own] = sets, common = score('common', shared), of = sets.map(name => Int32Array.from(arrays[`labels:${name}`]));
  const places = Float32Array.from(arrays.places), each = 2 * of[0].length;
  return {
    shared: common?.value ?? NaN, untrained: common?.untrained ?? NaN, own: own.map((name, l) => score(`private_${l + 1}`, name)?.value ?? NaN),
    rank: result.rank_S, hash: result.hash,
    picture: {
      of, links: own.map((_, l) => Int32Array.from(arrays[`links_${l + 1}`])),
      planes: of.map((classes, k) => oriented(places.subarray(k * each, (k + 1) * each), classes)),
    },
  };
}

/**
 * Turns a plane so that the middle of the first class is above that of all, and mirrors it so that the middle of the second one is to the right. So planes of
 * several gammas can be compared, whatever the order in which they came.
 */
export function oriented(plane: Float32Array, of: ArrayLike<number>): Float32Array {
  const sums = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [all, first, second] = sums;
  for (let i = 0; i < of.length; i++) {
    for (const s of [all, ...of[i] === 0 ? [first] : of[i] === 1 ? [second] : []]) {
      s[0] += plane[2 * i];
      s[1] += plane[2 * i + 1];
      s[2]++;
    }
  }
  const middle = ([x, y, n]: number[]) => n ? [x / n - all[0] / all[2], y / n - all[1] / all[2]] : [0, 0];
  const [x, y] = middle(first), long = Math.hypot(x, y), [up, across] = long > 0 ? [[x / long, y / long], [y / long, -x / long]] : [[0, 1], [1, 0]];
  const [u, v] = middle(second), side = across[0] * u + across[1] * v < 0 ? -1 : 1, turned = new Float32Array(plane.length);
  for (let i = 0; i < of.length; i++) {
    const [a, b] = [plane[2 * i], plane[2 * i + 1]];
    turned[2 * i] = side * (across[0] * a + across[1] * b);
    turned[2 * i + 1] = up[0] * a + up[1] * b;
  }
  return turned;
}
