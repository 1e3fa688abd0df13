// A model of many subjects, asked about others that it has not seen: their classes, how probable these are, and which regions decide.
import {button, download, h, setText} from '../dom/elements.js';
import {FILE} from '../engine/pool.js';
import {cohortPicker} from '../panels/cohortpicker.js';
import {many} from '../panels/ordertext.js';
import {namedScans, readFile} from '../panels/ownfile.js';
import {clearReport, putReport} from '../panels/report.js';
import type {ReportCard, Thrown, ViewContext} from '../types.js';

const LIKE = 'table5'; // the experiment that takes such files
const NAME = 'subjects', DRAWN = 'cohort of scans'; // by the engine's name

/** createSubjects(context) -> the part of the page that asks */
export function createSubjects({experiments, pool, catalogue, setup}: Pick<ViewContext, 'experiments' | 'pool' | 'catalogue' | 'setup'>) {
  let model: File | null = null, found: Pick<Order, 'files' | 'cohort'> | null = null, contents: Record<string, File> = {}, busy = false;
  const study = catalogue.study(LIKE);
  const said = h('p', {class: 'soft small', role: 'status'}), wrong = h('p', {class: 'problem', role: 'alert'}), report = h('div', {class: 'report'});
  const card: ReportCard = {study: {...study, name: NAME} as Study, urls: [], sorted: null, shown: null, report};
  /** Has what goes wrong written here: the run on the page has nothing to do with it. */
  const on = <A extends unknown[]>(f: (...args: A) => unknown) => async (...args: A) => {
    setText(wrong, '');
    busy = true;
    settle();
    try {
      await f(...args);
    } catch (e) {
      if ((e as Thrown).code !== 'cancelled') setText(wrong, (e as Thrown).message);
      if (!(e as Thrown).code) console.error(e);
    } finally {
      busy = false;
      settle();
    }
  };
  const input = h('input', {type: 'file', id: 'subjects-model', class: 'unseen', accept: '.npz', onchange: () => {
    model = input.files?.[0] ?? model;
    input.value = '';
    clearReport(card);
    settle();
  }});
  const go = button('Ask', on(ask), {id: 'subjects-ask', class: 'primary'});
  const exports = catalogue.exports.map(({name, label}) => button(label, on(() => save(name)), {class: 'quiet'}));
  const saving = h('p', {}, 'A row for each subject: ', exports);
  const el = h('details', {id: 'subjects'}, h('summary', {}, 'Subjects that a model of many has not seen'),
    h('p', {}, '\u201ccadem subjects -model FILE\u201d trains encoders that many subjects share. They embed others by their scans. Nothing is trained.'),
    h('p', {class: 'actions'}, h('label', {class: 'button'}, 'Model of subjects', input)), said);
  const picker = cohortPicker(el, {label: 'new-nodes-title', what: 'scans', offers: study?.offers ?? [], groups: catalogue.groups, own: [], conditions: [],
    take: list => on(take)(list), changed: settle, drawn() {
      found = null;
      contents = {};
      picker.tell(null, () => {});
      settle();
    }});
  el.append(...picker.parts, go, wrong, saving, report);
  settle();

  function settle() {
    const subjects = new Set(found?.cohort?.map(s => s.subject));
    const about = found ? many(subjects.size, 'subject') : 'the synthetic cohort';
    setText(said, `${model ? model.name : 'No model yet'}, about ${about}.${busy ? ' Working\u2026' : ''}`);
    picker.show(found?.cohort ?? null, busy);
    input.disabled = busy;
    go.disabled = busy || !model;
    saving.hidden = busy || !report.firstChild;
  }

  async function take(list: File[], choose: Record<string, string> = {}) {
    const {order, ...told} = await experiments.scans(namedScans(list), list, () => {}, choose);
    const of = new Map(namedScans(list).map((f, i) => [f.name, list[i]]));
    picker.tell(told, other => on(take)(list, {...choose, ...other}));
    found = order;
    contents = Object.fromEntries(order.files.map((f: FileName, i: number) => [FILE + i, of.get(f.name) as File]));
    clearReport(card);
  }

  /** The answer of the engine. */
  async function told(args: object) {
    const file = model as File, options = picker.values(Boolean(found));
    const data = found ? {files: found.files, options} : {example: DRAWN, options};
    return pool.ask('subjects', {model: file.name, data, cohort: found?.cohort, eval_seed: setup.values.eval_seed, ...args},
      {...contents, model: await readFile(file) as Uint8Array<ArrayBuffer>});
  }

  async function ask() {
    const note = `Made in a browser by version ${__VERSION__} of the page, model ${model?.name}.`, {result, arrays} = await told({note});
    const {html, csv, latex, markdown} = arrays;
    putReport(card, {...result, results: [], html, csv, latex, markdown}, `${model?.name}, ${Date.now()}`, f => on(f));
  }

  async function save(format: string) {
    const {result, arrays} = await told({format});
    download(arrays.file, result.name ?? '', result.type);
  }

  return el;
}
