// What methods without any training tell, beside the scores of a run of the reader's own graph. Tasks of the pool, in the folds of the run.
import {fileArrays} from '../engine/pool.js';
import type {Pool} from '../engine/pool.js';
import type {FileContent, RunRecord} from '../types.js';

export const WITHOUT = ['pooled', 'pca-unit', 'union']; // as train.Without has them
const MOST = 20_000; // nodes: of more, scores are of a sample, and eigenvectors take longer than a run

/** Their scores, in the place of an embedding; none of a method that does not fit the data. */
export async function without(pool: Pool, {data, summary, method = '', evaluation, eval_seed}: RunRecord,
  files: FileContent[]): Promise<Score[]> {
  if (!data.files || summary.subject || summary.nodes > MOST || WITHOUT.includes(method)) return [];
  const tasks = WITHOUT.map(name => ({name, method: name, data, options: evaluation, model_seed: 0, eval_seed, measure: [{kind: 'combined'}]}));
  const found = await pool.run(tasks, {arrays: () => fileArrays(files)});
  return found.flatMap(({result}, k) => (result?.scores ?? []).map(({target, metric, value, fold_std, folds, protocol}) =>
    ({embedding: WITHOUT[k], target, metric, value, fold_std, folds, ...protocol && {protocol}}) as Score));
}
