// What the scripts say at once has 60 words at most; told.ts folds what is longer.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import test from 'node:test';

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})`;
const texts = new RegExp(String.raw`${literal}(?:\s*\+\s*${literal})*`, 'g');
const MOST = 60;
const www = new URL('../', import.meta.url);
const scripts = ['', 'dom/', 'explain/', 'exercises/', 'panels/', 'run/', 'settings/', 'start/', 'views/'].flatMap(folder =>
  readdirSync(new URL(folder, www)).filter(name => name.endsWith('.js')).map(name => folder + name));

test('no text of a script is longer than 60 words', () => {
  let seen = 0;
  for (const file of scripts) {
    for (const [text] of readFileSync(new URL(file, www), 'utf8').matchAll(texts)) {
      if (/^['`]?[^ ]*$/.test(text)) continue;
      seen++;
      const words = text.replace(/'\s*\+\s*['`]|`\s*\+\s*['`]/g, ' ').replace(/\$\{[^}]*\}/g, 'x').split(/\s+/).filter(Boolean).length;
      assert.ok(words <= MOST, `${file}: ${words} words: ${text.slice(0, 80)}`);
    }
  }
  assert.ok(seen > 300, `${seen} texts were found`);
});

test('no paragraph of the page is longer than 60 words', () => {
  const page = readFileSync(new URL('index.html', www), 'utf8').replace(/<math.*?<\/math>/gs, 'x');
  const blocks = [...page.matchAll(/<(p|dd|dt|li|summary)\b[^>]*>(.*?)<\/\1>/gs)];
  assert.ok(blocks.length > 25);
  for (const [, , inside] of blocks) {
    const text = inside.replace(/<[^>]*>/g, '').trim(), words = text.split(/\s+/).length;
    assert.ok(words <= MOST, `index.html: ${words} words: ${text.slice(0, 80)}`);
  }
});
