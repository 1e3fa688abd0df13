// @ts-check
// How the page speaks: status, announcements and messages reach the reader even while its Go program is on its way.
import {byId, h, setText} from '../dom/elements.js';

/**
 * @param {import('../engine/pagerole.js').PageRole} page
 * @returns {Say}
 */
export const createSay = page => ({
  status(text) { if (!page.send('status', {text})) setText(byId('status'), text); },
  announce(text) { if (!page.send('announce', {text})) setText(byId('live'), text); },
  messages(list) {
    if (page.send('messages', {list})) return;
    byId('messages').replaceChildren(...list.map(m => h('p', {class: 'notice ' + m.level}, m.message)));
  },
});
