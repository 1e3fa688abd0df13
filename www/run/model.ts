// The model of a data set and its run that the views draw. A Session owns the only one.
import {num} from '../dom/nth.js';
import type {Arrays, DataSet, LabelSet, Model, RunRecord, ShippedRun, Snapshot} from '../types.js';

/** Growing columns of the losses: steps[i] and a row of values, one for each of `columns`. */
export class Losses {
  steps: number[] = [];
  n = 0;
  values: Float32Array;

  constructor(readonly columns: number) { this.values = new Float32Array(1024 * columns); }

  /** Takes the losses of consecutive steps; what was there from that step on is replaced, as after a resume. */
  append(from: number, values: Float32Array) {
    const {columns} = this;
    while (this.n > 0 && num(this.steps, this.n - 1) >= from) this.n--;
    this.steps.length = this.n;
    const rows = values.length / columns;
    if (columns * (this.n + rows) > this.values.length) {
      const more = new Float32Array(2 * columns * (this.n + rows));
      more.set(this.values);
      this.values = more;
    }
    this.values.set(values, columns * this.n);
    for (let i = 0; i < rows; i++) this.steps.push(from + i);
    this.n += rows;
  }

  /** A copy of the rows that are there. */
  rows() { return this.values.slice(0, this.columns * this.n); }

  /** A copy of the present losses. */
  copy() { return Losses.of(this.columns, this.steps.slice(0, this.n), this.rows()); }

  /** The value of a column in row i. */
  at(i: number, column: number) { return num(this.values, this.columns * i + column); }

  /** The last row of a step or of one before it, -1 if there is none. */
  indexOf(step: number) { return this.steps.findLastIndex(s => s <= step); }

  /**
   * Losses of some steps. Values of older programs have fewer columns: the missing terms come right before the
   * total, and were 0.
   */
  static of(columns: number, steps: number[], values: ArrayLike<number>, had: number = columns) {
    const l = new Losses(columns);
    l.steps = [...steps];
    l.values = new Float32Array(columns * steps.length);
    for (let i = 0; i < l.values.length; i++) {
      const row = Math.floor(i / columns), k = i % columns;
      if (k < had - 1) l.values[i] = num(values, had * row + k);
      else if (k === columns - 1) l.values[i] = num(values, had * row + had - 1);
    }
    l.n = steps.length;
    return l;
  }
}

// How many terms the loss had, with the total, when records did not say it.
const EARLY_COLUMNS = 4;

/** The name of a node: its own, or its number from 1, as in files. */
export const nodeName = (names: string[] | undefined, i: number, what = 'node') => names?.[i] || `${what} ${i}`;

/**
 * Label sets whose classes have marks of their own: no two sets share one, as their classes have nothing to do with each other. Those that have
 * some, as networks of a brain do, keep them.
 */
export function marked<S extends LabelSet>(labels: S[]): S[] {
  let next = 0;
  return labels.map(s => {
    const from = next;
    if (!s.marks) next += s.classes.length;
    return {...s, marks: s.marks ?? s.classes.map((_, k) => from + k)};
  });
}

/** An id for a new run. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), b => b.toString(16).padStart(2, '0')).join('');

/** A name that is none of those that are taken. */
export function uniqueName(name: string, taken: string[]) {
  let own = name;
  for (let n = 2; taken.includes(own); n++) own = `${name} (${n})`;
  return own;
}

/** The pictures of a run with another one: before it those that are kept, of earlier steps. One of the same step is the same, drawn again. */
export const withSnapshot = (snapshots: Snapshot[], next: Snapshot): Snapshot[] =>
  [...snapshots.filter(s => s.plane && s.step < next.step), {...snapshots.find(s => s.step === next.step), ...next}];

/** That of an empty page; a step has this number of columns of losses. */
export const emptyModel = (columns: number): Model => ({
  phase: 'idle',     // phases.ts
  scoring: null,     // {done, total} while scores are computed
  preparing: null,   // {done, total} while inputs are trimmed and split
  shares: null,      // what the layers share, where inputs are split
  ending: false,     // the last step is done, fingerprint and scores are not
  data: null,        // {spec, name, summary, task, expect, labels, nodes, places, defaults}
  names: [],         // of the embeddings
  record: null,      // of the run, as stored
  progress: null,
  losses: new Losses(columns),
  snapshots: [],
  keptEvery: 0,      // s between two checkpoints
  clusters: null,
  regions: null,     // of a brain: which ones the private embeddings mark, {share, step, epoch, layers}
  exchange: null,    // what psi answers when common parts are exchanged
  scores: null,
});

/** That of a run that ships with the page. */
export const shippedModel = (run: ShippedRun, columns: number): Model => ({
  ...emptyModel(columns), phase: 'shipped', names: run.embeddings, snapshots: run.snapshots, scores: run.scores, hash: run.hash,
  losses: Losses.of(columns, run.losses.steps, run.losses.values, run.losses.values.length / run.losses.steps.length),
  data: {
    spec: null, name: run.summary?.name, summary: run.summary, task: run.task, expect: run.expect, labels: marked(run.labels), nodes: run.nodes,
    drawing: run.drawing,
  },
  progress: {
    state: 'finished', epoch: run.epochs, epochs: run.epochs, step: run.steps, steps: run.steps,
    rank_S: run.rank_S, guessing: run.guessing, seconds: run.seconds, losses: null,
  },
});

/** Whether a picture has the given number of nodes, if that is known. A picture that has not is left out: the run draws another one. */
function fits(frame: RunRecord['frame'], xy: Float32Array | undefined, nodes: number | undefined) {
  const each = (xy?.length ?? 0) / 2 / (frame?.embeddings?.length ?? 0);
  return each > 0 && Number.isInteger(each) && (nodes ?? each) === each && Boolean(xy?.every(Number.isFinite));
}

/** The pictures stored with a run, as first drawn. */
const keptOf = (record: RunRecord, arrays: Arrays): Snapshot[] => (record.kept ?? []).flatMap(({epoch, step, explained}) => {
  const plane = arrays[`plane:${epoch}`], tokens = arrays[`tokens:${epoch}`];
  return plane?.length === arrays.xy.length && plane.every(Number.isFinite) ? [{epoch, step, explained, xy: plane, plane, tokens}] : [];
});

/** That of a stored run, of its record and arrays, before its weights are there. */
export function storedModel(record: RunRecord, arrays: Arrays, data: DataSet, columns: number): Model {
  const first = record.first_step ?? 0, had = record.loss_columns ?? EARLY_COLUMNS, rows = Math.floor((arrays.losses?.length || 0) / had);
  return {
    ...emptyModel(columns), phase: 'opening', data, record: {...record, changes: record.changes ?? []}, hash: record.hash, scores: record.scores || null,
    progress: record.progress, names: record.frame?.embeddings || [],
    losses: Losses.of(columns, Array.from({length: rows}, (_, i) => first + i), arrays.losses || [], had),
    snapshots: record.frame && fits(record.frame, arrays.xy, data.summary?.nodes) ? withSnapshot(keptOf(record, arrays), {...record.frame, xy: arrays.xy}) : [],
  };
}

/** Whether places of a run are sums over nodes that can be asked for: of CaDeM, and of what is one linear map and over. */
export const linear = ({method, state}: RunRecord) => !method || method === 'pooled' && state === 'finished';
