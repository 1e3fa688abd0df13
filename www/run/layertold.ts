// How often a probe names the layer of C, along the run on screen: of the epochs whose embeddings are at hand, those that were asked about.
import type {Lab, Model} from '../types.js';

let asking: Promise<void> | null = null;

/** A run stands still, and nothing is measured on it. */
export const rests = ({record, phase, scoring, ending}: Model) => Boolean(record) && ['paused', 'finished'].includes(phase) && !scoring && !ending;

/** Epochs whose embeddings are at hand, the last one among them. */
export const epochsAtHand = ({snapshots}: Model) => snapshots.filter((s, k, all) => s.tokens || k === all.length - 1);

/** What is known of it. */
export const layerTold = (session: Lab['session']) => epochsAtHand(session.model).flatMap(s => {
  const found = session.found('leak', s);
  return found ? [{epoch: s.epoch, probe: found.layer.common}] : [];
});

/** Asks about the first and the last of these epochs, where nobody has. */
export function askLayer(session: Lab['session']) {
  asking ??= (async () => {
    try {
      for (const end of [-1, 0]) {
        const at = rests(session.model) && epochsAtHand(session.model).at(end);
        if (!at || !session.found('leak', at) && !await session.ask('leak', at)) break;
      }
    } finally {
      asking = null;
    }
  })();
  return asking;
}
