// The experiments: one card each, with its progress, and under it the report of the results so far.
import {button, byId, h, reveal, setText} from '../dom/elements.js';
import {atOnce} from './atonce.js';
import {newCard, showState} from './cardstate.js';
import {cohortPicker} from './cohortpicker.js';
import {createEstimates} from './estimates.js';
import {orderForm} from './orderform.js';
import {bareText, extentOf, filesText, stateText, timeText} from './ordertext.js';
import {namedScans} from './ownfile.js';
import {clearReport, putReport, readMerged} from './report.js';
import type {Along} from './directions.js';
import type {Card, DrawnData, Lab, OwnData, StudyRecord, Thrown} from '../types.js';

// Options of the classification that change what a table means; the others are those of a single run.
const OFFERED = ['nested_select', 'layer_tag'];
const PAPER = /^(table\d+|gamma|tsne|reproduce)$/; // those that are the paper's
const REFILL = 1_000; // ms at least until an open report is made anew

/**
 * presets lists the usual one first; onView(study) is called with the open report, '' for none, and onForm(text) with the form's content. update takes
 * the reader's own data set and the example that the page has open, null if there is none: experiments that need a graph use these.
 */
export function create(el: HTMLElement, {experiments, pool, catalogue, attempt, say, onView, onForm, along}:
  Pick<Lab, 'experiments' | 'pool' | 'catalogue' | 'attempt' | 'say'> & {onView(study: string): void, onForm(text: string): void, along: Along}) {
  const {studies, presetNames: presets, groups} = catalogue, cards: Map<string, Card> = new Map();
  let own: OwnData | null = null;    // what update was given last
  let graph: Pick<Order, 'files' | 'choice'> | null = null; // as an order names it; no sums before they are needed
  let drawn: DrawnData | null = null;  // the example that is open
  let summing: Promise<void> | null = null; // the promise of those sums
  let reading = 0;   // how many are finding out what files hold, which no order names yet
  const conditions = groups.data.brain?.find(p => p.name === 'condition')?.choices ?? [];
  const offered = groups.evaluation.filter(p => OFFERED.includes(p.name));
  const form = orderForm({presets, offered, pool, onInput: changedForm});
  const paper = h('div', {class: 'studies'}), others = h('div', {class: 'studies'});
  const estimates = createEstimates({experiments, found: el => settle(cards.get((el as HTMLElement).dataset.study ?? '') as Card)});
  const more = h('details', {}, h('summary', {}, 'More experiments: what the paper did not ask, and brains and graphs of your own'), others);
  el.replaceChildren(paper, more);

  /** The card of an experiment, by its name or one that it had first. */
  const cardOf = (name: string) => cards.get(name) ?? [...cards.values()].find(c => c.study.also?.includes(name));

  /** The graph that an experiment may be about: that of a kept one, or the open one. */
  const graphOf = (study: Study, card: Card | undefined): Card['pinned'] => card?.pinned || graph || (study.any_example ? drawn : null);

  /** Whether an experiment is about the open files, or those of a kept one. */
  const ofGraph = (study: Study, card: Card | undefined) =>
    study.needs === 'graph' ? !graphOf(study, card)?.example : card?.about?.value === 'files' && Boolean(card.pinned || graph);

  /** Goes to the card of an experiment. */
  function goTo(name: string) {
    reveal(byId(`study-${name}`));
    byId(`study-${name}`).focus({preventScroll: true});
  }

  function changedForm() {
    onForm(form.text());
    for (const c of cards.values()) settle(Object.assign(c, {given: null}));
  }

  /** The form's order for a study. */
  function order(study: Study, cohort = cards.get(study.name)?.cohort) {
    const o: Order = {study: study.name};
    const card = cards.get(study.name);
    if (card?.given && cohort === card.cohort) return card.given;
    if (card?.picker) Object.assign(o, cohort);
    else if (study.needs === 'graph' || ofGraph(study, card)) Object.assign(o, graphOf(study, card));
    else if (form.data()) o.data = form.data() as string;
    Object.assign(o, form.asks(study, Boolean(o.data || study.data || o.files || ofGraph(study, card))));
    const options = {...o.options, ...card?.picker?.values(Boolean(o.files)), ...form.options(study)};
    if (Object.keys(options).length) o.options = options;
    return o;
  }

  /** Has what goes wrong on a card written there; the run on the page has nothing to do with it. */
  const on = <A extends unknown[]>(c: Card, f: (...args: A) => unknown) => async (...args: A) => {
    setText(c.wrong, '');
    try {
      await f(...args);
    } catch (e) {
      if ((e as Thrown).code === 'cancelled') return;
      setText(c.wrong, (e as Thrown).message);
      if (!(e as Thrown).code) console.error(e);
    }
  };

  function card(study: Study) {
    const changed = () => settle(Object.assign(c, {given: null}));
    const c = newCard(study);
    const does = (b: HTMLElement, f: () => unknown) => b.addEventListener('click', on(c, f));
    does(c.go, () => start(c));
    does(c.all, () => {
      form.compare('lite');
      changedForm();
      return start(c);
    });
    does(c.stop, () => experiments.cancel(c.order));
    does(c.look, () => c.shown ? close(c) : show(c));
    does(c.drop, () => forget(c));
    does(c.open, () => byId('open-files').click());
    c.el.append(h('h3', {id: `study-${study.name}`, tabindex: '-1'}, study.title),
      h('p', {}, study.shows), h('p', {}, h('strong', {}, 'You will learn: '), study.learn),
      h('div', {class: 'actions'}, c.go, c.stop, c.look, c.drop, c.open, c.all), form.fold(), c.text, c.bar, c.wrong, c.kept, c.report);
    if (study.needs === 'cohort' || study.needs === 'graphs') {
      c.picker = cohortPicker(c.el, {
        label: `study-${study.name}`, what: study.needs === 'cohort' ? 'scans' : 'graphs',
        offers: study.offers ?? [], groups, own: groups.studies[study.name] ?? [], conditions,
        take: on(c, (list: File[]) => takeScans(c, list)),
        drawn: () => {
          for (const d of alike(c)) {
            Object.assign(d, {cohort: null, given: null});
            d.picker?.tell(null, changed);
            settle(d);
          }
          retain();
        },
        changed,
      });
      c.kept.before(...c.picker.parts);
    }
    if (study.takes === 'graph') {
      c.about = h('select', {onchange: changed}, h('option', {value: 'drawn'}, 'as in Settings'), h('option', {value: 'files'}, 'the open files'));
      c.choose = h('p', {class: 'small', hidden: true}, h('label', {}, 'Data of this experiment ', c.about));
      c.text.before(c.choose);
    }
    cards.set(study.name, c);
    return c;
  }

  /** The cards that take the same kind of files, that of an experiment first. */
  const alike = (c: Card) => [c, ...[...cards.values()].filter(d => d !== c && d.picker && d.study.needs === c.study.needs)];

  /** Takes scans of one's own, for this experiment and all others on such scans; those that cannot be run on them say why. With others, it is enough if one of
   * them takes them. Returns the first that takes them. */
  async function takeScans(c: Card, list: File[], choose: Record<string, string> = {}, others = false) {
    const named = namedScans(list);
    setText(c.text, 'Looking at the files\u2026');
    reading++;
    try {
      const tell = (done: number, total: number) => setText(c.text, `Reading files\u2026 ${done} of ${total}`);
      const {order: found, ...told} = await experiments.scans(named, list, tell, choose);
      const again = on(c, (other: Record<string, string>) => takeScans(c, list, {...choose, ...other}));
      let refused: unknown = null, taken: Card | null = null;
      for (const d of alike(c)) {
        try {
          await experiments.check(order(d.study, found));
        } catch (e) {
          if (d === c) c.picker?.tell(told, again);
          else setText(d.wrong, (e as Thrown).message);
          refused ||= e;
          continue;
        }
        d.picker?.tell(told, again);
        Object.assign(d, {cohort: found, given: null});
        setText(d.wrong, '');
        settle(d);
        taken ||= d;
      }
      if (!taken || !others && c.cohort !== found) throw refused;
      return taken;
    } finally {
      reading--;
      settle(c);
      retain();
    }
  }

  /** Has the contents of files forgotten that nothing on the page is about any more. */
  function retain() {
    if (reading === 0) experiments.retain([graph, ...[...cards.values()].flatMap(c => [c.pinned, c.cohort])].filter(o => !!o));
  }

  /** Takes the data set that is open on the page. */
  async function take(next: OwnData | null) {
    if (next?.contents !== own?.contents || next?.choice !== own?.choice) {
      own = next;
      summing = null;
      graph = next && {files: next.named, ...(next.choice && {choice: next.choice})};
      for (const c of cards.values()) c.pinned = c.given = null;
      retain();
    }
    if (own && experiments.knows(own.named)) await sums();
  }

  /** Has an order name the open files by what they hold. That reads them whole, in a worker: only an experiment on them asks for it, or one that
   * is kept of files called the same. */
  function sums() {
    const of = own as OwnData;
    summing ??= (async () => {
      reading++;
      try {
        const files = await experiments.describe(of.named, of.contents);
        if (own === of) graph = {...graph, files};
      } catch (e) {
        if (own === of) summing = null; // and is tried again
        throw e;
      } finally {
        reading--;
        retain();
      }
    })();
    return summing;
  }

  const extent = (o: Order, study: Study) => extentOf(o, study, 'released', offered);
  /** Puts the form where an order says. */
  function adopt(o: Order) {
    form.adopt(o);
    onForm(form.text());
    const c = cardOf(o.study) as Card;
    if (c.about) c.about.value = o.files ? 'files' : 'drawn';
    if (c.picker) {
      c.cohort = o.files ? {files: o.files, cohort: o.cohort} : null;
      c.picker.set(o.options);
    } else if (o.files) c.pinned = {files: o.files, ...(o.choice && {choice: o.choice})};
    else if (o.example) {
      const ofData = Object.entries(o.options ?? {}).filter(([name]) => !offered.some((p: Property) => p.name === name));
      c.pinned = {example: o.example, ...(ofData.length && {options: Object.fromEntries(ofData)})};
    }
    c.given = o;
    for (const c of cards.values()) settle(c);
    return c;
  }

  /** Offers what is kept of other orders of the same study. */
  function offer(c: Card) {
    const own = experiments.state(c.order).record;
    const others = experiments.stored(c.study.name, c.study.also).filter(r => r !== own && r.finished > 0),
      key = others.map(r => r.run).join(' ');
    if (c.others === key) return;
    c.others = key;
    const again = (r: StudyRecord) => on(c, async () => show(adopt(r.order)));
    c.kept.replaceChildren(...(others.length ? ['Kept, too: ',
      ...others.map(r => button(extent(r.order, c.study), again(r), {class: 'quiet'}))] : []));
  }

  /** Writes on a card how its order stands. */
  function settle(c: Card) {
    if (c.choose && c.about) {
      c.choose.hidden = !graph && !c.pinned;
      if (c.choose.hidden) c.about.value = 'drawn';
    }
    c.order = order(c.study);
    c.bare = c.study.needs.startsWith('graph') && !c.order.files && !c.order.example;
    c.open.hidden = !c.bare || Boolean(c.picker);
    if (c.bare) {
      for (const b of [c.go, c.all, c.stop, c.look, c.drop, c.bar]) b.hidden = true;
      setText(c.text, bareText(Boolean(c.picker)));
      c.picker?.show(null, false);
      offer(c);
      if (c.shown) close(c);
      return;
    }
    const {running, progress, record} = experiments.state(c.order);
    showState(c, {running, progress, record});
    const there = experiments.stored(c.study.name, c.study.also);
    let text = stateText({progress, record}) || `${extent(c.order, c.study)}. `
      + timeText(c.order, c.study, there, pool.size, there.length ? null : estimates.of(c.el, c.order));
    c.picker?.show(c.cohort?.cohort ?? null, running);
    if (c.order.files && (running || record?.tasks)) text = `${filesText(c.order)}: ${text}`;
    setText(c.text, text);
    offer(c);
    // A report of another order is not that of this one.
    if (c.shown && c.shown !== JSON.stringify(c.order)) close(c);
    else if (running && (c.shown || c.live) && Number(record?.finished) > c.filled) refill(c);
    if (estimates.saw(c.el)) on(c, () => atOnce(c, {experiments, estimates, settled, show: c => show(c, false)}))();
  }

  /** Has the order of a card name the open files where it is about them; false if others are open meanwhile. */
  async function settled(c: Card) {
    const about = own;
    if (ofGraph(c.study, c) && own && (summing || !c.pinned)) await sums().finally(() => settle(c));
    return own === about;
  }

  async function start(c: Card) {
    if (!form.valid()) return;
    if (ofGraph(c.study, c)) setText(c.text, 'Reading the files\u2026');
    if (!await settled(c)) return;
    const begun = c.order;
    Object.assign(c, {filled: 0, live: Boolean(begun.level)}); // a comparison of methods is read as it grows
    say.announce(`${c.study.title}: started`);
    let failed;
    try {
      failed = await experiments.run(begun);
    } catch (e) {
      if ((e as Thrown).name !== 'AbortError' && (e as Thrown).code !== 'cancelled') throw e;
      say.announce(`${c.study.title}: stopped`);
      return;
    } finally {
      settle(c);
    }
    say.announce(`${c.study.title}: done`);
    if (JSON.stringify(c.order) === JSON.stringify(begun)) await show(c);
    if (failed.length) throw failed[0];
  }

  /** Shows the report of a card; a link says so where the reader asked for it. */
  async function show(c: Card, asked = true) {
    const shown = JSON.stringify(c.order), finished = experiments.state(c.order).record?.finished;
    const r = await experiments.report(c.order, `Made in a browser by version ${__VERSION__} of the page, order ${shown}.`);
    c.filled = finished ?? 0;
    putReport(c, r, shown, f => on(c, f), along);
    settle(c);
    if (asked) onView(c.study.name);
    if (asked && !c.filling && c.el.contains(document.activeElement)) c.report.scrollIntoView({block: 'start'}); // who waits for it looks here
  }

  /** Fills the report of an order that runs with what has been found since, unless somebody is at work in it. */
  async function refill(c: Card) {
    if (c.filling || c.report.contains(document.activeElement)) return;
    c.filling = true;
    await on(c, () => show(c))();
    setTimeout(() => {
      c.filling = false;
      settle(c);
    }, REFILL);
  }

  function close(c: Card) {
    c.live = false;
    clearReport(c);
    settle(c);
    onView('');
  }

  async function forget(c: Card) {
    clearReport(c);
    await experiments.forget(c.order);
    settle(c);
    retain();
    onView('');
    c.go.focus();
  }

  for (const s of studies) (PAPER.test(s.name) ? paper : others).append(card(s).el);
  for (const c of cards.values()) settle(c);
  for (const c of cards.values()) estimates.watch(c.el);

  return {
    update: attempt(async (data: {own: OwnData | null, drawn: DrawnData | null}) => {
      if (drawn && JSON.stringify(data.drawn) !== JSON.stringify(drawn)) for (const c of cards.values()) c.pinned = null;
      drawn = data.drawn;
      const known = take(data.own);
      for (const c of cards.values()) settle(c);
      await known;
      for (const c of cards.values()) settle(c);
    }),
    /** Goes to a study and shows what there is of it. */
    async open(name: string) {
      const c = cardOf(name);
      if (!c) return;
      const [newest] = experiments.stored(c.study.name, c.study.also);
      if (c.look.hidden && newest?.finished && !form.text()) adopt(newest.order);
      if (!c.look.hidden && !c.shown) await on(c, () => show(c))();
      goTo(c.study.name);
    },
    /** Puts the form where a link says, and returns what of it cannot be used. */
    take(text: string) {
      const left = form.take(text);
      changedForm();
      return left;
    },
    /** Goes to a study and runs what is left of it; then its report is there. */
    async run(name: string) {
      const c = cards.get(name) as Card;
      goTo(name);
      if (!c.go.hidden) await on(c, () => start(c))();
      else if (!c.shown && !c.look.hidden) await on(c, () => show(c))();
    },
    /** Goes to the first experiment on many scans, or graphs, that can be run on these, and has it be about them. */
    async scans(list: File[], graphs = false) {
      more.open = true; // most of those that are about them now
      const first = [...cards.values()].find(c => c.picker && graphs === (c.study.needs === 'graphs')) as Card;
      goTo((await takeScans(first, list, {}, true)).study.name);
    },
    /** Shows what `cadem study merge -json` found elsewhere, to go on with what is missing. */
    async merged(file: File) {
      const found = await readMerged(file, cardOf);
      await experiments.take(found);
      const c = adopt(found.order);
      await on(c, () => show(c))();
      goTo(c.study.name);
    },
    /** Continues an order that was interrupted. */
    async resume(o: Order) {
      const c = cardOf(o.study);
      if (!c) return;
      adopt(o);
      await on(c, () => start(c))();
    },
  };
}
