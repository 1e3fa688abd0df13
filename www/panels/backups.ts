// Backups of all stored data, the entries of one that could not be restored, and files of entries set aside.
import {byId, download, h} from '../dom/elements.js';
import {RequestError} from '../engine/requesterror.js';
import type {Lab, Thrown} from '../types.js';

const FEW = 8; // lines of a report that are shown at once

const runsAndExperiments = (n: number) => n === 1 ? '1 run or experiment' : `${n} runs and experiments`;

/** A report, a line each; a long one begins closed. */
const report = (title: string, lines: string[]) => h('details', {open: lines.length <= FEW},
  h('summary', {}, title), h('ul', {}, lines.map(l => h('li', {}, l))));

/** keeps() says whether runs are kept here; restored(ids) is called when something may have been put back. */
export function createBackups({storage, saveQueue, notices, say, attempt, keeps, restored}:
  Pick<Lab, 'storage' | 'saveQueue' | 'notices' | 'say' | 'attempt'> & {keeps: () => boolean, restored: (ids: string[]) => Promise<void>}) {
  const tell = (text: string) => {
    say.status(text);
    say.announce(text);
  };
  const today = () => new Date().toISOString().slice(0, 10);

  byId('back-up').addEventListener('click', attempt(async () => {
    await saveQueue.settled();
    const {result: {runs, damaged}} = await storage.call('list');
    const {make} = await import('../run/backup.js'), list = [...runs, ...damaged];
    const {file, left, notes} = await make(storage, list, done => say.status(`Backing up\u2026 ${done} of ${list.length}`));
    download(file, `cadem-backup-${today()}.tar`);
    tell(`Backed up ${runsAndExperiments(list.length - left.length)}.`);
    notices.hide('backup');
    const title = left.length ? `Not in the backup: ${left.length}` : 'Found while backing up';
    if (left.length + notes.length) notices.show('backup', report(title, [...left, ...notes]), {level: 'error'});
  }));

  return {
    /** Restores the content of a backup, and gives the reason for each entry that was left out. */
    async restore(file: File) {
      if (!keeps()) {
        const message = `${file.name}: a backup can be put back only where runs are kept, and here they are not.`;
        throw new RequestError({code: 'bad-data', file: file.name, message});
      }
      const {restore} = await import('../run/backup.js');
      let told;
      try {
        told = await restore(storage, file, (done, total) => say.status(`Putting back\u2026 ${done} of ${total}`));
      } catch (e) {
        throw new RequestError({code: (e as Thrown).code, file: file.name, message: `${file.name}: ${(e as Thrown).message}`});
      } finally {
        await restored(told?.ids ?? []);
      }
      const {restored: done, there, left} = told, already = there.length ? ` ${there.length} ${there.length === 1 ? 'was' : 'were'} here already.` : '';
      tell(`Put back ${runsAndExperiments(done.length)}.${already}${left.length ? ` ${left.length} could not be put back.` : ''}`);
      notices.hide('backup');
      if (left.length) notices.show('backup', report(`Not put back of ${file.name}: ${left.length}`, left), {level: 'error'});
    },
    /** Writes the rest of an entry set aside into a file: as a backup, or else every stored value of it. */
    async exportAside(of: {run: string, name: string}) {
      const {make, raw} = await import('../run/backup.js');
      const {file, left, notes} = await make(storage, [of], () => {});
      download(left.length ? await raw(storage, of.run) : file, `cadem-set-aside-${today()}.tar`);
      notices.hide('backup');
      const title = left.length ? 'The file holds every value that is stored of it, as it is, and is no backup' : 'Found while exporting';
      if (left.length + notes.length) notices.show('backup', report(title, [...left, ...notes]), {level: 'error'});
    },
  };
}
