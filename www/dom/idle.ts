// Waiting, without holding up the keyboard or the screen.

/** Ends the current task, so that long work does not hold up the keyboard or the screen. */
export const breath = () => new Promise(resolve => setTimeout(resolve));

/** Runs fn when the browser has nothing better to do. */
export const whenIdle = (fn: () => void) => 'requestIdleCallback' in globalThis ? requestIdleCallback(fn, {timeout: 1500}) : setTimeout(fn, 200);

/** Waits until a promise settles, but at most that many ms. */
export const atMost = (ms: number, promise: Promise<unknown>) => Promise.race([promise.catch(() => {}), new Promise(resolve => setTimeout(resolve, ms))]);

/** Calls fn when a promise takes so long that one wonders. */
export function whenSlow(promise: Promise<unknown>, fn: () => void, ms: number = 700) {
  const timer = setTimeout(fn, ms);
  promise.catch(() => {}).finally(() => clearTimeout(timer));
}
