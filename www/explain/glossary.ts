// What symbols and words mean, in one sentence each: the one table for all places where they stand. popovers.ts shows it there.

/** By the symbol, without what stands below the line. */
export const SYMBOLS: Record<string, string> = {
  A: 'The links of a layer, as a table with a row and a column for every node.',
  X: 'The features of the nodes, a row for each.',
  Z: 'What the encoders read of a layer: the features of every node, averaged over its neighbours.',
  W: 'Weights of an encoder. Training changes them.',
  C: 'A common embedding: numbers for every node, made from one layer, that should hold what all layers share.',
  P: 'A private embedding: numbers for every node, made from one layer, that should hold what is this layer\u2019s alone.',
  S: 'The common embedding of all layers together. Every C is drawn to it.',
  R: 'The leading directions of what only one layer has.',
  h: 'A bag: the sum of the embeddings of some nodes of a layer.',
  L: 'A loss: a number that training makes small.',
  M: 'How many nodes there are.',
  N: 'How many layers there are. With a dash, how many bags.',
  l: 'A layer.',
  d: 'How many numbers a node has in an embedding.',
  k: 'How many groups the nodes are cut into.',
  K: 'How many groups the nodes are cut into.',
  w: 'The weight of the matching loss.',
  \u03b1: 'The weight of the self-supervised loss.',
  \u03b2: 'The weight of the causal loss.',
  \u03c9: 'The weight of the private loss.',
  \u03b3: 'The part of the links that follows groups which all layers share.',
  \u03c6: 'A classifier that names the layer of a bag by its private part.',
  \u03c8: 'A classifier that names the layer of a bag by its private part while a common part stands beside it.',
  CE: 'Cross-entropy: small when a guess is sure and right.',
};

/** By the word. */
export const WORDS: Record<string, string> = {
  matrices: 'Tables with a row and a column for every person; a dot says that the two are linked.',
  'Who knows what': 'A table: how well each embedding tells each grouping, before and after training.',
  Matching: 'The loss that asks the common embeddings of all layers to agree.',
  'fresh classifier': 'A small linear classifier that is trained on C after the model, and on nothing else.',
  'causal loss': 'The loss of \u03c8 while the common part of another bag stands beside the private part.',
  'Step, epoch': 'A step changes all weights a little. An epoch computes S anew and takes a few steps.',
  Reset: 'Goes back to the untrained weights.',
  Pin: 'Keeps this run in sight, faintly, behind the next ones.',
  'Rank of S': 'How many independent directions the common embedding really has.',
  Fingerprint: 'A code of all numbers of the run. The same settings and seeds give the same one on every machine.',
  Pace: 'How many epochs a second, so that one can watch.',
};

const BELOW = /[\u2080-\u2089\u2097]+$/;

/** The key of a symbol as it stands in a text: C\u2081 is a C. Null for what is none. */
export function symbolOf(text: string) {
  const base = text.trim().replace(BELOW, '');
  return Object.hasOwn(SYMBOLS, base) ? base : null;
}

/** What is said of a symbol or a word. */
export const meaningOf = (key: string) => Object.hasOwn(WORDS, key) ? WORDS[key] : SYMBOLS[key];

// A capital or a Greek letter that stands by itself; other letters may be words there.
const NAME = '[\\p{L}\\p{N}\\p{M}_\\u2010-\\u2015-]'; // what would make a name of it
const ALONE = new RegExp(`(?<!${NAME})(?:[SCPZ][\\u2080-\\u2089\\u2097]*|[\\u03b1\\u03b2\\u03b3\\u03c6\\u03c8\\u03c9])(?!${NAME})`, 'gu');

/** A text in pieces: [words, symbol], the symbol, which may be '', after the words. */
export function pieces(text: string): [string, string][] {
  const out: [string, string][] = [];
  let from = 0;
  for (const {0: symbol, index} of text.matchAll(ALONE)) {
    out.push([text.slice(from, index), symbol]);
    from = index + symbol.length;
  }
  return [...out, [text.slice(from), '']];
}
