// A browser that finds its database damaged may begin an empty one silently. The list is noted elsewhere, so that the reader learns of missing
// entries.
import {keep, kept} from '../dom/kept.js';
import {clip} from '../settings/catalogue.js';

const NOTED = 'runs', MOST_NAMED = 5;

/** Notes what is listed. */
export const note = (list: {run: string, name: string}[]) => keep(NOTED, JSON.stringify(list));

/** The list of the last visit. */
export function noted(): {run: string, name: string}[] {
  try {
    const list = JSON.parse(kept(NOTED));
    return Array.isArray(list) ? list.filter(n => typeof n?.run === 'string' && typeof n.name === 'string') : [];
  } catch {
    return [];
  }
}

/** The first of some runs by their names. */
export const inWords = (list: {name: string}[]) => list.slice(0, MOST_NAMED).map(r => `\u201c${clip(r.name)}\u201d`).join(', ')
  + (list.length > MOST_NAMED ? ` and ${list.length - MOST_NAMED} more` : '');
