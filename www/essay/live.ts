// Trains in this tab what the essay shows: the same town, preset and seeds, and so the same bits.
import {FIRST, WHOLE} from '../engine/compile.js';
import {Endpoint} from '../engine/endpoint.js';

export interface Found {hash: string, scores: {embedding: string, target: string, metric: string, value: number, untrained: number}[]}

const SEEDS = {data: 0, model: 0, eval: 1}; // as the runs that ship with the page have them

/** Engines by their program; each comes with the first training that needs it. */
const engines = new Map<boolean, Endpoint>();

/** Trains an example by a preset; at(epoch, of) says how far it is. */
export async function trainHere(example: string, preset: string, at: (epoch: number, of: number) => void): Promise<Found> {
  const split = preset === 'refined'; // which the program of a first visit does not do
  const engine = engines.get(split) ?? new Endpoint('compute', () => engines.delete(split), split ? WHOLE : FIRST);
  engines.set(split, engine);
  await engine.call('open', {data: {example, data_seed: SEEDS.data}});
  const {result} = await engine.call('train', {options: {}, preset, model_seed: SEEDS.model, paused: false}, {}, event => {
    if (event.event === 'progress') at(Number(event.epoch), Number(event.epochs));
  });
  const {scores} = (await engine.call('evaluate', {options: {}, eval_seed: SEEDS.eval})).result;
  return {hash: result.hash, scores};
}
