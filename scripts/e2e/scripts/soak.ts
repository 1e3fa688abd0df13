// Has the page do to itself what people do in it: train, look at everything, rename, export, import, delete for good, sweep. No driver
// clicks: one holds what it clicks, and every script that it runs.
const find = (css: string) => document.querySelector<HTMLElement & {disabled?: boolean}>(css) as HTMLElement & {disabled?: boolean};
const pause = (ms: number) => new Promise(done => setTimeout(done, ms));
const until = async (f: () => unknown) => { while (!f()) await pause(20); };
const state = () => cadem.state(), still = () => state().pending === 0;
const listed = () => document.querySelectorAll('#runs-list li[data-run]').length;

async function press(css: string) {
  await until(() => find(css) && !find(css).disabled);
  find(css).click();
}

/**
 * Puts useAll(round, look), which does all of this once and looks at each place for some ms, and useFor(ms, look), which does so again and
 * again until the time is over, where the driver finds them. The file is an exported run; at most so many runs are kept.
 */
export default (file: string, places: string[], most: number, tasks: object[]) => {
  const run = new File([Uint8Array.from(atob(file), c => c.charCodeAt(0))], 'run.zip');

  async function useAll(round: number, look: number) {
    const seed = find('#seeds-model_seed') as HTMLInputElement;
    for (let d = seed.closest('details'); d; d = d.parentElement?.closest('details') ?? null) d.open = true;
    seed.value = String(1000 + round); // which no run so far has
    for (const type of ['input', 'change']) seed.dispatchEvent(new Event(type, {bubbles: true}));
    await press('#run-hint button'); // Set it up
    await until(() => state().phase === 'paused' && state().step === 0 && state().drawn);
    await press('#play');
    await until(() => state().phase === 'finished' && !state().scoring && state().scores > 0 && state().drawn && still() && state().saved === state().step);
    for (const view of ['layers', 'losses', 'causality', 'method', 'pulls']) find(`#tabs [data-show="${view}"]`)?.click();
    for (const place of places) {
      find(`#places a[href="#${place}"]`).click();
      await new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)));
      await pause(look);
    }
    find(`[data-run="${state().run}"] [data-act=rename]`).click();
    (find('#runs-list form.rename input') as HTMLInputElement).value = 'Round ' + round;
    (find('#runs-list form.rename') as HTMLFormElement).requestSubmit();
    await press('#export-npz');
    const before = listed(), given = new DataTransfer(), input = find('#import-run') as HTMLInputElement;
    given.items.add(run);
    input.files = given.files;
    input.dispatchEvent(new Event('change', {bubbles: true}));
    await until(() => listed() > before && still());
    for (let n = listed(); n > most; n--) {
      await press('#runs-list li[data-run]:last-child [data-act=delete]');
      await until(() => listed() < n && still());
    }
    await until(() => !find('#runs-list [role=status] .notice')); // for good, from then on
    cadem.pool.size = 1;
    const all: {result?: object, error?: object}[] = await cadem.pool.run(tasks);
    return all.every(o => o.result && !o.error);
  }

  let round = 0;
  async function useFor(ms: number, look: number) {
    for (const end = performance.now() + ms; performance.now() < end;) {
      if (!await useAll(++round, look)) throw new Error('the sweep failed');
    }
    return round;
  }
  Object.assign(window, {useAll, useFor});
};
