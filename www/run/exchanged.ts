// Asks psi of the run on screen about exchanged common parts as it stands, for all views that show its answers. Those of a shipped run are shipped, too.
import {single} from '../dom/idle.js';
import {loadPsiRuns} from './psiruns.js';
import type {ViewContext} from '../types.js';

const BETWEEN = 1500; // ms between two questions while the run goes on
let asked = 0;

export const askExchange = single(async ({session, setup, attempt, usable}: Pick<ViewContext, 'session' | 'setup' | 'attempt' | 'usable'>) => {
  const {record, phase, progress: p, exchange, hash} = session.model;
  if (phase === 'shipped' && !exchange) {
    const known = (await loadPsiRuns())?.runs.find(r => r.hash === hash);
    if (known && session.model.hash === hash && session.model.phase === phase) session.showAnswers(known.exchange);
    return;
  }
  if (!record || !usable() || !p?.step || !['running', 'paused', 'finished'].includes(phase)) return;
  if (session.model.scoring || session.model.ending || exchange?.step === p.step) return;
  if (phase === 'running' && performance.now() - asked < BETWEEN) return;
  await attempt(() => session.intervene(setup.values.eval_seed))();
  asked = performance.now();
});
