// The page as a whole: what it has loaded, its frames, what stands where.
import {active, all, frame, maybe, one, pause, pixels, state, textOf} from './dom';
import {unfoldAround} from './hand';

export const scripted = () => Boolean(globalThis.cadem);
export const started = () => scripted() && state().ready;
/** Whether a program writes the page's tables. */
export const programmed = () => Boolean(globalThis.cademPage);
export const ready = () => started() && textOf('#version') && programmed();
export const offline = () => textOf('#offline-state').includes('without network');
export const version = (part: string) => textOf('#version').includes(part);
export const at = (place: string) => document.body.dataset.at === place;
export const big = () => document.documentElement.classList.contains('big');
export const copied = () => textOf('#copy-link') === 'Copied';
export const language = () => navigator.language;
export const now = () => performance.now();
export const past = () => history.length;
export const back = (by: number) => history.go(by);
export const backSoon = () => { setTimeout(() => history.back()); };
export const focusID = () => active().id;
export const top = () => scrollTo(0, 0);
export const unfold = () => { for (const d of all('details')) d.open = true; };

/** Goes to a place, and unfolds what is there. */
export async function go(place: string) {
  one(`#places a[href="#${place}"]`).click();
  if (place === 'experiments') for (const d of all('#experiments-view > details')) d.open = true;
  await frames();
}

export async function frames() {
  await frame();
  await frame();
}
export async function fourFrames() {
  await frames();
  await frames();
}

/** What a person would see, for a test that fails. */
export const scene = () => ['#status', '#messages', '#notices', '#run-hint'].map(s => s + ': ' + maybe(s)?.innerText).join('\n') + '\n' +
  JSON.stringify(globalThis.cadem?.state()) + '\nloaded, by ms: ' + performance.getEntriesByType('resource')
    .map(e => Math.round((e as PerformanceResourceTiming).responseEnd) + ' ' + e.name.split('/').pop()).join(', ');

// --- What a run leaves on screen

const tabled = ['#data-summary', '#metrics', '#losses-table'];
export const tables = () => tabled.map(textOf);
export const tablesFilled = () => tables().every(text => text);

/** A sum of the pixels of every embedding. */
export const pictures = () => all('#embeddings-view canvas').map(c => pixels(c).reduce((sum, p) => (Math.imul(sum, 31) + p) >>> 0, 0)).join(' ');

/** A person's view of a run: tables, and the pictures' pixels. */
export async function look() {
  await frames();
  const [summary, scores, losses] = tables();
  return {scores, losses, summary, pictures: pictures()};
}

// --- The program that writes tables

let breaks = '';
/** Lets that program be broken off by the browser, in the middle of an event that has a text. */
export function breakable() {
  const {prototype} = (globalThis as any).Go, resume = prototype._resume;
  prototype._resume = function() {
    if (!breaks || !String(this._pendingEvent?.args[0]).includes(breaks)) return resume.call(this);
    breaks = '';
    throw new WebAssembly.RuntimeError('so to speak');
  };
}
export const breakAt = (event: string) => { breaks = event; };
/** Empties the tables and ends the program: by a panic, or broken off in an event. */
export function emptyAndEnd(event: string) {
  all('[data-notice=page], ' + tabled.map(css => css + ' > *').join()).forEach(e => e.remove());
  breaks = event;
  (globalThis.cademPage as Function)(...event ? [event] : []);
}

// --- What goes on while nobody looks

let blocked: number[] = [];
/** Keeps how long tasks take that leave the page no turn. */
export function watchLongTasks() {
  blocked = [];
  new PerformanceObserver(l => { for (const e of l.getEntries()) blocked.push(e.duration); }).observe({type: 'longtask'});
}
export const longTasks = () => blocked;

let announcedSo = '';
/** Keeps what is announced. */
export function listen() {
  announcedSo = '';
  new MutationObserver(() => { announcedSo += textOf('#live'); }).observe(one('#live'), {childList: true, characterData: true, subtree: true});
}
export const announced = (part: string) => announcedSo.includes(part);

let held: FrameRequestCallback[] = [], release = () => {};
/** Lets no frame come any more once the colour is chosen anew. */
export function holdFrames() {
  const asked = window.requestAnimationFrame;
  held = [];
  window.requestAnimationFrame = f => held.push(f);
  release = () => {
    window.requestAnimationFrame = asked;
    held.forEach(f => asked(f));
  };
  one('#colour-by').dispatchEvent(new Event('change'));
}
export const framesHeld = () => held.length > 0;
export const releaseFrames = () => release();

let painted_ = {pictures: 0, together: 0};
/** Counts pictures that are painted, and those painted after another one without the page taking a message between. */
export function watchPaint() {
  const put = CanvasRenderingContext2D.prototype.putImageData;
  const heard = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage') as PropertyDescriptor;
  let amid = false;
  painted_ = {pictures: 0, together: 0};
  Object.defineProperty(MessagePort.prototype, 'onmessage', {...heard, set(f) {
    heard.set?.call(this, (e: MessageEvent) => {
      amid = false;
      f(e);
    });
  }});
  CanvasRenderingContext2D.prototype.putImageData = function(this: CanvasRenderingContext2D, ...args: any) {
    if (amid) painted_.together++;
    amid = true;
    painted_.pictures++;
    put.apply(this, args);
  };
}
export const painted = (least: number) => painted_.pictures >= least;
export const paintedTogether = () => painted_.together;

interface Shift extends PerformanceEntry {
  value: number; hadRecentInput: boolean; sources: {node?: HTMLElement | null, previousRect: DOMRect, currentRect: DOMRect}[];
}
/** How far the layout has moved by itself since a time, in ms after the page was opened, other than at once after an input, and what moved. */
export function shifts(since: number) {
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return {sum: 0, what: []}; // Chromium alone has them
  const observer = new PerformanceObserver(() => {});
  observer.observe({type: 'layout-shift', buffered: true});
  const list = (observer.takeRecords() as Shift[]).filter(e => e.startTime >= since && !(since && e.hadRecentInput));
  observer.disconnect();
  return {sum: list.reduce((sum, e) => sum + e.value, 0),
    what: list.map(e => e.value.toFixed(4) + ' at ' + Math.round(e.startTime) + ': ' +
      e.sources.map(s => (s.node?.id || s.node?.className || s.node?.nodeName) + ' ' + Math.round(s.previousRect.y) + '>' +
        Math.round(s.currentRect.y)).join(', '))};
}

let seen = {places: {} as Record<string, Set<number>>, dark: 0, frames: 0, over: false};
/** Keeps, every frame, where elements below the pictures stand, and how often a corner of a picture is dark. */
export function sample() {
  const s = seen = {places: {}, dark: 0, frames: 0, over: false};
  const look = () => {
    if (s.over) return;
    s.frames++;
    for (const id of ['tabs', 'pulls-title', 'scores-title', 'how-title', 'play']) {
      (seen.places[id] ||= new Set()).add(Math.round(one('#' + id).getBoundingClientRect().top + scrollY));
    }
    for (const c of all('#embeddings-view canvas')) {
      if (!c.width) continue;
      const [r = 0, g = 0, b = 0, a = 0] = c.getContext('2d').getImageData(2, 2, 1, 1).data;
      if (a > 0 && Math.max(r, g, b) < 200) s.dark++;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
export function sampled() {
  seen.over = true;
  return {...seen, places: Object.fromEntries(Object.entries(seen.places).map(([id, s]) => [id, [...s]]))};
}

// --- What is cut, covered or lost

/** What is wider than the page. */
export async function tooWide() {
  await frames();
  await Promise.allSettled(document.getAnimations().map(a => a.finished));
  const panel = one('.side:not([hidden]), .panel:not([hidden])'), {scrollWidth} = document.documentElement;
  if (Math.max(scrollWidth, panel.scrollWidth) <= innerWidth) return [];
  return [scrollWidth + ' of ' + innerWidth, ...all('*', document.body).filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5)
    .map(e => e.tagName + '.' + e.className + '#' + e.id)];
}
export const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
export function cutOff() {
  const shown = (css: string) => all(css).filter(e => e.checkVisibility());
  return [
    ...shown('.pull input').filter(e => e.clientWidth < 40).map(e => e.ariaLabel + ' is ' + e.clientWidth + ' px long'),
    ...shown('.together #knows, #lessons-view').filter(e => e.scrollWidth > e.clientWidth).map(e => e.id + ' is cut'),
  ];
}
/** Which elements something lies over. */
export function covered(css: string[]) {
  const scrolls = document.documentElement.scrollHeight > innerHeight ? ['the page scrolls'] : [];
  return [...scrolls, ...css.filter(s => {
    const e = one(s), r = e.getBoundingClientRect(), x = (r.left + r.right) / 2;
    return (e.matches('canvas') ? [r.top + 2, r.bottom - 2] : [(r.top + r.bottom) / 2]).some(y => !document.elementsFromPoint(x, y).includes(e));
  })];
}
/** Texts and attributes that show a value which is none. */
export const odd = () => all('body *').filter(e => e.checkVisibility()).flatMap(e => [...[...e.attributes].map(a => a.name + '=' + a.value),
  ...e.children.length ? [] : [e.textContent]]).filter(s => /\bNaN\b|\bundefined\b/.test(s));
/** The parts on screen, of those that a link can leave out or frame. */
export function parts() {
  const within = maybe('iframe')?.contentDocument ?? document;
  return ['masthead', 'places', 'place-switch', 'learn', 'lab', 'settings', 'pulls', 'tabs', 'stage', 'play']
    .filter(id => (maybe('#' + id, within) ?? one('.' + id, within)).getClientRects().length > 0).join(' ');
}
/** How many of three fields take the focus. */
export const focusable = () => ['#options-epochs', '.pull input', '#data-picker input'].filter(s => {
  unfoldAround(s);
  one(s).dispatchEvent(new CustomEvent('reveal', {bubbles: true}));
  one(s).focus();
  return active() === one(s);
}).length;

/** What has the focus, whether that can be seen, and whether it stands on the screen. */
export async function focusSeen() {
  const e = active(), name = e.id || e.name || e.className || e.closest('nav')?.id || e.tagName;
  if (e === document.body) return {name: '', visible: true, here: true};
  await frame();
  await pause(0);
  const marked = [e, ...(e.labels || []), e.parentElement].some(m => {
    const s = getComputedStyle(m), r = m.getBoundingClientRect();
    return r.width > 6 && r.height > 6 && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0;
  });
  let r = e.getBoundingClientRect(); // what comes in above may move it for a moment
  for (const end = performance.now() + 1000; (r.bottom <= 0 || r.top >= innerHeight) && performance.now() < end; r = e.getBoundingClientRect()) await frame();
  return {name: (e.tagName + ' ' + name).toLowerCase(), visible: marked, here: r.bottom > 0 && r.top < innerHeight};
}

/** The words in elements that have a meaning to be shown. */
export const meanings = (css: string) => all(css).flatMap(e => [e, ...all('*', e)]).flatMap(e => e.dataset.means ?? []);
export function meaningInside() {
  const b = one('#means').getBoundingClientRect();
  return b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight;
}

/** The link to what is on screen: shown, or on the clipboard. */
export const link = () => maybe('[data-notice=link] input')?.value ?? navigator.clipboard.readText().catch(() => location.href);
export const refuseClipboard = () => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); };

// --- What it loads

export const loaded = (part: string) => performance.getEntriesByType('resource').some(e => e.name.includes(part));
export const ask = async (address: string) => { await fetch(address + '?' + Math.random(), {cache: 'no-store'}); };
export const activated = () => navigator.serviceWorker.controller?.state === 'activated';
/** Waits for ten seconds at most until a service worker answers the page's requests. */
export async function awaitControl() {
  for (const end = performance.now() + 10_000; !navigator.serviceWorker?.controller && performance.now() < end;) await pause(50);
}
/** Takes service worker and caches away. */
export async function forgetScripts() {
  for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
/** How often the page has asked the browser not to clear what it keeps (scripts/persist.ts). */
export const askedToPersist = () => (globalThis as any).asked;
/** Elements that were made of names, and scripts of theirs that ran. */
export const leaked = (address: string) => all(`img[src*="${address}"], svg[onload], [onerror], a[href^="javascript:"]`).length +
  Number((globalThis as any).leaked ?? 0);

/** Every finding of axe-core, or of some of its rules. */
export async function axe(rules: string[] | null) {
  // Colours on their way from one theme to the other have no contrast to speak of.
  await frames();
  await Promise.allSettled(document.getAnimations().map(a => a.finished));
  const r = await (globalThis as any).axe.run(document, {resultTypes: ['violations'], ...rules && {runOnly: rules}});
  return r.violations.flatMap((v: any) => v.nodes.map((n: any) =>
    v.id + ' (' + v.impact + '): ' + n.target.join(' ') + ': ' + n.failureSummary.replace(/\s+/g, ' ')));
}
export const hasAxe = () => Boolean((globalThis as any).axe);
