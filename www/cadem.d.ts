/** Disentangled embeddings of multiplex graphs, in a page. See docs/javascript.md. */

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

/** A graph of arrays: two ends for each link, counted from 0. Names of layers, labels and nodes are any texts. */
export interface Arrays {
  name?: string;
  nodes: number | string[];
  layers: Record<string, {edges: ArrayLike<number>; weights?: ArrayLike<number>}>;
  /** As many numbers for each node, node by node. */
  features?: ArrayLike<number>;
  /** Of null, undefined, NaN, -1 and '' there is no label. */
  labels?: Record<string, ArrayLike<string | number | boolean | null | undefined>>;
}

export interface Example { example: string; options?: Record<string, string | number | boolean>; data_seed?: number }
export interface NamedFile { name: string; data: BlobPart }
/** Where the folder dist is, if a bundler has moved the module out of it: an address, from that of the page. */
export interface Where { base?: string }

export interface Graph {
  readonly summary: {name: string; nodes: number; features: number; layers: {name: string; edges: number}[]; notes: string[]};
  readonly nodes: string[] | null;
  /** The class of each node, -1 for none. */
  readonly labels: Record<string, Int32Array>;
  /** Ends its worker. */
  close(): void;
}

export interface Progress { event: string; state?: string; epoch?: number; epochs?: number; step?: number; steps?: number; losses?: Record<string, number> }
export interface Watch { signal?: AbortSignal; onProgress?: (progress: Progress) => void }
export interface What {
  preset?: 'released' | 'refined' | 'printed' | 'evidence';
  method?: string;
  level?: string;
  seed?: number;
  options?: Record<string, string | number | boolean>;
}
export interface Score {
  embedding: string; target: string; metric: string; value: number; untrained: number; fold_std: number; folds: number[]; [more: string]: unknown;
}

export interface Asked {
  of?: 'S' | 'C' | 'P';
  /** The name of a layer, for C and P. */
  layer?: string;
  by?: 'node' | 'feature';
  /** How many terms there are at most, the longest first; all if none is given. */
  most?: number;
}
/** One of what adds up to a place: x has its length, and share is x along the place, in units of the length of that. Shares add up to 1. */
export interface Part { x: Float64Array; share: number }
/** What comes from a node, or by a feature; null is what it is not told apart by. */
export interface Term extends Part { node: number | null; feature: number | null; layer: string | null }
/** All terms, the rest of `count` of them, the bias, the mean that is taken off and what a split of the inputs leaves: these add up to `place`. */
export interface Explanation { place: Float64Array; terms: Term[]; count: number; rest: Part; bias: Part; mean: Part; left: Part }

export interface Run {
  readonly progress: Progress;
  /** A name of the embeddings by their bits. */
  readonly hash: string;
  /** S as common and P_1, P_2, ... as private_1, private_2, ..., each row by row with its shape. They are views of one buffer. */
  embeddings(): Promise<{names: string[]; byName: Record<string, Float32Array & {shape: [number, number]}>}>;
  /** The same along their principal axes: x and y of each node. */
  picture(): Promise<{names: string[]; byName: Record<string, Float32Array>}>;
  scores(how?: {seed?: number; options?: What['options']}): Promise<Score[]>;
  /** What makes the place of a node, by its number from 0 or its name: parts of its row of S, or of C or P of a layer, that add up to it. */
  explain(node: number | string, what?: Asked): Promise<Explanation>;
  /** The file of the run, which the page and the command open, too. */
  save(): Promise<File>;
}

export function open(source: string | Example | Arrays | Blob | Iterable<File | NamedFile>, how?: Where & {choice?: Record<string, unknown>}): Promise<Graph>;
export function train(graph: Graph, what?: What, watch?: Watch): Promise<Run>;
export function load(file: Blob, watch?: Watch & Where): Promise<{graph: Graph; run: Run}>;
export function methods(where?: Where): Promise<{name: string; label: string; doc: string; [more: string]: unknown}[]>;

export class CademError extends Error { code: string; file?: string; line?: number; field?: string }
export class DataError extends CademError {}
export class OptionError extends CademError {}
export class TooLargeError extends CademError {}
export class EngineError extends CademError {}
