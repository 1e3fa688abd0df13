// Tests of the clock in www/dom.js that draws: run by node --test, as TestPage does.
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
const {throttleDraw} = await import('../../www/dom.js');

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
