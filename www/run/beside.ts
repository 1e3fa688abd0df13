// The parts of a run that can stand beside another one: how it was made, its last picture, its losses and its scores. Pure functions of models.
import {num} from '../dom/nth.js';
import {decode64, encode64} from '../engine/arrays.js';
import {storedModel} from './model.js';
import type {Arrays, Beside, LabelSet, Made, Model, RunRecord} from '../types.js';

const MOST_CLASSES = 255, MOST_NODES = 8192; // of a picture in a record: a byte tells a node's class, the last one that it has none
const DOTS = 200, MISSING = 255;             // nodes of a thumbnail

/** The run on screen, and how it was made, to stand beside another one. */
export function besideOf({record, data, names, snapshots, losses, scores, progress, hash}: Model, made: Made): Beside {
  const last = snapshots.at(-1);
  return {
    run: record?.run ?? null, name: made.name ?? '', made, names, xy: last?.xy ?? null, epoch: last?.epoch ?? 0, step: progress?.step ?? 0,
    losses, scores: scores ?? [], hash, summary: data?.summary as Summary, labels: data?.labels ?? [], nodes: data?.nodes,
  };
}

/** How many nodes a picture has. */
const count = (b: {xy: Float32Array | null, names: string[]}) => b.xy && b.names.length ? b.xy.length / 2 / b.names.length : 0;

/** The nodes of two runs are the same ones, in the same order: those of one example with one seed, or of the same files. */
export function sameNodes(a: {made: Made, xy: Float32Array | null, names: string[]}, b: {made: Made, xy: Float32Array | null, names: string[]}) {
  const of = ({data: {example, data_seed, files, choice}}: Made) =>
    JSON.stringify([example, example && (data_seed ?? 0), files?.map(f => [f.name, f.size]), choice]);
  return count(a) > 0 && count(a) === count(b) && of(a.made) === of(b.made);
}

/** The picture of one embedding, null if there is none. */
export function planeOf(b: Beside, name: string) {
  const i = b.names.indexOf(name), m = count(b);
  return i < 0 || !b.xy ? null : b.xy.subarray(2 * i * m, 2 * (i + 1) * m);
}

/**
 * Turns a picture, and mirrors it if that fits better, so that its nodes lie as near as possible to their places in another one
 * (orthogonal Procrustes in the plane). Both have their middle at 0. Gives the turned picture, the other one at its size, and the part of
 * the spread in which the two agree, from 0 to 1.
 */
export function turned(plane: Float32Array, other: Float32Array) {
  let a = 0, b = 0, c = 0, d = 0, own = 0, its = 0;
  for (let i = 0; i < plane.length; i += 2) {
    const x = num(plane, i), y = num(plane, i + 1), u = num(other, i), v = num(other, i + 1);
    a += x * u;
    b += x * v;
    c += y * u;
    d += y * v;
    own += x ** 2 + y ** 2;
    its += u ** 2 + v ** 2;
  }
  const turns = Math.hypot(a + d, b - c), mirrors = Math.hypot(a - d, b + c), sign = mirrors > turns ? -1 : 1;
  const angle = sign > 0 ? Math.atan2(b - c, a + d) : Math.atan2(b + c, a - d), cos = Math.cos(angle), sin = Math.sin(angle);
  const xy = new Float32Array(plane.length), scale = its > 0 ? Math.sqrt(own / its) : 0;
  for (let i = 0; i < plane.length; i += 2) {
    const x = num(plane, i), y = num(plane, i + 1);
    xy[i] = cos * x - sign * sin * y;
    xy[i + 1] = sin * x + sign * cos * y;
  }
  return {xy, ghost: other.map(v => scale * v), agreement: own * its > 0 ? Math.max(turns, mirrors) ** 2 / (own * its) : 0};
}

/** The last picture of S as a record keeps it: bytes across and up of some nodes, and the class of every node in the first label set. */
export function pictureOf(xy: Float32Array, embeddings: number, set: LabelSet | undefined): {dots: string, classes?: string} {
  const m = xy.length / 2 / embeddings, stride = Math.ceil(m / DOTS), all = xy.subarray(0, 2 * m);
  const reach = all.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1;
  const dots = [...all].filter((_, i) => (i >> 1) % stride === 0).map(v => Math.round(127.5 * (1 + v / reach)));
  const known = set && set.classes.length < MOST_CLASSES && m <= MOST_NODES;
  return {dots: encode64(Uint8Array.from(dots)), ...known && {classes: encode64(Uint8Array.from(set.of, c => c < 0 ? MISSING : c))}};
}

/** Bytes that a record keeps as text; none if it is no such text. */
function bytesOf(text: string | undefined) {
  try {
    return decode64(text ?? '');
  } catch {
    return new Uint8Array();
  }
}

/** Classes of nodes from a record, of the given number of nodes. */
const classesOf = (text: string | undefined, classes: number) => Int32Array.from(bytesOf(text), c => c < classes ? c : -1);

/** Nodes of a record's picture: places from 0 to 1, across and down, and classes. */
export function dotsOf({frame}: RunRecord) {
  const dots = bytesOf(frame?.dots), classes = classesOf(frame?.classes, MOST_CLASSES), stride = Math.ceil(classes.length / DOTS);
  return Array.from({length: dots.length >> 1}, (_, i) => ({x: num(dots, 2 * i) / 255, y: 1 - num(dots, 2 * i + 1) / 255, of: classes[i * stride] ?? 0}));
}

/** A kept run, from its record and arrays, with the given number of columns of losses, to stand beside another one. */
export function keptBeside(record: RunRecord, arrays: Arrays, columns: number) {
  const {summary, frame, task, expect} = record, [set] = summary?.labels ?? [];
  const data = {spec: record.data, name: summary?.name, summary, task, expect, labels: [] as LabelSet[]};
  const kept = besideOf(storedModel(record, arrays, data, columns), record);
  const of = set?.classes ? classesOf(frame?.classes, set.classes.length) : new Int32Array();
  return {...kept, labels: set && of.length > 0 && of.length === count(kept) ? [{...set, of}] : []};
}

/** The score that a record tells of: how well clusters of S, or a classifier of it, tell the first label set. */
export const scoreOf = ({scores}: RunRecord) => (scores ?? []).find(r => r.embedding === 'common' && ['ari', 'macro_f1'].includes(r.metric));
