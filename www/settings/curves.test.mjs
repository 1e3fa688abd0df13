// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {readFileSync} from 'node:fs';
import {Catalogue} from './catalogue.js';
import {POINTS, curvesOfText, curvesToText, guessOfText, guessToText, shortly} from './curves.js';
import {freshSettings, fromHash, toHash} from './state.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(String(process.env.CADEM_OPTIONS), 'utf8')));

/** Random numbers that are the same every time (mulberry32). @param {number} seed */
function source(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

/** The view settings of a link as they come back from it, without a word. @param {Record<string, string | null>} view */
function through(view) {
  const link = toHash({...freshSettings('town'), dataOptions: {gamma: 0.3}, view: /** @type {any} */ (view)}), read = fromHash(link, catalogue);
  assert.deepEqual(read?.messages, [], link);
  assert.equal(toHash(/** @type {any} */ (read).settings), link);
  assert.equal(read?.settings.dataOptions.gamma, 0.3);
  return /** @type {any} */ (read).settings.view;
}

test('a curve that was drawn, in whole or in part, comes back from its link', () => {
  const random = source(1);
  for (let n = 0; n < 500; n++) {
    const guess = Array.from({length: POINTS}, () => random() < 0.2 ? null : Math.round(100 * random()) / 100), text = guessToText(guess);
    if (text === null) assert.ok(guess.every(v => v === null));
    else assert.deepEqual(guessOfText(through({guess: text}).guess), guess);
  }
  assert.equal(guessToText(new Array(POINTS).fill(null)), null);
});

test('measured curves come back from their link to a thousandth, agreements below 0 among them', () => {
  const random = source(2);
  const curve = () => Array.from({length: POINTS}, () => Math.max(-1, Math.min(1, 2.4 * random() - 1.2)));
  for (let n = 0; n < 500; n++) {
    const trained = random() < 0.5 ? curve() : null, curves = {
      of: shortly(String(random())), closed: curve(), trained, untrained: trained && curve(), print: shortly(String(random())),
    };
    const back = curvesOfText(through({found: curvesToText(curves)}).found);
    assert.deepEqual([back?.of, back?.print, back?.trained === null], [curves.of, curves.print, trained === null]);
    for (const [a, b] of [[back?.closed, curves.closed], [back?.trained ?? [], trained ?? []], [back?.untrained ?? [], curves.untrained ?? []]]) {
      assert.equal(a?.length, b?.length);
      b?.forEach((v, k) => assert.ok(Math.abs(v - Number(a?.[k])) <= 0.0005 + 1e-12, `${v} became ${a?.[k]}`));
    }
    assert.equal(curvesToText(/** @type {any} */ (back)), curvesToText(curves), 'and it is the same link again');
  }
  assert.doesNotMatch(curvesToText({of: shortly(''), closed: new Array(POINTS).fill(-0.0001), trained: null, untrained: null, print: shortly('')}), /-/);
});

test('what is no curve is refused by name, and a link without curves is as before', () => {
  for (const [name, text] of [
    ['guess', '0.10.50.90.95'], ['guess', '0.10.50.90.95.101'], ['guess', '0.10.50.90.95.100.3'], ['guess', '0.10.50.x.95.100'], ['guess', '-1.0.0.0.0.0'],
    ['found', '0_0_0'], ['found', '0123abcd_0.0.0.0.0_0123abcd'], ['found', '0123abcd_0.0.0.0.0.0_0.0.0.0.0.0_0123abcd'], ['found', '0.1.2.3.4.5'],
  ]) {
    const read = fromHash(`#v=1&data=town&view.${name}=${text}`, catalogue);
    assert.equal(read?.messages.length, 1, text);
    assert.match(/** @type {any} */ (read).messages[0].message, new RegExp(`In the link: ${name}: found`));
    assert.deepEqual(read?.settings.view, {});
  }
  assert.equal(curvesOfText('0123abcd_0.0.0.0.0.1001_0123abcd'), null, 'no agreement is above 1');
  assert.deepEqual(guessOfText('0.1'), new Array(POINTS).fill(null));
  assert.equal(toHash(freshSettings('town')), '#v=1&data=town');
});
