// Runs that ship with the page (`go run ./scripts/build/shipped -psi`): the town, trained with other weights of the causal loss, with
// swapped and with own common parts.

import type {Exchange} from '../types.js';

/**
 * One of them: its weight, whether private parts stayed beside their own common parts, its fingerprint, and how often a probe finds the layer in pooled
 * C_l.
 */
export interface PsiRun { beta: number; own: boolean; hash: string; probe: number; exchange: Exchange }
export interface PsiRuns { names: string[]; runs: PsiRun[] }

let runs: Promise<PsiRuns | null> | null = null;

/** Fetches them once; null when this site ships none. */
export function loadPsiRuns(): Promise<PsiRuns | null> {
  runs ??= fetch(`psi.json?v=${__VERSION__}`).then(answer => answer.ok ? answer.json() : null, () => null);
  return runs;
}
