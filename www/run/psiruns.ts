// Runs that ship with the page for the view "Be psi" (`go run ./scripts/build/shipped -psi`): the town, trained with other weights of the causal loss, with
// swapped and with own common parts.

/** One of them: its weight, whether private parts stayed beside their own common parts, and how often a probe finds the layer in pooled C_l. */
export interface PsiRun { beta: number; own: boolean; probe: number; exchange: Exchange }
export interface PsiRuns { names: string[]; runs: PsiRun[] }

/** Fetches them; null when this site ships none. */
export async function loadPsiRuns(): Promise<PsiRuns | null> {
  const answer = await fetch(`psi.json?v=${__VERSION__}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}
