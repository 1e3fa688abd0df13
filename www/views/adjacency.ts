// Links between nodes in one layer. Pure, without a document.
import {breath} from '../dom/idle.js';
import {sure} from '../dom/nth.js';

const PART = 2 ** 17; // ends of links that are looked at in a row

export class Adjacency {
  #made: {start: Int32Array, index: Int32Array} | null = null;
  #making: Generator<void>;

  /** @param n nodes @param pairs of nodes, each link once */
  constructor(n: number, pairs: Int32Array) { this.#making = this.#make(n, pairs); }

  /** Makes the links by node, part by part. */
  *#make(n: number, pairs: Int32Array) {
    const start = new Int32Array(n + 1), index = new Int32Array(pairs.length);
    for (let from = 0; from < pairs.length; from += PART) {
      for (const i of pairs.subarray(from, from + PART)) start[i + 1] = sure(start[i + 1]) + 1;
      yield;
    }
    for (let i = 0; i < n; i++) start[i + 1] = sure(start[i + 1]) + sure(start[i]);
    const next = start.slice(0, n), put = (i: number, j: number) => {
      const at = sure(next[i]);
      index[at] = j;
      next[i] = at + 1;
    };
    for (let from = 0; from < pairs.length; from += PART) {
      for (let k = from, end = Math.min(from + PART, pairs.length); k < end; k += 2) {
        const i = sure(pairs[k]), j = sure(pairs[k + 1]);
        put(i, j);
        put(j, i);
      }
      yield;
    }
    this.#made = {start, index};
  }

  /** Makes the links by node before they are asked for: of half a million that takes several frames, between which the thread is free. */
  async prepare() { while (!this.#making.next().done) await breath(); }

  /** The links by node; what of them is not made yet is made now. */
  get #rows() {
    while (!this.#made) this.#making.next();
    return this.#made;
  }

  neighbours(i: number) {
    const {start, index} = this.#rows;
    return index.subarray(start[i], start[i + 1]);
  }

  joins(i: number, j: number) { return this.neighbours(i).includes(j); }

  /** How many nodes have no link. */
  get isolated() {
    const {start} = this.#rows;
    let n = 0;
    for (let i = 1; i < start.length; i++) if (start[i] === start[i - 1]) n++;
    return n;
  }
}

const known: WeakMap<Int32Array, Adjacency> = new WeakMap();

/** The links of n nodes by node, one object for all who ask about the same pairs. */
export function adjacencyOf(n: number, pairs: Int32Array) {
  const a = known.get(pairs) ?? new Adjacency(n, pairs);
  known.set(pairs, a);
  return a;
}

/**
 * How many links are inside a class.
 * @param of class of each node, -1 for none
 */
export function insideOf(pairs: ArrayLike<number>, of: ArrayLike<number>) {
  let n = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const c = sure(of[sure(pairs[k])]);
    if (c >= 0 && c === of[sure(pairs[k + 1])]) n++;
  }
  return n;
}

/**
 * The share of links inside a class, among those whose ends both have one; NaN if there are none.
 * @param of class of each node, -1 for none
 */
export function shareWithin(pairs: Int32Array, of: ArrayLike<number>) {
  const known = (k: number) => sure(of[sure(pairs[k])]) >= 0;
  let all = 0;
  for (let k = 0; k < pairs.length; k += 2) if (known(k) && known(k + 1)) all++;
  return insideOf(pairs, of) / all;
}

const orders: WeakMap<ArrayLike<number>, Int32Array<ArrayBuffer>> = new WeakMap();

/** Nodes in the order of their classes, those without a class last, and of a class as they come; the same list for the same classes. */
export function orderOf(of: ArrayLike<number>) {
  const known = orders.get(of);
  if (known) return known;
  const rank = Array.from(of, c => c < 0 ? Infinity : c);
  const order = Int32Array.from(rank.keys()).sort((a, b) => sure(rank[a]) - sure(rank[b]) || a - b);
  orders.set(of, order);
  return order;
}
