// The verdict on three sentences of the paper: the experiment "claims" on the open data with the settings in the form. The engine computes the
// results and their words; a change of the settings makes another order.
import {h, setText} from '../dom/elements.js';
import {claimsTable, clearReport, reportParts} from '../panels/report.js';
import {orderOf} from './claimsorder.js';

const REFILL = 1_000; // ms at least until a report is made anew

/** create(el, context) -> {show} */
export function create(el: HTMLElement, {session, setup, catalogue, experiments, attempt}: ViewContext) {
  const study = catalogue.study('claims') as Study, presets = catalogue.presetNames;
  const card: ReportCard = {study, urls: [], sorted: null, shown: null, report: h('div', {class: 'report', id: 'claims-report'})};
  let order: Order | null = null; // of the present settings; its files have sums once requested
  let named = '', filled = '', last = -Infinity, waits = false;
  const stored = h('div', {id: 'claims-stored'});
  const button = h('button', {type: 'button', id: 'claims-run', onclick: () => {
    if (order && experiments.state(order).running) experiments.cancel(order);
    else attempt(run)();
  }}), progress = h('progress', {max: 1, value: 0, 'aria-label': 'Trainings done', hidden: true}), why = h('span', {class: 'soft', role: 'status'});
  el.append(h('h4', {}, 'Three sentences of the paper'), h('p', {class: 'small measure'},
    'The same four trainings and the preset refined, with seeds of their own, decide on the sentence that the losses take the layer out of C. Two more are'
    + ' put to the test beside it.'),
  stored, h('div', {class: 'toolbar'}, button, progress, why), card.report);
  attempt(async () => {
    const answer = await fetch(`claims.json?v=${__VERSION__}`);
    if (!answer.ok) return;
    const {made, setting, claims}: {made: string, setting: string, claims: Claim[]} = await answer.json();
    stored.replaceChildren(claimsTable(claims, `the paper\u2019s settings, ${made}`),
      h('p', {class: 'soft small measure'}, `As measured on ${made}. ${setting}`));
  })();

  /** The present settings, as an order of an experiment; files are named without their contents. */
  const bare = () => orderOf(setup.settings, presets[0], session.own && {files: session.own.named, ...(session.own.choice && {choice: session.own.choice})});

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
      if (e.name !== 'AbortError' && e.code !== 'cancelled') throw e;
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
      if (of !== order) return;
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
    const of = bare(), name = JSON.stringify(of);
    if (name !== named) {
      named = name;
      filled = '';
      clearReport(card);
      order = of && !of.files ? of : null;
    }
    const {running, progress: p, record} = order ? experiments.state(order) : {running: false, progress: null, record: null};
    const left = record ? record.tasks - record.finished : 0, some = Boolean(record?.finished);
    setText(button, running ? 'Stop' : some ? `Continue (${left} left)` : 'Train and measure');
    button.hidden = !running && some && left === 0;
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
