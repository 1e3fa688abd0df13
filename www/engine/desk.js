// A desk is memory that two workers share: one lays a request there and fetches the answer, the other serves it, without a
// message either way. Only an isolated page has such memory.

const AWAY = 0, ASKED = 1, SERVED = 2; // who serves is gone and hears messages; a request lies there; its answer does
const LINGER = 4; // ms that who serves waits for the next request
// Waking up takes 0.03 to 0.08 ms on a virtual machine, and now and then ten times as long, so one looks before one sleeps. A
// long look pays where the last wait was over by then; where the cores have more to do it would keep one of them from that.
const BRIEF = 0.1, LONG = 2; // ms

/** The desk's first number, the request of `inputs` bytes and the answer of `outputs`. */
function parts({memory, inputs, outputs}) {
  return {state: new Int32Array(memory, 0, 1), input: new Uint8Array(memory, 4, inputs), output: new Uint8Array(memory, 4 + inputs, outputs)};
}

/** Gives stay(value, ms), which waits while the state is the one given, some ms at most. */
function waiter(state) {
  let look = BRIEF;
  return (value, ms) => {
    let began = 0, waited = 0;
    while (Atomics.load(state, 0) === value) {
      const now = performance.now();
      began ||= now;
      waited = now - began;
      if (waited < look) continue;
      Atomics.wait(state, 0, value, ms);
      waited = performance.now() - began;
      break;
    }
    look = waited < LONG ? LONG : BRIEF;
  };
}

/** A desk for requests to a worker; null where memory cannot be shared. */
export function createDesk(worker, inputs, outputs) {
  if (!self.crossOriginIsolated) return null;
  const desk = {memory: new SharedArrayBuffer(4 + inputs + outputs), inputs, outputs};
  const {state, input, output} = parts(desk);
  const stay = waiter(state);
  return {
    /** Has a request served. */
    ask(request) {
      input.set(request);
      if (Atomics.exchange(state, 0, ASKED) === AWAY) worker.postMessage({desk});
      else Atomics.notify(state, 0);
    },
    /** Waits for the answer; false when it takes so long that one had better look at what else there is. */
    served(answer) {
      stay(ASKED, 100);
      if (Atomics.load(state, 0) === ASKED) return false;
      answer.set(output);
      return true;
    },
    /** Sends who serves back to its messages; there must be no request. */
    leave() {
      Atomics.store(state, 0, AWAY);
      Atomics.notify(state, 0);
    },
  };
}

/** Serves the requests that lie at a desk, until there have been none for a while. */
export function attend(desk, serve) {
  const {state, input, output} = parts(desk);
  const stay = waiter(state);
  // Nothing lies there when it was served already by one who was about to leave.
  while (Atomics.load(state, 0) === ASKED) {
    output.set(serve(input));
    Atomics.store(state, 0, SERVED);
    Atomics.notify(state, 0);
    stay(SERVED, LINGER);
    Atomics.compareExchange(state, 0, SERVED, AWAY);
  }
}
