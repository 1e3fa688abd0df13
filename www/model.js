// What the views draw of a data set and its run. A Session owns the one there is.

/** Growing columns of the loss terms: steps[i] and four values. */
export class Losses {
  steps = []; values = new Float32Array(4096); n = 0;

  /** Takes the terms of consecutive steps; what was there from that step on is replaced, as after a resume. */
  append(from, terms) {
    while (this.n > 0 && this.steps[this.n - 1] >= from) this.n--;
    this.steps.length = this.n;
    const rows = terms.length / 4;
    if (4 * (this.n + rows) > this.values.length) {
      const more = new Float32Array(2 * 4 * (this.n + rows));
      more.set(this.values);
      this.values = more;
    }
    this.values.set(terms, 4 * this.n);
    for (let i = 0; i < rows; i++) this.steps.push(from + i);
    this.n += rows;
  }

  static of(steps, values) {
    const l = new Losses();
    l.steps = [...steps];
    l.values = Float32Array.from(values);
    l.n = steps.length;
    return l;
  }
}

export const emptyModel = () => ({
  phase: 'idle',     // idle, shipped, opening, paused, running, finished, failed
  scoring: null,     // {done, total} while scores are computed
  ending: false,     // the last step is done, fingerprint and scores are not
  data: null,        // {spec, name, summary, task, expect, labels, nodes, places, defaults}
  names: [],         // of the embeddings
  record: null,      // of the run, as it is stored
  progress: null,
  losses: new Losses(),
  snapshots: [],
  keptEvery: 0,      // s between two checkpoints
  clusters: null,
  regions: null,     // of a brain: which ones the private embeddings mark, {share, step, epoch, layers}
  scores: null,
});
