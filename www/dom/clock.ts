// Pending drawings. One clock draws them all: a frame costs layout and painting, whatever is drawn for it, so a drawing that is
// due soon is done with those due now. Each drawing is a task, and layout and painting are another: timers, the keyboard and
// Pause wait for one of them and not for all.
const EARLY = 20; // ms
// Views that change by themselves, as a run does, are drawn ten times a second as long as that takes a tenth of the time,
// and less often if the trainings leave this thread less.
const FOLLOWS = 100, SPARE = 10, LONGEST = 500; // ms, times, ms
interface Job {fn: () => void; pause: number; last: number; follows: boolean; soon: boolean}

const waiting: Set<Job> = new Set();
let drawing = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let rested = 0; // when drawing has had its share of the time

/** Milliseconds until a job is due. */
const due = (job: Job, now: number) => job.soon ? 0 : Math.max(job.pause - (now - job.last), job.follows ? rested - now : 0);

// Messages, as nested timers wait for 4 ms.
const channel = new MessageChannel();

/** Ends the current task and goes on in the next. */
const turn = () => new Promise(resolve => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(0);
});

/** Waits until a frame has been laid out and painted; tells how long that took. */
async function frame() {
  await new Promise(requestAnimationFrame);
  const began = performance.now();
  await turn();
  return performance.now() - began;
}

async function pump() {
  drawing = true;
  let spent = 0;
  // Just after a frame, so that all of it is there for the next one; but who points at something does not wait.
  if (Array.from(waiting).every(job => job.follows && !job.soon)) spent = await frame();
  const now = performance.now();
  for (const job of waiting) { // and what they add to it
    if (due(job, now) > EARLY) continue;
    waiting.delete(job);
    job.last = now;
    job.soon = false;
    try {
      job.fn();
    } catch (e) {
      reportError(e); // and the others go on
    }
    await turn();
  }
  void document.documentElement.offsetHeight; // laid out now: the frame has only to be painted
  await turn();
  spent += performance.now() - now;
  spent += await frame(); // there is none while nobody can see it
  rested = Math.min(Math.max(rested, now) + SPARE * spent, performance.now() + LONGEST);
  drawing = false;
  if (waiting.size > 0) wait();
}

function wait() {
  const now = performance.now();
  clearTimeout(timer);
  timer = setTimeout(pump, Math.max(0, Math.min(...Array.from(waiting, job => due(job, now))) - 8)); // frames come a little later
}

function add(job: Job) {
  waiting.add(job);
  if (!drawing) wait();
}

/** Whether the screen shows all that was to be drawn. */
export const allDrawn = () => !drawing && waiting.size === 0;

/** Gives a function that has fn called for a coming frame, at most 30 times a second and never behind the last state. */
export function throttleDraw(fn: () => void) {
  const job = {fn, pause: 1000 / 30 - 2, last: -Infinity, follows: false, soon: false};
  return () => { if (!waiting.has(job)) add(job); };
}

/** The same for what changes by itself, at most ten times a second; with `soon` it does not wait for its turn. */
export function followDraw(fn: () => void): (soon?: boolean) => void {
  const job = {fn, pause: FOLLOWS - 2, last: -Infinity, follows: true, soon: false};
  return soon => {
    if (soon) {
      job.soon = true;
      rested = -Infinity;
    }
    if (soon || !waiting.has(job)) add(job);
  };
}
