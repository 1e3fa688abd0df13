// @ts-check
// What becomes of errors: the reader is told, beside the field that caused it where there is one.

/**
 * createErrors({say, recovering}) -> {report, attempt, watch}
 *
 * recovering() tells whether the engine is being started again, which says so itself; watch(f) has f(error) called for every error.
 * @param {{say: Say, recovering: () => boolean}} parts
 */
export function createErrors({say, recovering}) {
  /** @type {((e: Thrown) => void)[]} */
  const watchers = [];

  /** @param {Thrown} error */
  function report(error) {
    if (error.code === 'cancelled' || (error.code === 'exited' && recovering())) return; // it says so itself
    const {message, file, line, field} = error;
    for (const f of watchers) f(error);
    say.messages([{level: 'error', message, file, line, field}]);
    say.status('Stopped: ' + message);
    say.announce(message);
    if (!error.code) console.error(error);
  }

  /** @type {Attempt} */
  const attempt = f => async (...args) => {
    try {
      return await f(...args);
    } catch (e) {
      report(e);
      return undefined;
    }
  };

  return {
    report, attempt,
    /** @param {(e: Thrown) => void} f */
    watch(f) { watchers.push(f); },
  };
}
