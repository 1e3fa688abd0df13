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

/** What a node is called: by its own name, or counted from 0, as files count it. */
export const nodeName = (names, i, what = 'node') => names?.[i] || `${what} ${i}`;

/** An id for a new run. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), b => b.toString(16).padStart(2, '0')).join('');

const SNAPSHOTS = 40; // pictures of a run kept for looking back; beyond that every second one goes

/** The pictures of a run with another one, before which those of its step and later ones go. */
export function withSnapshot(snapshots, next) {
  const all = [...snapshots.filter(s => s.step < next.step), next];
  return all.length > SNAPSHOTS ? all.filter((_, i) => i % 2 === 0 || i === all.length - 1) : all;
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

/** That of the run that ships with the page. */
export const shippedModel = run => ({
  ...emptyModel(), phase: 'shipped', names: run.embeddings, snapshots: run.snapshots, losses: Losses.of(run.losses.steps, run.losses.values), scores: run.scores,
  data: {spec: null, name: run.summary?.name, summary: run.summary, task: run.task, expect: run.expect, labels: run.labels, nodes: run.nodes},
  progress: {state: 'finished', epoch: run.epochs, epochs: run.epochs, step: run.steps, steps: run.steps, rank_S: run.rank_S, seconds: run.seconds, losses: null},
  hash: run.hash,
});

/** That of a stored run, of its record and arrays, before its weights are there. */
export function storedModel(record, arrays, data) {
  const first = record.first_step ?? 0, rows = (arrays.losses?.length || 0) / 4;
  return {
    ...emptyModel(), phase: 'opening', data, record: {...record, changes: record.changes ?? []}, hash: record.hash, scores: record.scores || null,
    progress: record.progress, names: record.frame?.embeddings || [],
    losses: Losses.of(Array.from({length: rows}, (_, i) => first + i), arrays.losses || []),
    snapshots: arrays.xy && record.frame ? [{...record.frame, xy: arrays.xy}] : [],
  };
}
