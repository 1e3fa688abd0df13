// The order of the experiment on three sentences of the paper for the present settings. Knows nothing of the document.

import type {Settings} from '../types.js';

/**
 * @param usual the preset that need not be named
 * @param own the open files; null while there are none
 * @param seeds how many model seeds decide
 * @return null if there is nothing that it could be about: without files of one's own, or with another method than CaDeM
 */
export function orderOf(settings: Settings, usual: string, own: Pick<Order, 'files' | 'choice'> | null, seeds = 1): Order | null {
  const {data, preset, method, dataOptions, options, evaluation} = settings;
  const files = data === 'files';
  if (method || files && !own) return null;
  const classifies = Object.entries(evaluation).filter(([name]) => !name.startsWith('kmeans_')); // nothing is clustered
  const all = {...(!files && dataOptions), ...options, ...Object.fromEntries(classifies)};
  return {study: 'claims', ...(files ? own : {example: data}), ...(preset !== usual && {preset}), ...(seeds > 1 && {seeds}),
    ...(Object.keys(all).length > 0 && {options: all})};
}
