// Tests of the cells of tables: run by node --test, as TestPage does.
import assert from 'node:assert/strict';
import test from 'node:test';
import {cell} from './csv.js';

test('no cell is a formula, and none ends early', () => {
  for (const [text, want] of [
    ['', ''], ['V1', 'V1'], ['a,b', '"a,b"'], ['say "hi"', '"say ""hi"""'], ['-2', '-2'], ['+1e5', '+1e5'], ['=1+1', "'=1+1"], ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"], ['\t=1', '"\'\t\'=1"'], ['\n=1', '"\'\n\'=1"'], ['\uff1dA1', "'\uff1dA1"], ['=A1,"x"', '"\'=A1,""x"""'],
    ['a;=1+1', '"a;\'=1+1"'], ['a; "@x";-2', '"a; ""\'@x"";\'-2"'], ['a|+b', '"a|\'+b"'], ['x\t-1', '"x\t\'-1"'], [' b', '" b"'], ['a=b;c', '"a=b;c"'],
  ]) assert.equal(cell(text), want);
});
