// Tests of www/views/sharewords.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {sentence} from './sharewords.js';

const found = {agreement: [0.9, 0.7, 0.3], chance: 0.4, least: 0.5, shared: 2, ranks: [2, 1], edges: [0.1, 0.1], featureless: false};

test('what is shared is said with its agreement, the next one, and chance', () => {
  assert.match(sentence(found), /share 2 directions\. Their agreement is from 0\.70 to 0\.90, .*exceeds 0\.50\./);
  assert.match(sentence(found), /The next one has 0\.30\. .*below 0\.40\. .*keep 2 and 1 directions\.$/);
  assert.match(sentence({...found, shared: 1}), /share 1 direction\. Its agreement is 0\.90,/);
  assert.match(sentence({...found, agreement: [0.971, 0.969, 0.3]}), /Their agreement is 0\.97,/);
});

test('that nothing is shared is said, of layers of noise, too', () => {
  const none = sentence({...found, shared: 0, least: 0.95});
  assert.match(none, /^Nothing is shared: the largest agreement is 0\.90, .*exceeds 0\.95\. The common embedding is 0\./);
  assert.match(sentence({...found, agreement: [], shared: 0, ranks: [0, 0]}), /^No direction of any layer stands above noise, so nothing is shared/);
  assert.match(sentence({...found, shared: 0, ranks: [3, 0, 0]}), /keep 3, 0 and 0 directions\. Layers 2 and 3 count as noise\.$/);
});

test('sparse layers without features are noise for that, which is said of no others', () => {
  const sparse = {...found, shared: 0, ranks: [3, 0, 0], featureless: true}, data = {nodes: 100, layers: [{edges: 185}, {edges: 200}, {edges: 170}]};
  assert.match(sentence(sparse, data), /Layers 2 and 3 count as noise: they have 4\.0 and 3\.4 links a node and no features, and up to about 4 /);
  assert.match(sentence({...sparse, agreement: [], ranks: [1, 0, 1]}, data), /Layer 2 counts as noise: it has 4\.0 links/);
  assert.match(sentence({...sparse, featureless: false}, data), /count as noise\.$/);
  assert.match(sentence(sparse, {nodes: 10, layers: data.layers}), /count as noise\.$/);
});
