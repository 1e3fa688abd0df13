// Data: what is open, and opening files.
import {all, cell, maybe, one, textOf} from './dom';

export const says = (part: string) => maybe('#data-summary')?.textContent.includes(part);
export const described = () => textOf('#data-summary');
export const layers = (n: number) => all('#data-summary tbody tr').length === n;
export const table = () => all('#data-summary tbody tr').map(r => [r.cells[0]?.firstChild?.textContent, cell(r, 1), cell(r, 2)]);
export const problem = (part: string) => textOf('#files-problem').includes(part);
export const refused = () => textOf('#files-problem');
export const forgetProblem = () => one('#files-problem').replaceChildren();

/** Files by name and text. */
type Files = [name: string, text: string][];

/** Drops files, and others at once after them. */
export function drop(batches: Files[]) {
  for (const files of batches) {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
    dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
  }
}
/** Drops the example file that the page offers, with labels of its nodes. */
export async function dropExample() {
  const text = await (await fetch(one('#data-picker a[download]').href)).text();
  drop([[['example_multiplex.txt', text], ['labels.csv', 'name,team\nAda,a\nBen,b\nCleo,a\nDan,b\n']]]);
}
