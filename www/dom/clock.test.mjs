// Tests of the clock in www/dom/clock.ts that draws, and of how numbers and nodes are written: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';

const thrown = [];
globalThis.reportError = e => thrown.push(e.message);
globalThis.requestAnimationFrame = fn => setTimeout(fn, 1);
globalThis.document = {documentElement: {}};
// One that does not keep the program alive.
globalThis.MessageChannel = class {
  port1 = {};
  port2 = {postMessage: () => setTimeout(() => this.port1.onmessage())};
};
const {throttleDraw} = await import('./clock.js');
const {chance, fixed} = await import('./figures.js');
const {nodeName} = await import('../run/model.js');

const drawn = draw => new Promise((resolve, reject) => {
  const patience = setTimeout(() => reject(new Error('nothing is drawn any more')), 2000);
  throttleDraw(() => {
    clearTimeout(patience);
    draw();
    resolve();
  })();
});

test('a picture that fails does not stop those after it', async () => {
  throttleDraw(() => { throw new Error('so to speak'); })();
  await drawn(() => {});
  await drawn(() => {});
  assert.deepEqual(thrown, ['so to speak']);
});

test('numbers are written as people read them', () => {
  for (const [got, want] of [
    [fixed(-0.0125, 2), '\u22120.01'],
    [fixed(-0.001, 2), '0.00'],
    [fixed(-0.2, 0), '0'],
    [fixed(0.9996, 3), '1.000'],
    [fixed(-100, 0), '\u2212100'],
    [chance(0.33), '0.330'],
    [chance(0.0009), '<\u00a00.001'],
    [chance(0), '<\u00a00.001'],
  ])
    assert.equal(got, want);
});

test('a node has its own name, or is counted from 0', () => {
  assert.equal(nodeName(['Ana', ''], 0), 'Ana');
  assert.equal(nodeName(['Ana', ''], 1), 'node 1');
  assert.equal(nodeName(undefined, 0), 'node 0');
  assert.equal(nodeName(null, 3, 'region'), 'region 3');
});
