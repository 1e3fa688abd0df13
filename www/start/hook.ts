// The interface of end-to-end tests; only the pool of workers and the experiments change anything.
import {allDrawn} from '../dom/clock.js';
import type {Lab} from '../types.js';

/**
 * `state()`: phase (idle, shipped, opening, paused, running, finished, failed), scoring (from the last step until the scores are there and
 * what stands beside them, and while they are computed again), run (its id), step, steps, epoch, epochs, hash, rank, pending (writes not yet
 * acknowledged), ready (the engine is up), saved (step of the last acknowledged write), owner (this tab keeps runs), scores (number of
 * rows), drawn (the screen shows all of this).
 */
export function exposeToTests({session, setup, saveQueue, pool, experiments}: Lab, usable: () => boolean) {
  globalThis.cadem = Object.freeze({
    state() {
      const {phase, scoring, ending, record, progress, hash, scores} = session.model;
      return {
        phase, scoring: Boolean(scoring) || ending || session.beside, run: record?.run ?? null, step: progress?.step ?? 0, steps: progress?.steps ?? 0,
        epoch: progress?.epoch ?? 0, epochs: progress?.epochs ?? 0, hash: hash ?? null, rank: progress?.rank_S ?? null,
        pending: saveQueue.pending, ready: usable(), saved: saveQueue.saved.get(record?.run ?? '')?.step ?? 0, owner: saveQueue.available,
        scores: scores?.length ?? 0, drawn: allDrawn(),
      };
    },
    settings: () => structuredClone({...setup.settings, values: setup.values}),
    pool,
    experiments,
  });
}
