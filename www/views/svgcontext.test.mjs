// Tests of www/views/svgcontext.ts: run by node --test, as TestPage does.
import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.document = {createElement: () => ({getContext: () => ({measureText: text => ({width: 10 * text.length})})})};
const {SVGContext} = await import('./svgcontext.js');

test('names are text in a picture, whatever they hold', () => {
  const pen = new SVGContext(100, 50), hard = `</text><script>alert(1)</script>&lt;"'\u0001\u001b\ufffe]]>\t`;
  pen.fillStyle = '"/><script>'; // which no name reaches
  pen.fillText(hard, 1, 2, 20);
  const written = pen.text(hard);
  assert.deepEqual(written.match(/<[a-z/]+/g), ['<svg', '<title', '</title', '<text', '</text', '</svg']);
  assert.doesNotMatch(written, /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|&(?!amp;|lt;|gt;|quot;)/);
  assert.match(written, /\ufffd\ufffd\ufffd]]&gt;\t<\/text>/);
});
