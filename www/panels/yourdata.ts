// Where the reader's bytes are and for how long, the switch that keeps nothing of files, and the end of all of it.
import {button, byId, h, setText, tableOf} from '../dom/elements.js';
import {bytes} from '../dom/figures.js';
import {prefix} from '../engine/endpoint.js';
import type {Lab} from '../types.js';

const OURS = prefix + 'cadem'; // how the database is called, and how the names of notes begin

const PLACES = [
  ['Files that you open', 'The memory of this tab. Nothing is sent: the page has no server.', 'Until you close the tab or open others'],
  ['Saved runs and experiments, with the files that they are about', 'The database of this browser',
    'Until you delete them. A browser may clear them after weeks without a visit.'],
  ['The names of saved runs, and what you found in exercises', 'Notes of this browser', 'Until you erase everything'],
  ['Files that you export', 'Where you save them. Those of a brain hold no recordings unless you ask for them.', 'Yours to delete'],
  ['The program', 'A copy for visits without network', 'Until the next version. It holds nothing of yours.'],
];

/** Removes the database; another tab that has it open lets go of it. */
const drop = () => new Promise<void>((resolve, reject) => {
  const request = indexedDB.deleteDatabase(OURS);
  request.onsuccess = () => resolve();
  request.onerror = () => reject(request.error);
  request.onblocked = () => reject(new Error('Another tab holds what is kept. Close it, then erase again.'));
});

export function createYourData({session, experiments, storage, saveQueue, notices, attempt}: Lab) {
  const nothing = h('input', {type: 'checkbox', id: 'keep-nothing', onchange: () => choose(nothing.checked)});
  const size = h('p', {class: 'soft small', id: 'kept-size'});
  const sure = button('Yes, erase it all', attempt(async () => {
    saveQueue.available = false;
    storage.terminate(); // which could write
    await drop();
    for (const name of Object.keys(localStorage)) if (name.startsWith(OURS)) localStorage.removeItem(name);
    location.replace(location.pathname); // what is open in this tab goes, too
  }), {id: 'erase-sure', class: 'primary', hidden: true});
  const erase = button('Erase everything', () => {
    sure.hidden = !sure.hidden;
    setText(erase, sure.hidden ? 'Erase everything' : 'No, keep it');
  }, {id: 'erase'});
  byId('your-data').append(
    tableOf({head: ['What', 'Where', 'How long'], rows: PLACES}), size,
    h('p', {}, h('label', {}, nothing, ' Keep nothing of the files that I open')),
    h('p', {class: 'soft small'}, 'This is on as soon as a file of participants is read (participants.tsv). What was kept before stays until you delete it.'),
    h('p', {class: 'actions'}, erase, sure),
    h('p', {class: 'soft small'}, 'Erases saved runs, experiments and notes, and closes what is open. It cannot be taken back.'));
  byId('your-data').addEventListener('toggle', attempt(async () => {
    const {usage = 0} = await navigator.storage?.estimate?.() ?? {};
    setText(size, usage ? `This site takes ${bytes(usage)} in this browser, the copy of the program among it.` : '');
  }));
  let told = false;

  function choose(on: boolean) {
    saveQueue.nothing = on;
    if (on) return;
    session.saveAll(); // what was not kept
    experiments.keepAll();
  }

  return {
    /** Draws the switch, and says when it has gone on by itself. */
    show() {
      const {nothing: on, people} = saveQueue;
      nothing.checked = on;
      if (told === (on && people)) return;
      told = on && people;
      notices.hide('people');
      if (told) {
        notices.show('people', 'These files say who took part (participants.tsv), so nothing of them is kept in this browser: neither runs nor experiments.',
          {actions: [['Keep what is found', () => choose(false)]]});
      }
    },
  };
}
