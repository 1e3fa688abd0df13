// What becomes of errors: the reader is told, beside the field that caused it where there is one.

/**
 * createErrors({say, recovering, stands}) -> {report, attempt, watch}
 * recovering() tells whether the engine is being started again, which says so itself; stands() whether there is a run that nothing is wrong with,
 * of which the status goes on to speak; watch(f) has f(error) called for every error.
 */
export function createErrors({say, recovering, stands}: {say: Say, recovering: () => boolean, stands: () => boolean}) {
  const watchers: ((e: Thrown) => void)[] = [];

  function report(error: Thrown) {
    if (error.code === 'cancelled' || (error.code === 'exited' && recovering())) return; // it says so itself
    const {message, file, line, field} = error;
    say.messages([{level: 'error', message, file, line, field}]);
    if (!error.aside && !stands()) say.status('Stopped: ' + message);
    for (const f of watchers) f(error);
    say.announce(message);
    if (!error.code) console.error(error);
  }

  const attempt: Attempt = f => async (...args) => {
    try {
      return await f(...args);
    } catch (e) {
      report(e);
      return undefined;
    }
  };

  return {
    report, attempt,
    watch(f: (e: Thrown) => void) { watchers.push(f); },
  };
}
