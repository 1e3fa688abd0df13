// The verdict on three sentences of the paper: the experiment "claims" on the open data with the settings in the form. The engine computes the
// results and their words; a change of the settings makes another order.
import {h, setText} from '../dom/elements.js';
import {claimsTable, clearReport, reportParts} from '../panels/report.js';
import {orderOf} from './claimsorder.js';
import type {ReportCard, Thrown, ViewContext} from '../types.js';

const SEEDS = 10; // that decide
const REFILL = 1_000; // ms at least until a report is made anew

/** create(el, context) -> {show} */
export function create(el: HTMLElement, {session, setup, catalogue, experiments, attempt}: ViewContext) {
  const study = catalogue.study('claims') as Study, presets = catalogue.presetNames;
  const card: ReportCard = {study, urls: [], sorted: null, shown: null, report: h('div', {class: 'report', id: 'claims-report'})};
  let order: Order | null = null; // of the present settings; its files have sums once requested
  let about = '', seeds = 1; // one run gives figures, and cannot tell; ten decide
  let named = '', filled = '', last = -Infinity, waits = false;
  const stored = h('div', {id: 'claims-stored'});
  const button = h('button', {type: 'button', id: 'claims-run', onclick: () => {
    if (order && experiments.state(order).running) return experiments.cancel(order);
    if (whole()) {
      seeds = SEEDS;
      show();
    }
    attempt(run)();
  }}), progress = h('progress', {max: 1, value: 0, 'aria-label': 'Trainings done', hidden: true}), why = h('span', {class: 'soft', role: 'status'});
  el.append(h('h4', {}, 'Three sentences of the paper'), h('p', {class: 'small measure'},
    'The same four trainings and the preset refined, with seeds of their own, put to the test that the losses take the layer out of C. One seed gives'
    + ' figures and cannot tell; ten decide. Two more sentences are put to the test beside it.'),
  stored, h('div', {class: 'toolbar'}, button, progress, why), card.report);
  attempt(async () => {
    const answer = await fetch(`claims.json?v=${__VERSION__}`);
    if (!answer.ok) return;
    const {made, setting, claims}: {made: string, setting: string, claims: Claim[]} = await answer.json();
    stored.replaceChildren(claimsTable(claims, `the paper\u2019s settings, ${made}`),
      h('p', {class: 'soft small measure'}, `As measured on ${made}. ${setting}`));
  })();

  /** The present settings, as an order of an experiment; files are named without their contents. */
  const bare = (n = seeds) =>
    orderOf(setup.settings, presets[0] ?? '', session.own && {files: session.own.named, ...(session.own.choice && {choice: session.own.choice})}, n);

  /** Whether every training of the order is done. */
  const whole = () => {
    const record = order && experiments.state(order).record;
    return Boolean(record && record.finished && record.tasks === record.finished);
  };

  async function run() {
    const {own} = session, of = bare();
    if (!of) return;
    const name = JSON.stringify(of), files = own && of.files ? await experiments.describe(own.named, own.contents) : null;
    if (name !== named) return; // others were opened meanwhile
    order = {...of, ...(files && {files})};
    let failed: Thrown[] = [];
    try {
      failed = await experiments.run(order);
    } catch (e) {
      if ((e as Thrown).name !== 'AbortError' && (e as Thrown).code !== 'cancelled') throw e;
    }
    if (failed.length) throw failed[0];
  }

  /** Has the report say what has been found. */
  async function fill(of: Order, key: string) {
    if (waits) return;
    waits = true;
    try {
      const wait = last + REFILL - performance.now();
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
      last = performance.now();
      const {reports: [report]} = await experiments.report(of, '');
      if (of !== order || !report) return;
      const open = new Set([...card.report.querySelectorAll('details[open]')].map(d => (d as HTMLElement).dataset.title));
      clearReport(card);
      card.report.append(...reportParts(card, report, f => attempt(async () => f())) as Element[]);
      for (const d of card.report.querySelectorAll('details')) d.open ||= open.has(d.dataset.title);
      filled = key;
    } finally {
      waits = false;
    }
    show();
  }

  function show() {
    const one = JSON.stringify(bare(1));
    if (one !== about) [about, seeds] = [one, 1];
    const of = bare(), name = JSON.stringify(of);
    if (name !== named) {
      named = name;
      filled = '';
      clearReport(card);
      order = of && !of.files ? of : null;
    }
    const {running, progress: p, record} = order ? experiments.state(order) : {running: false, progress: null, record: null};
    const left = record ? record.tasks - record.finished : 0, some = Boolean(record?.finished);
    setText(button, running ? 'Stop' : some && left === 0 ? `Decide with ${SEEDS} seeds`
      : some ? `Continue (${left} left)` : seeds > 1 ? `Train ${seeds} seeds` : 'Train and measure');
    button.hidden = !running && some && left === 0 && seeds > 1;
    button.disabled = !of || !session.model.data;
    progress.hidden = !running;
    progress.value = p?.total ? p.done / p.total : 0;
    setText(why, setup.settings.method ? 'It is about CaDeM: another method is set up.'
      : running || some ? '' : 'Nothing of it has been measured with the settings that stand in the form.');
    const key = order && some ? `${named} ${record?.finished}` : '';
    if (order && key && key !== filled) attempt(fill)(order, key);
  }

  return {show};
}
