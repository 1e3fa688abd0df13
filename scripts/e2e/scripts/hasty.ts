// Has twenty seconds of a page pass in one.
const later = globalThis.setTimeout as (f: TimerHandler, ms?: number, ...given: unknown[]) => number;
Object.assign(globalThis, {setTimeout: (f: TimerHandler, ms = 0, ...given: unknown[]) => later(f, ms >= 20_000 ? ms / 20 : ms, ...given)});
export {};
