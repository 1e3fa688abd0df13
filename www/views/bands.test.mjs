// Tests of communities as discs and bands, on numbers that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {RING, bandsOf, discsOf, hit} from './bands.js';

/** Numbers that look random, always the same. */
function random(seed) {
  let s = seed;
  return () => (s = (s * 48271) % 2147483647) / 2147483647;
}

const columns = discs => ['x', 'y', 'r'].map(of => discs.map(d => d[of]));

test('discs are apart, fill the square and have areas in proportion to their nodes, wherever groups lie', () => {
  for (let seed = 1; seed < 40; seed++) {
    const draw = random(seed), k = 1 + seed % 61, nodes = Array.from({length: k}, () => 1000 + Math.floor(9000 * draw()));
    const crowd = seed % 4 === 0 ? 0 : seed % 4 === 1 ? 1e-6 : 1; // all in one place, or nearly
    const discs = discsOf(nodes, Array.from({length: 2 * k}, () => crowd * (2 * draw() - 1))), [x, y, r] = columns(discs);
    for (let c = 0; c < k; c++) {
      assert.ok(Math.abs(r[c] ** 2 / r[0] ** 2 - nodes[c] / nodes[0]) < 1e-9, `seed ${seed}: area of disc ${c}`);
      for (const v of [x[c], y[c]]) assert.ok(Math.abs(v) + RING * r[c] < 1 + 1e-9, `seed ${seed}: disc ${c} leaves the square`);
      for (let d = 0; d < c; d++) assert.ok(Math.hypot(x[c] - x[d], y[c] - y[d]) > RING * (r[c] + r[d]), `seed ${seed}: discs ${c} and ${d}`);
    }
    const ends = [...x, ...y].flatMap((v, c) => [v - RING * r[c % k], v + RING * r[c % k]]);
    assert.ok(Math.abs(Math.max(...ends.map(Math.abs)) - 1) < 1e-9, `seed ${seed}: room is left`);
  }
});

test('small groups are still to be seen', () => {
  const [, , r] = columns(discsOf([1e6, 1], [0, 0, 1, 1]));
  assert.ok(r[1] > 0.01 && r[1] < r[0] / 5);
});

const square = [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]].map(([x, y]) => ({x, y, r: 0.1}));
const links = [5, 100, 40, 0, 100, 9, 20, 1, 40, 20, 0, 60, 0, 1, 60, 3];

test('a band has as many links as its width says, the strongest above, and groups without links between them none', () => {
  const bands = bandsOf(links, square);
  assert.deepEqual(bands.map(b => [b.a, b.b, b.n]), [[1, 3, 1], [1, 2, 20], [0, 2, 40], [2, 3, 60], [0, 1, 100]]);
  for (const b of bands) assert.ok(Math.abs(b.width / b.n - bands[0].width) < 1e-12);
  assert.ok(bandsOf(links.map(n => 1000 * n), square).every((b, k) => Math.abs(b.width - bands[k].width) < 1e-12));
  const k = 50, draw = random(7), crowd = Array.from({length: k}, () => ({x: 2 * draw() - 1, y: 2 * draw() - 1, r: 0}));
  const far = (a, b) => Math.hypot(crowd[a].x - crowd[b].x, crowd[a].y - crowd[b].y);
  const ink = bandsOf(new Array(k * k).fill(7), crowd).reduce((sum, {a, b, width}) => sum + width * far(a, b), 0);
  assert.ok(ink < 0.2001 * 4, `bands cover ${ink / 4} of the square`);
  assert.deepEqual(bandsOf([3], [{x: 0, y: 0, r: 0}]), []);
});

test('a pointer finds the disc below it, else the band that is drawn last there, else one near by', () => {
  const bands = bandsOf(links, square), of = (x, y) => {
    const found = hit(square, bands, x, y);
    return found === null ? null : 'disc' in found ? found.disc : [found.band.a, found.band.b];
  };
  assert.equal(of(-0.8, -0.8), 0);
  assert.equal(of(-0.8, -0.8 + 0.13), 0); // its ring
  assert.equal(of(0.75, 0.85), 2);
  assert.deepEqual(of(0, -0.8), [0, 1]);
  assert.deepEqual(of(0, -0.8 + bands[4].width / 2 - 0.001), [0, 1]); // its rim
  assert.deepEqual(of(0, 0), [0, 2]); // above 1-3, which crosses there
  assert.deepEqual(of(-0.4, 0.4 + 0.01), [1, 3]); // beside a thin one
  assert.equal(of(-0.8, 0), null);
  assert.equal(of(0, 0.4), null);
});
