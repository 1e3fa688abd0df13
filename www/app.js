// The page: puts form, pictures and run together. Everything that takes time happens in the Go programs.
import {byId, h, setText, download, atMost, whenIdle, whenSlow, breath, followDraw, figure} from './dom/dom.js';
import {Catalogue} from './settings/catalogue.js';
import {freshSettings, fromHash, prune, resolve, toHash} from './settings/state.js';
import {Endpoint, PageRole, compile, createPool, order} from './engine/runclient.js';
import {Engine} from './engine/engine.js';
import {Session} from './run/session.js';
import {Keeper} from './run/savequeue.js';
import {loadFinished} from './run/finished.js';
import {createForm, symbol, TERM_OF} from './settings/form.js';
import {createPicker} from './panels/datapicker.js';
import {createOpening, named} from './panels/opening.js';
import {createNotices} from './panels/notices.js';
import {copyLink, goTo} from './settings/links.js';
import {createPreview} from './run/preview.js';
import {createTransport} from './panels/controls.js';
import {createArchive} from './panels/savedruns.js';
import {createBrain} from './views/brain.js';
import {Experiments} from './run/experiments.js';
import {goOffline} from './offline.js';
import {headsOf, namedScans} from './panels/cohortpicker.js';
import * as embeddings from './views/embeddings.js';
import {TERMS} from './views/palette.js';
import {createHighlight} from './explain/highlight.js';
import {createTerms} from './explain/terms.js';
import {expectation} from './explain/expect.js';
import {TRIES} from './explain/try.js';

const page = new PageRole();
const notices = createNotices(byId('notices'));

/** Status, announcements and messages reach the reader even while the page's Go program is on its way. */
const say = {
  status(text) { if (!page.send('status', {text})) setText(byId('status'), text); },
  announce(text) { if (!page.send('announce', {text})) setText(byId('live'), text); },
  messages(list) {
    if (page.send('messages', {list})) return;
    byId('messages').replaceChildren(...list.map(m => h('p', {class: 'notice ' + m.level}, m.message)));
  },
};

const compute = new Engine(text => session.engineStopped(text));
const storage = new Endpoint('storage', text => archive.stopped(text));
const keeper = new Keeper(storage, () => archive.changed());
const session = new Session({compute, storage, keeper, on: {
  changed: (...what) => {
    for (const w of what) dirty.add(w);
    if (what.includes('run')) pool.wake();
    draw(what.includes('run'));
  },
  error: report,
  notice: text => {
    notices.show('engine', text);
    say.announce(text);
  },
  loading: promise => whenSlow(promise, () => say.status('Loading what reads and writes files\u2026')),
}});

/** Whether the engine can be asked: one whose run rests starts by itself. */
const usable = () => compute.ready || session.resting;

// A run on the page has a core to itself.
const pool = createPool({taken: () => Number(session.model.phase === 'running')});
const experiments = new Experiments({pool, storage, keeper, on: {
  begins: () => session.rest(),
  changed: () => {
    if (pool.busy > 0) session.rest(); // the run may have ended meanwhile
    dirty.add('studies');
    draw();
  },
  failed: e => notices.show('studies-kept', `What the experiments find cannot be kept: ${e.message}`, {level: 'error'}),
}});

let catalogue, settings, form, opening, picker, pictures, curves, studies, transport, archive, highlight, terms, brain, shipped = null, files = null, choice = null;
const dirty = new Set();
let twinDue = 0;

// --- Errors

function report(error) {
  if (error.code === 'cancelled' || (error.code === 'exited' && session.recovering)) return; // it says so itself
  const {message, file, line, field} = error;
  if (field) form?.refuse(field, message);
  transport?.forget();
  say.messages([{level: 'error', message, file, line, field}]);
  say.status('Stopped: ' + message);
  say.announce(message);
  if (!error.code) console.error(error);
}

const attempt = f => async (...args) => {
  try {
    return await f(...args);
  } catch (e) {
    report(e);
    return undefined;
  }
};

// --- Settings

/** The reader's own data as the protocol names it: the files and what was chosen among what they hold. */
const ownData = () => ({...(settings.subject && {options: resolve(settings, catalogue).dataOptions}), files: named(files), ...(choice && {choice})});

/** What a new run is made of, as it stands in the form. */
function plan() {
  const own = settings.data === 'files';
  const values = resolve(settings, catalogue);
  const data = own ? ownData()
    : {example: settings.data, options: values.dataOptions, data_seed: values.data_seed};
  return {
    data, files: own ? files.map(f => f.content) : [],
    values(opened) {
      if (own) {
        settings.recommended = opened.defaults || {};
        settingsChanged();
      }
      const v = resolve(settings, catalogue);
      return {name: archive.unique(runName(opened)), options: v.options, preset: v.preset, model_seed: v.model_seed, eval_seed: v.eval_seed, evaluation: v.evaluation};
    },
  };
}

const LONGEST = 120; // characters of a run's name

/** A name that tells runs apart: the data and what was changed. */
function runName(data) {
  const changes = [...Object.entries(settings.dataOptions), ...Object.entries(settings.options), ...Object.entries(settings.seeds)].map(([k, v]) => `${k.replaceAll('_', ' ')} ${typeof v === 'number' ? figure(v) : v}`);
  const title = catalogue.example(settings.data)?.title.split(':')[0] || data?.name || 'Own files';
  const name = [title, settings.preset === 'released' ? '' : settings.preset, ...changes].filter(Boolean).join(', ');
  // A value that is cut in two would be another value.
  const cut = name.lastIndexOf(', ', LONGEST - 3);
  return name.length <= LONGEST ? name : name.slice(0, cut > 0 ? cut + 2 : LONGEST - 1) + '\u2026';
}

/** What decides a run's course: if it differs from the run's own, the form speaks of another run. */
function course(of = settings) {
  const v = resolve(of, catalogue);
  const own = of.data === 'files' ? files && ownData() : {example: of.data, options: v.dataOptions, data_seed: v.data_seed};
  return inOrder([own, v.options, v.preset, v.model_seed]);
}

/** JSON in which the order of fields leaves no trace. */
const inOrder = value => JSON.stringify(value, (_, v) => v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => a < b ? -1 : 1)) : v);

/** The same of a record; the command line writes only the options of data that were given. */
function courseOf({data, summary, options, preset, model_seed}) {
  const of = data.example || (summary?.subject ? 'files' : '');
  return inOrder([of ? {...data, options: {...catalogue.defaults('data', {data: of}), ...catalogue.typed('data', of, data.options)}} : data, options, preset, model_seed]);
}

/** The settings in the form are not those of the run on screen. */
function differs() {
  const {phase, record} = session.model;
  if (phase === 'shipped') return course() !== shipped.course;
  return Boolean(record) && course() !== courseOf(record);
}

function settingsChanged(keepProblems = false) {
  prune(settings, catalogue);
  const values = resolve(settings, catalogue);
  form.show(settings, values, keepProblems);
  picker.show({data: settings.data, files});
  showWeights(values);
  const hash = toHash(settings);
  if (hash !== location.hash) history.replaceState(null, '', hash);
  dirty.add('run');
  draw(true);
}

/** The weight that each term's card speaks of, and its formula, from the form. */
function showWeights(values) {
  terms.options(values.options);
  for (const p of catalogue.properties('training')) {
    const term = TERM_OF[p.symbol];
    const el = term && document.querySelector(`[data-weight="${term}"]`);
    if (el) el.replaceChildren('Its weight ', symbol(p.symbol), ` is ${figure(values.options[p.name])} now. `,
      h('button', {type: 'button', class: 'quiet', onclick: () => form.focus(p.name)}, 'Change'));
  }
}

function change(field, name, value) {
  if (field === 'usual') settings = {...freshSettings(settings.data), recommended: settings.recommended, view: settings.view};
  else if (field === 'preset') settings.preset = value;
  else settings[field][name] = value;
  const live = field === 'options' && catalogue.properties('training').find(p => p.name === name)?.live;
  if (live && session.model.record && session.model.progress?.step > 0) {
    attempt(() => session.setLive({[name]: value}))();
  }
  settingsChanged(field !== 'usual');
  if (field !== 'evaluation' && name !== 'eval_seed') preview.after();
}

const preview = createPreview({model: () => session.model, differs, possible: () => form.problems.length === 0 && (settings.data !== 'files' || Boolean(files)), begin: attempt(begin)});

/** Makes the run that the form describes, untrained; messages are what there is to say of how it was asked for. */
async function begin(messages = []) {
  const problems = form.problems;
  if (problems.length) {
    say.messages(problems);
    say.status('A setting cannot be used; see the message.');
    form.focus(problems[0].field);
    return false;
  }
  if (settings.data === 'files' && !files) {
    say.messages([{level: 'info', message: 'The settings are for files of your own, which are not open. Open them, or choose an example.'}]);
    byId('open-files').focus();
    return false;
  }
  preview.cancel();
  say.messages(messages);
  say.status('Preparing\u2026');
  return session.prepare(plan());
}

async function chooseExample(name) {
  const {view} = settings;
  settings = {...freshSettings(name), view: {...view}};
  delete settings.view.color;
  showView();
  settingsChanged();
  if (shipped && course() === shipped.course) {
    if (session.model.phase === 'running') await session.pause();
    session.showShipped(shipped);
    return;
  }
  await begin();
}

/** Opens files with what was chosen among what they hold, null where there is nothing to choose, or with what was said of a subject's brain. */
async function adoptFiles(read, chosen, said = null) {
  const before = {settings, files, choice};
  files = read;
  choice = chosen;
  // Settings of a link for files wait for the files; those of an example do not suit them, nor what was said of other files.
  settings = settings.data === 'files' ? {...settings, recommended: null, view: {...settings.view}} : {...freshSettings('files'), view: {...settings.view}};
  settings.subject = Boolean(said);
  settings.dataOptions = said ? {...before.files ? catalogue.steps(settings.dataOptions) : settings.dataOptions, ...said} : {};
  delete settings.view.color;
  say.messages([]);
  say.status('Reading files\u2026');
  try {
    if (await session.prepare(plan())) settingsChanged();
  } catch (e) {
    // Nothing is lost: the form goes back to what was open before.
    ({settings, files, choice} = before);
    settingsChanged();
    say.status('Nothing was opened.');
    throw e;
  }
}

let asked = null; // settings of an address whose run is being brought back

/** Puts the form where a stored run's record says, or where the address says that had it brought back. */
function adopt(record) {
  const data = record.data.example || 'files';
  const view = settings.view;
  settings = {...freshSettings(data), preset: record.preset, view, recommended: data === 'files' ? session.model.data.defaults : null, subject: Boolean(record.summary?.subject),
    options: {...record.options}, dataOptions: catalogue.typed('data', data, record.data.options), evaluation: {...record.evaluation},
    seeds: {model_seed: record.model_seed, eval_seed: record.eval_seed, ...('data_seed' in record.data ? {data_seed: record.data.data_seed} : {})}};
  if (asked) {
    const {preset, options, dataOptions, evaluation, seeds} = asked;
    settings = {...settings, preset, options, dataOptions, evaluation, seeds};
    asked = null;
  }
  files = data === 'files' ? record.data.files.map((f, i) => ({...f, content: session.files[i]})) : null;
  choice = record.data.choice || null;
  settingsChanged();
}

// --- Drawing

const showExpect = (name, made) => setText(byId('expect'), expectation({example: catalogue.example(name), course: made, own: course(freshSettings(name)), tried: t => course(trial(t))}));

const draw = followDraw(() => {
  const what = new Set(dirty);
  dirty.clear();
  render(what);
});

function render(what) {
  const m = session.model;
  if (what.has('record') && m.record) adopt(m.record);
  if (what.has('data') && m.data) {
    page.send('summary', {summary: m.data.summary});
  }
  if (m.data && (what.has('data') || what.has('run'))) {
    const {phase, record} = m, changed = record?.changes.length > 0; // and so the run has no course that could be described
    if (phase === 'shipped') showExpect(shipped.example, shipped.course);
    else if (record) showExpect(record.data.example ?? 'files', changed ? '' : courseOf(record));
  }
  if (what.has('data') || what.has('frame') || what.has('run')) {
    pictures.update({
      names: m.names, snapshots: m.snapshots, labels: m.data?.labels || [], nodes: m.data?.nodes, summary: m.data?.summary, clusters: m.clusters,
      canCluster: Boolean(m.record) && usable(), live: m.phase === 'running',
    });
  }
  if (what.has('frame') || what.has('run')) followClusters();
  if (what.has('data') || what.has('frame') || what.has('run') || what.has('regions')) brain.show(m);
  if (what.has('losses')) {
    curves?.update({steps: m.losses.steps, values: m.losses.values});
    if (m.phase !== 'running' || byId('losses-twin').open && performance.now() > twinDue) {
      twinDue = performance.now() + 1000;
      page.send('losses', {rows: lossRows(m)});
    }
  }
  if (what.has('scores')) showScores(m);
  if (what.has('run') || what.has('progress') || what.has('frame')) {
    transport.show({model: m, ready: usable()});
    terms.show(m.progress?.losses, m.phase === 'running');
  }
  if (what.has('run') || what.has('saved')) archive.show();
  if (what.has('studies') || what.has('data')) studies?.update({own: session.own});
  uncover();
}

let scored = null; // the name of the data that scores were last shown of

/** Shows the scores. The place of what goes while its data are trained on again is kept for the next ones. */
function showScores({scores, data}) {
  const again = data?.name === scored;
  for (const el of [byId('verdict'), byId('metrics')]) {
    if (!again) el.style.minHeight = '';
    else if (!scores) el.style.minHeight = `${el.getBoundingClientRect().height}px`;
  }
  if (scores) scored = data?.name;
  page.send('scores', {rows: scores || [], task: data?.task});
}

let clustered = 0, clustering = false;

/** Clusters that colour the pictures follow the run. */
async function followClusters() {
  const {colour, k} = pictures.colouring, {phase, clusters, progress, record, scoring} = session.model;
  if (!colour.startsWith('clusters:') || clustering || !record || scoring || !['running', 'paused', 'finished'].includes(phase)) return;
  const embedding = colour.slice('clusters:'.length);
  if (clusters?.embedding === embedding && clusters.k === k && clusters.step === progress?.step) return;
  if (phase === 'running' && performance.now() - clustered < 1500) return;
  clustering = true;
  await attempt(() => session.cluster(embedding, k, resolve(settings, catalogue).eval_seed))();
  clustering = false;
  clustered = performance.now();
}

/** Some twelve rows spread over the run. */
function lossRows({losses: l, progress}) {
  const rows = [], perEpoch = progress?.epoch ? progress.step / progress.epoch : 0;
  for (let k = 0; k < Math.min(12, l.n); k++) {
    const i = l.n <= 12 ? k : Math.round(k * (l.n - 1) / 11);
    const row = {step: l.steps[i], epoch: perEpoch ? Math.min(progress.epoch, Math.ceil(l.steps[i] / perEpoch)) : 0};
    TERMS.forEach((t, j) => { row[t] = l.values[4 * i + j]; });
    rows.push(row);
  }
  return rows;
}

const caption = () => `CaDeM, ${session.model.record?.name || runName(session.model.data)}. Model seed ${session.model.record?.model_seed ?? resolve(settings, catalogue).model_seed}.`;

// --- Start

/** The views first: what they show stands before anything else is made. */
function wireViews() {
  pictures = embeddings.create(byId('embeddings-view'), {
    onView(view) {
      for (const [k, v] of Object.entries(view)) v === null || v === undefined ? delete settings.view[k] : settings.view[k] = v;
      settingsChanged(true);
    },
    onClusters: () => followClusters(),
    onSave: attempt(async type => download(await pictures.exportImage(caption(), type), 'cadem-embeddings.' + type)),
  });
  brain = createBrain({session, pool, attempt, caption, onPick: regions => pictures.select(regions), onConditions: attempt(async () => {
    await wire();
    await studies.run('regions');
  }), changed() {
    dirty.add('regions');
    draw();
  }});
  terms = createTerms(document.querySelector('.terms'));
  byId('losses-twin').addEventListener('toggle', () => {
    dirty.add('losses');
    draw();
  });
  highlight = createHighlight(document.documentElement, term => curves?.select(term));
  transport = createTransport({session, say, attempt, begin, differs, problems: () => form?.problems || [], evaluation: () => resolve(settings, catalogue)});
  archive = createArchive({session, storage, keeper, notices, say, attempt, onStudies: list => experiments.list(list)});
  opening = createOpening({session, say, attempt, importRun: file => archive.importFile(file), adopt: adoptFiles, asked: () => settings.data === 'files' ? settings.dataOptions : {}, properties: () => catalogue.properties('data', 'files'),
    values: () => resolve(settings.data === 'files' ? settings : freshSettings('files'), catalogue),
    scans: async list => (await experiments.scans(namedScans(list), await headsOf(list), list, () => {})).order,
    async compare(list) {
      await wire();
      await studies.scans(list);
    }});
  picker = createPicker(byId('data-picker'), {examples: catalogue.examples, onExample: attempt(chooseExample), onFiles: attempt(opening.open), onAgain: attempt(() => opening.again(files, choice, settings.dataOptions))});
}

/** The loss curves come second: their library takes a while to begin. */
async function wireCurves() {
  const losses = await import('./views/losses.js');
  curves = losses.create(byId('losses-view'), {
    log: settings.view.log === '1',
    onView({log}) {
      if (log) settings.view.log = '1';
      else delete settings.view.log;
      settingsChanged(true);
    },
    onTerm: highlight,
    onSave: attempt(async type => download(await curves.exportImage(caption(), type), 'cadem-losses.' + type)),
  });
  dirty.add('losses');
  draw();
}

let wired = null; // when the experiments are there; again null where they failed to come

const wire = () => wired ||= wireStudies().catch(e => {
  wired = null;
  throw e;
});

/** The experiments come last: they are further down, and need the engine. */
async function wireStudies() {
  const view = await import('./panels/experiments.js');
  studies = view.create(byId('experiments-view'), {
    experiments, studies: catalogue.studies, presets: catalogue.presetNames, groups: catalogue.groups, cores: pool.size, attempt, say,
    onView(study) {
      if (study) settings.view.study = study;
      else delete settings.view.study;
      settingsChanged(true);
    },
  });
  studies.update({own: session.own});
  for (const [i, r] of experiments.interrupted.entries()) {
    const notice = i === 0 ? 'studies' : `studies-${i}`;
    notices.show(notice, `The experiment \u201c${catalogue.study(r.order.study)?.title ?? r.order.study}\u201d was interrupted at ${r.finished} of ${r.tasks} tasks.`, {action: ['Continue it', () => {
      notices.hide(notice);
      studies.resume(r.order);
    }]});
  }
  if (settings.view.study) await studies.open(settings.view.study);
}

/** What can be operated. */
function wireControls() {
  form = createForm(byId('settings-form'), {catalogue, onChange: change, onInvalid: () => transport.show({model: session.model, ready: usable()}), onTerm: highlight});
  byId('try').append(...TRIES.filter(t => catalogue.example(t.data)).map(t => h('li', {}, h('button', {type: 'button', onclick: attempt(() => tryOut(t))}, t.title), h('span', {}, t.see))));
  byId('copy-link').addEventListener('click', () => copyLink(byId('copy-link'), {notices, say}));
  for (const a of document.querySelectorAll('a[href^="#"]')) a.addEventListener('click', goTo);
  addEventListener('hashchange', attempt(async () => {
    const read = fromHash(location.hash, catalogue);
    if (!read || toHash(read.settings) === toHash(settings)) return;
    await follow(read);
  }));
  document.addEventListener('visibilitychange', attempt(() => session.setWatch(!document.hidden)));
}

/** The settings of a thing to try. */
function trial({data, off = [], low, high}) {
  const s = {...freshSettings(data), view: {}};
  for (const p of catalogue.properties('training')) if (off.includes(TERM_OF[p.symbol])) s.options[p.name] = p.min;
  for (const p of catalogue.properties('data', data)) {
    if (p.name === low) s.dataOptions[p.name] = p.min;
    if (p.name === high) s.dataOptions[p.name] = p.max;
  }
  return s;
}

async function tryOut(entry) {
  settings = trial(entry);
  showView();
  settingsChanged();
  byId('embeddings').scrollIntoView({behavior: 'auto'});
  byId('play').focus({preventScroll: true});
  if (await begin()) await session.play();
}

/** Takes over the settings of a link. */
async function follow({settings: linked, messages}) {
  settings = linked;
  say.messages(messages);
  showView();
  settingsChanged();
  preview.after(messages);
}

async function main() {
  // On a first visit the pictures come first and the program after them; later, when both are at hand, they come together. What
  // the program waits for comes before what else there is to do: its worker has a core of its own.
  const later = Boolean(navigator.serviceWorker?.controller);
  if (later) compute.start().catch(() => {}); // which start() asks again
  else {
    order();
    compute.open();
  }
  byId('settings').open = byId('about-data').open = matchMedia('(min-width: 62rem)').matches;
  const finished = loadFinished('syn2').catch(() => null);
  catalogue = await Catalogue.load();
  setText(byId('version'), `Version ${__VERSION__}.`);
  const link = fromHash(location.hash, catalogue);
  settings = link?.settings || freshSettings(catalogue.examples[0].name);
  if (later) await atMost(100, compile());
  wireViews();
  shipped = await finished;
  const showsShipped = shipped && adoptShipped();
  showView();
  performance.mark('cadem-views');
  showExpect(settings.data, course());
  if (showsShipped) session.showShipped(shipped);
  else draw();
  await breath();
  const ready = compute.start().then(() => {
    performance.mark('cadem-ready');
    dirty.add('run');
    draw();
  });
  ready.catch(() => {}); // which start() tells of
  await atMost(300, ready).then(breath); // Train can be pressed before there is a form
  wireControls();
  await breath();
  settingsChanged();
  await wireCurves();
  if (link?.messages.length) say.messages(link.messages);
  say.status(showsShipped ? 'A finished run, stored with the page. Press Train to run it here.' : 'Loading the engine\u2026');
  whenIdle(attempt(() => start(showsShipped, link)));
}

/** Works out which course the shipped run took; tells whether it is the one that the settings describe. */
function adoptShipped() {
  const mine = settings;
  settings = {...freshSettings(shipped.example), preset: shipped.preset, options: {...shipped.options}, dataOptions: {...shipped.options, ...shipped.data_options},
    seeds: {data_seed: shipped.data_seed, model_seed: shipped.model_seed}};
  prune(settings, catalogue);
  shipped.course = course();
  settings = mine;
  return settings.data !== 'files' && course() === shipped.course;
}

/** Colours and scale as the settings say. */
function showView() {
  pictures.colour(settings.view.color || '', Number(settings.view.k) || 0);
  if (curves) curves.log = settings.view.log === '1';
}

/** Shows the run that was trained last with the settings of the address; of the reader's own files, which it does not name, the last one, which brings them back. */
async function reopen() {
  const own = settings.data === 'files';
  asked = settings; // the form keeps what the address says, though the run may have been trained with something else
  const said = r => [[asked.options, r.options], [asked.seeds, r], [{preset: asked.preset}, r]].every(([some, all]) => Object.entries(some).every(([k, v]) => all[k] === v));
  const run = await archive.reopen(r => own ? r.data.files && said(r) : courseOf(r) === course()) || own && await archive.reopen(r => r.data.files);
  if (!run) {
    asked = null;
    return false;
  }
  say.messages(own ? [{level: 'info', message: `A link cannot carry files. Your last run on files of your own, \u201c${run.name}\u201d, is open again.`}] : []);
  return true;
}

async function start(showsShipped, link) {
  try {
    await compile();
  } catch (e) {
    notices.show('engine', `The engine could not be loaded, so nothing can be trained here: ${e.message}`, {level: 'error'});
    say.status('The engine could not be loaded.');
    return;
  }
  await compute.start();
  const resumed = await archive.open({resume: !link || showsShipped ? 'all' : r => settings.data === 'files' ? Boolean(r.data.files) : courseOf(r) === course()});
  // A reader who was quicker has begun already.
  const again = !resumed && Boolean(link) && ['idle', 'shipped'].includes(session.model.phase) && await attempt(reopen)();
  if (resumed) say.messages([]); // what the link said is about a run that is not on screen
  if (!resumed && !again && archive.forgets && performance.getEntriesByType('navigation')[0]?.type === 'reload') {
    notices.show('forgotten', 'The page was loaded again, and this browser keeps nothing of it: runs and files that were open before are gone.');
  }
  if (!resumed && !again && !showsShipped && settings.data !== 'files' && session.model.phase === 'idle') await begin(link?.messages);
  whenIdle(attempt(wire));
  whenIdle(() => page.start().catch(e => notices.show('page', `The tables could not be started: ${e.message}`)));
  goOffline({
    onReady: () => setText(byId('offline-state'), 'It works without network now.'),
    onUpdate: apply => notices.show('update', 'A new version of this page is ready.', {action: ['Reload', async () => {
      await session.leave();
      apply();
    }]}),
  });
}

/**
 * What end-to-end tests look at; nothing here but the pool of workers and the experiments changes anything. `state()`: phase (idle, shipped, opening, paused, running, finished, failed), scoring (from
 * the last step until the scores are there, and while they are computed again), run (its id), step, steps, epoch, epochs, hash, rank, pending (writes not
 * yet acknowledged), ready (the engine is up), saved (step of the last acknowledged write), owner (this tab keeps runs), scores (number of rows).
 */
globalThis.cadem = Object.freeze({
  state() {
    const {phase, scoring, ending, record, progress, hash, scores} = session.model;
    return {
      phase, scoring: Boolean(scoring) || ending, run: record?.run ?? null, step: progress?.step ?? 0, steps: progress?.steps ?? 0, epoch: progress?.epoch ?? 0, epochs: progress?.epochs ?? 0,
      hash: hash ?? null, rank: progress?.rank_S ?? null, pending: keeper.pending, ready: usable(), saved: keeper.saved.get(record?.run)?.step ?? 0, owner: keeper.available, scores: scores?.length ?? 0,
    };
  },
  settings: () => structuredClone({...settings, values: resolve(settings, catalogue)}),
  pool,
  experiments,
});

/** Shows what is below the masthead, which stands still from then on. */
function uncover() { document.querySelector('.layout').classList.add('wired'); }

main().catch(e => {
  uncover();
  report(e);
});
