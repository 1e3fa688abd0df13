// Notices and messages.
import {maybe, one} from './dom';

export const there = (kind: string) => maybe(`[data-notice=${kind}]`);
export const says = (kind: string, part: string) => maybe(`[data-notice=${kind}]`)?.innerText.includes(part);
export const message = (part: string) => one('#messages').innerText.includes(part);
export const anyMessage = () => one('#messages').innerText.trim();
export const clear = () => one('#messages').replaceChildren();
