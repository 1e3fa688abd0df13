// Links between nodes in one layer. Pure, without a document.

export class Adjacency {
  #made: {start: Int32Array, index: Int32Array} | null = null;
  #n: number;
  #pairs: Int32Array;

  /** @param n nodes @param pairs of nodes, each link once */
  constructor(n: number, pairs: Int32Array) {
    this.#n = n;
    this.#pairs = pairs;
  }

  /** The links by node, made when they are first asked for: of half a million that takes as long as a frame. */
  get #rows() {
    if (this.#made) return this.#made;
    const n = this.#n, pairs = this.#pairs, start = new Int32Array(n + 1);
    for (const i of pairs) start[i + 1]++;
    for (let i = 0; i < n; i++) start[i + 1] += start[i];
    const next = start.slice(0, n), index = new Int32Array(pairs.length);
    for (let k = 0; k < pairs.length; k += 2) {
      const i = pairs[k], j = pairs[k + 1];
      index[next[i]++] = j;
      index[next[j]++] = i;
    }
    return this.#made = {start, index};
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

/**
 * How many links are inside a class.
 * @param of class of each node, -1 for none
 */
export function insideOf(pairs: ArrayLike<number>, of: ArrayLike<number>) {
  let n = 0;
  for (let k = 0; k < pairs.length; k += 2) if (of[pairs[k]] >= 0 && of[pairs[k]] === of[pairs[k + 1]]) n++;
  return n;
}

/**
 * The share of links inside a class, among those whose ends both have one; NaN if there are none.
 * @param of class of each node, -1 for none
 */
export function shareWithin(pairs: Int32Array, of: ArrayLike<number>) {
  let all = 0;
  for (let k = 0; k < pairs.length; k += 2) if (of[pairs[k]] >= 0 && of[pairs[k + 1]] >= 0) all++;
  return insideOf(pairs, of) / all;
}

/** Nodes in the order of their classes, those without a class last, and of a class as they come. */
export function orderOf(of: ArrayLike<number>) {
  const rank = (i: number) => of[i] < 0 ? Infinity : of[i];
  return Int32Array.from(of, (_, i) => i).sort((a, b) => rank(a) === rank(b) ? a - b : rank(a) - rank(b));
}
