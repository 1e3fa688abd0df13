// The finished runs that ship with the page, finished/town.json and so on, so that there is something to see before the
// engine has arrived and before anything is trained. `scripts/build/shipped` writes them; each is one JSON object:
//
//   example, options, preset, model_seed, data_seed, eval_seed   what was run; options by name, those of the data among them or in `data_options`
//   epochs, steps, seconds, guessing, hash, rank_S               how it ended; the loss of predictors that guess
//   embeddings   ["common", "private_1", ...], N + 1 names
//   nodes        [name of each node]
//   labels       [{name, classes: [..], of: [class of each node, -1 missing]}]
//   places       where nodes are drawn: base64 of M x 2 int16, 32767 for 1; links: of every layer base64 of its pairs of nodes, uint16; of many
//                nodes neither, the engine draws those
//   loss_steps   [step, ...], n of them, thinned; losses: base64 of n float32 rows, the columns as `terms` of options.json has them
//   frames       [{epoch, step, xy, scale, bits}] in order, the last one final: xy is base64 of (N + 1) x M x 2 integers of
//                `bits` (8 or 16; 16 if absent), little-endian; a coordinate is integer * scale
//   scores       rows as the command line prints them
//   summary, task, expect                                        as the answer to `open` gives them
import {decode64} from '../engine/arrays.js';
import type {Drawing, LabelSet, ShippedRun} from '../types.js';

const view = (bytes: Uint8Array<ArrayBuffer>): [ArrayBuffer, number] => [bytes.buffer, bytes.byteOffset];

function drawing({places, links}: {places: string, links: string[]}): Drawing {
  const pairs = links.map(text => Int32Array.from(new Uint16Array(...view(decode64(text)))));
  return {links: pairs, of: pairs.map(p => p.length / 2), places: Float32Array.from(new Int16Array(...view(decode64(places))), v => v / 32767)};
}

/** The examples that have one, the opening one first. */
export const FINISHED: [string, ...string[]] = ['town', 'syn2', 'syn1', 'syn3', 'syn4', 'social', 'sparsetown'];

const asked: Map<string, Promise<ShippedRun | null>> = new Map();

/** Gives the run of an example, once it is there; null for one that has none, or where it cannot be had. */
export function loadFinished(example: string): Promise<ShippedRun | null> {
  if (!FINISHED.includes(example)) return Promise.resolve(null);
  const run = asked.get(example) ?? load(example).catch(() => null);
  asked.set(example, run);
  return run;
}

/** Fetches and decodes it; null when this site ships none. */
async function load(name: string): Promise<ShippedRun | null> {
  const answer = await fetch(`finished/${name}.json?v=${__VERSION__}`);
  if (!answer.ok) return null;
  const run = await answer.json();
  return {
    ...run,
    labels: run.labels.map((s: LabelSet) => ({...s, of: Int32Array.from(s.of)})),
    drawing: run.links && drawing(run),
    losses: {steps: run.loss_steps, values: new Float32Array(...view(decode64(run.losses)))},
    snapshots: run.frames.map(({epoch, step, xy, scale, bits = 16}: {epoch: number, step: number, xy: string, scale: number, bits?: number}) => {
      const bytes = decode64(xy), integers = bits === 8 ? new Int8Array(...view(bytes)) : new Int16Array(...view(bytes));
      return {epoch, step, xy: Float32Array.from(integers, v => v * scale)};
    }),
  };
}
