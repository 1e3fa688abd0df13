import assert from 'node:assert/strict';
import {test} from 'node:test';
import {filesDropped} from './dropped.js';

const file = path => ({isFile: true, fullPath: path, file: done => done({name: path.split('/').pop()})});
const folder = (path, ...entries) => ({isDirectory: true, fullPath: path, createReader: () => ({readEntries: done => done(entries.splice(0, 2))})});
const dropped = (entries, files = []) => filesDropped({files, items: entries.map(e => ({webkitGetAsEntry: () => e}))});

test('files in folders come with their paths, however many there are', async () => {
  const found = await dropped([folder('/net', folder('/net/a', file('/net/a/1'), file('/net/a/2'), file('/net/a/3')), file('/net/1'))]);
  assert.deepEqual(found.map(f => f.webkitRelativePath).sort(), ['net/1', 'net/a/1', 'net/a/2', 'net/a/3']);
});

test('files stay as they are, and what cannot be listed stands for itself', async () => {
  const given = [{name: 'net'}];
  assert.equal((await dropped([file('/net')], given))[0], given[0]);
  const closed = {isDirectory: true, createReader: () => ({readEntries: (_, failed) => failed(new Error('closed'))})};
  assert.equal((await dropped([closed], given))[0], given[0]);
});
