// @ts-check
// What colours can show: label sets, numbers of nodes, clusters. A link names them as the values here.
import {h} from '../dom/elements.js';
import {embeddingTitle} from './names.js';

export const OWN = 'own'; // each private embedding has its layer's own groups
const MOST_COLUMNS = 32; // of S that are offered; a link may name others

/** Whether the classes of a label set are numbers. @param {LabelSet} s */
const counts = s => s.classes.length > 2 && s.classes.every(c => c.trim() !== '' && Number.isFinite(Number(c)));

/** The numbers that nodes of a data set have: [value, title] each; of S so many columns.
 * @param {DataSet | null} data
 * @param {number} columns
 * @returns {[string, string][]}
 */
export const numbersOf = (data, columns) => [
  ...(data?.numbers ?? []).map(({name}) => /** @type {[string, string]} */ ([`number:column:${name}`, name.replaceAll('_', ' ')])),
  ...(data?.labels ?? []).filter(counts).map(s =>
    /** @type {[string, string]} */ ([`number:label:${s.name}`, `${s.name.replaceAll('_', ' ')} (as number)`])),
  ...(data?.summary?.layers ?? []).map((l, i) =>
    /** @type {[string, string]} */ ([`number:degree:${i + 1}`, `links in ${l.name.replaceAll('_', ' ')}`])),
  ...Number(data?.summary?.layers?.length) > 1 ? [/** @type {[string, string]} */ (['number:agreement', 'agreement of its links'])] : [],
  ...Array.from({length: Math.min(columns, MOST_COLUMNS)}, (_, j) => /** @type {[string, string]} */ ([`number:S:${j + 1}`, `column ${j + 1} of S`])),
];

/** The choices, as groups of a menu. @param {any} model that the pictures have @param {boolean} own whether layers have groups of their own */
export const choicesOf = ({labels, names, summary, canCluster, numbered}, own) => [
  h('optgroup', {label: 'Labels'},
    labels.length ? labels.map((/** @type {LabelSet} */ s) => h('option', {value: 'labels:' + s.name}, s.name.replaceAll('_', ' ')))
      : h('option', {value: 'none'}, 'no labels'),
    own && h('option', {value: OWN}, 'each layer by its own groups')),
  h('optgroup', {label: 'Numbers'}, numbered.map((/** @type {[string, string]} */ [value, title]) => h('option', {value}, title))),
  h('optgroup', {label: canCluster ? 'K-means clusters, found without labels' : 'K-means clusters (train first)'},
    names.filter((/** @type {string} */ n) => !n.startsWith('common_')).map((/** @type {string} */ n) =>
      h('option', {value: 'clusters:' + n, disabled: !canCluster}, 'clusters of ' + embeddingTitle(n, summary).slice(0, 2).join(' ')))),
];
