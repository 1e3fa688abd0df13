// Has the page do to itself what people do in it: train, look at everything, rename, export, import, delete for good, sweep. No driver
// clicks: one holds what it clicks, and every script that it runs.
import {all, maybe, one, pause, send, state} from './dom';
import {type} from './hand';
import * as lab from './lab';
import * as page from './page';
import * as runs from './runs';
import {enabled} from './see';
import {settled} from './storage';

const until = async (f: () => unknown) => { while (!f()) await pause(20); };
const listed = () => all('#runs-list li[data-run]').length;
async function press(css: string) {
  await until(() => enabled(css));
  one(css).click();
}

let run: File, places: string[], most: number, tasks: object[], round = 0, used: Promise<number>;

/** Keeps what it uses: an exported run, the places of the page, how many runs are kept at most, and tasks of a sweep. */
export function prepare(file: string, where: string[], atMost: number, sweep: object[]) {
  run = new File([Uint8Array.from(atob(file), c => c.charCodeAt(0))], 'run.zip');
  [places, most, tasks] = [where, atMost, sweep];
}

/** Does all of it once, and looks at each place for some ms. */
async function useAll(look: number) {
  type('#seeds-model_seed', String(1000 + ++round)); // which no run so far has
  await press('#run-hint button'); // Set it up
  await until(() => lab.pausedAt(0) && lab.drawn());
  await press('#play');
  await until(() => lab.finished() && lab.kept());
  for (const view of ['layers', 'losses', 'causality', 'method', 'pulls']) maybe(`#tabs [data-show="${view}"]`)?.click();
  for (const place of places) {
    await page.go(place);
    await pause(look);
  }
  runs.rename(state().run, 'Round ' + round);
  await press('#export-npz');
  const before = listed(), given = new DataTransfer(), input = one('#import-run');
  given.items.add(run);
  Object.assign(input, {files: given.files});
  send(input, 'change');
  await until(() => listed() > before && settled());
  for (let n = listed(); n > most; n--) {
    await press('#runs-list li[data-run]:last-child [data-act=delete]');
    await until(() => listed() < n && settled());
  }
  await until(() => !maybe('#runs-list [role=status] .notice')); // for good, from then on
  cadem.pool.size = 1;
  const outcomes: {result?: object, error?: object}[] = await cadem.pool.run(tasks);
  if (!outcomes.every(o => o.result && !o.error)) throw new Error('the sweep failed');
}

/** Begins to do so, until some ms are over. */
export function begin(ms: number, look: number) {
  used = (async () => {
    for (const end = performance.now() + ms; performance.now() < end;) await useAll(look);
    return round;
  })();
}
export const rounds = () => used;
