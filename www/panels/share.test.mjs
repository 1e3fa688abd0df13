// Tests of www/panels/share.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {choicesOf, frameOf} from './share.js';

test('a link for a class says what was chosen, and takes out what was not', () => {
  assert.deepEqual(choicesOf({hidden: [], flags: [], lesson: ''}), {hide: null, lesson: null, lock: null, big: null, embed: null});
  assert.deepEqual(choicesOf({hidden: ['pulls', 'tabs'], flags: ['lock', 'big'], lesson: '3.2'}),
    {hide: 'pulls.tabs', lesson: '3.2', place: 'learn', lock: '1', big: '1', embed: null});
});

test('the code of a frame holds the address as an attribute has to', () => {
  assert.equal(frameOf('https://a.example/#v=1&data="town"'),
    '<iframe src="https://a.example/#v=1&amp;data=&quot;town&quot;" width="100%" height="600" title="CaDeM"></iframe>');
});
