// The phases of the run on screen, as one table: events, and the phase that each leads to.

import type {Phase, PhaseEvent} from '../types.js';

export const TRANSITIONS: Readonly<Record<Phase, Partial<Record<PhaseEvent, Phase>>>> = Object.freeze({
  // nothing is on screen
  idle: {show: 'shipped', open: 'opening'},
  // a finished run that comes with the page
  shipped: {show: 'shipped', open: 'opening'},
  // data or weights are being loaded, or brought back; "withdraw" where nothing was on screen before
  opening: {show: 'shipped', open: 'opening', withdraw: 'idle', pause: 'paused', run: 'running', finish: 'finished', fail: 'failed'},
  paused: {show: 'shipped', open: 'opening', pause: 'paused', run: 'running', finish: 'finished', fail: 'failed'},
  running: {show: 'shipped', open: 'opening', pause: 'paused', run: 'running', finish: 'finished', fail: 'failed'},
  finished: {show: 'shipped', open: 'opening', finish: 'finished', fail: 'failed'},
  failed: {show: 'shipped', open: 'opening', fail: 'failed'},
});

/** The event for the engine's word for a run's state. */
export const REPORTED: Record<string, PhaseEvent | undefined> = {running: 'run', paused: 'pause', finished: 'finish', failed: 'fail',
};

/** The event that leads from "opening" back to where it was opened from. */
export const BACK: Record<Exclude<Phase, 'opening'>, PhaseEvent> = {
  idle: 'withdraw', shipped: 'show', paused: 'pause', running: 'run', finished: 'finish', failed: 'fail'};

/** Whether an event can happen in a phase. */
export const allows = (phase: Phase, event: PhaseEvent) => Object.hasOwn(TRANSITIONS, phase) && Object.hasOwn(TRANSITIONS[phase], event);

/** The phase after an event; one that cannot happen is refused. */
export function next(phase: Phase, event: PhaseEvent): Phase {
  const to = allows(phase, event) ? TRANSITIONS[phase][event] : undefined;
  if (!to) throw new RangeError(`a run that is ${phase} cannot ${event}`);
  return to;
}
