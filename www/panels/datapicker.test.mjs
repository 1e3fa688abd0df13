// Tests of www/panels/datapicker.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {filesOf} from '../dom/dropped.js';

test('the files of a folder come in the order of their paths, folder by folder', () => {
  const paths = ['g/b/2', 'g/a-1/1', 'g/b/1', 'g/a/3', 'g/a/10'];
  const sorted = filesOf({files: paths.map(webkitRelativePath => ({webkitRelativePath}))}).map(f => f.webkitRelativePath);
  assert.deepEqual(sorted, ['g/a/10', 'g/a/3', 'g/a-1/1', 'g/b/1', 'g/b/2']);
  assert.deepEqual(filesOf({files: null}), []);
});
