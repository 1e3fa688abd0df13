// An order of an experiment, in words.
import {when} from '../dom/figures.js';
import type {StudyProgress, StudyRecord} from '../types.js';

export const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** A time in words. */
export const clock = (s: number) => s < 90 ? `${Math.max(1, Math.round(s))} s` : `${Math.round(s / 60)} min`;

/** Names the files of an order and the parts used. */
export function filesText({files, choice, cohort}: Order) {
  if (cohort?.[0]?.graph) return many(cohort.length, 'graph');
  if (cohort) return `${many(cohort.length, 'file')} of ${many(new Set(cohort.map(s => s.subject)).size, 'subject')}`;
  files ??= [];
  const names = files.slice(0, 3).map(f => f.name).join(', ') + (files.length > 3 ? ` and ${files.length - 3} more` : '');
  return names + (choice?.layers?.length ? ` (${choice.layers.join(', ')})` : '');
}

/** On what data an order is. */
function dataText(o: Order, study: Study) {
  if (o.files) return filesText(o);
  const seeds = (o.example ? `${o.example}, ` : '') + many(o.data_seeds || study.data_seeds, 'data seed');
  if (study.needs === 'cohort') return `the synthetic cohort, ${seeds}`;
  return (o.data || study.data) === 'published' ? 'the published data' : seeds;
}

/** The data of the reader's own that an experiment waits for: a graph, or many. */
export const bareText = (several: boolean) => 'About data of your own: ' + (several
  ? 'open a table with the columns graph, class, file (and group) together with the files that it names, or a folder with a folder for each class.'
  : 'open the files of a multiplex graph with layers and labels, here or above.');

/** How an order stands that was begun; '' for one that was not. */
export function stateText({progress, record}: {progress: StudyProgress | null, record: StudyRecord | null}) {
  if (progress && !progress.total) return 'Preparing\u2026';
  if (progress) return `${progress.finished} of ${many(progress.total, 'task')}` + (progress.eta_s ? `, about ${clock(progress.eta_s)} left` : '');
  if (!record?.tasks) return '';
  if (record.finished < record.tasks) return `Stopped with ${record.finished} of ${many(record.tasks, 'task')} done; nothing of it is run again.`;
  return `${many(record.tasks, 'task')} done, ${when(record.updated)}.`;
}

/** How many trainings an order asks for, up to a factor of the study. */
const trainings = (o: Order, study: Study) =>
  (o.seeds || o.files && study.file_seeds || study.seeds) * (o.files || (o.data || study.data) === 'published' ? 1 : o.data_seeds || study.data_seeds);

/** How long an order takes here, judged by tasks of the same experiment that ran here before (stored, newest first), else by an estimate in
 * seconds, if there is one or is to come. */
export function timeText(o: Order, study: Study, stored: StudyRecord[], workers: number, estimate?: number | 'asked' | null) {
  const last = stored.find(r => r.timed > 0 && r.order.level === o.level && r.order.links === o.links); // others take another time
  if (!last && estimate === 'asked') return 'How long it takes is being timed on this machine.';
  if (!last && typeof estimate === 'number') return `Estimate: about ${clock(estimate)} on this machine, by a short training that was timed here.`;
  if (!last) return 'How long it takes on this machine shows with its first tasks.';
  const tasks = last.tasks * trainings(o, study) / trainings(last.order, study), s = last.seconds / last.timed * tasks * last.workers / workers;
  return `About ${clock(s)} on this machine, by ${many(last.timed, 'task')} of it that ran here.`;
}

/** The contents of an order: seeds, data, and the differences from the usual preset and options. */
export const extentOf = (o: Order, study: Study, preset: string, offered: Property[]) => [
  many(o.seeds || o.files && study.file_seeds || study.seeds, 'model seed'), dataText(o, study), o.preset && o.preset !== preset ? o.preset : '',
  o.level ? `all methods, ${o.level}` : '', o.links ? `links held out ${many(o.links, 'time')}` : '',
  o.width ? `${o.width} columns a method` : '', o.predictions ? 'with predictions' : '',
  ...Object.entries(o.options || {}).map(([name, v]) => `${offered.find(p => p.name === name)?.label ?? name} ${v}`),
].filter(Boolean).join(', ');
