// The note on the node pointed at, in one line below the pictures: there it covers nothing and nothing moves.
import {byId, h} from '../dom/elements.js';
import {spaced} from '../dom/figures.js';
import {legendMark} from './palette.js';
import type {Look} from './look.js';

const TOUCH = matchMedia('(pointer: coarse)');

/** The line while nothing is pointed at. */
const rest = () => h('span', {class: 'soft'}, `${TOUCH.matches ? 'Tap' : 'Point at'} a dot to see who it is.`);

/** createTip(look) -> {hide, show(content)} */
export function createTip(look: Look) {
  const slot = byId('pointed');
  const tip = {
    hide() {
      slot.classList.remove('tells');
      slot.replaceChildren(rest());
    },
    show(content: Element[]) {
      slot.classList.add('tells');
      slot.replaceChildren(...content);
    },
  };
  tip.hide();
  look.follow(what => { if (what === 'node' && look.node < 0) tip.hide(); });
  return tip;
}

/** The name of a node, its class in every label set, and its number where colours show numbers. */
export const aboutNode = (look: Look, i: number) => [h('strong', {}, look.nameOf(i)),
  ...look.classesOf(i).map(({set, mark, name}) => h('span', {}, legendMark(mark), `${spaced(set)}: ${name}`)),
  ...look.numberOf(i).map(text => h('span', {}, text))];
