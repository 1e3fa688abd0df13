// Experiments: cards of studies, their reports, and the pool of workers that runs them.
import {all, frame, maybe, one, pause, table, tellWorkers} from './dom';

const study = (name: string) => `[data-study=${name}]`;
const report = (name: string) => textIn(name, '.report');
const textIn = (name: string, css: string) => one(study(name) + ' ' + css).textContent;

export const any = () => maybe('[data-study]');
export const card = (name: string) => maybe(study(name));
export const names = () => all('[data-study]').map(e => e.dataset.study);
export const shownNames = () => all('.study').filter(e => e.checkVisibility()).map(e => e.dataset.study).join(' ');
export const says = (name: string, part: string) => maybe(study(name))?.innerText.includes(part);
export const figures = (name: string, start: string) => textIn(name, '.figures').startsWith(start);
export const estimated = (name: string) => /Estimate: about \d+ (s|min) on this machine/.test(one(study(name)).innerText);
/** It can be stopped, or gone on with. */
export const goes = (name: string) => /^(Continue .*|Stop)$/m.test(one(study(name)).innerText);
export const problem = (name: string, part: string) => textIn(name, '.problem').includes(part);
export const offers = (name: string, values: string) => [...one(study(name) + ' datalist').options].map(o => o.value).join() === values;

export const reported = (name: string) => maybe(study(name) + ' .report table');
export const reports = (name: string, part: string) => maybe(study(name) + ' .report')?.innerText.includes(part);
export const someLeft = (name: string) => /of 2\d tasks? not run yet/.test(report(name));
export const grid = (name: string) => all(study(name) + ' .report .grid tr')
  .map(r => [...r.cells].map(c => [...c.childNodes].map(n => n.textContent).join('; ')));
export async function everyFigure(name: string) {
  const fold = one(study(name) + ' .report .every-figure');
  fold.open = true;
  await pause(0); // its table is made when it is opened
  while (!maybe('tr', fold)) await frame();
  return table('tr', fold);
}
/** The first rows of a table that is folded away. */
export async function fold(name: string, title: string) {
  const fold = one(`${study(name)} .report details[data-title^=${JSON.stringify(title)}]`);
  fold.open = true;
  while (!maybe('tr', fold)) await frame();
  return table('tr', fold).slice(0, 40);
}
export async function contents(card: string) {
  const c = one(card), images = all('.report img', c);
  const loaded = await Promise.all(images.map(i => i.decode().then(() => i.naturalWidth > 0, () => false)));
  return {problem: one('.problem', c).textContent, prose: all('.report .prose', c).length, images: images.length,
    loaded: loaded.filter(Boolean).length, tables: all('.report table', c).length, cells: all('.report td', c).length};
}

// --- What is kept of them

const stored = (name: string, variants?: string[]): {tasks: number, finished: number, order: object}[] => cadem.experiments.stored(name, variants);
export const settled = () => cadem.experiments.pending === 0;
export const finished = (name: string, n: number) => stored(name)[0]?.finished === n;
export const begun = (name: string) => (stored(name)[0]?.finished ?? 0) > 0;
export const running = (name: string, seeds: number) => cadem.experiments.state({study: name, seeds}).running;
export const tasksPast = (name: string, tasks: number, n: number) => stored(name).some(r => r.tasks === tasks && r.finished > n);
export const tasksDone = (name: string, tasks: number) => stored(name).some(r => r.tasks === tasks && r.finished === tasks);
export const storedOnce = (name: string, variant: string) => stored(name, [variant]).length === 1;
const lines = async (order?: object) => (await cadem.experiments.report(order, '')).reports[0].lines;
export const storedLines = (name: string, variant: string) => lines(stored(name, [variant])[0]?.order);
/** Runs an order that is kept with some methods, in their settings for a tab. */
export async function runMethods(name: string, methods: string) {
  const order = {...stored(name)[0]?.order, methods, level: 'lite'};
  await cadem.experiments.run(order);
  return lines(order);
}

// --- The pool

type Outcome = {result?: object, error?: {message: string}};
export const busy = () => cadem.pool.busy > 0;
/** Trains twice, in two workers. */
export async function trainTwo() {
  cadem.pool.size = 2;
  await cadem.pool.run([1, 2].map(data_seed => ({name: 'first', data: {example: 'syn1', data_seed}, preset: 'released', options: {epochs: 1}})));
}
/** Runs tasks; each is announced once, and progress ends with all of them. */
export async function run(tasks: object[], size: number) {
  const {pool} = cadem, told: number[] = [];
  pool.size = size;
  let last = {finished: 0, done: 0};
  const outcomes: Outcome[] = await pool.run(tasks, {onResult: (i: number) => told.push(i), onProgress: (p: typeof last) => { last = p; }});
  const n = outcomes.length;
  if (pool.workers > size || told.length !== n || last.finished !== n || last.done !== n) throw new Error(JSON.stringify([pool.workers, told, last]));
  return outcomes.map(o => ({result: o.result, error: o.error?.message ?? ''}));
}
/** Cancels long tasks once two are under way, and returns how long that took, in ms. */
export async function cancel(long: object[]) {
  const control = new AbortController(), {pool} = cadem;
  let rejected = '';
  await new Promise<void>(under => pool.run(long, {signal: control.signal, onProgress(p: {each: number[]}) {
    if (p.each.filter(x => x > 0).length > 1) under();
  }}).catch((e: Error) => { rejected = e.name; }));
  const began = performance.now();
  control.abort();
  await pause(0);
  const at = rejected;
  while (pool.busy) await pause(1);
  if (at !== 'AbortError' || pool.workers !== 2) throw new Error(JSON.stringify([at, pool.workers]));
  return performance.now() - began;
}
/** Runs tasks, and ends the workers after the first result. */
export async function outlive(tasks: object[]) {
  let killed = false;
  const outcomes: Outcome[] = await cadem.pool.run(tasks, {onResult() {
    if (!killed) tellWorkers('compute');
    killed = true;
  }});
  return outcomes.map(o => {
    if (o.error) throw o.error;
    return o.result;
  });
}

/** Why the pool cannot plan an order of no tasks; "" if it can. */
export const planFails = () => cadem.pool.ask('plan', {tasks: []}).then(() => '', (e: Error) => e.message);

let names_: string[] = [];
/** Notes the names of tasks that are run from now on. */
export function watchTasks() {
  const {pool} = cadem, run = pool.run.bind(pool);
  names_ = [];
  pool.run = (tasks: {name: string}[], o: object) => {
    names_.push(...tasks.map(t => t.name));
    return run(tasks, o);
  };
}
export const ran = () => names_;

type Body = {order?: {study: string}};
function intercept(ask: (kind: string, body: Body, pass: (body: Body) => unknown) => unknown) {
  const {pool} = cadem, asked = pool.ask;
  pool.ask = (kind: string, body: Body, ...rest: unknown[]) => ask(kind, body, b => asked.call(pool, kind, b, ...rest));
}
let descriptions = 0;
export function watchDescribed() {
  descriptions = 0;
  intercept((kind, body, pass) => {
    descriptions += Number(kind === 'describe');
    return pass(body);
  });
}
export const described = () => descriptions;
/** Gives orders options by the name of the study, or by "", that make them short. */
export const shorten = (brief: Record<string, object>) => intercept((_, body, pass) => pass(body.order ?
  {...body, order: {...body.order, options: brief[body.order.study] ?? brief['']} as Body['order'] & object} : body));
export const failReports = () => intercept((kind, body, pass) => kind === 'report' ?
  Promise.reject(Object.assign(new Error('This report cannot be made.'), {code: 'internal'})) : pass(body));
