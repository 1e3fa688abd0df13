// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {readFileSync} from 'node:fs';
import {Catalogue} from '../settings/catalogue.js';
import {freshSettings, fromHash, toHash} from '../settings/state.js';
import {BLOCKS, CHANCES, LAYERS, painted, paintingOf, textOf, withBlocks, withLayers} from './blocks.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(String(process.env.CADEM_OPTIONS), 'utf8')));
const option = catalogue.properties('data', 'painted').find(p => p.name === 'blocks');

/** Random numbers that are the same every time (mulberry32). @param {number} seed */
function source(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

test('a painting comes back from the text of its option, and from its link', () => {
  const random = source(3), whole = (/** @type {number[]} */ [low, high]) => low + Math.floor(random() * (high - low + 1));
  for (let n = 0; n < 300; n++) {
    const k = whole(BLOCKS), layers = whole(LAYERS), text = Array.from({length: layers}, () =>
      Array.from({length: k * (k + 1) / 2}, () => whole([0, 9])).join('')).join('_');
    const painting = paintingOf(text);
    assert.ok(painting);
    assert.equal(textOf(painting), text);
    for (const layer of painting) for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) assert.equal(layer[a][b], layer[b][a]);
    const link = toHash({...freshSettings('painted'), dataOptions: {blocks: text}}), read = fromHash(link, catalogue);
    assert.deepEqual(read?.messages, []);
    assert.equal(read?.settings.dataOptions.blocks, text === option?.default ? undefined : text);
    assert.equal(toHash(/** @type {any} */ (read).settings), link);
  }
});

test('one stroke changes one pair of blocks of one layer, in both places', () => {
  const random = source(4), first = /** @type {import('./blocks.js').Painting} */ (paintingOf(String(option?.default)));
  for (let n = 0; n < 100; n++) {
    const [l, a, b, digit] = [3, 4, 4, 10].map(most => Math.floor(most * random())), next = painted(first, l, a, b, digit);
    next.forEach((layer, m) => layer.forEach((row, i) => row.forEach((v, j) =>
      assert.equal(v, m === l && (i === a && j === b || i === b && j === a) ? digit : first[m][i][j]))));
  }
});

test('blocks and layers that come and go leave the others as they are', () => {
  const first = /** @type {import('./blocks.js').Painting} */ (paintingOf(String(option?.default)));
  for (let k = BLOCKS[0]; k <= BLOCKS[1]; k++) {
    const next = withBlocks(first, k), back = paintingOf(textOf(next));
    assert.deepEqual(back, next, 'it can be written');
    next.forEach((layer, l) => layer.forEach((row, i) => row.forEach((v, j) => assert.equal(v, first[l][i]?.[j] ?? (i === j ? 8 : 1)))));
  }
  for (let n = LAYERS[0]; n <= LAYERS[1]; n++) assert.deepEqual(withLayers(first, n), Array.from({length: n}, (_, l) => first[Math.min(l, 2)]));
});

test('what is no painting is none', () => {
  for (const text of ['', '909', '909_9', '90_90', '9_9', '909_9x9', '909_\u0665\u06659', '909_'.repeat(7), '1'.repeat(45) + '_' + '1'.repeat(45)]) {
    assert.equal(paintingOf(text), null, text);
  }
});

test('chances are those that the option speaks of', () => {
  assert.match(String(option?.doc), new RegExp(`1 to 9 a chance of ${CHANCES.slice(1, -1).join(', ')} and ${CHANCES[9]} %`));
});
