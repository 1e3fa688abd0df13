// Saved runs: the list, what can be kept at all, export and import, and going on after an interruption.
import {byId, download, setText} from '../dom/dom.js';
import {prefix} from '../engine/runclient.js';
import {readFile} from './ownfile.js';
import * as runsView from './runlist.js';

const NOTED = prefix + 'cadem runs'; // in localStorage
const USUAL = 1; // s between two states of a run that are kept

/** createArchive({session, storage, keeper, notices, say, attempt, onStudies}) -> {open, show, changed, stopped, importFile} */
export function createArchive({session, storage, keeper, notices, say, attempt, onStudies}) {
  let runs = [], damaged = [], note = '', owner = false, forgets = false, listed = null;
  // The storage program of the tab that keeps the runs tells the others of every change.
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(prefix + 'cadem') : null;
  const deleted = new Set();

  const list = runsView.create(byId('runs-list'), {
    onOpen: attempt(open1),
    onRename: attempt(async (r, name) => {
      r.name = name;
      if (session.model.record?.run === r.run) session.model.record.name = name;
      await storage.call('put', {record: r});
      await refresh();
    }),
    onDelete: attempt(async r => {
      deleted.add(r.run);
      remember(known().filter(k => k.run !== r.run)); // before it goes: nobody is to miss it
      keeper.forget(r.run);
      session.deleted(r.run);
      await storage.call('delete', {run: r.run});
      await refresh();
    }),
    onRestore: attempt(async r => {
      deleted.delete(r.run);
      await storage.call('restore', {run: r.run});
      await refresh();
    }),
    onPurge: attempt(async () => {
      await storage.call('purge');
      keeper.retry();
    }),
  });

  // Once something is kept, ask the browser not to clear it; some ask the reader in turn, so only after a click.
  let asked = false;
  function askToStay() {
    if (asked || !navigator.storage?.persist) return;
    asked = true;
    addEventListener('click', () => { navigator.storage.persist().catch(() => {}); }, {once: true});
  }

  async function open1(record, continues) {
    const notes = await session.openRun(record.run, continues && owner);
    if (notes.length) notices.show('notes', notes.join(' '));
    byId('embeddings').scrollIntoView({behavior: 'auto'});
    byId('play').focus({preventScroll: true});
  }

  async function refresh() {
    const {result} = await storage.call('list');
    runs = result.runs.filter(r => r.kind !== 'study' && !deleted.has(r.run));
    damaged = result.damaged.filter(r => !deleted.has(r.run));
    onStudies(result.runs.filter(r => r.kind === 'study'));
    remember(known());
    draw();
  }

  function draw() { list.update({runs, damaged, current: session.model.record?.run ?? null, readOnly: !owner, note}); }

  const known = () => [...runs, ...damaged].map(({run, name}) => ({run, name}));

  // A browser that finds its database damaged may begin an empty one and tell nobody. What is listed is noted elsewhere, so that the reader learns what is missing.
  function remember(list) {
    if (!owner) return;
    try {
      localStorage.setItem(NOTED, JSON.stringify(list));
    } catch {
      // no room, or not allowed: then nothing is missed
    }
  }

  /** What was listed on the last visit, [{run, name}]. */
  function remembered() {
    try {
      const noted = JSON.parse(localStorage.getItem(NOTED));
      return Array.isArray(noted) ? noted.filter(n => typeof n?.run === 'string' && typeof n.name === 'string') : [];
    } catch {
      return [];
    }
  }

  /** Says which runs are missing that were kept before. */
  function miss(gone, why) {
    if (gone.length === 0) return;
    const names = gone.slice(0, 5).map(g => `\u201c${g.name}\u201d`).join(', ') + (gone.length > 5 ? ` and ${gone.length - 5} more` : '');
    notices.show('missing', `${why} Missing: ${names}. A run that you exported to a file can be imported again.`, {level: 'error', actions: session.model.record ? [['Export this run', exporting('run')]] : []});
  }

  const exporting = what => attempt(async () => {
    const f = await session.exportFile(what);
    download(f.bytes, f.name, f.type);
  });
  const buttons = {run: byId('export-run'), csv: byId('export-csv'), npz: byId('export-npz'), graphml: byId('export-graphml')};
  for (const [what, b] of Object.entries(buttons)) b.addEventListener('click', exporting(what));

  const importFile = attempt(async file => {
    say.messages([]);
    say.status(`Reading ${file.name}\u2026`);
    const record = await session.importFile(file.name, await readFile(file), new Set(known().map(r => r.run)));
    await keeper.settled();
    if (owner) await refresh();
    say.announce(`Imported ${record.name}`);
  });
  const input = byId('import-run');
  input.addEventListener('change', () => {
    const [file] = input.files;
    input.value = '';
    if (file) importFile(file);
  });

  // WebKit keeps a page that is left for the way back, and with it a worker that holds the lock: no other visit could keep anything.
  addEventListener('pagehide', e => { if (e.persisted) storage.terminate(); });
  addEventListener('pageshow', e => { if (e.persisted) location.reload(); });

  channel?.addEventListener('message', attempt(async () => {
    if (!owner) await refresh();
  }));

  /** Opens storage and says what it can do; returns its answer. */
  async function connect() {
    let answer;
    try {
      answer = (await storage.call('open')).result;
    } catch (e) {
      answer = {owner: false, persistent: false, reason: e.message, recovered: []};
    }
    const before = remembered();
    forgets = !answer.persistent;
    owner = keeper.available = Boolean(answer.owner && answer.persistent);
    note = '';
    notices.hide('storage');
    if (!answer.persistent) {
      note = 'Nothing can be kept here.';
      notices.show('storage', `${(answer.reason || 'Nothing can be kept here').replace(/\.*$/, '.')} Training works all the same; export a run before you close this tab.`, {actions: [['Export this run', exporting('run')]]});
    } else if (!answer.owner) {
      note = 'No runs yet.';
      notices.show('storage', 'This page is open in another tab, which keeps the runs. Here you can look and train, but nothing is kept.', {actions: [['Try again', attempt(async () => {
        await connect();
        if (owner) session.keep();
      })]]});
    }
    if (answer.recovered?.length) notices.show('recovered', answer.recovered.join(' '));
    if (answer.persistent) {
      if (owner) await storage.call('purge').catch(() => {});
      await refresh();
      const here = new Set(known().map(r => r.run));
      if (owner) miss(before.filter(b => !here.has(b.run)), 'The browser has lost saved runs: its database was damaged, or a part of it removed.');
    } else {
      miss(before, 'The saved runs cannot be read now.');
      draw();
    }
    return answer;
  }

  return {
    importFile,
    /** A name that no other run has. */
    unique(name) {
      const taken = new Set(runs.map(r => r.name));
      let own = name;
      for (let n = 2; taken.has(own); n++) own = `${name} (${n})`;
      return own;
    },
    /**
     * Opens storage and lists runs. A run that was going when its tab ended goes on by itself if `resume` is "all" or
     * says so; else it is offered. Resolves to true when one goes on.
     */
    async open({resume}) {
      await connect();
      const cut = owner ? runs.find(r => r.state === 'running') : null;
      if (!cut) return false;
      const at = cut.progress?.step ? ` at step ${cut.progress.step}` : '';
      if (resume !== 'all' && !resume(cut)) {
        notices.show('interrupted', `\u201c${cut.name}\u201d was interrupted${at}.`, {action: ['Continue it', attempt(async () => {
          notices.hide('interrupted');
          await open1(cut, true);
        })]});
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
    /** Shows the run that was trained last among those that `fits` names, as it was left; resolves to its record, or null where there is none. */
    async reopen(fits) {
      const [last] = runs.filter(r => r.progress?.step > 0 && fits(r)).sort((a, b) => a.updated < b.updated ? 1 : -1);
      if (!last) return null;
      const notes = await session.openRun(last.run, false);
      if (notes.length) notices.show('notes', notes.join(' '));
      return last;
    },
    /** Draws the list and what can be exported. */
    show() {
      const {phase, record} = session.model;
      const off = !record || phase === 'opening' || Boolean(session.model.scoring);
      for (const b of Object.values(buttons)) b.disabled = off;
      const every = Math.ceil(session.model.keptEvery), rarely = owner && session.active && every > USUAL;
      setText(byId('kept-every'), rarely ? `Keeping this run takes a while, so it is done about every ${every} s while it trains. If the browser ends, what was trained since is lost.` : '');
      byId('kept-every').hidden = !rarely;
      if (listed !== record?.run + phase) {
        listed = record?.run + phase;
        draw();
      }
    },
    /** After each write: the list follows, and a full disk is told. */
    changed() {
      const e = keeper.failure;
      if (!e) {
        notices.hide('full');
        askToStay();
        const {record} = session.model;
        const i = record ? runs.findIndex(r => r.run === record.run) : -1;
        if (record && keeper.saved.has(record.run) && !deleted.has(record.run)) {
          const now = structuredClone({...record, progress: keeper.saved.get(record.run)});
          if (i < 0) runs.unshift(now);
          else runs[i] = now;
          if (i < 0) remember(known());
          draw();
        }
        return;
      }
      if (byId('notices').querySelector('[data-notice="full"]')) return;
      const full = e.code === 'quota';
      notices.show('full', full ? 'Storage is full, so this run is not kept any further. Delete runs you no longer need, or export this one.' : `This run could not be kept: ${e.message}`,
        {level: 'error', actions: [['Export this run', exporting('run')], ['Try again', () => keeper.retry()]]});
    },
    /** The storage program has ended: starts it again and writes what waits. */
    stopped: attempt(async text => {
      keeper.available = false;
      await connect();
      keeper.retry();
      notices.show('storage-restart', `Keeping runs had to be started again: ${text.split('\n')[0]}`);
    }),
  };
}
