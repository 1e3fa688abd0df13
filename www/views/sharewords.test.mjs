// Tests of www/views/sharewords.js: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {sentence} from './sharewords.js';

const found = {agreement: [0.9, 0.7, 0.3], chance: 0.4, least: 0.5, shared: 2, ranks: [2, 1], edges: [0.1, 0.1]};

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
