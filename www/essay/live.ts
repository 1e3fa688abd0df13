// Trains in this tab what the essay shows: the same town, preset and seeds, and so the same bits.
import {nth} from '../dom/nth.js';
import {FIRST, WHOLE} from '../engine/compile.js';
import {Endpoint} from '../engine/endpoint.js';

export interface Score {embedding: string, target: string, metric: string, value: number, untrained: number}

/** A training, with its scores at the epochs that are kept; the last are those of the trained model. */
export interface Found {hash: string, stations: {epoch: number, scores: Score[]}[]}

const SEEDS = {data: 0, model: 0, eval: 1}; // as the runs that ship with the page have them

/** Engines by their program; each comes with the first training that needs it. */
const engines = new Map<boolean, Endpoint>();

/** Trains an example by a preset; at(epoch, of) says how far it is. */
export async function trainHere(example: string, preset: string, at: (epoch: number, of: number) => void): Promise<Found> {
  const split = preset === 'refined'; // which the program of a first visit does not do
  const engine = engines.get(split) ?? new Endpoint('compute', () => engines.delete(split), split ? WHOLE : FIRST);
  engines.set(split, engine);
  await engine.call('open', {data: {example, data_seed: SEEDS.data}});
  const run = {options: {}, preset, model_seed: SEEDS.model, paused: true}, stations: Found['stations'] = [];
  const score = async (epoch: number) => {
    const {scores} = (await engine.call('evaluate', {options: {}, eval_seed: SEEDS.eval})).result;
    stations.push({epoch, scores: scores as Score[]});
  };
  let over = false, begun = () => {};
  const ready = new Promise<void>(resolve => { begun = resolve; });
  const trained = engine.call('train', run, {}, event => {
    if (event.event !== 'progress') return;
    at(Number(event.epoch), Number(event.epochs));
    begun();
  });
  const end = trained.then(answer => {
    over = true;
    return answer;
  });
  await Promise.race([ready, end]);
  for (let kept = 1, after = 2; !over;) { // as core/lab/run has them
    const {progress} = (await Promise.race([engine.call('control', {action: 'epoch'}), end])).result;
    if (over || progress.epoch !== kept) continue;
    await score(kept);
    [kept, after] = [after, kept + after];
  }
  const {result} = await end, {epoch} = result.progress;
  if (stations.at(-1)?.epoch !== epoch) await score(epoch);
  stations.unshift({epoch: 0, scores: nth(stations, 0).scores.map(s => ({...s, value: s.untrained}))});
  return {hash: result.hash ?? '', stations};
}
