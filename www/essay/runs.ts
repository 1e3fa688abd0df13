// What the essay draws before anything is computed: the town, and what two presets find in it (scripts/build/shipped).
import {decode64} from '../engine/arrays.js';
import {nth, num} from '../dom/nth.js';
import type {Exchange} from '../types.js';

export type Point = [number, number];
/** One of each layer, or of each group. */
export type Three<T> = [T, T, T];
export type Preset = 'released' | 'refined';

export interface Trained {
  hash: string;
  epochs: number[];
  /** By epoch: the places of all people in S, P_1, P_2, P_3. */
  frames: Point[][][];
  /** How well clusters of a map match a grouping, map by grouping, after training and before it. */
  ari: number[][];
  before: number[][];
  /** By map: what makes each place at the end, as scripts/build/shipped/essay.go writes it. */
  sums?: Int8Array[];
  /** By epoch: what phi answers about each bag. */
  bags?: number[][][];
  filled?: number[][];
}

export interface Share {
  gamma: number;
  links: Point[][];
  s: Record<Preset, {hash: string, rank: number, probe: number[], before: number[], places: Point[]}>;
}

export interface PsiRun extends Answers {beta: number, own: boolean, probe: number}
type Answers = Pick<Exchange, 'layer' | 'private' | 'common'>;

export interface Town {
  names: string[];
  layers: string[];
  /** By grouping, the shared one first: the group of each person. */
  groups: number[][];
  sheet: Point[];
  own: Point[][];
  runs: Record<Preset, Trained>;
  shares: Share[];
  syn1: Record<string, Point>;
  psi: PsiRun[];
  /** What a linear probe reads at three lengths of training: own groups from S, and shared ones from all maps (docs/length.md). */
  longer: {epochs: Three<number>, trainings: number, own: Three<number>, shared: Three<number>};
}

/** The share that the runs of most scenes have. */
export const USUAL = 2;

/** Points of numbers two by two. */
export const two = (list: ArrayLike<number>, scale: number): Point[] =>
  Array.from({length: list.length / 2}, (_, i) => [num(list, 2 * i) / scale, num(list, 2 * i + 1) / scale]);

const places = (text: string) => two(new Int8Array(decode64(text).buffer), 127);

// The same as it comes.
interface RawRun extends Omit<Trained, 'frames' | 'sums'> {frames: string[], sums?: string[]}
interface RawShare {
  gamma: number;
  links: string[];
  s: Record<Preset, Omit<Share['s'][Preset], 'places'> & {places: string}>;
}
interface RawTown extends Omit<Town, 'sheet' | 'own' | 'runs' | 'shares' | 'psi'> {
  sheet: string;
  own: string[];
  runs: Record<Preset, RawRun>;
  shares: RawShare[];
}
interface RawPsi {
  runs: (Omit<PsiRun, keyof Answers> & {exchange: Answers})[];
}

/** What makes a place: the steps of the groups, from a start near the middle, with their parts of the way, and the people who make most of it. */
export interface Sum {
  start: Point; groups: Three<Point>; parts: number[];
  named: {who: number, part: number}[];
}

const SUM = 16; // bytes: two for each of three groups and of five people

export function sumOf({sums, frames}: Trained, map: number, i: number): Sum | null {
  const v = sums?.[map]?.subarray(SUM * i, SUM * (i + 1)), place = frames.at(-1)?.[map]?.[i];
  if (!v || !place) return null;
  const step = (k: number): Point => [num(v, k) / 127, num(v, k + 1) / 127];
  const groups: Three<Point> = [step(0), step(2), step(4)];
  const way: Point = [groups.reduce((s, p) => s + p[0], 0), groups.reduce((s, p) => s + p[1], 0)];
  return {
    start: [place[0] - way[0], place[1] - way[1]], groups,
    parts: groups.map(([x, y]) => (x * way[0] + y * way[1]) / (way[0] ** 2 + way[1] ** 2)),
    named: [6, 8, 10, 12, 14].map(k => ({who: num(v, k), part: num(v, k + 1) / 500})),
  };
}

/** Decodes the files. */
export function townOf(raw: RawTown, psi: RawPsi): Town {
  const n = raw.names.length;
  const trained = (r: RawRun): Trained => ({
    ...r, sums: r.sums?.map(text => new Int8Array(decode64(text).buffer)),
    frames: r.frames.map(text => {
      const all = places(text);
      return Array.from({length: all.length / n}, (_, k) => all.slice(k * n, (k + 1) * n));
    }),
  });
  const share = ({gamma, links, s}: RawShare): Share => ({
    gamma, links: links.map(text => two(decode64(text), 1)),
    s: {
      released: {...s.released, places: places(s.released.places)},
      refined: {...s.refined, places: places(s.refined.places)},
    },
  });
  return {
    ...raw, sheet: places(raw.sheet), own: raw.own.map(places), shares: raw.shares.map(share),
    runs: {released: trained(raw.runs.released), refined: trained(raw.runs.refined)},
    psi: psi.runs.map(({exchange, ...r}) => ({...r, ...exchange})),
  };
}

/** The links of a layer at a share. */
export const linksOf = (t: Town, share: number, l: number) => nth(nth(t.shares, share).links, l);

/** A person's group in a grouping, the shared one being 0. */
export const groupOf = (t: Town, grouping: number, i: number) => nth(nth(t.groups, grouping), i);

export async function loadTown(): Promise<Town> {
  const get = async (name: string) => {
    const answer = await fetch(`${name}?v=${__VERSION__}`);
    if (!answer.ok) throw new Error(`${name}: the server answered ${answer.status}`);
    return answer.json();
  };
  return townOf(...await Promise.all([get('essay/runs.json'), get('psi.json')]) as [RawTown, RawPsi]);
}
