// The embeddings of an epoch with all their columns: those that were kept, or of the last epoch those of the engine, asked for once.
import {rests} from '../run/layertold.js';
import type {Lab, Snapshot} from '../types.js';

const asked: WeakMap<Float32Array, Float32Array> = new WeakMap();
const asking: WeakSet<Float32Array> = new WeakSet();

/** S, P_1 .. P_N, C_1 .. C_N of an epoch, each M x d, if they are known. */
export const wholeOf = ({tokens, xy}: Snapshot) => tokens ?? asked.get(xy);

/** Asks for them; `done` is called when they are there. They can be had of the last epoch, while the run rests. */
export async function askWhole(session: Lab['session'], snapshot: Snapshot, done: () => void) {
  const {model} = session;
  if (wholeOf(snapshot) || snapshot !== model.snapshots.at(-1) || !rests(model) || model.record?.method || asking.has(snapshot.xy)) return;
  asking.add(snapshot.xy); // and stays there when it fails, as it would again
  const answer = await session.draw(snapshot, {axes: 'whole'}, {}, () => {});
  asking.delete(snapshot.xy);
  if (!answer) return;
  asked.set(snapshot.xy, answer.arrays.tokens);
  done();
}
