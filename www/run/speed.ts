// How fast this machine is, and from that about how long an order takes. Knows nothing of the document.

import {nth} from '../dom/nth.js';
import type {Pool} from '../engine/pool.js';
import type {Task} from '../types.js';

export class Speed {
  #pool;
  /** Seconds a unit of each kind of work takes, once it was asked. */
  #speed: Promise<{moves: number, classified: number, clustered: number}> | null = null;
  /** Seconds a multiply-add of tests takes. */
  #tests: Promise<number> | null = null;

  constructor(pool: Pool) { this.#pool = pool; }

  /** About how long an order takes here, in seconds; null if that cannot be told. Short trainings show how fast this machine is. `compared` are
   * the layers of its files, where they are known. */
  async estimate(order: Order, compared: Comparison | null = null) {
    const {tasks} = (await this.#pool.ask('study', {order})).result, work = (await this.#pool.ask('work', {tasks, compared})).result.tasks as Work[];
    if (!work.every(Boolean)) return null;
    this.#speed ??= this.#calibrate();
    const speed = await this.#speed; // nothing else is to run while these are timed
    if (work.some(w => w.tested)) this.#tests ??= this.#calibrateTests();
    const tested = await this.#tests ?? 0;
    const s = work.reduce((sum, w) =>
      sum + w.moves * speed.moves + w.classified * speed.classified + w.clustered * speed.clustered + (w.tested ?? 0) * tested, 0);
    return s / Math.min(this.#pool.size, work.length);
  }

  /** Seconds for a move of a weight, or the scores of a node: two short tasks differ in one of these, and their common cost does not count. */
  async #calibrate() {
    const trained = (example: string, epochs: number, scored = false) => (
      {name: 'speed', data: {example}, preset: 'released', options: {epochs, early_stop: 'off'}, measure: scored ? [{kind: 'scores'}] : []});
    const per = await this.#timed([trained('syn1', 1), trained('syn1', 21), trained('syn1', 1, true), trained('syn3', 1), trained('syn3', 1, true)]);
    return {moves: per('moves', 0, 1), classified: per('classified', 0, 2), clustered: per('clustered', 3, 4)};
  }

  /** Seconds that a multiply-add of tests takes. */
  async #calibrateTests() {
    const tested = (permutations: string) => ( // where every layer passes, so that all permutations are drawn
      {name: 'speed', data: {example: 'syn2', options: {gamma: 1, nodes: 100}}, preset: 'released', measure: [{kind: 'shares', options: {permutations}}]});
    return (await this.#timed([tested('60'), tested('199')]))('tested', 0, 1);
  }

  /** Times tasks: what is returned tells what a unit of some work takes, by two of them that differ in it. */
  async #timed(tasks: Task[]) {
    const work = (await this.#pool.ask('work', {tasks})).result.tasks as Required<Work>[], took: number[] = [];
    for (const task of [...tasks.slice(0, 1), ...tasks]) { // the first one starts the program
      const began = performance.now();
      await this.#pool.one(task);
      took.push((performance.now() - began) / 1000);
    }
    return (what: keyof Work, i: number, k: number) =>
      Math.max(0, nth(took, k + 1) - nth(took, i + 1)) / (nth(work, k)[what] - nth(work, i)[what]);
  }
}
