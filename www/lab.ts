// The Lab: puts form, pictures and run together. Everything that takes time happens in the Go programs.
import {byId, setText} from './dom/elements.js';
import {atMost, breath, whenIdle, whenSlow} from './dom/idle.js';
import {told} from './dom/told.js';
import {METHODS, STUDIES, compile, order} from './engine/compile.js';
import {Endpoint, readOnce} from './engine/endpoint.js';
import {Engine} from './engine/engine.js';
import {PageRole} from './engine/pagerole.js';
import {Pool} from './engine/pool.js';
import {expectation} from './explain/expect.js';
import {createHighlight} from './explain/highlight.js';
import {createTerms} from './explain/terms.js';
import {goOffline} from './offline.js';
import {createControls} from './panels/controls.js';
import {createPicker} from './panels/datapicker.js';
import {createNotices} from './panels/notices.js';
import {createOpening} from './panels/opening.js';
import {namedScans} from './panels/ownfile.js';
import {createPin} from './panels/pin.js';
import {createSavedRuns} from './panels/savedruns.js';
import {createYourData} from './panels/yourdata.js';
import {Experiments} from './run/experiments.js';
import {FINISHED, loadFinished} from './run/finished.js';
import {Pinned} from './run/pinned.js';
import {SaveQueue} from './run/savequeue.js';
import {Session} from './run/session.js';
import {without} from './run/without.js';
import {Catalogue} from './settings/catalogue.js';
import {copyLink, goTo} from './settings/links.js';
import {createSettingsPanel} from './settings/panel.js';
import {Setup} from './settings/setup.js';
import {PLACES, freshSettings, fromHash, placeOf} from './settings/state.js';
import {Changes} from './start/changes.js';
import {createErrors, isOfFile} from './start/errors.js';
import {createExperimentsSection} from './start/experiments.js';
import {exposeToTests} from './start/hook.js';
import {createPlaces} from './start/places.js';
import {createRuns} from './start/runs.js';
import {createSay, PLAINLY} from './start/say.js';
import {Look} from './views/look.js';
import {createScores} from './views/scores.js';
import {mountViews} from './views/table.js';
import type {Lab, RunRecord, Settings, Thrown} from './types.js';

/** Shows what is below the masthead, which stands still from then on. */
const uncover = () => document.querySelector('.layout')?.classList.add('wired');

const page = new PageRole(PLAINLY), notices = createNotices(byId('notices')), say = createSay(page);
const changes = new Changes();
const errors = createErrors({
  say, recovering: () => Boolean(parts?.session.recovering), stands: () => Boolean(parts?.session.stands),
}), {attempt} = errors;
const compute = new Engine(text => parts?.session.engineStopped(text));

type SavedRuns = ReturnType<typeof createSavedRuns>;
type Section = ReturnType<typeof createExperimentsSection>;

let parts: Lab | null = null;

/** Whether the engine can be asked: one whose run rests starts by itself. */
const usable = () => compute.ready || Boolean(parts?.session.resting);

/** Builds what works on runs, and nothing that is seen. */
function build(catalogue: Catalogue, settings: Settings, saved: () => SavedRuns, yours: () => {show(): void}): Lab {
  const storage = new Endpoint<StorageRequests>('storage', text => saved().stopped(text));
  const saveQueue = new SaveQueue(storage, () => {
    saved().changed();
    yours().show();
  }, () => saved().lost());
  const session = new Session({compute, storage, saveQueue, terms: catalogue.terms, on: {
    changed(...what) {
      if (what.includes('run')) pool.wake();
      changes.tell(...what);
    },
    error: errors.report,
    scores: () => parts?.setup.values.evaluation.score !== 'none',
    beside: (record, files): Promise<Score[]> => without(pool, record, files),
    notice(text) {
      notices.show('engine', text);
      say.announce(text);
    },
    loading: (promise, methods) => whenSlow(promise, () => say.status(`Loading what ${methods ? 'trains other methods' : 'reads and writes files'}\u2026`)),
  }});
  // A run on the page has a core to itself.
  const pool = new Pool({
    connect: (onExit, methods) => new Endpoint('compute', onExit, methods ? METHODS : STUDIES), taken: () => Number(session.model.phase === 'running'),
  });
  const experiments = new Experiments({pool, readOnce, storage, saveQueue, on: {
    begins: () => session.rest(),
    changed() {
      if (pool.busy > 0) session.rest(); // the run may have ended meanwhile
      changes.tell('studies');
    },
    failed: e => notices.show('studies-kept', `What the experiments find cannot be kept: ${e.message}`, {level: 'error'}),
  }});
  const pinned = new Pinned(() => changes.tell('pin'));
  const setup = new Setup(catalogue, settings);
  return {catalogue, session, pool, experiments, pinned, saveQueue, storage, setup, changes, say, notices, attempt};
}

/** Builds what is seen, and has it follow what changes. */
function show(parts: Lab, savedRuns: SavedRuns, section: Section) {
  const {catalogue, session, setup} = parts;
  let panel: ReturnType<typeof createSettingsPanel> | null = null;
  const caption = () => {
    const {record, data, hash} = session.model;
    const seed = record?.model_seed ?? setup.values.model_seed;
    return `CaDeM, ${record?.name || setup.runName(data)}. Model seed ${seed}.${hash ? ` Fingerprint ${hash}.` : ''}`;
  };
  const places = createPlaces(parts);
  places.follow(setup.settings);
  const terms = createTerms(document.querySelector('.terms') as HTMLElement, catalogue.terms);
  const highlight = createHighlight(document.documentElement, term => views.highlight(term));
  const views = mountViews({
    ...parts, caption, usable, highlight,
    send: (kind, fields) => page.send(kind, fields),
    changed: (...what) => changes.tell(...what),
    look: new Look(),
    change: (name, value, field = 'options') => panel?.change(field, name, value),
    stage: settings => runs.stage(settings),
    showView: view => runs.show(view),
    runStudy: async name => (await section.load()).run(name),
  }, (concerns, f) => changes.subscribe(concerns, f));
  const runs = createRuns(parts, {
    form: () => panel?.form, saved: () => savedRuns, showView() {
      places.follow(setup.settings);
      controls.follow(setup.settings);
      views.follow(setup.settings);
    },
  });
  section.views(view => runs.show(view));
  const controls = createControls(parts, {begin: runs.begin, problems: () => panel?.form.problems ?? []});
  controls.follow(setup.settings);
  const opening = createOpening(parts, {
    importRun: savedRuns.importFile, takeFiles: runs.takeFiles,
    scans: async list => (await parts.experiments.scans(namedScans(list), list, () => {})).order,
    compare: async (list, graphs) => (await section.load()).scans(list, graphs),
    merged: async file => (await section.load()).merged(file),
  });
  const picker = createPicker(byId('data-picker'), {
    examples: catalogue.examples, onExample: attempt(runs.chooseExample), onFiles: attempt(opening.open), onAgain: attempt(() => opening.again()),
  });
  const pin = createPin(parts);
  const scores = createScores((kind, fields) => page.send(kind, fields));

  /** @param course what the run on screen is made of */
  const expect = (name: string, course: string) => {
    const text = expectation({example: catalogue.example(name), course, own: setup.courseOfExample(name)});
    if (text !== expected) byId('expect').replaceChildren(...told(expected = text));
  };
  let expected = '';
  errors.watch(e => {
    const {field, message, options} = e;
    if (isOfFile(e)) picker.problem(message);
    if (field) panel?.form.refuse(field, message);
    for (const [name, value] of Object.entries(options ?? {})) {
      notices.show('too-large', `With ${name} = ${value} this run would fit.`, {level: 'warning', actions: [[`Take ${name} = ${value}`, () => {
        notices.hide('too-large');
        setup.set('options', name, value);
        say.status(`${name} is ${value} now: press Train.`);
      }]]});
    }
    controls.failed();
    changes.tell('run');
  });
  setup.subscribe(() => {
    picker.show({data: setup.settings.data, files: setup.files});
    changes.tell('run');
  });

  changes.subscribe(['record'], () => {
    const {record, data} = session.model;
    if (record && data) setup.adopt(record, data, session.files);
  });
  changes.subscribe(['data'], () => {
    panel?.advise();
    const {data} = session.model;
    if (data) page.send('summary', {summary: data.summary});
  });
  changes.subscribe(['data', 'run'], () => {
    const {phase, record, data} = session.model, changed = Number(record?.changes.length) > 0; // and so the run has no course that could be described
    if (data && phase === 'shipped') expect(setup.madeOf(session.model)?.data.example ?? '', setup.shippedCourse);
    else if (data && record) expect(record.data.example ?? 'files', changed ? '' : setup.courseOf(record));
  });
  changes.subscribe(['scores'], () => scores.show(session.model));
  changes.subscribe(['run', 'progress', 'frame'], () => {
    controls.show(session.model, usable());
    terms.show(session.model.progress?.losses, session.model.phase === 'running');
  });
  changes.subscribe(['data', 'run', 'progress', 'frame', 'pin'], pin.show);
  changes.subscribe(['run', 'saved', 'pin', 'studies'], savedRuns.show);
  changes.subscribe(['data', 'run', 'progress', 'losses', 'frame', 'scores', 'record', 'saved', 'regions', 'studies'], uncover);

  /** Parts that can be operated once the pictures are drawn. */
  function operate() {
    const onInvalid = () => controls.show(session.model, usable());
    panel = createSettingsPanel(parts, {preview: runs.preview, terms, highlight, onInvalid});
    picker.show({data: setup.settings.data, files: setup.files});
    byId('copy-link').addEventListener('click', () => copyLink(byId('copy-link'), parts));
    byId('share').addEventListener('click', attempt(async () => (await import('./panels/share.js')).share(parts)));
    for (const a of document.querySelectorAll('a[href^="#"]:not(#places a, #essay a, [href="#essay"])')) a.addEventListener('click', goTo);
    addEventListener('hashchange', attempt(async () => {
      const link = fromHash(location.hash, catalogue);
      if (link && !setup.says(link.settings)) await runs.follow(link);
    }));
    document.addEventListener('visibilitychange', attempt(() => session.setWatch(!document.hidden)));
    changes.tell('run');
  }

  return {views, runs, expect, operate, open: attempt(opening.open)};
}

let openHere: ((files: File[], why: string) => unknown) | null = null;
/** Opens files in the Lab that is open. */
export const openFiles = (files: File[], why = '') => openHere?.(files, why);

/** Opens the Lab, with files that were chosen elsewhere, or without. */
async function main(files: File[], why: string) {
  // On a first visit the pictures come first and the program after them; later, when both are at hand, they come together.
  // Inputs of the program come before other work: its worker has a core of its own.
  const later = Boolean(navigator.serviceWorker?.controller);
  if (later) compute.start().catch(() => {}); // which start() asks again
  else {
    order();
    compute.open();
  }
  const roomy = matchMedia('(min-width: 62rem)').matches && !/[#&]big=1/.test(location.hash);
  for (const id of ['settings', 'about-data']) byId<HTMLDetailsElement>(id).open = roomy;
  if (!location.hash.includes('=')) loadFinished(FINISHED[0]); // before the table of examples
  const catalogue = await Catalogue.load();
  setText(byId('version'), `Version ${__VERSION__}.`);
  const link = fromHash(location.hash, catalogue);
  const settings = link?.settings ?? freshSettings(catalogue.first);
  const place = location.hash.slice(1);
  if (PLACES.includes(place) && place !== placeOf(settings.view)) settings.view.place = place;
  const lab: Lab = parts = build(catalogue, settings, () => savedRuns, () => yours);
  const {session, setup} = lab;
  const savedRuns = createSavedRuns(lab), yours = createYourData(lab);
  const section = createExperimentsSection(lab);
  exposeToTests(lab, usable);
  if (later) await atMost(100, compile());
  const shipped = setup.asItComes ? await loadFinished(setup.settings.data) : null;
  if (shipped) setup.knowShipped(shipped);
  const {views, runs, expect, operate, open} = show(lab, savedRuns, section);
  openHere = (list, text) => {
    if (text) notices.show('essay', text);
    return open(list);
  };
  await views.first();
  performance.mark('cadem-views');
  const showsShipped = setup.describesShipped;
  expect(setup.settings.data, setup.course());
  if (shipped && showsShipped) session.showShipped(shipped);
  else changes.tell();
  await breath();
  const ready = compute.start().then(() => {
    performance.mark('cadem-ready');
    changes.tell('run');
  });
  ready.catch(() => {}); // which start() tells of
  await atMost(300, ready).then(breath); // Train can be pressed before there is a form
  operate();
  await breath();
  await views.later();
  if (link?.messages.length) say.messages(link.messages);
  say.status(showsShipped ? 'This is a finished run. Press Train to run it here.' : 'Loading the engine\u2026');
  whenIdle(attempt(async () => {
    await start(lab, savedRuns, section, runs, showsShipped && !files.length, link);
    if (files.length) await openFiles(files, why);
  }));
}

/** Opens a run that the host serves beside the page (docs/python.md). Loaded again, the page finds it among its own runs. */
async function openHanded(name: string, importFile: (file: File) => Promise<unknown>) {
  history.replaceState(null, '', location.pathname + location.hash);
  const answer = await fetch(`runs/${name}.zip`);
  if (!answer.ok) throw new Error('The run that the address names is not there any more. Import its file instead.');
  await importFile(new File([await answer.blob()], 'run.zip'));
  return true;
}

/** Brings back what was there, or makes the run that the address describes. */
async function start(lab: Lab, savedRuns: SavedRuns, section: Section, runs: ReturnType<typeof createRuns>,
  showsShipped: boolean, link: ReturnType<typeof fromHash>): Promise<void> {
  const {session, setup} = lab;
  const loaded = compile().then(() => compute.start());
  const waits = 'The engine is still loading. If it is not there in a minute, reload the page. Saved runs are not lost.';
  whenSlow(loaded, () => notices.show('engine', waits), 20_000);
  try {
    await loaded;
  } catch (e) {
    const again = attempt(() => {
      notices.hide('engine');
      say.status('Loading the engine\u2026');
      return start(lab, savedRuns, section, runs, showsShipped, link);
    });
    notices.show('engine', `The engine could not be loaded, so nothing can be trained here: ${(e as Thrown).message}`,
      {level: 'error', actions: [['Try again', again]]});
    say.status('The engine could not be loaded.');
    return;
  }
  notices.hide('engine');
  changes.tell('run');
  const handed = /^\?run=([\w-]+)$/.exec(location.search)?.[1];
  const resume = handed ? () => false : !link || showsShipped && setup.settings.data === FINISHED[0] ? 'all'
    : (r: RunRecord) => setup.own ? Boolean(r.data.files) : setup.courseOf(r) === setup.course();
  // A failure here is reported, and the rest still comes.
  const resumed = await attempt(savedRuns.open)({resume}) || handed && await attempt(openHanded)(handed, savedRuns.importFile);
  // A reader who was quicker has begun already.
  const again = !resumed && Boolean(link) && ['idle', 'shipped'].includes(session.model.phase) && await attempt(runs.reopen)();
  if (resumed) say.messages([]); // what the link said is about a run that is not on screen
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!resumed && !again && savedRuns.forgets && visit?.type === 'reload') {
    notices.show('forgotten', 'The page was loaded again, and this browser keeps nothing of it: runs and files that were open before are gone.');
  }
  if (!resumed && !again && !showsShipped && !setup.own && session.model.phase === 'idle') await attempt(runs.begin)(link?.messages);
  whenIdle(attempt(section.load));
  whenIdle(attempt(async () => (await import('./explain/popovers.js')).createPopovers(document.body)));
  whenIdle(() => page.start(() => notices.show('page', 'What writes the tables of this page had to be started again. Nothing is lost.'))
    .catch(e => notices.show('page', `The tables could not be updated: ${e.message}. Reload the page; saved runs are not lost.`, {level: 'error'})));
  goOffline({
    onReady: () => setText(byId('offline-state'), 'It works without network now.'),
    onUpdate: apply => notices.show('update', 'A new version of this page is ready.', {actions: [['Reload', async () => {
      await session.leave();
      apply();
    }]]}),
  });
}

export const openLab = (files: File[], why = '') => main(files, why).catch(e => {
  uncover();
  errors.report(e);
});
