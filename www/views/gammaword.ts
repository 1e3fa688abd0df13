// Gamma as a word of a sentence: how much of each layer follows groups that all layers share.
import {h} from '../dom/elements.js';
import {createScrub} from './scrub.js';

/** The word, and the sentence that it stands in. `value` is in per cent; input(v) and settled(v) are those of the word. */
export function createGammaWord(of: {value: number, input: (v: number) => void, settled: (v: number) => void}) {
  const scrub = createScrub({
    label: 'Part of each layer\u2019s links that follows groups which all layers share', least: 0, most: 100, text: v => `${v}\u00a0%`, ...of,
  });
  return {scrub, sentence: h('p', {class: 'predict-sentence'}, scrub.el,
    ' of each layer\u2019s links follow groups that all layers share. The others follow groups of its own.')};
}
