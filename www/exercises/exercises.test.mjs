// Tests of the exercises' data and of what is computed for their sentences; run by node --test. scripts/e2e goes through all.
import test from 'node:test';
import assert from 'node:assert/strict';
import {WORDS} from '../explain/glossary.js';
import {EXERCISES} from './exercises.js';
import {fill, holds, outcome, valueOf} from './measures.js';

const cards = EXERCISES.map(card => ({card, name: card.name}));
const nothing = {scores: null, data: null, exchange: null};
const expressions = ({see, check, otherwise = []}) => [
  ...[...see.matchAll(/\{([^}|=]+)(?:\|[%#])?\}/g)].map(m => m[1]), ...[check, ...otherwise.map(([c]) => c)].flat().flatMap(([a, , b]) => [a, b]),
];

test('every number of a card is measured, on a run that the card has', () => {
  for (const {card, name} of cards) {
    for (const e of expressions(card)) {
      assert.equal(valueOf(e, () => nothing), typeof e === 'number' ? e : undefined, `${name}: ${e}`);
      const run = typeof e === 'string' && /^([a-z]+)\./.exec(e)?.[1];
      if (run) assert.ok(card.runs?.[run] || card.measure?.includes('arms'), `${name}: ${e}`);
    }
    assert.ok(card.check.length > 0, `${name} demands nothing`);
    assert.ok(card.runs || card.ask, `${name} asks for nothing to be done`);
    assert.equal(fill(card.see, () => null), null, `${name} says something before there is a run`);
    assert.equal(holds(card.check, () => null), undefined, name);
  }
});

test('names are unlike, the right answer can be given, and every marked word has its sentence', () => {
  assert.equal(new Set(cards.map(c => c.name)).size, cards.length);
  for (const {card, name} of cards) {
    if (card.ask) assert.ok(card.ask.choices.some(([value]) => value === card.ask.right), name);
    for (const [, words] of card.text.join(' ').matchAll(/\[\[([^|\]]+)\|/g)) assert.ok(Object.hasOwn(WORDS, words), `${name}: ${words}`);
    assert.ok(!card.do.includes('Lab'), `${name} sends the reader elsewhere`);
  }
});

test('a card has one idea in at most 60 words, and lights parts that there are', () => {
  const parts = ['layers', 'embeddings', 'knows', 'pulls', 'losses', 'causality', 'term:matching', 'term:selfsupervised', 'term:causal'];
  for (const {card, name} of cards) {
    const words = card.text.join(' ').split(/\s+/).length;
    assert.ok(words <= 60, `${name}: ${words} words`);
    const marked = card.text.flatMap(t => [...t.matchAll(/\[\[[^|\]]+\|([^\]]+)\]\]/g)].map(m => m[1]));
    for (const p of [...marked, ...card.light ?? []]) assert.ok(parts.includes(p), `${name}: ${p}`);
  }
});

test('sentences are filled in, and checks compare with a margin', () => {
  const scores = [{embedding: 'common', target: 'shared', metric: 'ari', value: 0.876, untrained: -0.001, probe: 1, untrained_probe: null}];
  const runs = name => name === 'now' ? {...nothing, scores} : null;
  assert.equal(fill('{clusters common shared}, {clusters-before common shared}, {clusters common shared|%} {=who}', runs, {who: 'Ada'}),
    '0.88, 0.00, 88 % Ada');
  assert.equal(fill('{probe-before common shared}', runs), null);
  assert.equal(fill('{all.clusters common shared}', runs), null);
  assert.equal(holds([['clusters common shared', '>', 0.8], ['clusters-before common shared', '~', 0, 0.1]], runs), true);
  assert.equal(holds([['clusters common shared', '>', 0.8, 0.1]], runs), false);
  assert.equal(holds([['clusters common shared', '<', 'probe common shared', 0.1]], runs), true);
  assert.equal(holds([['probe common work', '<', 1]], runs), undefined);
  assert.throws(() => valueOf('now.beauty', () => nothing), RangeError);
});

test('a card says of every run what follows, and never what does not', () => {
  for (const {card, name} of cards.filter(c => c.card.runs)) {
    if (card.so) assert.deepEqual(card.otherwise?.at(-1)?.[0], [], `${name} has no answer for some runs`);
    assert.equal(outcome({...card, check: []}, () => null), card.so ?? '', name);
  }
  const of = (alone, all) => outcome(cards.find(c => c.card.measure?.includes('arms')).card,
    name => ({...nothing, looks: [{epoch: 0.05, probe: 0.9}, {epoch: 60, probe: {alone, all}[name]}]}));
  assert.match(of(0.4, 0.7), /more of the layer can be read from C with the other losses/);
  assert.match(of(0.7, 0.4), /less of the layer can be read from C .* as the paper says/);
  assert.match(of(0.4, 0.42), /leave C about as matching/);
});

// Facts of runs in which an expression has a value.
function factsWith(values) {
  const fields = {clusters: ['ari', 'value'], 'clusters-before': ['ari', 'untrained'], probe: ['ari', 'probe'], 'probe-before': ['ari', 'untrained_probe'],
    'held-out': ['auc_fitted', 'value'], 'held-out-before': ['auc_fitted', 'untrained'], 'held-out-degrees': ['auc_fitted', 'trivial']};
  const runs = {}, run = name => runs[name] ??= {scores: [], exchange: {}, looks: [{epoch: 0}, {epoch: 60}], data: {summary: {layers: []}}};
  for (const [e, v] of Object.entries(values)) {
    const [head, embedding, target = 'held-out links'] = e.split(' '), [of, quantity] = head.includes('.') ? head.split('.') : ['now', head], f = run(of);
    if (fields[quantity]) {
      const [metric, field] = fields[quantity], row = f.scores.find(r => r.embedding === embedding && r.target === target && r.metric === metric);
      if (row) row[field] = v;
      else f.scores.push({embedding, target, metric, [field]: v});
    } else if (quantity === 'kept') f.exchange.invariance = v;
    else if (quantity === 'layer-of-C') f.looks[1].probe = v;
    else if (quantity === 'layer-of-C-before') f.looks[0].probe = v;
    else if (quantity === 'layer-by-chance') f.data.summary.layers.length = Math.round(1 / v);
    else return null; // of links, which are counted
  }
  return name => runs[name] ?? null;
}

test('a card says what usually follows while its effects are there, and something else when the sign of any is turned', () => {
  let turned = 0;
  for (const {card, name} of cards) {
    const values = {}, at = e => typeof e === 'number' ? e : values[e];
    for (const c of card.check) for (const e of [c[0], c[2]]) if (typeof e === 'string') values[e] = e.endsWith('layer-by-chance') ? 1 / 3 : 0.4;
    for (let k = 0; k < 9; k++) { // each check pushes its first value to where it holds
      for (const [a, relation, b, margin = 0] of card.check) {
        if (relation === '>' && at(a) <= at(b) + margin) values[a] = at(b) + margin + 0.01;
        if (relation === '<' && at(a) >= at(b) - margin) values[a] = at(b) - margin - 0.01;
        if (relation === '~' && Math.abs(at(a) - at(b)) > margin) values[typeof b === 'string' ? b : a] = at(typeof b === 'string' ? a : b);
      }
    }
    const runs = factsWith(values);
    if (!runs) continue;
    assert.equal(holds(card.check, runs), true, name);
    for (const [a, relation, b, margin = 0] of card.check) {
      const limit = relation === '<' ? at(b) - margin : at(b) + margin, other = relation === '~' ? limit + 0.1 : 2 * limit - at(a);
      const so = outcome(card, factsWith({...values, [a]: other}));
      assert.notEqual(so, card.so, `${name}: \u201c${card.so}\u201d stands with ${a} ${relation} ${b} turned`);
      turned++;
    }
  }
  assert.ok(turned > 20, `${turned} effects turned`);
});

test('what is told of held-out links stands beside what untrained encoders and degrees tell', () => {
  const row = {embedding: 'combined', target: 'held-out links', metric: 'auc_fitted', value: 0.7, untrained: 0.6, trivial: 0.5};
  const runs = () => ({...nothing, scores: [{...row, metric: 'auc', value: 0.9}, row]});
  assert.equal(fill('{held-out combined}, {held-out-before combined}, {held-out-degrees combined}', runs), '0.70, 0.60, 0.50');
});

test('links of a layer inside groups are counted', () => {
  const labels = [{name: 'shared', classes: ['a', 'b'], of: Int32Array.from([0, 0, 1, 1])}];
  const summary = {nodes: 4, layers: [{name: 'x'}, {name: 'y'}]};
  const data = {labels, summary, drawing: {links: [Int32Array.from([0, 1, 1, 2, 2, 3]), Int32Array.from([0, 1])]}};
  const runs = () => ({...nothing, data});
  assert.equal(valueOf('inside x shared', runs), 2 / 3);
  assert.equal(valueOf('chance shared', runs), 4 / 12);
  assert.equal(valueOf('inside z shared', runs), undefined);
});
