// @ts-check
// Every field of what is kept, replaced by every type of JSON: what the schema lets through, the page can list, open, compare and order.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {keptRun, keptStudy} from '../../scripts/wasmtest/keptruns.mjs';
import {check} from '../../scripts/wasmtest/memorystore.mjs';
import {extentOf, filesText, stateText, timeText} from '../panels/ordertext.js';
import {Catalogue} from '../settings/catalogue.js';
import {Setup} from '../settings/setup.js';
import {freshSettings} from '../settings/state.js';
import {embeddingTitle} from '../views/names.js';
import {colourOf, markOf} from '../views/palette.js';
import {dotsOf, keptBeside, planeOf, sameNodes, scoreOf, turned} from './beside.js';
import {scoresOfBoth, sentences, settingsThatDiffer} from './differences.js';
import {storedModel} from './model.js';
import {nameOf} from './order.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(/** @type {string} */ (process.env.CADEM_OPTIONS), 'utf8')));
const VALUES = [undefined, null, true, 5, -1, 1e300, 0.5, '', 'x', 'constructor', [], [null], [5], ['x'], {}, {x: 5}, {constructor: null}];

/** A copy of a record for each of its fields, however deep, and each value: [where, record]. @param {any} record @returns {[string, any][]} */
function variants(record) {
  /** @type {[string, any][]} */
  const list = [];
  /** @param {any} holder @param {string} at @param {any} whole */
  const visit = (holder, at, whole) => {
    for (const [key, was] of Object.entries(holder)) {
      for (const value of VALUES) {
        holder[key] = value;
        list.push([`${at}${key} = ${JSON.stringify(value)}`, JSON.parse(JSON.stringify(whole))]);
      }
      holder[key] = was;
      if (was && typeof was === 'object') visit(was, `${at}${key}.`, whole);
    }
  };
  const whole = structuredClone(record);
  visit(whole, '', whole);
  return list;
}

/** What the page does with a run's record before the engine is asked for anything. @param {any} r @param {Arrays} arrays @param {Setup} setup */
function use(r, arrays, setup) {
  const [set = {}] = r.summary?.labels ?? [];
  for (const {of} of dotsOf(r)) colourOf(markOf(set, of));
  scoreOf(r)?.target.replaceAll('_', ' ');
  r.progress?.losses?.total?.toFixed(2);
  String(catalogue.titleOf(r.data.example) ?? r.summary.name).split(':');
  setup.courseOf(r);
  const sound = keptRun(2), [a, b] = [[r, arrays], [sound.record, sound.arrays]].map(([record, of]) => keptBeside(record, of, 4));
  sameNodes(a, b);
  const [one, other] = [a, b].map(s => planeOf(s, 'common'));
  if (one && other && one.length === other.length) turned(one, other);
  const settings = settingsThatDiffer(a, b, catalogue), scores = scoresOfBoth(a, b);
  const titleOf = (/** @type {string} */ e) => embeddingTitle(e, r.summary).join(' ');
  sentences(a, b, {settings, scores, titleOf});
  catalogue.present(a.made.options, a.summary?.features);
  for (const name of a.names) titleOf(name);
  const data = /** @type {any} */ ({summary: sound.record.summary, labels: [], spec: r.data}), model = storedModel(r, arrays, data, 4);
  for (const s of model.snapshots) assert.equal(s.xy.length, 2 * 3 * model.names.length);
  setup.adopt(r, data, (r.data.files ?? []).map(() => new Uint8Array(1)));
  structuredClone(r);
}

test('a run that the schema lets through can be listed, opened and compared', async () => {
  let through = 0, refused = 0;
  for (const n of [1, 2]) {
    const {record, arrays} = keptRun(n);
    assert.equal(await check(record, arrays), '');
    for (const [where, r] of variants(record)) {
      const reason = await check(r, arrays);
      if (reason) refused++;
      else {
        through++;
        try {
          use(r, arrays, new Setup(catalogue, freshSettings('syn2')));
        } catch (e) {
          throw new Error(`${where}: ${e.stack}`);
        }
      }
    }
  }
  assert.ok(through > 500 && refused > 1000, `${through} through, ${refused} refused`);
});

test('pictures that are short, or no numbers, are left out', () => {
  const {record, arrays} = keptRun(2), data = /** @type {any} */ ({summary: record.summary});
  const xy = arrays.xy;
  for (const other of [xy.slice(0, 4), xy.slice(0, 17), xy.map(() => NaN), new Float32Array(), new Float32Array(36)]) {
    assert.equal(storedModel(/** @type {any} */ (record), {...arrays, xy: other}, data, 4).snapshots.length, 0);
  }
  for (const plane of [xy.slice(0, 4), xy.map(() => NaN)]) {
    assert.equal(storedModel(/** @type {any} */ (record), {...arrays, 'plane:1': plane}, data, 4).snapshots.length, 1);
  }
});

test('an experiment that the schema lets through can be named and told of', async () => {
  let through = 0, refused = 0;
  const study = catalogue.studies[0], text = (/** @type {any} */ r) => {
    nameOf(r.order);
    filesText(r.order);
    extentOf(r.order, study, 'released', catalogue.groups.training);
    timeText(r.order, study, [r], 2);
    stateText({progress: null, record: r});
  };
  for (const n of [1, 2]) {
    const {record, arrays} = keptStudy(n);
    assert.equal(await check(record, arrays), '');
    for (const [where, r] of variants(record)) {
      if (await check(r, arrays)) refused++;
      else {
        through++;
        assert.doesNotThrow(() => text(r), where);
      }
    }
  }
  assert.ok(through > 50 && refused > 200, `${through} through, ${refused} refused`);
});

test('names of JavaScript are names like others', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.deepEqual(catalogue.properties('data', name), []);
    assert.deepEqual(catalogue.typed('data', name, {nodes: 5}), {});
    assert.deepEqual(catalogue.defaults('training', {data: name, preset: name}), catalogue.defaults('training', {data: name, preset: 'released'}));
    assert.ok(nameOf({study: name}).startsWith(`study:${name}:`));
  }
});
