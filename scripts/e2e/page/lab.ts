// The Lab's run bar and what it says, and a run.
import {all, frame, maybe, one, over, pause, paused as isPaused, send, state as stateOf, textOf} from './dom';
import {pictures} from './page';

export const state = () => stateOf();
export const phase = (is: string) => state().phase === is;
export const running = () => phase('running');
export const paused = isPaused;
export const ended = () => phase('finished');
export const shipped = () => phase('shipped');
export const still = () => ['shipped', 'paused'].includes(state().phase);
export const busy = () => ['opening', 'running'].includes(state().phase);
export const planned = () => state().steps > 0;
export const at = (step: number) => state().step === step;
export const pausedAt = (step: number) => isPaused() && at(step);
export const past = (step: number) => state().step > step;
export const step = () => state().step;
export const fromEpoch = (n: number) => state().epoch >= n;
export const pastEpoch = (n: number) => state().epoch > n;
export const epochs = (n: number) => state().epochs === n;
export const hashed = () => state().hash;
export const hash = (is: string) => state().hash === is;
export const drawn = () => state().drawn;
export const scored = () => state().scores > 0;
export const scoring = () => state().scoring;

export const untouched = () => pausedAt(0) && drawn() && state().ready && !waits();
export const finished = () => over();
export const trained = () => ended() && hashed() && drawn();
/** All of the run is kept. */
export const kept = () => state().pending === 0 && state().saved === state().step;

export const waits = () => one('#play').disabled;
export const button = (says: string) => textOf('#play') === says;
export const play = () => one('#play').click();
export const says = (part: string) => maybe('#status')?.textContent.includes(part);
export const saysJust = (text: string) => textOf('#status') === text;
export const begins = (part: string) => textOf('#status').startsWith(part);
export const unhinted = () => one('#run-hint').hidden;
export const letters = () => parseFloat(getComputedStyle(one('#status')).fontSize);
export const tabs = () => all('.tab[data-show]').filter(b => b.checkVisibility()).length;
export const explained = () => Boolean(one('.prose').compareDocumentPosition(one('#expect')) & Node.DOCUMENT_POSITION_FOLLOWING) &&
  textOf('.prose').includes('common embedding');
export const terms = () => all('.terms [data-option]').filter(e => !e.hasAttribute('hidden')).map(e => e.dataset.option + '=' + e.dataset.is);

/** How much of the stage is left free above the run bar, in pixels. */
export function spare() {
  const {top, bottom} = one('#stage').getBoundingClientRect();
  return top + one('.runbar').getBoundingClientRect().top - bottom;
}

export function pace(position: number) {
  one('#pace').value = String(position);
  send(one('#pace'), 'input');
}

let steps = '';
/** Keeps what is said of the time that a step takes. */
export function watchPace() {
  const text = one('#epoch-text');
  steps = '';
  new MutationObserver(() => { steps = text.textContent.match(/[\d.]+(?= ms a step)/)?.[0] ?? steps; })
    .observe(text, {childList: true, characterData: true, subtree: true});
}
export const stepTook = () => steps;

let putBackSaid = '';
/** Keeps what is said once a backup has been put back. */
export function awaitPutBack() {
  const status = one('#status');
  putBackSaid = '';
  new MutationObserver((_, observer) => {
    if (!/^Put back /.test(status.textContent)) return;
    putBackSaid = status.textContent;
    observer.disconnect();
  }).observe(status, {childList: true, characterData: true, subtree: true});
}
export const putBack = () => putBackSaid;

/** Moves the slider of epochs. */
export function travel(position: number) {
  one('#snapshot').value = String(position);
  send(one('#snapshot'), 'input');
}
export const toLatest = () => travel(Number(one('#snapshot').max));
export const timeIs = (text: string) => textOf('#snapshot-text') === text;
export const timesTo = (max: string) => one('#snapshot').max === max;

/** The pictures of all embeddings at every stop of the slider of epochs, by its label there. */
export async function stops() {
  const shown: Record<string, string> = {};
  for (let k = 0; k <= Number(one('#snapshot').max); k++) {
    travel(k);
    do await frame(); while (!drawn());
    shown[textOf('#snapshot-text')] = pictures();
  }
  return shown;
}

/** Puts a progress at half in the place of the bar, which the page does not move. */
export function halfProgress() {
  const bar = one('#progress'), half = bar.cloneNode();
  half.value = String(Number(half.max) / 2);
  bar.replaceWith(half);
  const {x, y, width, height} = half.getBoundingClientRect();
  return {x, y, width, height};
}

/** Presses the button after a while, and returns how long it took until the page had heard from the engine that the run is paused, in ms. */
export async function pauseAfter(ms: number) {
  await pause(ms);
  if (!running()) throw new Error('the run is not under way');
  const {port1, port2} = new MessageChannel(), t = performance.now();
  play();
  await new Promise<void>(done => {
    port1.onmessage = () => {
      if (isPaused()) done();
      else port2.postMessage(0);
    };
    port2.postMessage(0);
  });
  return performance.now() - t;
}

/**
 * Resolves when the page begins to open data or a run, to the step at which the run on screen was left. It listens to requests to workers, since
 * an opening can begin and end within one turn of timers or ports.
 */
function opening() {
  const {postMessage} = Worker.prototype;
  return new Promise<number>(opens => {
    let left = -1;
    Worker.prototype.postMessage = function(this: Worker, ...message: any) {
      if (left < 0 && !running()) left = step();
      if (phase('opening')) {
        Worker.prototype.postMessage = postMessage;
        opens(left);
      }
      return postMessage.apply(this, message);
    };
  });
}

/** Follows a link, and presses Train while its run is made ready. */
export async function openAndTrain(link: string) {
  const opens = opening();
  location.hash = link;
  await opens;
  play();
}

/** Opens a run while one is under way; the step at which that was left. */
export function leaveFor(run: string) {
  const opens = opening();
  one(`[data-run="${run}"] [data-act=open]`).click();
  return opens;
}
