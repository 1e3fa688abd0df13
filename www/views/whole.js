// @ts-check
// The embeddings of an epoch with all their columns: those that were kept, or of the last epoch those of the engine, asked for once.

/** @type {WeakMap<Float32Array, Float32Array>} */
const asked = new WeakMap();
/** @type {WeakSet<Float32Array>} */
const asking = new WeakSet();

/** S, P_1 .. P_N, C_1 .. C_N of an epoch, each M x d, if they are known.
 * @param {Snapshot} snapshot
 */
export const wholeOf = ({tokens, xy}) => tokens ?? asked.get(xy);

/** Asks for them; `done` is called when they are there. They can be had of the last epoch, while the run rests.
 * @param {import('../run/session.js').Session} session
 * @param {Snapshot} snapshot
 * @param {() => void} done
 */
export async function askWhole(session, snapshot, done) {
  const {model: {record, phase, scoring, ending, snapshots}} = session;
  if (wholeOf(snapshot) || snapshot !== snapshots.at(-1) || !record || record.method || scoring || ending || asking.has(snapshot.xy)) return;
  if (!['paused', 'finished'].includes(phase)) return;
  asking.add(snapshot.xy); // and stays there when it fails, as it would again
  const answer = await session.draw(snapshot, {axes: 'whole'}, {}, () => {});
  asking.delete(snapshot.xy);
  if (!answer) return;
  asked.set(snapshot.xy, answer.arrays.tokens);
  done();
}
