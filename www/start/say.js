// @ts-check
// How the page speaks: status, announcements and messages reach the reader even while its Go program is on its way.
import {byId, h, setText} from '../dom/elements.js';

/** How they reach the reader without the program, by kind.
 * @type {Record<string, (fields: any) => void>}
 */
export const PLAINLY = {
  status: ({text}) => setText(byId('status'), text),
  announce: ({text}) => setText(byId('live'), text),
  messages: ({list}) => byId('messages').replaceChildren(...list.map((/** @type {Message} */ m) => h('p', {class: 'notice ' + m.level}, m.message))),
};

/**
 * @param {import('../engine/pagerole.js').PageRole} page
 * @returns {Say}
 */
export const createSay = page => ({
  status: text => page.send('status', {text}),
  announce: text => page.send('announce', {text}),
  messages: list => page.send('messages', {list}),
});
