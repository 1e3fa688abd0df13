// Tests of www/engine/source.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {arraysOf, checkTraining} from './source.js';

const edges = [0, 1, 1, 2, 0, 3], floats = [0, 1, 2, 3, 4, 5, 6, 7];
const source = {nodes: ['a', 'b', 'c', 'd'], layers: {work: {edges: Int32Array.from(edges)}, lunch: {edges: Int32Array.of(2, 3)}},
  features: Float32Array.from(floats), labels: {group: ['p', 'q', 'p', '']}};
const bytes = async changes => Buffer.from(await arraysOf({...source, ...changes}).file.arrayBuffer()).toString('latin1');
const layer = changes => ({layers: {work: {edges: Int32Array.from(edges), ...changes}, lunch: source.layers.lunch}});

test('whole numbers are taken from any list', async () => {
  const same = await bytes(layer({}));
  for (const kind of [Int32Array, Uint8Array, Uint16Array, Float64Array, Array]) {
    assert.equal(await bytes(layer({edges: kind.from(edges)})), same, kind.name);
  }
  const weights = await bytes(layer({weights: [1, 2.5, 0]}));
  assert.equal(await bytes(layer({weights: Float64Array.of(1, 2.5, 0)})), weights);
  assert.equal(await bytes({features: Float64Array.from(floats)}), await bytes({features: floats}));
});

test('any text is a name, and no label is no class', async () => {
  const {choice} = arraysOf({...source, layers: {'../x,é=': source.layers.work, 'a.b': source.layers.lunch},
    labels: {features: [0, 1, 0, 1], 'a.b': [0, 0, 1, 1]}});
  assert.deepEqual(choice, {layers: ['layers_1', 'layers_2'], features: 'features', labels: ['labels_1', 'labels_2']});
  const none = await bytes({labels: {group: ['p', 'q', '', '']}});
  for (const v of [-1, '-1', null, undefined, NaN]) {
    assert.equal(await bytes({labels: {group: ['p', 'q', v, v]}}), none, String(v));
  }
  assert.equal(await bytes({labels: {group: Object.assign(Array(4), ['p', 'q'])}}), none, 'holes');
  assert.equal(await bytes({labels: {group: Int32Array.of(0, 1, -1, 1)}}), await bytes({labels: {group: ['0', '1', '', '1']}}));
});

test('a word that means no label is named', t => {
  const warn = t.mock.method(console, 'warn', () => {});
  arraysOf({...source, labels: {group: ['some', 'None', 'many', 'many']}});
  assert.deepEqual(warn.mock.calls.map(c => c.arguments), [['labels group: "None" means no label']]);
});

test('what does not fit is refused by argument and entry', () => {
  const nested = [[0, 1], [1, 2]], numbers = n => Array.from({length: n}, (_, i) => i);
  const T = TypeError, R = RangeError;
  for (const [kind, said, changes] of [
    [T, 'layer work: edges[0]: found "0", expected the number of a node', layer({edges: edges.map(String)})],
    [T, 'layer work: edges: found "0,1", expected a list', layer({edges: '0,1'})],
    [T, 'layer work: edges: found undefined, expected a list', layer({edges: undefined})],
    [T, 'layer work: edges[2]: found NaN, ', layer({edges: [0, 1, NaN, 2]})],
    [T, 'layer work: edges[3]: found 1.5, ', layer({edges: Float32Array.of(0, 1, 2, 1.5)})],
    [T, 'layer work: edges[1]: found Infinity, ', layer({edges: [0, Infinity]})],
    [T, 'layer work: edges[0]: found 1, ', layer({edges: BigInt64Array.of(1n, 2n)})],
    [T, 'layer work: edges[1]: found undefined, ', layer({edges: Object.assign(Array(2), [0])})],
    [T, 'layer work: edges[0]: found an object, ', layer({edges: nested})],
    [T, 'layer work: edges[1]: found null, ', layer({edges: [0, null]})],
    [T, 'layer work: edges[1]: found true, ', layer({edges: [0, true]})],
    [R, 'layer work: found the node 4, expected 0 to 3', layer({edges: [0, 4]})],
    [R, 'layer work: found the node -1, expected 0 to 3', layer({edges: [-1, 2]})],
    [R, 'layer work: found 3 ends and 0 weights, ', layer({edges: [0, 1, 2]})],
    [R, 'layer work: found 6 ends and 2 weights, ', layer({weights: [1, 2]})],
    [T, 'layer work: weights[1]: found NaN, ', layer({weights: Float32Array.of(1, NaN, 1)})],
    [T, 'layer work: weights[0]: found Infinity, ', layer({weights: [Infinity, 1, 1]})],
    [T, 'layer work: weights[2]: found -1, ', layer({weights: [1, 1, -1]})],
    [T, 'layer work: weights[0]: found "1", ', layer({weights: ['1', '1', '1']})],
    [T, 'layer work: found "weight", expected edges, weights', layer({weight: [1, 1, 1]})],
    [T, 'layer work: found an object, expected names and what', {layers: {work: Int32Array.from(edges)}}],
    [T, 'layers: found an object, expected names and what', {layers: [{edges}, {edges}]}],
    [T, 'layers: found an object, expected names and what', {layers: new Map([['work', {edges}]])}],
    [T, 'layers: found undefined, ', {layers: undefined}],
    [T, 'layers: found "", expected a name', {layers: {'': {edges}}}],
    [R, 'layers: found none, ', {layers: {}}],
    [T, 'nodes: found undefined, ', {nodes: undefined}], [T, 'nodes: found "4", ', {nodes: '4'}],
    [T, 'nodes: found NaN, ', {nodes: NaN}], [T, 'nodes: found 4.5, ', {nodes: 4.5}], [T, 'nodes: found 4, ', {nodes: 4n}],
    [R, 'nodes: found 1000000000, expected from 1 to 100000', {nodes: 1e9}], [R, 'nodes: found 0, ', {nodes: 0}],
    [R, 'nodes: found 100001, ', {nodes: numbers(100_001).map(String)}],
    [T, 'nodes[2]: found "a", expected another name', {nodes: ['a', 'b', 'a', 'c']}],
    [T, 'nodes[1]: found 7, ', {nodes: ['a', 7, 'b', 'c']}], [T, 'nodes[3]: found "", ', {nodes: ['a', 'b', 'c', '']}],
    [T, 'features[1]: found NaN, ', {features: Float32Array.of(0, NaN, 0, 0)}],
    [T, 'features[0]: found an object, ', {features: [[1], [1, 2], [1], [1]]}],
    [T, 'features[0]: found "1", ', {features: ['1', '2', '3', '4']}],
    [T, 'features: found null, ', {features: null}],
    [R, 'features: found 9 numbers, expected as many for each of 4 nodes', {features: numbers(9)}],
    [R, 'features: found 0 numbers, ', {features: new Float32Array(0)}],
    [R, 'labels group: found 3 entries, expected 4', {labels: {group: [0, 1, 2]}}],
    [T, 'labels group[1]: found 0.5, ', {labels: {group: [0, 0.5, 1, 1]}}],
    [T, 'labels group[0]: found -2, ', {labels: {group: [-2, 0, 1, 1]}}],
    [T, 'labels group[0]: found 1, ', {labels: {group: [1n, 0n, 1n, 0n]}}],
    [T, 'labels group[0]: found an object, ', {labels: {group: [[1], [0], [1], [0]]}}],
    [T, 'labels group: found "abcd", expected a list', {labels: {group: 'abcd'}}],
    [T, 'labels group: found the classes -1 and 1, ', {labels: {group: [-1, 1, 1, -1]}}],
    [T, 'labels: found an object, ', {labels: [0, 1, 0, 1]}],
    [T, 'source: found "feature", expected name, nodes, layers, features, labels', {feature: floats}],
  ]) {
    assert.throws(() => arraysOf({...source, ...changes}), e => {
      assert.deepEqual([e.constructor, e.message.slice(0, said.length)], [kind, said]);
      return true;
    });
  }
});

test('a training is described by what is known', () => {
  checkTraining({});
  checkTraining({preset: 'refined', method: undefined, level: 'usual', seed: 7, options: {a: 1, b: 'x', c: false, d: undefined}});
  for (const [said, what] of [
    ['training: found "epochs", expected preset, method, level, seed, options', {epochs: 3}],
    ['training: found null, ', null], ['training: found "released", ', 'released'],
    ['seed: found NaN, ', {seed: NaN}], ['seed: found 0.5, ', {seed: 0.5}], ['seed: found -1, ', {seed: -1}], ['seed: found "1", ', {seed: '1'}],
    ['seed: found 1, ', {seed: 1n}],
    ['options: epochs: found NaN, ', {options: {epochs: NaN}}], ['options: epochs: found Infinity, ', {options: {epochs: Infinity}}],
    ['options: epochs: found 3, ', {options: {epochs: 3n}}], ['options: epochs: found an object, ', {options: {epochs: [3]}}],
    ['options: epochs: found null, ', {options: {epochs: null}}],
    ['options: found an object, ', {options: []}], ['options: found 3, ', {options: 3}],
  ]) {
    assert.throws(() => checkTraining(what), e => e.constructor === TypeError && e.message.startsWith(said), said);
  }
});
