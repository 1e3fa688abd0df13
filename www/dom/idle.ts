// Waiting, without holding up the keyboard or the screen.

/** Ends the current task, so that long work does not hold up the keyboard or the screen. */
export const breath = () => new Promise(resolve => setTimeout(resolve));

/** Runs fn when the browser has nothing better to do. */
export const whenIdle = (fn: () => void) => 'requestIdleCallback' in globalThis ? requestIdleCallback(fn, {timeout: 1500}) : setTimeout(fn, 200);

/** Waits until a promise settles, but at most that many ms. */
export const atMost = (ms: number, promise: Promise<unknown>) => Promise.race([promise.catch(() => {}), new Promise(resolve => setTimeout(resolve, ms))]);

/** Has f called unless a call of it is under way; reports whether it was. */
export function single<A extends unknown[]>(f: (...args: A) => Promise<unknown>) {
  let busy = false;
  return async (...args: A) => {
    if (busy) return false;
    busy = true;
    try {
      await f(...args);
    } finally {
      busy = false;
    }
    return true;
  };
}

/** Calls f the first time alone. */
export function once(f: () => unknown) {
  let called = false;
  return () => {
    if (!called) f();
    called = true;
  };
}

/** Calls fn when a promise takes so long that one wonders. */
export function whenSlow(promise: Promise<unknown>, fn: () => void, ms: number = 700) {
  const timer = setTimeout(fn, ms);
  promise.catch(() => {}).finally(() => clearTimeout(timer));
}
