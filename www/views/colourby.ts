// The choices of colours: label sets, numbers of nodes, clusters. A link names them as the values here.
import {h} from '../dom/elements.js';
import {spaced} from '../dom/figures.js';
import {embeddingTitle} from './names.js';
import type {DataSet, LabelSet} from '../types.js';

export const OWN = 'own'; // each private embedding has its layer's own groups
const MOST_COLUMNS = 32; // of S that are offered; a link may name others

/** Whether the classes of a label set are numbers. */
const counts = (s: LabelSet) => s.classes.length > 2 && s.classes.every(c => c.trim() !== '' && Number.isFinite(Number(c)));

/** The numbers of nodes of a data set: [value, title] each; S has that number of columns. */
export const numbersOf = (data: DataSet | null, columns: number): [string, string][] => [
  ...(data?.numbers ?? []).map(({name}) => [`number:column:${name}`, spaced(name)] as [string, string]),
  ...(data?.labels ?? []).filter(counts).map(s =>
    [`number:label:${s.name}`, `${spaced(s.name)} (as number)`] as [string, string]),
  ...(data?.summary?.layers ?? []).map((l, i) =>
    [`number:degree:${i + 1}`, `links in ${spaced(l.name)}`] as [string, string]),
  ...Number(data?.summary?.layers?.length) > 1 ? [['number:agreement', 'agreement of its links'] as [string, string]] : [],
  ...Array.from({length: Math.min(columns, MOST_COLUMNS)}, (_, j) => [`number:S:${j + 1}`, `column ${j + 1} of S`] as [string, string]),
];

/** The choices, as groups of a menu. @param model that the pictures have @param own whether layers have groups of their own */
export const choicesOf = ({labels, names, summary, canCluster, numbered}: {
  labels: LabelSet[]; names: string[]; summary?: Summary; canCluster: boolean; numbered: [string, string][];
}, own: boolean) => [
  h('optgroup', {label: 'Labels'},
    labels.length ? labels.map(s => h('option', {value: 'labels:' + s.name}, spaced(s.name)))
      : h('option', {value: 'none'}, 'no labels'),
    own && h('option', {value: OWN}, 'each layer by its own groups')),
  h('optgroup', {label: 'Numbers'}, numbered.map(([value, title]) => h('option', {value}, title))),
  h('optgroup', {label: canCluster ? 'K-means clusters, found without labels' : 'K-means clusters (train first)'},
    names.filter(n => !n.startsWith('common_')).map(n =>
      h('option', {value: 'clusters:' + n, disabled: !canCluster}, 'clusters of ' + embeddingTitle(n, summary).slice(0, 2).join(' ')))),
];
