// Pulls: the weights of losses, beside the pictures.
import {all, maybe, one} from './dom';

const shown = (css: string) => all(css).filter(e => e.checkVisibility());
export const text = () => shown('.pull').map(r => r.innerText).join(' ');
export const values = () => shown('.pull output').map(e => e.textContent);
export const first = (value: string) => values()[0] === value;
/** Private matching has a row, without a number so far. */
export const privateUnknown = () => shown('.pull').some(r => /Private/.test(r.innerText) && one('.value', r).textContent === '\u2013');
/** What a pull acts on is lit. */
export const lights = () => maybe('#embeddings-view .plot.common.lit') && maybe('.term.lit[data-term=matching]');
