// The dialog that asks what is in files.
import {active, all, maybe, nth, one, send, table, textOf} from './dom';
import {drop} from './data';

export const open = () => maybe('dialog.import')?.open && maybe('#import-open');
export const closed = () => !maybe('dialog.import')?.open;
export const blocked = () => one('#import-open').disabled;
export const problem = (part: string) => textOf('#import-problem').includes(part);
export const refused = () => textOf('#import-problem');
export const holdsFocus = () => one('dialog.import').contains(active());
export const unfold = () => { for (const d of all('dialog details')) d.open = true; };
export const cancel = () => all('dialog.import[open] button').find(b => b.textContent === 'Cancel')?.click();
export function cancelAndDrop(files: [string, string][]) {
  const dialog = maybe('dialog.import');
  dialog?.dispatchEvent(new Event('cancel', {cancelable: true}));
  drop([files]);
}

const part = (name: string) => one(`[data-part=${JSON.stringify(name)}] select`);
/** Chooses what a part of the files is used as. */
export function use(name: string, role: string) {
  const s = part(name);
  s.value = role;
  if (s.value !== role) throw new Error(name + ' cannot be ' + role + ' among ' + [...s.options].map(o => o.value));
  send(s, 'change');
}
export const roles = () => Object.fromEntries(all('[data-part]').map(p => [p.dataset.part, maybe('select', p)?.value ?? '-']));
export const roleText = (name: string) => part(name).selectedOptions[0]?.textContent;

export function columnIs(k: number, role: string) {
  const s = nth('dialog.import thead select', k - 1);
  s.value = role;
  send(s, 'change');
}
export const columns = () => all('dialog.import thead select').map(s => s.value).join();
export const reading = () => maybe('[name=import-reading]:checked')?.value ?? '';
export const readings = () => all('[name=import-reading]').map(r => r.value);
export const firstRows = () => table('[data-part=features] .first-rows tr').map(r => r.join(': '));

/** How much wider than itself or the page it is. */
export function tooWide() {
  const d = one('dialog.import'), b = one('.import-body', d);
  return Math.ceil(Math.max(b.scrollWidth - b.clientWidth, d.scrollWidth - d.clientWidth, d.getBoundingClientRect().right - innerWidth));
}
