// The meaning of marks if several label sets colour pictures side by side: the name of each set, then its classes.
import {h} from '../dom/elements.js';
import {spaced} from '../dom/figures.js';
import {legendMark, markOf} from './palette.js';
import type {LabelSet} from '../types.js';

export const headingOf = ({name}: {name: string}) => h('span', {class: 'soft small'}, `${spaced(name)}:`);

export const keysOf = (set: LabelSet) => [headingOf(set), ...set.classes.map((name, c) => h('span', {class: 'key line'}, legendMark(markOf(set, c)), name))];
