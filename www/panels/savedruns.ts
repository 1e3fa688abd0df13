// Saved runs: the list, whether anything can be kept, export and import, and resuming after an interruption.
import {button, byId, download, reveal, setText} from '../dom/elements.js';
import {keptBeside} from '../run/beside.js';
import {newId, uniqueName} from '../run/model.js';
import {createBackups} from './backups.js';
import {inWords, note, noted} from './noted.js';
import {readFile, readFiles} from './ownfile.js';
import * as runlist from './runlist.js';
import {createTabs} from './tabs.js';
import type {Kept, Lab, RunRecord, StudyRecord, Thrown} from '../types.js';

const USUAL = 1; // s between two states of a run that are kept

export function createSavedRuns({session, storage, saveQueue, pinned, catalogue, experiments, notices, say, attempt}: Omit<Lab, 'setup' | 'changes'>) {
  let runs: RunRecord[] = [];
  let damaged: RunRecord[] = [];
  let hint = '', opened = false, owner = false, forgets = false, handed = ''; // to another tab, in words
  /** Ids of all that is kept, as far as storage has listed it, runs or not; null before. */
  let ids: Set<string> | null = null;
  /** The last deletion: what comes after it waits for it. */
  let deleting = Promise.resolve();
  /** The run that was listed as the current one, and its phase. */
  let listed: string | null = null;
  /** The run on screen, where it was deleted. */
  let unkept: string | null = null;
  const deleted = new Set();

  const list = runlist.create(byId('runs-list'), {
    dataOf: r => catalogue.titleOf(r.data.example) ?? r.summary.name,
    onOpen: attempt(openRun),
    onRename: attempt(async (r: RunRecord, name: string) => {
      r.name = name;
      const {record} = session.model;
      if (record?.run === r.run) record.name = name;
      await saveQueue.settled(); // the run may have gone on since it was listed
      await storage.call('put', {record: {...runs.find(now => now.run === r.run) ?? r, name}});
      await refresh();
    }),
    onDelete: attempt(async (r: RunRecord) => {
      deleted.add(r.run);
      remember(known().filter(k => k.run !== r.run)); // before it goes: nobody is to miss it
      saveQueue.forget(r.run);
      await (deleting = erase(r.run));
      await refresh();
    }),
    onRestore: attempt(async (r: RunRecord) => {
      await deleting.catch(() => {}); // which has told
      await storage.call('restore', {run: r.run});
      keepAgain(r.run);
      await refresh();
    }),
    onPurge: attempt(async (gone: string[]) => {
      await deleting.catch(() => {});
      await storage.call('purge', {runs: gone});
      saveQueue.retry();
    }),
    onExport: attempt((r: RunRecord) => backups.exportAside(r)),
    onPin: attempt(async (r: RunRecord) => {
      const next = pinned.run?.run === r.run ? null : await kept(r);
      pinned.pin(next);
      say.announce(next ? `Pinned ${r.name}. It is drawn behind the run on screen.` : `${r.name} is no longer pinned.`);
    }),
    onCompare: attempt(async (r: RunRecord) => {
      pinned.compareWith(r.run === session.model.record?.run ? null : await kept(r));
      reveal(byId('compare'));
    }),
  });

  const onScreen = (run: string) => run === session.model.record?.run;

  async function erase(run: string) {
    if (onScreen(run)) session.deleted((await storage.call('get', {run}).catch(() => null))?.arrays.checkpoint ?? null);
    await storage.call('delete', {run});
  }

  /** Takes a deletion back. The run's later progress is here alone. */
  function keepAgain(run: string) {
    deleted.delete(run);
    saveQueue.remember(run);
    if (onScreen(run)) session.saveAll();
    showUnkept();
  }

  /** Says that the run on screen is not kept, if it was deleted and can go on. */
  function showUnkept() {
    const {record} = session.model;
    const run = record && owner && session.active && deleted.has(record.run) ? record.run : null;
    if (run === unkept) return;
    unkept = run;
    notices.hide('unkept');
    if (run && record) {
      notices.show('unkept', `\u201c${record.name}\u201d was deleted, so what it trains from now on is not kept.`,
        {actions: [['Keep it', () => keepAgain(run)]]});
    }
  }

  // Once something is kept, ask the browser not to clear it; some ask the reader in turn, so only after a click.
  let asked = false;
  function askToStay() {
    if (asked || !navigator.storage?.persist) return;
    asked = true;
    addEventListener('click', () => { navigator.storage.persist().catch(() => {}); }, {once: true});
  }

  /** A kept run, to stand beside others. The one on screen may be newer than the kept one. */
  async function kept(r: RunRecord) {
    await saveQueue.settled();
    const {result, arrays} = await storage.call('get', {run: r.run});
    if (result.notes?.length) notices.show('notes', result.notes.join(' '));
    return keptBeside(result.record, arrays, catalogue.terms.length);
  }

  async function openRun(record: RunRecord, continues: boolean) {
    const notes = await session.openRun(record.run, continues && owner);
    say.messages([]); // which were about another run, or about what could not be opened
    notices.hide('notes');
    if (notes.length) notices.show('notes', notes.join(' '));
    reveal(byId('stage'));
    byId('play').focus({preventScroll: true});
  }

  async function refresh() {
    const {result} = await storage.call('list');
    runs = result.runs.filter(r => r.kind !== 'study' && !deleted.has(r.run));
    damaged = (result.damaged as RunRecord[]).filter(r => !deleted.has(r.run));
    const aside = result.damaged.map(r => r.run);
    ids = new Set([...result.runs.map(r => r.run), ...aside]);
    experiments.list(result.runs.filter(r => r.kind === 'study') as Kept[] as StudyRecord[], aside);
    remember(known());
    draw();
  }

  function draw() {
    byId<HTMLButtonElement>('back-up').disabled = !opened || runs.length + damaged.length + experiments.count === 0;
    const note = ids || forgets ? hint : 'Looking for what is kept\u2026';
    list.update({runs, damaged, current: session.model.record?.run ?? null, pinned: pinned.run && {run: pinned.run.run}, readOnly: !owner, note});
  }

  const known = () => [...runs, ...damaged].map(({run, name}) => ({run, name}));

  const remember = (list: {run: string, name: string}[]) => { if (owner) note(list); };

  /** Says which runs are missing that were kept before. */
  function miss(gone: {run: string, name: string}[], why: string) {
    if (gone.length === 0) return;
    notices.show('missing', `${why} Missing: ${inWords(gone)}. A run that you exported to a file can be imported again.`,
      {level: 'error', actions: session.model.record ? [['Export this run', exporting('run')]] : []});
  }

  const exporting = (what: string, whole = false) => attempt(async () => {
    const f = await session.exportFile(what, whole);
    download(f.bytes, f.name ?? '', f.type);
  });
  const exportRun = byId<HTMLButtonElement>('export-run');
  exportRun.addEventListener('click', exporting('run'));
  const others = catalogue.exports.map(({name, label, note}) =>
    button(label, exporting(name), {id: 'export-' + name, title: note, disabled: true}));
  others.push(button('Save the model', exporting('model'),
    {id: 'export-model', title: 'For \u201ccadem apply\u201d and NumPy: embeds new nodes.', disabled: true}));
  const whole = button('Export with recordings', exporting('run', true),
    {id: 'export-whole', title: 'The run file of a brain holds its recordings only if you ask for them.', hidden: true});
  exportRun.after(whole, ...others);
  const buttons = [exportRun, whole, ...others];

  const backups = createBackups({
    storage, saveQueue, notices, say, attempt, keeps: () => owner,
    async restored(ids) {
      for (const run of ids) {
        if (!deleted.delete(run)) continue;
        saveQueue.remember(run);
        const {record} = session.model;
        if (record?.run !== run) continue;
        record.run = newId(); // what is on screen has gone on, and is not kept
        deleted.add(record.run);
        saveQueue.forget(record.run);
      }
      await refresh();
    },
  });

  const importFile = attempt(async (file: File, beside: File[] = []) => {
    say.messages([]);
    say.status(`Reading ${file.name}\u2026`);
    if (/\.tar$/i.test(file.name)) {
      await backups.restore(file);
      return;
    }
    const taken = (run: string) => !ids || ids.has(run) || deleted.has(run) || onScreen(run) || Boolean(saveQueue.unwritten(run));
    const record = await session.importFile(file.name, await readFile(file), taken, await readFiles(beside));
    await saveQueue.settled();
    if (owner) await refresh();
    say.announce(`Imported ${record.name}`);
  });
  const input = byId<HTMLInputElement>('import-run');
  input.addEventListener('change', () => {
    const list = [...input.files ?? []];
    const file = list.find(f => /\.(zip|cadem|tar)$/i.test(f.name)) ?? list[0];
    input.value = '';
    if (file) importFile(file, list.filter(f => f !== file));
  });

  // WebKit keeps a page that is left for the way back, and with it a worker that holds the lock: no other visit could keep anything.
  addEventListener('pagehide', e => { if (e.persisted) storage.terminate(); });
  addEventListener('pageshow', e => { if (e.persisted) location.reload(); });

  const tabs = createTabs({
    keeps: () => owner, connect, attempt,
    changed: async () => { if (opened) await refresh(); },
    async letGo() {
      const {phase, record} = session.model;
      const goesOn = phase === 'running' && saveQueue.keeps(record?.run ?? '');
      handed = `Another tab keeps the runs now.${goesOn ? ' The training here was paused and can be continued there.' : ''}`;
      await session.leave();
      await saveQueue.settled();
      opened = owner = saveQueue.available = false;
      storage.terminate(); // the lock goes with it
    },
  });

  /** Keeps runs here from now on. */
  async function takeOver() {
    const keeper = await tabs.takeOver();
    if (keeper !== 'this') {
      notices.show('storage', keeper === 'another' ? 'A third tab was quicker, and keeps the runs now. Here you can look and train, but nothing is kept.'
        : 'The other tab does not answer. Close it, and runs can be kept here.', {actions: [['Keep runs here', attempt(takeOver)]]});
      return;
    }
    const {record} = session.model, stored = runs.find(r => r.run === record?.run);
    if (record && stored && saveQueue.saved.get(record.run)?.step !== stored.progress?.step) { // the other tab has gone on with it
      if (record.progress?.step === stored.progress?.step) return;
      record.run = newId();
      record.name = unique(record.name);
    }
    session.saveAll();
  }

  /** Opens storage and says what it can do; returns its answer. */
  async function connect() {
    let answer;
    try {
      answer = (await storage.call('open')).result;
    } catch (e) {
      answer = {owner: false, persistent: false, reason: (e as Thrown).message, recovered: [], deleted: []};
    }
    const before = noted();
    forgets = !answer.persistent;
    opened = answer.persistent;
    owner = saveQueue.available = Boolean(answer.owner && answer.persistent);
    if (owner) handed = '';
    hint = '';
    notices.hide('storage');
    if (!answer.persistent) {
      hint = 'Nothing can be kept here.';
      const reason = (answer.reason || 'Nothing can be kept here').replace(/\.*$/, '.');
      notices.show('storage', `${reason} Training works all the same; export a run before you close this tab.`,
        {actions: [['Export this run', exporting('run')]]});
    } else if (!answer.owner) {
      hint = 'No runs yet.';
      notices.show('storage', `${handed || 'This page is open in another tab, which keeps the runs.'} Here you can look and train, but nothing is kept.`,
        {actions: [['Keep runs here', attempt(takeOver)]]});
    }
    if (answer.recovered?.length) notices.show('recovered', answer.recovered.join(' '));
    if (answer.persistent) {
      await refresh();
      tellAside();
      // A browser that was killed may have kept the deletion of a run, and not the list without it.
      if (owner) miss(before.filter(b => !ids?.has(b.run) && !answer.deleted.includes(b.run)), 'Saved runs of the last visit are not there.'
        + ' Unless you had just deleted them, the browser has lost them: its database was damaged, or a part of it removed.');
    } else {
      miss(before, 'The saved runs cannot be read now.');
      draw();
    }
    return answer;
  }

  /** Says how many are set aside, and which. */
  function tellAside() {
    notices.hide('aside');
    if (damaged.length === 0) return;
    const [which, they] = damaged.length === 1 ? ['1 saved run or experiment is', 'it'] : [`${damaged.length} saved runs and experiments are`, 'they'];
    notices.show('aside', `${which} damaged and set aside: ${inWords(damaged)}. All others are as they were. In the list ${they} can be exported or deleted.`,
      {actions: [['Show the list', () => reveal(byId('runs-list'))]]});
  }

  const unique = (name: string) => uniqueName(name, runs.map(r => r.name));

  return {
    importFile,
    unique,
    /**
     * Opens storage and lists runs. A run that was going when its tab ended goes on by itself if `resume` is "all" or
     * says so; else it is offered. Resolves to true when one goes on.
     */
    async open({resume}: {resume: 'all' | ((r: RunRecord) => boolean)}) {
      await connect();
      const cut = owner ? runs.find(r => r.state === 'running') : null;
      if (!cut) return false;
      const at = cut.progress?.step ? ` at step ${cut.progress.step}` : '';
      if (resume !== 'all' && !resume(cut)) {
        notices.show('interrupted', `\u201c${cut.name}\u201d was interrupted${at}.`, {actions: [['Continue it', attempt(async () => {
          notices.hide('interrupted');
          await openRun(cut, true);
        })]]});
        return false;
      }
      const notes = await session.openRun(cut.run, true);
      const text = `\u201c${cut.name}\u201d was interrupted${at}; it goes on from there. ${notes.join(' ')}`;
      notices.show('interrupted', text);
      say.announce(text);
      return true;
    },
    /** Nothing is kept here from one visit to the next. */
    get forgets() { return forgets; },
    /** Shows the last trained run among those that `fits` names, as it was left; resolves to its record, or null if there is none. */
    async reopen(fits: (r: RunRecord) => unknown) {
      const [last] = runs.filter(r => Number(r.progress?.step) > 0 && fits(r)).sort((a, b) => a.updated < b.updated ? 1 : -1);
      if (!last) return null;
      const notes = await session.openRun(last.run, false);
      if (notes.length) notices.show('notes', notes.join(' '));
      return last;
    },
    /** Draws the list and the exports. */
    show() {
      const {phase, record} = session.model;
      const off = !record || phase === 'opening' || Boolean(session.model.scoring);
      for (const b of buttons) b.disabled = off;
      whole.hidden = !session.recorded;
      const every = Math.ceil(session.model.keptEvery);
      const rarely = owner && session.active && every > USUAL;
      setText(byId('kept-every'), rarely ? `Keeping this run takes a while, so it is done about every ${every} s while it trains.`
        + ' If the browser ends, what was trained since is lost.' : '');
      byId('kept-every').hidden = !rarely;
      showUnkept();
      const present = `${record?.run} ${phase} ${pinned.run?.run} ${experiments.count > 0}`;
      if (listed !== present) {
        listed = present;
        draw();
      }
    },
    /** After each write: the list follows, and a full disk is told. */
    changed() {
      const e = saveQueue.failure;
      if (!e) {
        notices.hide('full');
        askToStay();
        const {record} = session.model;
        const i = record ? runs.findIndex(r => r.run === record.run) : -1;
        if (record && saveQueue.saved.has(record.run) && !deleted.has(record.run)) {
          const now = structuredClone({...record, progress: saveQueue.saved.get(record.run) ?? null});
          ids?.add(now.run);
          if (i < 0) runs.unshift(now);
          else runs[i] = now;
          if (i < 0) remember(known());
          draw();
        }
        return;
      }
      if (byId('notices').querySelector('[data-notice="full"]')) return;
      const full = e.code === 'quota';
      const text = full ? 'Storage is full, so this run is not kept any further. Delete runs you no longer need, or export this one.'
        : `This run could not be kept: ${e.message}`;
      notices.show('full', text,
        {level: 'error', actions: [['Export this run', exporting('run')], ['Try again', () => saveQueue.retry()]]});
    },
    /** The browser has cleared what was kept: keeps the run on screen anew, with all that belongs to it, and says what else is gone. */
    lost: attempt(async () => {
      const before = known();
      session.saveAll();
      await saveQueue.settled();
      await refresh();
      miss(before.filter(b => !ids?.has(b.run)), 'The browser has cleared what this page kept.');
    }),
    /** The storage program has ended: starts it again and writes what waits. */
    stopped: attempt(async (text: string) => {
      saveQueue.available = false;
      await connect();
      saveQueue.retry();
      notices.show('storage-restart', `Keeping runs had to be started again: ${text.split('\n')[0]}`);
    }),
  };
}
