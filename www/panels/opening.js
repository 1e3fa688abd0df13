// From files that were chosen or dropped to a data set: what they hold, and what is to be chosen or said of it.
import {whenSlow} from '../dom/dom.js';
import {readFile} from './ownfile.js';

/** Files as the protocol names them. */
export const named = list => list.map(f => ({name: f.name, size: f.size}));

/**
 * createOpening({session, say, attempt, importRun, adopt, asked, properties, values, scans, compare}) -> {open(files), again(files, choice, said)}
 *
 * importRun(file) takes an exported run; adopt(read, choice, said) opens files with what was chosen among what they hold, or with what was said of a subject's
 * brain; scans(list) finds the scans of several subjects among Files, compare(list) takes them to the experiments; asked() gives what a link says of such files, properties() the settings they have, values() all settings as they are resolved.
 */
export function createOpening({session, say, attempt, importRun, adopt, asked, properties, values, scans, compare}) {
  let last = Promise.resolve(), turns = 0; // one opening at a time; the one before gives up for the next
  let inspecting = false;
  let importer = null;   // the dialog, once it was needed

  /** Gives the dialog. Few visits need it, so it comes when it does. */
  const dialog = async () => importer ||= (await import('./importer.js')).dialog;

  /** Finds out what files hold. When that takes a while, it is shown how far it is, and can be ended. */
  async function inspect(read) {
    inspecting = true;
    let waiting = true;
    const found = session.inspect(named(read), read.map(f => f.content), (done, total) => {
      const part = total ? done / total : 1;
      say.status(`Reading files\u2026 ${Math.floor(100 * part)} %`);
      importer?.progress(part);
    });
    whenSlow(found, attempt(async () => {
      const d = await dialog();
      if (waiting) d.reading(read.map(f => f.name), () => session.endInspection());
    }));
    try {
      return await found;
    } catch (e) {
      if (e.code === 'cancelled') say.status('Nothing was opened.');
      throw e;
    } finally {
      waiting = inspecting = false;
      importer?.close();
    }
  }

  /** Shows the dialog until something is opened, or it is given up. */
  async function ask(status, show) {
    say.status(status);
    try {
      if (!await show(await dialog())) say.status('Nothing was opened.');
    } finally {
      await session.forget();
    }
  }

  /** Shows what files hold and opens what is chosen among it. */
  const chooseAmong = (read, survey, present) => ask('Choose what of the files is used.', d => {
    const {options, preset} = values();
    return d.choose({names: read.map(f => f.name), survey, choice: present, estimate: chosen => session.estimate(chosen, {options, preset}), open: chosen => adopt(read, chosen)});
  });

  /** Has the reader say what the files of a subject's brain leave open. */
  const complete = (read, survey, said) => ask('Say what the files leave open.', d => {
    const open = properties().filter(p => survey.subject.ask.includes(p.name));
    return d.complete({survey: survey.subject, properties: open, said, open: answers => adopt(read, null, answers)});
  });

  /** Takes its turn: what is going on ends first. f is told whether it still is the last one. */
  const turn = f => (...args) => {
    const mine = ++turns, before = last;
    if (inspecting) session.endInspection().catch(() => {}); // the inspection tells
    else importer?.giveUp();
    last = before.catch(() => {}).then(() => mine === turns ? f(() => mine === turns, ...args) : undefined);
    return last;
  };

  /** Offers what can be done with the series of several subjects; tells whether they are that. */
  async function severalSubjects(list, current) {
    const found = await scans(list).catch(() => null); // which the dialog of all files explains
    const subjects = [...new Set(found?.cohort.map(s => s.subject))];
    if (!current()) return true;
    if (subjects.length < 2) return false;
    let next = null;
    await ask('Choose what the files are used for.', d => d.subjects({subjects, first: found.cohort[0].file, pick: f => { next = f; }}));
    const others = new Set(found.cohort.slice(1).map(s => s.file));
    if (next === 'first') await open(current, list.filter(f => !others.has(f.webkitRelativePath || f.name)));
    else if (next === 'all') {
      say.status('The scans are compared under Experiments.');
      await compare(list);
    }
    return true;
  }

  /** Opens files that were chosen or dropped. */
  async function open(current, list) {
    if (list.length === 1 && /\.cadem$/i.test(list[0].name)) {
      await importRun(list[0]);
      return;
    }
    say.messages([]);
    say.status('Reading files\u2026');
    const read = await Promise.all(list.map(async f => ({name: f.name, size: f.size, content: await readFile(f)})));
    const survey = await inspect(read);
    if (!current()) return;
    if (survey.run) {
      await importRun(list[0]);
      return;
    }
    if (survey.plain) {
      await adopt(read, null, survey.subject ? {} : null);
      await session.forget();
    } else if (survey.subject) await complete(read, survey, asked());
    else if (list.length < 2 || survey.nodes || !await severalSubjects(list, current)) await chooseAmong(read, survey, survey.guess);
  }

  return {
    open: turn(open),
    /** Lets the reader choose again among what the open files hold. */
    again: turn(async (current, files, choice, said) => {
      if (!files) return;
      const survey = await inspect(files);
      if (!current()) return;
      if (!survey.subject) await chooseAmong(files, survey, choice || survey.guess);
      else if (survey.subject.ask.length) await complete(files, survey, said);
      else {
        say.messages([{level: 'info', message: 'These files are those of one subject\u2019s brain and leave nothing open. Every step from the series to the layers stands under Settings.'}]);
        await session.forget();
      }
    }),
  };
}
