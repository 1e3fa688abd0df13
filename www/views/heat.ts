// A table of numbers as a small picture: the larger a number, the stronger its cell. A cell may stand for several rows and columns, with their mean.
import {sure} from '../dom/nth.js';
import {ground} from './pen.js';
import type {Pen, Theme} from '../types.js';

const MOST = 48; // rows and columns of a picture
const LEAST = 0.02; // what is weaker is not drawn
const BAND = 4; // of a row that is lit, in units of the drawing at least

export interface Heat {
  cells: Float32Array; rows: number; columns: number;
  /** from the least number to the largest; else from 0 on */
  signed: boolean;
  /** rows are no nodes, so that none is lit */
  apart?: boolean;
}

/** Where a node's row of m stands, with `place` of each node, among the rows of its picture. */
export const rowOf = (place: number, m: number) => Math.floor(place * Math.min(m, MOST) / m);

const empty = (m: number, columns: number, signed: boolean): Heat =>
  ({cells: new Float32Array(Math.min(m, MOST) * columns), rows: Math.min(m, MOST), columns, signed});

/** The links of a layer; place has where each node stands. */
export function heatOfLinks(pairs: Int32Array, place: Int32Array): Heat {
  const m = place.length, heat = empty(m, Math.min(m, MOST), false), at = (k: number) => rowOf(sure(place[sure(pairs[k])]), m);
  for (let k = 0; k < pairs.length; k += 2) {
    for (const [i, j] of [[at(k), at(k + 1)], [at(k + 1), at(k)]] as const) {
      const p = i * heat.columns + j;
      heat.cells[p] = sure(heat.cells[p]) + 1;
    }
  }
  return heat;
}

/** Numbers of every node, d each. */
export function heatOf(numbers: Float32Array, place: Int32Array): Heat {
  const m = place.length, d = numbers.length / m, heat = empty(m, d, true), nodes = new Uint32Array(heat.rows), rows = place.map(p => rowOf(p, m));
  for (const row of rows) nodes[row] = sure(nodes[row]) + 1;
  for (const [i, row] of rows.entries()) {
    for (let k = 0; k < d; k++) heat.cells[row * d + k] = sure(heat.cells[row * d + k]) + sure(numbers[i * d + k]) / sure(nodes[row]);
  }
  return heat;
}

/** Paints it into a box of a picture; the row `lit`, -1 for none, stands out and the others step back. */
export function paintHeat(pen: Pen, {cells, rows, columns, signed}: Heat, lit: number, {x, y, wide, high}: {x: number, y: number, wide: number, high: number},
  {card, ink, accent}: Theme) {
  let low = signed ? Infinity : 0, top = -Infinity;
  for (const v of cells) [low, top] = [Math.min(low, v), Math.max(top, v)];
  const [w, h] = [wide / columns, high / rows], strength = (v: number) => top > low ? (v - low) / (top - low) : 0;
  const row = (i: number, from: number, tall: number, colour: string, by: number) => {
    pen.fillStyle = colour;
    for (let k = 0; k < columns; k++) {
      const s = by * strength(sure(cells[i * columns + k]));
      if (s < LEAST) continue;
      pen.globalAlpha = s;
      pen.fillRect(x + k * w, from, w, tall);
    }
    pen.globalAlpha = 1;
  };
  ground(pen, wide, high, card, x, y);
  for (let i = 0; i < rows; i++) row(i, y + i * h, h, ink, lit < 0 ? 1 : 0.45);
  if (lit < 0) return;
  const tall = Math.max(BAND, h), from = Math.min(y + high - tall, Math.max(y, y + (lit + 0.5) * h - tall / 2));
  ground(pen, wide, tall + 2, card, x, from - 1);
  row(lit, from, tall, accent, 1);
}
