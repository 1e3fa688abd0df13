// The causality lab as a picture to keep: what psi answers about every pair of parts, and what the losses do to the layer in C.
import {fixed} from '../dom/figures.js';
import {answerOf} from './pairings.js';
import {linesOf} from './saving.js';

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
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, WIDTH, height);
    const write = (text: string, x: number, y: number, font = '14px', colour = t.ink, most?: number) => {
      pen.font = `${font} ${t.font}`;
      pen.fillStyle = colour;
      pen.fillText(text, x, y, most);
    };
    const line = (points: [number, number][], colour: string, dash: number[] = []) => {
      pen.beginPath();
      points.forEach(([x, y], k) => k ? pen.lineTo(x, y) : pen.moveTo(x, y));
      pen.strokeStyle = colour;
      pen.lineWidth = 1.5;
      pen.setLineDash(dash);
      pen.stroke();
      pen.setLineDash([]);
    };
    let y = EDGE + 10;
    write('What \u03c8 answers when common parts are exchanged', EDGE, y, '600 16px');
    y += 24;
    for (const text of head) {
      write(text, EDGE, y);
      y += LINE;
    }
    if (exchange) {
      drawPairs(exchange, y);
      y += grid;
    }
    if (shown.length) {
      write('A fresh classifier names the layer of C', EDGE, y + 6, '600 14px');
      write('at first', 300, y + 6, '13px', t.soft);
      write('at the end', 380, y + 6, '13px', t.soft);
      write('over the epochs, from 0 to 1; dotted is chance', 480, y + 6, '13px', t.soft);
      y += LINE + 6;
      for (const {name, looks} of shown) {
        const [first, last] = [looks[0], looks[looks.length - 1]], at = (p: number) => y + HIGH * (1 - p);
        write(name, EDGE, y + 22, '14px', t.ink, 250);
        write(fixed(first.probe, 2), 300, y + 22);
        write(fixed(last.probe, 2), 380, y + 22);
        line([[480, at(chance)], [480 + CURVE, at(chance)]], t.soft, [2, 3]);
        line(looks.map(({epoch, probe}) => [480 + CURVE * epoch / (last.epoch || 1), at(probe)]), t.ink);
        y += HIGH + 10;
      }
      y += 6;
    }
    for (const text of tail) {
      write(text, EDGE, y + 12);
      y += LINE;
    }
    for (const text of foot) {
      write(text, EDGE, y + 20, '12px', t.soft);
      y += LINE;
    }

    /** A cell for each private part beside each common part, with the number of the layer that psi names. */
    function drawPairs(e: Exchange, top: number) {
      const left = EDGE + BESIDE, starts = (i: number) => i === 0 || e.layer[i] !== e.layer[i - 1];
      write('private part of', EDGE, top + 2 * LINE - 4, '12px', t.soft, BESIDE - 10);
      write('common part of', left, top + 12, '12px', t.soft);
      for (let i = 0; i < n; i++) {
        const y = top + 2 * LINE + i * CELL;
        if (starts(i)) {
          write(`${e.layer[i] + 1} ${names[e.layer[i]]}`, EDGE, y + 17, '13px', t.ink, BESIDE - 10);
          write(`${e.layer[i] + 1} ${names[e.layer[i]]}`, left + i * CELL, top + 2 * LINE - 6, '13px', t.ink, 4 * CELL);
        }
        for (let j = 0; j < n; j++) {
          const {p, layer} = answerOf(e, i, j), x = left + j * CELL, wrong = layer !== e.layer[i];
          pen.globalAlpha = 0.08 + 0.22 * p[layer];
          pen.fillStyle = wrong ? t.accent : t.soft;
          pen.fillRect(x, y, CELL - 1, CELL - 1);
          pen.globalAlpha = 1;
          write(String(layer + 1), x + 9, y + 18, wrong ? '600 14px' : '14px');
          if (i === j) line([[x, y], [x + CELL - 1, y], [x + CELL - 1, y + CELL - 1], [x, y + CELL - 1], [x, y]], t.ink);
        }
      }
      const beside = left + n * CELL + 28, most = WIDTH - EDGE - beside;
      const notes = ['A cell is one private part beside one common part. Its number is the layer that \u03c8 names, bold where that is wrong.',
        ...e.observed.map((row, l) => `P of ${names[l]}: observed ${row.map(v => fixed(v, 2)).join(', ')}; after the intervention`
          + ` ${e.do[l].map(v => fixed(v, 2)).join(', ')}.`)];
      notes.flatMap(text => [...wrap(text, most), '']).forEach((text, k) => write(text, beside, top + 2 * LINE + 12 + k * LINE));
    }
  }
  return {width: WIDTH, height, paint};
}
