// @ts-check
// What to look for in the run on screen: what is written of an example holds for its own settings, what is written of a
// thing to try for those that it sets, and of all others nobody knows before.
import {TRIES} from './try.js';

const UNKNOWN =
  'These are not the settings of the example, and what they lead to is written nowhere. After training, the sentences above the scores say what happened.';

/**
 * expectation({example, course, own, tried}) -> text
 *
 * example is that of the run on screen, null for data of one's own; course says what the run is made of, own what the example is made of as it
 * comes, tried(entry) what an entry of TRIES makes of it.
 * @param {{example: Example | null | undefined, course: string, own: string, tried: (entry: Try) => string}} run
 */
export function expectation({example, course, own, tried}) {
  if (!example?.expect) return '';
  const entry = course === own ? null : TRIES.find(t => t.data === example.name && tried(t) === course);
  if (entry === undefined) return UNKNOWN;
  return 'You should see: ' + (entry?.see ?? example.expect);
}
