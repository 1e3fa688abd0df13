// @ts-check
// A browser that finds its database damaged may begin an empty one and tell nobody. What is listed is noted elsewhere, so that the reader learns
// what is missing.
import {prefix} from '../engine/endpoint.js';
import {clip} from '../settings/catalogue.js';

const NOTED = prefix + 'cadem runs'; // in localStorage
const MOST_NAMED = 5;

/** Notes what is listed. @param {{run: string, name: string}[]} list */
export function note(list) {
  try {
    localStorage.setItem(NOTED, JSON.stringify(list));
  } catch {
    // no room, or not allowed: then nothing is missed
  }
}

/** What was listed on the last visit. @returns {{run: string, name: string}[]} */
export function noted() {
  try {
    const list = JSON.parse(localStorage.getItem(NOTED) ?? 'null');
    return Array.isArray(list) ? list.filter(n => typeof n?.run === 'string' && typeof n.name === 'string') : [];
  } catch {
    return [];
  }
}

/** The first of some runs by their names. @param {{name: string}[]} list */
export const inWords = list => list.slice(0, MOST_NAMED).map(r => `\u201c${clip(r.name)}\u201d`).join(', ')
  + (list.length > MOST_NAMED ? ` and ${list.length - MOST_NAMED} more` : '');
