// The causality lab as a picture to keep: what psi answers about every pair of parts, and what the losses do to the layer in C.
import {fixed} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {answerOf} from './pairings.js';
import {box, ground, line, write} from './pen.js';
import {linesOf} from './saving.js';
import type {Exchange, Pen, Theme} from '../types.js';

const WIDTH = 860, EDGE = 24, CELL = 26, LINE = 19; // units of the drawing
const BESIDE = 110, CURVE = 240, HIGH = 34; // names beside the cells; a curve

/** A training whose C was probed, or the run on screen. */
export interface Probed { name: string; looks: {epoch: number, probe: number}[] }

export function causalPicture({said, exchange, names, probed, chance, words, caption, t}: {
  said: string; exchange: Exchange | null; names: string[]; probed: Probed[]; chance: number; words: string[]; caption: string; t: Theme;
}) {
  const n = exchange?.layer.length ?? 0, wrap = (text: string, width = WIDTH - 2 * EDGE) => linesOf(text, `14px ${t.font}`, width);
  const head = wrap(said), shown = probed.filter(p => p.looks.length > 1), tail = words.flatMap(text => wrap(text)), foot = wrap(caption);
  const grid = exchange ? 2 * LINE + n * CELL + 24 : 0, table = shown.length ? LINE + 12 + shown.length * (HIGH + 10) : 0;
  const height = EDGE + 30 + head.length * LINE + grid + table + (tail.length + foot.length) * LINE + 36;

  function paint(pen: Pen) {
    ground(pen, WIDTH, height);
    let y = EDGE + 10;
    write(pen, t, 'What \u03c8 answers when common parts are exchanged', EDGE, y, {font: '600 16px'});
    y += 24;
    const list = (texts: string[], down: number, how = {}) => {
      for (const text of texts) {
        write(pen, t, text, EDGE, y + down, {font: '14px', ...how});
        y += LINE;
      }
    };
    list(head, 0);
    if (exchange) {
      drawPairs(exchange, y);
      y += grid;
    }
    if (shown.length) {
      write(pen, t, 'A fresh classifier names the layer of C', EDGE, y + 6, {font: '600 14px'});
      for (const [text, x] of [['at first', 300], ['at the end', 380], ['over the epochs, from 0 to 1; dotted is chance', 480]] as const) {
        write(pen, t, text, x, y + 6, {colour: t.soft});
      }
      y += LINE + 6;
      for (const {name, looks} of shown) {
        const first = nth(looks, 0), last = nth(looks, looks.length - 1), at = (p: number) => y + HIGH * (1 - p);
        write(pen, t, name, EDGE, y + 22, {font: '14px', most: 250});
        write(pen, t, fixed(first.probe, 2), 300, y + 22, {font: '14px'});
        write(pen, t, fixed(last.probe, 2), 380, y + 22, {font: '14px'});
        line(pen, [[480, at(chance)], [480 + CURVE, at(chance)]], t.soft, 1.5, [2, 3]);
        line(pen, looks.map(({epoch, probe}) => [480 + CURVE * epoch / (last.epoch || 1), at(probe)]), t.ink, 1.5);
        y += HIGH + 10;
      }
      y += 6;
    }
    list(tail, 12);
    list(foot, 20, {font: '12px', colour: t.soft});

    /** A cell for each private part beside each common part, with the number of the layer that psi names. */
    function drawPairs(e: Exchange, top: number) {
      const left = EDGE + BESIDE, starts = (i: number) => i === 0 || e.layer[i] !== e.layer[i - 1];
      write(pen, t, 'private part of', EDGE, top + 2 * LINE - 4, {font: '12px', colour: t.soft, most: BESIDE - 10});
      write(pen, t, 'common part of', left, top + 12, {font: '12px', colour: t.soft});
      for (const [i, own] of e.layer.entries()) {
        const y = top + 2 * LINE + i * CELL;
        if (starts(i)) {
          const name = `${own + 1} ${names[own]}`;
          write(pen, t, name, EDGE, y + 17, {most: BESIDE - 10});
          write(pen, t, name, left + i * CELL, top + 2 * LINE - 6, {most: 4 * CELL});
        }
        for (let j = 0; j < n; j++) {
          const {p, layer} = answerOf(e, i, j), x = left + j * CELL, wrong = layer !== own;
          pen.globalAlpha = 0.08 + 0.22 * p;
          pen.fillStyle = wrong ? t.accent : t.soft;
          pen.fillRect(x, y, CELL - 1, CELL - 1);
          pen.globalAlpha = 1;
          write(pen, t, String(layer + 1), x + 9, y + 18, {font: wrong ? '600 14px' : '14px'});
          if (i === j) box(pen, x, y, CELL - 1, CELL - 1, t.ink, 1.5);
        }
      }
      const beside = left + n * CELL + 28, most = WIDTH - EDGE - beside;
      const notes = ['A cell is one private part beside one common part. Its number is the layer that \u03c8 names, bold where that is wrong.',
        ...e.observed.map((row, l) => `P of ${names[l]}: observed ${row.map(v => fixed(v, 2)).join(', ')}; after the intervention`
          + ` ${e.do[l]?.map(v => fixed(v, 2)).join(', ')}.`)];
      notes.flatMap(text => [...wrap(text, most), '']).forEach((text, k) => write(pen, t, text, beside, top + 2 * LINE + 12 + k * LINE, {font: '14px'}));
    }
  }
  return {width: WIDTH, height, text: caption, paint};
}
