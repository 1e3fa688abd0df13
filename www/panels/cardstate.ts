// The card of an experiment, and what its buttons offer by how its order stands.
import {button, h, setText} from '../dom/elements.js';
import type {cohortPicker} from './cohortpicker.js';
import type {DrawnData, StudyProgress, StudyRecord} from '../types.js';

/** A card: its study, its order as it stands, and its elements. */
export function newCard(study: Study) {
  const hidden = (text: string, more = {}) => button(text, null, {hidden: true, 'aria-describedby': `study-${study.name}`, ...more});
  return {
    study, el: h('article', {class: 'study', 'data-study': study.name}),
    go: hidden('Run', {class: 'primary', hidden: false}), all: hidden('Compare all methods, lite'),
    stop: hidden('Stop'), look: hidden('Report', {'aria-expanded': 'false'}),
    drop: hidden('Delete', {class: 'quiet'}), open: hidden('Open files'),
    bar: h('progress', {max: 1, hidden: true, 'aria-label': `Progress of ${study.title}`}),
    text: h('p', {class: 'soft small figures', role: 'status'}), kept: h('p', {class: 'soft small'}),
    wrong: h('p', {class: 'problem', role: 'alert'}), report: h('div', {class: 'report'}),
    /** Where the scans of one's own come from, of an experiment on many. */
    picker: null as ReturnType<typeof cohortPicker> | null,
    /** The data of an experiment that may use the open files. */
    about: null as HTMLSelectElement | null, choose: null as HTMLElement | null,
    /** As the form has it, or beyond the form. */
    order: {study: study.name} as Order, given: null as Order | null,
    /** Files of a kept experiment, in place of those that are open. */
    pinned: null as DrawnData & Pick<Order, 'files' | 'choice'> | null,
    /** The scans of one's own. */
    cohort: null as Pick<Order, 'files' | 'cohort'> | null,
    bare: false, // it waits for data of the reader's own
    /** The order whose report is shown, its pictures, how it is sorted, and how many results it has. */
    shown: null as string | null, urls: [] as string[], sorted: null as {title: string, falling: boolean} | null,
    filled: 0, filling: false, live: false,
    begun: '', // the order whose first task was run for this
    others: '', // which other orders are offered
  };
}
export type Card = ReturnType<typeof newCard>;

export function showState(c: Card, {running, progress, record}: {running: boolean, progress: StudyProgress | null, record: StudyRecord | null}) {
  const left = record ? record.tasks - record.finished : 0, some = Boolean(record?.finished);
  c.go.hidden = running || Boolean(record && left === 0 && record.tasks);
  c.all.hidden = running || !c.study.methods || Boolean(c.order.level);
  c.stop.hidden = c.bar.hidden = !running;
  c.look.hidden = !some && !c.shown;
  c.drop.hidden = running || !record;
  setText(c.go, some ? `Continue (${left} left)` : 'Run');
  setText(c.look, c.shown ? 'Close the report' : running || left > 0 ? 'Report so far' : 'Report');
  c.look.setAttribute('aria-expanded', String(Boolean(c.shown)));
  if (progress) c.bar.value = progress.total ? progress.done / progress.total : 0;
}
