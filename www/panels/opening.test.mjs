// Tests of www/panels/opening.ts with a document and a session that are made up: run by node --test, as TestPage does.
import assert from 'node:assert/strict';
import test from 'node:test';
import {fake} from '../../scripts/wasmtest/fakedocument.mjs';
import {createOpening} from './opening.js';

/** What is opened of files of which the engine asks for the columns of lists, by their widths; answer(select) chooses. */
function page(widths, answer) {
  const inspected = [], taken = [], questions = [];
  const session = {
    async inspect(named, files, onReading, columns = '') {
      inspected.push(columns);
      const said = columns.split(';').map(c => c.split(',').length), open = widths.find(n => !columns || !said.includes(n));
      if (!open) return {plain: true, variables: []};
      const roles = Array.from({length: open}, (_, i) => ['source', 'target'][i] ?? '-');
      return {ask: {file: `${open}.edges`, why: '', roles, rows: [], readings: []}, variables: []};
    },
    forget: async () => {}, endInspection: async () => {},
  };
  const setup = {files: [], choice: null}, say = {status() {}, messages() {}, announce() {}};
  const opening = createOpening({session, setup, catalogue: {}, say, attempt: f => f}, {takeFiles: async (read, choice) => { taken.push(choice); },
    scans: async () => ({}), compare() {}, merged() {}, importRun() {}});
  const answering = setInterval(() => {
    const form = fake.body.querySelector('dialog')?.open && fake.body.querySelector('form');
    if (!form || questions.includes(form)) return;
    questions.push(form);
    answer(form.all(el => el.tagName === 'select'));
    form.dispatchEvent(new Event('submit'));
  }, 5);
  return {opening, setup, inspected, taken, questions, end: () => clearInterval(answering)};
}

const files = ['a.edges', 'b.edges'].map(name => new File(['x'], name));

test('of lists of several widths the columns of each are asked for', async () => {
  const p = page([3, 4], selects => {
    selects.at(-1).value = 'layer';
    selects[0].dispatchEvent(new Event('change'));
  });
  await p.opening.open(files);
  const columns = 'source,target,layer;source,target,-,layer';
  assert.deepEqual([p.inspected, p.taken, p.questions.length], [['', 'source,target,layer', columns], [{columns}], 2]);
  p.end();
});

test('what was said of the columns before is there again, for each width', async () => {
  const before = [], p = page([3, 4], selects => { before.push(selects.map(s => s.value).join()); });
  Object.assign(p.setup, {files: files.map(f => ({name: f.name, size: 1, content: f})), choice: {columns: 'source,layer,target;layer,source,target,weight'}});
  await p.opening.again().catch(() => {}); // no dialog of parts is made up; ? asks about clear columns, too
  assert.deepEqual([before, p.inspected.at(-1)], [['source,layer,target', 'layer,source,target,weight'], `${p.setup.choice.columns};?`]);
  p.end();
});
