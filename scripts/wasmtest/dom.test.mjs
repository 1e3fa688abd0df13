// Tests of the clock in www/dom.js that draws: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';

const thrown = [];
globalThis.requestAnimationFrame = fn => setTimeout(() => {
  try {
    fn(performance.now());
  } catch (e) {
    thrown.push(e.message);
  }
}, 1);
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
