// Errors are shown to the reader, beside the field that caused them if there is one.

import type {Attempt, Say, Thrown} from '../types.js';

/** A file could not be read: the card of the files says it, and nothing else has stopped. */
export const isOfFile = ({aside, file, code}: Thrown) => Boolean(aside) && (Boolean(file) || code === 'bad-data');

/**
 * recovering() reports whether the engine is being restarted, which has its own message; stands() whether there is a sound run, which the status
 * returns to. watch(f) has f called with every error.
 */
export function createErrors({say, recovering, stands}: {say: Say, recovering: () => boolean, stands: () => boolean}) {
  const watchers: ((e: Thrown) => void)[] = [];

  function report(error: Thrown) {
    if (error.code === 'cancelled' || (error.code === 'exited' && recovering())) return; // it says so itself
    const {message, file, line, field} = error;
    if (!isOfFile(error)) say.messages([{level: 'error', message, file, line, field}]);
    if (!error.aside && !stands()) say.status('Stopped: ' + message);
    for (const f of watchers) f(error);
    say.announce(message);
    if (!error.code) console.error(error);
  }

  const attempt: Attempt = f => async (...args) => {
    try {
      return await f(...args);
    } catch (e) {
      report(e as Thrown);
      return undefined;
    }
  };

  return {
    report, attempt,
    watch(f: (e: Thrown) => void) { watchers.push(f); },
  };
}
