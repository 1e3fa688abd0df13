// Texts as people read them: 60 words at most, the rest when it is asked for.
import {h} from './elements.js';

const MOST = 60; // words that are seen at once

/** A text in two parts: whole sentences of at most that many words, though always one, and the others. */
export function parts(text: string): [string, string] {
  const sentences = text.split(/(?<=[.?!]) (?=[A-Z\u201c\u03c6\u03c8])/), words = (list: string[]) => list.join(' ').split(/\s+/).length;
  let n = sentences.length;
  while (n > 1 && words(sentences.slice(0, n)) > MOST) n--;
  return [sentences.slice(0, n).join(' '), sentences.slice(n).join(' ')];
}

/** The contents of a paragraph or an item, with the rest in a fold. */
export function told(text: string): (string | Element)[] {
  const [first, rest] = parts(text);
  return rest ? [first, h('details', {class: 'rest'}, h('summary', {}, 'more'), ...told(rest))] : [first];
}
