// Names of embeddings and label sets.

import type {LabelSet} from '../types.js';

const SUBSCRIPTS = '\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089';
const subscript = (n: number) => String(n).replace(/\d/g, d => SUBSCRIPTS.charAt(Number(d)));

/** The name of an embedding: common -> Common S, private_2 -> Private P₂ with the layer's own name; those of other methods: fused, layer_2. */
export function embeddingTitle(name: string, summary: Summary | null | undefined): [string, string, string] {
  if (name === 'common') return ['Common', 'S', 'of all layers'];
  if (name === 'fused') return ['Fused', '', 'of all layers'];
  const [kind, symbol] = name.startsWith('layer_') ? ['Embedding', ''] : name.startsWith('common_') ? ['Common', 'C'] : ['Private', 'P'];
  const l = Number(name.replace(/^\D+/, ''));
  const layer = (summary?.layers?.[l - 1]?.name || String(l)).replaceAll('_', ' ');
  return [kind, symbol ? symbol + subscript(l) : String(l), /^layer\b/i.test(layer) ? layer : 'layer ' + layer];
}

/** The label set of the layer that embedding i belongs to, as its name says: of the layer's own name, or of its number. */
export const ownSet = (labels: LabelSet[], summary: Summary | null | undefined, names: string[], i: number) => i === 0 ? undefined
  : labels.find(s => [summary?.layers?.[i - 1]?.name, names[i], `layer_${i}`].includes(s.name));
