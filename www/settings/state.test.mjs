// Tests of www/settings/state.ts with the option table that the core has, which CADEM_OPTIONS names: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {Catalogue, SEEDS, seedProperty} from './catalogue.js';
import {nodesOfText, nodesToText, turn, turnedOfText, turnedToText} from './nodes.js';
import {LONGEST_LINK, freshSettings, fromHash, placeOf, prune, resolve, toHash} from './state.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(process.env.CADEM_OPTIONS, 'utf8')));
const examples = catalogue.examples.map(e => e.name);
const FIELDS = {o: ['training', 'options'], d: ['data', 'dataOptions'], e: ['evaluation', 'evaluation']};

/** The ends of a property's range and its default, or every choice. */
function values(p) {
  switch (p.kind) {
    case 'choice': return p.choices.flatMap(c => c.endsWith('#') ? [c.slice(0, -1) + 1, c.slice(0, -1) + (p.max ?? 1)] : [c]);
    case 'bool': return [true, false];
    case 'text': return ['a text', ''];
  }
  return [p.min, p.max, p.default].filter(v => v !== undefined);
}

/** Fails unless settings are the same after they have been a link. */
function there(settings) {
  prune(settings, catalogue);
  const link = toHash(settings), read = fromHash(link, catalogue);
  assert.deepEqual(read.messages, [], link);
  assert.deepEqual(read.settings, settings, link);
  assert.equal(toHash(read.settings), link);
}

test('every value of every option comes back from its link, on every example', () => {
  let tried = 0;
  for (const data of examples) {
    for (const [, [group, field]] of Object.entries(FIELDS)) {
      for (const p of catalogue.properties(group, data)) {
        for (const v of values(p)) {
          const settings = freshSettings(data);
          settings[field][p.name] = v;
          there(settings);
          assert.equal(resolve(fromHash(toHash(settings), catalogue).settings, catalogue)[field][p.name], v, `${data}: ${p.name}`);
          tried++;
        }
      }
    }
    for (const name of SEEDS) for (const v of [seedProperty.min, 1, seedProperty.max]) there({...freshSettings(data), seeds: {[name]: v}});
    for (const preset of catalogue.presetNames) there({...freshSettings(data), preset});
  }
  assert.ok(tried > 500, `${tried} values`);
});

test('every setting of the view comes back from its link, on every example', () => {
  for (const data of examples) {
    for (const view of [
      {log: '1'},
      {color: 'clusters:common', k: 2},
      {color: 'labels:a set, & more=1', k: 50},
      {color: 'none'},
      ...['separating', 'tsne', 'columns:1.2', 'columns:12.3'].flatMap(axes => [{axes}, {axes, of: 'C'}]),
      ...catalogue.studies.map(s => ({study: s.name})),
    ])
      there({...freshSettings(data), view});
  }
});

test('a link of before says score without its group', () => {
  const {settings, messages} = fromHash('#v=1&data=syn1&score=none', catalogue);
  assert.deepEqual([settings.evaluation.score, messages], ['none', []]);
  assert.deepEqual(fromHash('#v=1&data=syn1&view.guess=0.1.2.3.4.5&view.found=x', catalogue).messages, []);
  assert.match(toHash(settings), /&e[.]score=none/);
});

test('all options at one end of their range come back together', () => {
  for (const data of examples) {
    for (const end of [0, 1]) {
      const settings = freshSettings(data);
      for (const [group, field] of Object.values(FIELDS))
        for (const p of catalogue.properties(group, data)) settings[field][p.name] = values(p)[end] ?? values(p)[0];
      there(settings);
    }
  }
});

test('of a link, only names of the option table are looked up', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'length'];
  for (const data of examples) {
    const usual = freshSettings(data);
    for (const name of names) {
      for (const key of [name, `o.${name}`, `d.${name}`, `e.${name}`, `view.${name}`, `${name}.epochs`, `${name}.${name}`, `o.${name}.${name}`]) {
        const {settings, messages} = fromHash(`#v=1&data=${data}&${key}=1`, catalogue);
        assert.deepEqual(settings, usual, key);
        for (const field of ['options', 'dataOptions', 'evaluation', 'seeds', 'view']) {
          assert.deepEqual(Object.keys(settings[field]), [], key);
          assert.equal(Object.getPrototypeOf(settings[field]), Object.prototype, key);
        }
        assert.equal(messages.length, /^(o|d|e|view)\./.test(key) ? 1 : 0, key);
      }
      assert.deepEqual(fromHash(`#v=1&data=${data}&preset=${name}`, catalogue).settings, usual, `preset=${name}`);
      assert.equal(fromHash(`#data=${name}`, catalogue).settings.data, examples[0], `data=${name}`);
    }
  }
});

test('what a link is told of stays short, whatever its length', () => {
  const long = 'x'.repeat(3000);
  for (const link of [
    `#data=${long}`,
    `#preset=${long}`,
    `#v=${long}`,
    `#o.${long}=1`,
    `#o.epochs=${long}`,
    `#view.${long}=1`,
    `#model_seed=${long}`,
    '#' + Array.from({length: 1000}, (_, i) => `o.x${i}=1`).join('&'),
  ]) {
    const {messages} = fromHash(link, catalogue);
    assert.ok(messages.length > 0 && messages.length <= 10, `${messages.length} messages of ${link.slice(0, 20)}`);
    for (const {message, field} of messages) assert.ok(message.length < 400 && (field ?? '').length <= 41, message.slice(0, 100));
  }
  assert.match(fromHash('#' + Array.from({length: 1000}, (_, i) => `o.x${i}=1`).join('&'), catalogue).messages[9].message, /991 more/);
  assert.equal(fromHash('#' + Array.from({length: 10}, (_, i) => `o.x${i}=1`).join('&'), catalogue).messages.length, 10);
});

test('a link that is too long is not read, and told so', () => {
  const fill = 'o.epochs=3&view.color=', whole = length => '#' + fill + 'x'.repeat(length - fill.length - 1);
  assert.equal(fromHash(whole(LONGEST_LINK), catalogue).settings.options.epochs, 3);
  const {settings, messages} = fromHash(whole(LONGEST_LINK + 1), catalogue);
  assert.deepEqual(settings, freshSettings(examples[0]));
  assert.match(messages[0].message, /16385 characters.*at most 16384/);
});

test('links to an experiment by the name it had first go on working', () => {
  for (const [old, name] of [['ablation', 'table7'], ['augmentation', 'table11']]) {
    const read = fromHash(`#v=1&data=syn1&view.study=${old}`, catalogue);
    assert.deepEqual(read.messages, []);
    assert.equal(catalogue.study(read.settings.view.study).name, name);
    assert.equal(catalogue.study(name).name, name);
  }
  assert.equal(catalogue.study('tables'), null);
});

test('what is said of the view comes back from its link', () => {
  const view = {place: 'lab', show: 'layers', at: 3, select: '0-2.7', pace: '2', hide: 'pulls.tabs', lock: '1', big: '1', embed: '1', color: 'own', log: '1'};
  there({...freshSettings('syn2'), view});
  const link = toHash({...freshSettings('syn2'), view: {place: 'learn'}});
  assert.ok(!link.includes('place'), link);
  // A link of before there were places leads to the report that it names.
  const {settings} = fromHash('#v=1&data=syn2&view.study=table1', catalogue);
  assert.equal(placeOf(settings.view), 'experiments');
  assert.ok(toHash({...settings, view: {...settings.view, place: 'learn'}}).includes('place=learn'));
});

test('chosen nodes come back from the words of a link', () => {
  for (const [nodes, text] of [[[], ''], [[4], '4'], [[7, 2, 0, 1], '0-2.7'], [[5, 6], '5-6']]) {
    assert.equal(nodesToText(nodes), text);
    assert.deepEqual([...nodesOfText(text, 8)], [...nodes].sort((a, b) => a - b));
  }
  assert.deepEqual([...nodesOfText('3-999999999.12', 5)], [3, 4]); // of those that there are
  assert.equal(nodesToText(Array.from({length: 2000}, (_, i) => 2 * i)), ''); // too long for a link
  for (const key of ['select=all', 'select=1-2-3', 'hide=everything', 'hide=pulls.', 'view.axes=none', 'view.axes=columns:1', 'view.of=P']) {
    const {settings, messages} = fromHash(`#v=1&data=syn2&${key}`, catalogue);
    assert.deepEqual(settings.view, {}, key);
    assert.equal(messages.length, 1, key);
  }
});

test('links that are taken or made come back from a link of the page, and go when they are turned again', () => {
  const list = turn(turn([], {layer: 0, i: 3, j: 12}), {layer: 1, i: 3, j: 40});
  assert.equal(turnedToText(list), '0.3.12_1.3.40');
  assert.deepEqual(turnedOfText('0.3.12_1.3.40', 2, 50), list);
  assert.deepEqual(turnedOfText('0.3.12_1.3.40_2.1.2_0.4.4', 2, 40), list.slice(0, 1));
  assert.deepEqual(turn(list, {layer: 0, i: 12, j: 3}), list.slice(1));
  const settings = freshSettings(examples[0]);
  Object.assign(settings.view, {why: 'P2', if: turnedToText(list), select: '3'});
  there(settings);
  for (const bad of ['0.3', '0.3.12_', 'x', '1.2.3.4']) assert.equal(fromHash(`#data=${examples[0]}&view.if=${bad}`, catalogue).messages.length, 1, bad);
});
