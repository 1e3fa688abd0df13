// From chosen or dropped files to a data set: their content, choices and questions.
import {whenSlow} from '../dom/idle.js';
import {named} from '../engine/pool.js';
import {pathOf, readFiles} from './ownfile.js';
import type {Lab, Options, ReadFile, Thrown} from '../types.js';

type Importer = typeof import('./importer.js').dialog;

/** Tells from its header whether a file is a table of graphs. */
const listsGraphs = async (file: File) => {
  const head = (await file.slice(0, 2 ** 12).text().catch(() => '')).replace(/\n.*/s, '');
  return ['graph', 'class', 'file'].every(name => new RegExp(`(^|[,;\t "])${name}([,;\t "\r]|$)`, 'i').test(head));
};

/**
 * importRun takes an exported run; takeFiles opens files with what was chosen among what they hold, or with what was said of a subject's brain;
 * scans finds the scans of several subjects, or the graphs of a collection, among files, and compare takes them to the experiments; merged shows the
 * report of a study that was run elsewhere.
 */
export function createOpening({session, setup, catalogue, say, attempt}: Lab, {importRun, takeFiles, scans, compare, merged}: {
  importRun: (file: File) => Promise<unknown>;
  takeFiles: (read: ReadFile[], choice: Choice | null, said?: Options | null) => Promise<void>; scans: (list: File[]) => Promise<Pick<Order, 'cohort'>>;
  compare: (list: File[], graphs?: boolean) => Promise<unknown>; merged: (file: File) => Promise<unknown>;
}) {
  // One opening at a time; the one before gives up for the next.
  let last: Promise<unknown> = Promise.resolve();
  let turns = 0, inspecting = false;
  /** The dialog, once it was needed. */
  let importer: Importer | null = null;

  /** Gives the dialog. Few visits need it, so it comes when it does. */
  const dialog = async () => importer ||= (await import('./importer.js')).dialog;

  /** Finds out what files hold; columns says what those of edge lists are. When that takes a while, it shows how far it is, and can be ended. */
  async function inspect(read: ReadFile[], columns?: string) {
    inspecting = true;
    let waiting = true;
    const found = session.inspect(named(read), read.map(f => f.content), (done, total) => {
      const part = total ? done / total : 1;
      say.status(`Reading files\u2026 ${Math.floor(100 * part)} %`);
      importer?.progress(part);
    }, columns);
    whenSlow(found, attempt(async () => {
      const d = await dialog();
      if (waiting) d.reading(read.map(f => f.name), () => session.endInspection());
    }));
    try {
      return await found;
    } catch (e) {
      if ((e as Thrown).code === 'cancelled') say.status('Nothing was opened.');
      throw e;
    } finally {
      waiting = inspecting = false;
      importer?.close();
    }
  }

  /** Inspects files, and asks the reader for the columns of ambiguous lists, once for each width; every is ? if those that are clear are
   * asked about, too. columns are the earlier choice. There is no survey when it was given up. */
  async function settled(read: ReadFile[], columns?: string, every = '') {
    let said = '', survey = await inspect(read, every);
    for (; survey.ask; survey = await inspect(read, said + (every && `;${every}`))) {
      say.status('Say what the columns of the list are.');
      const chosen = await (await dialog()).columns(survey.ask, columns);
      if (chosen === null) {
        say.status('Nothing was opened.');
        await session.forget();
        return {};
      }
      said += (said && ';') + chosen;
    }
    return {survey: columns && !said ? await inspect(read, columns) : survey, columns: said || columns};
  }

  /** Shows the dialog until something is opened, or it is given up. */
  async function ask(status: string, show: (dialog: Importer) => Promise<unknown>) {
    say.status(status);
    try {
      if (!await show(await dialog())) say.status('Nothing was opened.');
    } finally {
      await session.forget();
    }
  }

  /** Shows what files hold and opens what is chosen among it. */
  const chooseAmong = (read: ReadFile[], survey: Survey, present: Choice) => ask('Choose what of the files is used.', d => {
    const {options, preset} = setup.changesForFiles;
    return d.choose({
      names: read.map(f => f.name), survey, choice: present,
      estimate: (chosen: Choice) => session.estimate(chosen, {options, preset}),
      open: (chosen: Choice) => takeFiles(read, chosen),
    });
  });

  /** Has the reader say what the files of a subject's brain leave open. */
  const complete = (read: ReadFile[], {subject}: {subject: SurveyedSubject}) => ask('Say what the files leave open.', d => {
    const properties = catalogue.properties('data', 'files').filter(p => subject.ask.includes(p.name));
    return d.complete({survey: subject, properties, said: setup.said, open: (answers: Options) => takeFiles(read, null, answers)});
  });

  /** Files that cannot be opened stop no run. */
  async function aside<T>(f: () => Promise<T>) {
    try {
      return await f();
    } catch (e) {
      say.status('Nothing was opened.');
      throw Object.assign(e as Thrown, {aside: true});
    }
  }

  /** Takes its turn: earlier work ends first. f is told whether it still is the last one. */
  const turn = <A extends unknown[]>(f: (current: () => boolean, ...args: A) => Promise<unknown>) => (...args: A) => {
    const mine = ++turns, before = last;
    if (inspecting) session.endInspection().catch(() => {}); // the inspection tells
    else importer?.giveUp();
    last = before.catch(() => {}).then(() => mine === turns ? aside(() => f(() => mine === turns, ...args)) : undefined);
    return last;
  };

  /** Offers what can be done with the series of several subjects; reports whether they are that. */
  async function severalSubjects(list: File[], current: () => boolean) {
    const {cohort = []} = await scans(list).catch((): {cohort?: Scan[]} => ({})); // which the dialog of all files explains
    const subjects = [...new Set(cohort.map(s => s.subject))], [scan, ...rest] = cohort;
    if (!current()) return true;
    if (!scan || subjects.length < 2) return false;
    let next = '';
    await ask('Choose what the files are used for.',
      d => d.subjects({subjects, first: scan.file, pick: use => { next = use; }}));
    const others = new Set(rest.map(s => s.file));
    if (next === 'first') await open(current, list.filter(f => !others.has(pathOf(f))));
    else if (next === 'all') {
      say.status('The scans are compared under Experiments.');
      await compare(list);
    }
    return true;
  }

  /** Reports whether files in several folders are the layers of one graph: none of the first of them has two layers, and a graph needs them. */
  async function areLayers(list: File[], graphs: {file: string}[]) {
    try {
      for (const {file} of graphs.slice(0, 4)) {
        const f = list.find(f => pathOf(f) === file);
        const survey = f && await inspect(await readFiles([f])).catch(e => {
          if (e.code === 'cancelled') throw e;
          return null; // reported where graphs are compared
        });
        if (survey?.variables.filter((v: Surveyed) => v.layer).length !== 1) return false;
      }
      return true;
    } finally {
      await session.forget();
    }
  }

  /** Takes a folder of many scans or graphs, or a table of graphs with its files, to the experiments; reports whether files are that. */
  async function collection(list: File[], current: () => boolean) {
    const folder = Boolean(list[0]?.webkitRelativePath);
    const table = (await Promise.all(list.map(listsGraphs))).includes(true);
    if (!folder && !table) return false;
    const {cohort = []} = await scans(list);
    if (!current()) return true;
    if (cohort.length < 2) return false;
    const graphs = Boolean(cohort[0]?.graph);
    if (graphs && !table && await areLayers(list, cohort)) return !current();
    say.status(`The ${graphs ? 'graphs' : 'scans'} are compared under Experiments.`);
    await compare(list, graphs);
    return true;
  }

  /** Opens files that were chosen or dropped. */
  async function open(current: () => boolean, list: File[]) {
    const [only, more] = list, alone = more ? '' : only?.name ?? '';
    if (!only) return;
    if (/\.json$/i.test(alone)) {
      await merged(only);
      say.status('The report is under Experiments.');
      return;
    }
    if (/\.(cadem|tar)$/i.test(alone)) {
      await importRun(only);
      return;
    }
    say.messages([]);
    say.status('Reading files\u2026');
    // A folder that cannot be many graphs may hold the lists of one, a layer in each.
    let refused = null;
    if (await collection(list, current).catch(e => {
      if (e.code === 'cancelled' || !only.webkitRelativePath) throw e;
      refused = e;
    })) return;
    const read = await readFiles(list);
    if (refused) {
      const found = await inspect(read).catch(() => null);
      if (!found?.plain || found.subject) throw refused;
    }
    const {survey, columns} = await settled(read);
    if (!survey || !current()) return;
    if (survey.run) {
      await importRun(only);
      return;
    }
    if (survey.plain) {
      await takeFiles(read, columns ? {columns} : null, survey.subject ? {} : null);
      await session.forget();
    } else if (survey.subject) await complete(read, {subject: survey.subject});
    else if (list.length < 2 || survey.nodes || !await severalSubjects(list, current)) {
      await chooseAmong(read, survey, {...survey.guess, ...(columns && {columns})});
    }
  }

  return {
    open: turn(open),
    /** Lets the reader choose again among what the open files hold. */
    again: turn(async current => {
      const {files, choice} = setup;
      if (!files) return;
      const {survey, columns} = await settled(files, choice?.columns, '?');
      if (!survey || !current()) return;
      // The earlier choice goes first, then the guess if other columns give other layers.
      const present = columns === choice?.columns ? {...survey.guess, ...choice} : {...choice, ...survey.guess, columns};
      if (!survey.subject) await chooseAmong(files, survey, present);
      else if (survey.subject.ask.length) await complete(files, {subject: survey.subject});
      else {
        say.messages([{level: 'info', message: 'These files are those of one subject\u2019s brain and leave nothing open.'
          + ' Every step from the series to the layers stands under Settings.'}]);
        await session.forget();
      }
    }),
  };
}
