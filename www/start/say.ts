// How the page speaks: status, announcements and messages reach the reader even while its Go program is on its way.
import {byId, h, setText} from '../dom/elements.js';
import type {PageRole, Plainly} from '../engine/pagerole.js';
import type {Message} from '../types.js';

/** How they reach the reader without the program, by kind. */
export const PLAINLY: Plainly = {
  status: ({text}) => setText(byId('status'), text),
  announce: ({text}) => setText(byId('live'), text),
  messages: ({list}) => byId('messages').replaceChildren(...list.map(m => h('p', {class: 'notice ' + m.level}, m.message))),
};

export const createSay = (page: PageRole) => ({
  status: (text: string) => page.send('status', {text}),
  announce: (text: string) => page.send('announce', {text}),
  messages: (list: Message[]) => page.send('messages', {list}),
});
