// The list of saved runs.
import {all, maybe, one, state, type Part} from './dom';

const listed = () => all('#runs-list li[data-run]');
export const count = (n: number) => listed().length === n;
export const current = (run: string) => state().run === run;
/** Runs and experiments. */
export const stored = (least: number) => listed().length + cadem.experiments.count >= least;
export const named = () => ({State: state(),
  Runs: Object.fromEntries(listed().flatMap(e => maybe('strong', e) ? [[e.dataset.run, one('strong', e).textContent]] : []))});
export const press = (run: string, act: string) => one(`[data-run="${run}"] [data-act=${act}]`).click();
export function rename(run: string, name: string) {
  press(run, 'rename');
  one('#runs-list form.rename input').value = name;
  one('#runs-list form.rename').requestSubmit();
}
export function nothingToBackUp() {
  if (!one('#back-up').disabled) throw new Error('there is nothing to back up');
}

let picture: Part | null = null, drawing = '';
const thumbnail = (run: string) => one(`[data-run="${run}"] .thumbnail`);
/** Notes the picture of a run, to be compared. */
export function notePicture(run: string) {
  picture = thumbnail(run);
  drawing = picture.outerHTML;
}
export const redrawn = (run: string) => thumbnail(run).outerHTML !== drawing;
export const samePicture = (run: string) => thumbnail(run) === picture;
