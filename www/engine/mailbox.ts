// A mailbox is memory that two workers share: one puts a request there and fetches the response, the other serves it, without a
// message either way. Only an isolated page has such memory.

const IDLE = 0, REQUEST = 1, RESPONSE = 2; // idle: the server listens to messages
const LINGER = 4; // ms that the server waits for the next request
// Waking up takes 0.03 to 0.08 ms on a virtual machine, and now and then ten times as long, so each side spins before it sleeps. A
// long spin pays where the last wait was over by then; where the cores have more to do it would keep one of them from that.
const BRIEF = 0.1, LONG = 2; // ms

/** The mailbox's state, the request of `inputs` bytes and the response of `outputs`. */
function parts({memory, inputs, outputs}: SharedMailbox) {
  return {state: new Int32Array(memory, 0, 1), input: new Uint8Array(memory, 4, inputs), output: new Uint8Array(memory, 4 + inputs, outputs)};
}

/** Gives wait(value, ms), which waits while the state is the one given, some ms at most. */
function waiter(state: Int32Array<SharedArrayBuffer>): (value: number, ms: number) => void {
  let spin = BRIEF;
  return (value, ms) => {
    let began = 0, waited = 0;
    while (Atomics.load(state, 0) === value) {
      const now = performance.now();
      began ||= now;
      waited = now - began;
      if (waited < spin) continue;
      Atomics.wait(state, 0, value, ms);
      waited = performance.now() - began;
      break;
    }
    spin = waited < LONG ? LONG : BRIEF;
  };
}

/** A mailbox for requests to a worker; null if memory cannot be shared. */
export function createMailbox(worker: Worker, inputs: number, outputs: number) {
  if (!self.crossOriginIsolated) return null;
  const mailbox = {memory: new SharedArrayBuffer(4 + inputs + outputs), inputs, outputs};
  const {state, input, output} = parts(mailbox);
  const wait = waiter(state);
  return {
    /** Has a request served. */
    send(request: Uint8Array) {
      input.set(request);
      if (Atomics.exchange(state, 0, REQUEST) === IDLE) worker.postMessage({mailbox});
      else Atomics.notify(state, 0);
    },
    /** Waits for the response; false when it takes so long that the caller had better look at its messages. */
    receive(response: Uint8Array) {
      wait(REQUEST, 100);
      if (Atomics.load(state, 0) === REQUEST) return false;
      response.set(output);
      return true;
    },
    /** Sends the server back to its messages; there must be no request. */
    release() {
      Atomics.store(state, 0, IDLE);
      Atomics.notify(state, 0);
    },
  };
}

/** Serves the requests in a mailbox, until there have been none for a while. */
export function attend(mailbox: SharedMailbox, serve: (request: Uint8Array) => Uint8Array) {
  const {state, input, output} = parts(mailbox);
  const wait = waiter(state);
  // There is none when it was served already, by a loop that was about to end.
  while (Atomics.load(state, 0) === REQUEST) {
    output.set(serve(input));
    Atomics.store(state, 0, RESPONSE);
    Atomics.notify(state, 0);
    wait(RESPONSE, LINGER);
    Atomics.compareExchange(state, 0, RESPONSE, IDLE);
  }
}
