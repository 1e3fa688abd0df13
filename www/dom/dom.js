// Small helpers around the DOM. Text always goes in as text: there is no path from data to markup.

/**
 * Makes an element. `props` sets attributes (true: present, false or null: left out), `class`, and
 * listeners under names that start with "on".
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
    else el.setAttribute(name, value === true ? '' : String(value));
  }
  el.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return el;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element. */
export function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props || {})) el.setAttribute(name, String(value));
  el.append(...children);
  return el;
}

export const byId = id => document.getElementById(id);

/** Writes text only when it changes, so that nothing is laid out or announced twice. */
export function setText(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Hands a file to the browser's download. */
export function download(bytes, name, type) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], {type}));
  const a = h('a', {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// The one Trusted Types policy of the page: scripts come from this folder, or are put together of what does, or not at all.
const policy = globalThis.trustedTypes
  ? globalThis.trustedTypes.createPolicy('cadem', {createScriptURL: fromHere})
  : {createScriptURL: fromHere};

const made = new Set(); // addresses of scripts that were made here

function fromHere(address) {
  if (made.has(address)) return address;
  const url = new URL(address, document.baseURI);
  const base = new URL('.', document.baseURI);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw new TypeError('not a script of this page: ' + url);
  return url.href;
}

export const scriptURL = address => policy.createScriptURL(address);

/** The address of a script that is put together here, of texts and Blobs. */
export function ownScript(parts) {
  const address = URL.createObjectURL(new Blob(parts, {type: 'text/javascript'}));
  made.add(address);
  return scriptURL(address);
}

// What waits to be drawn. All of it is drawn by one clock: a frame costs layout and painting, whatever is drawn for it, so what
// is due soon is drawn with what is due now. Each drawing is a task, and layout and painting are another: timers, the
// keyboard and Pause wait for one of them and not for all.
const EARLY = 20; // ms
// What changes by itself, as a run does, is drawn ten times a second as long as that takes a tenth of the time; where the
// trainings leave this thread less, it is drawn less often.
const FOLLOWS = 100, SPARE = 10, LONGEST = 500; // ms, times, ms
const waiting = new Set();
let drawing = false, timer = 0;
let rested = 0; // when drawing has had its share of the time

/** Milliseconds until a job is due. */
const due = (job, now) => job.soon ? 0 : Math.max(job.pause - (now - job.last), job.follows ? rested - now : 0);

// Messages, as nested timers wait for 4 ms.
const channel = new MessageChannel();

/** Ends the present task and goes on in the next. */
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

function add(job) {
  waiting.add(job);
  if (!drawing) wait();
}

/** Gives a function that has fn called for a coming frame, at most 30 times a second and never behind the last state. */
export function throttleDraw(fn) {
  const job = {fn, pause: 1000 / 30 - 2, last: -Infinity, follows: false, soon: false};
  return () => { if (!waiting.has(job)) add(job); };
}

/** The same for what changes by itself, at most ten times a second; with `soon` it does not wait for its turn. */
export function followDraw(fn) {
  const job = {fn, pause: FOLLOWS - 2, last: -Infinity, follows: true, soon: false};
  return soon => {
    if (soon) {
      job.soon = true;
      rested = -Infinity;
    }
    if (soon || !waiting.has(job)) add(job);
  };
}

/** Ends the present task, so that long work does not hold up the keyboard or the screen. */
export const breath = () => new Promise(resolve => setTimeout(resolve));

/** Runs fn when the browser has nothing better to do. */
export const whenIdle = fn => globalThis.requestIdleCallback ? requestIdleCallback(fn, {timeout: 1500}) : setTimeout(fn, 200);

/** Waits for a promise, but no longer than so many ms, and whatever comes of it. */
export const atMost = (ms, promise) => Promise.race([promise.catch(() => {}), new Promise(resolve => setTimeout(resolve, ms))]);

/** Calls fn when a promise takes so long that one wonders. */
export function whenSlow(promise, fn) {
  const timer = setTimeout(fn, 700);
  promise.catch(() => {}).finally(() => clearTimeout(timer));
}

export const bytes = n => n >= 1e9 ? (n / 1e9).toFixed(1) + ' GB' : n >= 1e6 ? (n / 1e6).toFixed(1) + ' MB' : n >= 1e3 ? Math.round(n / 1e3) + ' kB' : n + ' bytes';

/** A number as a person writes it: four significant figures at most, no trailing zeros. */
export function figure(v) {
  if (!Number.isFinite(v)) return String(v);
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e6)) return v.toExponential(2).replaceAll('-', '\u2212').replace('e+', 'e');
  return String(Number(v.toPrecision(4))).replace('-', '\u2212');
}

/** A number with so many digits after the point; what rounds to 0 has no sign. */
export const fixed = (v, digits) => v.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '\u2212');

/** A probability: three digits after the point, and less than the least of them as a bound. */
export const chance = p => p < 1e-3 ? '<\u00a00.001' : fixed(p, 3);
