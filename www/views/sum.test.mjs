// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {laidOut, overOf, sumOf} from './sum.js';

/** Random numbers that are the same every time (mulberry32). @param {number} seed */
function source(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

const LIGHT = {ink: '#000000', card: '#ffffff', soft: '#777777', missing: '#999999', classes: Array.from({length: 8}, (_, k) => `#00000${k}`), stops: []};

/** A pen that notes the strokes: the colour, the width and the lines of each. */
function pen() {
  /** @type {{colour: string, width: number, lines: number[][]}[]} */
  const strokes = [];
  /** @type {number[][]} */
  let lines = [];
  let at = [0, 0];
  const to = {
    strokeStyle: '', fillStyle: '', lineWidth: 1, globalAlpha: 1, strokes,
    beginPath() { lines = []; },
    /** @param {number} x @param {number} y */
    moveTo(x, y) { at = [x, y]; },
    /** @param {number} x @param {number} y */
    lineTo(x, y) {
      lines.push([...at, x, y]);
      at = [x, y];
    },
    stroke() { strokes.push({colour: to.strokeStyle, width: to.lineWidth, lines}); },
    arc() {}, closePath() {}, fill() {}, setLineDash() {},
  };
  return to;
}

/** A node as a sum in an embedding of d columns, and a linear map that draws it: where the dot is, and what comes of the sum. @param {number} seed */
function invented(seed) {
  const random = source(seed), normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const n = [0, 1, 5, 40, 300][Math.floor(5 * random())], d = 1 + Math.floor(16 * random()), classes = 1 + Math.floor(5 * random());
  const turn = Array.from({length: 2 * d}, normal), shift = [normal(), normal()], size = 10 ** (4 * random() - 2);
  const parts = Array.from({length: 4 + n}, (_, k) => Array.from({length: d}, () => k === 2 ? 0 : size * normal() * (k < 2 ? 5 : 1)));
  const along = (/** @type {number[]} */ v) => [0, 1].map(c => v.reduce((s, x, k) => s + x * turn[2 * k + c], 0));
  const whole = parts.reduce((s, p) => s.map((x, k) => x + p[k]), new Array(d).fill(0));
  const dot = along(whole).map((v, c) => Math.fround(v + shift[c]));
  const rows = Float32Array.from([...shift, 0, 1, 1, 0, ...parts.flatMap((p, k) => [...along(p), k === 2 ? 0 : 0.01])]);
  const of = Array.from({length: n}, () => Math.floor((classes + 1) * random()) - 1); // -1: missing
  return {sum: sumOf(rows, Int32Array.from({length: n}, (_, k) => k)), dot, of, n, classes};
}

const drawn = (/** @type {ReturnType<typeof invented>} */ {sum, of, classes}, lit = () => false) => {
  const list = Array.from({length: classes}, (_, c) => c), laid = laidOut(sum, i => of[i], {names: list.map(String), marks: list});
  const over = overOf(sum, laid, lit, () => {}), half = 170, x = (/** @type {number} */ v) => half + v * (half - 10) / over.reach;
  const to = pen();
  over.paint(/** @type {any} */ (to), /** @type {any} */ (LIGHT), x, v => 2 * half - x(v));
  // The shafts: of a path that is drawn in the ink of the ground, once around all, those that begin where another one ended.
  const ground = to.strokes.find(s => s.colour === LIGHT.card);
  return {laid, over, to, x, y: (/** @type {number} */ v) => 2 * half - x(v), lines: ground?.lines ?? []};
};

test('arrows go head to tail from where 0 is, and end on the dot within a pixel', () => {
  for (let seed = 0; seed < 300; seed++) {
    const made = invented(seed), {laid, x, y, lines} = drawn(made);
    let at = [x(made.sum.zero[0]), y(made.sum.zero[1])], shafts = 0;
    for (const [a, b, c, d] of lines) {
      if (Math.hypot(a - at[0], b - at[1]) > 1e-9) continue; // a barb
      at = [c, d];
      shafts++;
    }
    assert.equal(shafts, laid.arrows.length, `seed ${seed}: ${shafts} shafts of ${laid.arrows.length}`);
    const off = Math.hypot(at[0] - x(made.dot[0]), at[1] - y(made.dot[1]));
    assert.ok(off < 1, `seed ${seed}: ${made.n} arrows end ${off} pixels off the dot`);
  }
});

test('all arrows are drawn, once, in the colour of their class, the class that moves it most first', () => {
  for (let seed = 0; seed < 100; seed++) {
    const made = invented(seed), {laid, to} = drawn(made);
    assert.deepEqual(laid.arrows.filter(p => p.node >= 0).map(p => p.node).sort((a, b) => a - b), made.of.map((_, k) => k));
    let before = Infinity;
    for (const {first, end, mark, name} of laid.bundles) {
      const own = laid.arrows.slice(first, end);
      if (mark === null) {
        assert.deepEqual(own.map(p => p.what), [name]);
        continue;
      }
      assert.ok(own.every(p => made.of[p.node] === mark));
      assert.deepEqual(own.map(p => p.node), own.map(p => p.node).sort((a, b) => a - b), 'in the order in which they came');
      const [[a, b], [c, d]] = [laid.places[first], laid.places[end]], far = Math.hypot(c - a, d - b);
      assert.ok(far <= before + 1e-9 * (1 + far));
      before = far;
    }
    assert.deepEqual(laid.bundles.map(b => b.name).filter(name => name === 'rest'), ['rest']);
    assert.equal(laid.bundles.at(-1)?.name, 'rest');
    assert.ok(!laid.arrows.some(p => p.what === 'left by the split'), 'what is 0 is left out');
    assert.ok(to.strokes.length < 30, 'one stroke for each class and not for each arrow');
  }
});

test('a pointer finds the arrow below it, and what is lit is drawn stronger', () => {
  const round = Array.from({length: 12}, (_, k) => [Math.cos(k / 2), Math.sin(k / 2), 0.1]).flat(), pointed = /** @type {number[]} */ ([]);
  const sum = sumOf(Float32Array.from([0, 0, 0, 1, 1, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...round]), Int32Array.from({length: 12}, (_, k) => k));
  const laid = laidOut(sum, () => 0, {names: ['all'], marks: [0]}), over = overOf(sum, laid, k => k === 1, k => pointed.push(k));
  const scale = 1e5 / over.reach, x = (/** @type {number} */ v) => v * scale, y = (/** @type {number} */ v) => -v * scale;
  laid.arrows.forEach((p, k) => {
    const [[a, b], [c, d]] = [laid.places[k], laid.places[k + 1]];
    assert.equal(over.at(x((a + c) / 2), y((b + d) / 2), x, y), p.node);
    assert.equal(pointed.at(-1), k);
  });
  assert.equal(over.at(3e5, 3e5, x, y), null);
  assert.equal(pointed.at(-1), -1);
  const to = pen();
  over.paint(/** @type {any} */ (to), /** @type {any} */ (LIGHT), x, y);
  const strong = to.strokes.filter(s => s.width > 3 && s.colour !== LIGHT.card);
  assert.equal(strong.length, 1);
  assert.deepEqual(strong[0].lines[0], [...[laid.places[1], laid.places[2]].flatMap(([u, v]) => [x(u), y(v)])]);
});

test('300 arrows are a few strokes, and no more lines than shafts and heads take', () => {
  let seed = 0;
  while (invented(seed).n < 300) seed++;
  const {laid, to} = drawn(invented(seed), () => true), lines = to.strokes.reduce((n, s) => n + s.lines.length, 0);
  assert.ok(to.strokes.length < 30 && lines <= 4 * 3 * laid.arrows.length + 1, `${to.strokes.length} strokes of ${lines} lines`);
});
