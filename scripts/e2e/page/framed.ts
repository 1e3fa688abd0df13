// The page that frames the stage.
import {one, over} from './dom';

const inside = () => one('iframe').contentWindow as Window & typeof globalThis;

export const started = () => inside().cadem?.state().ready;
export const ready = () => started() && !one('#play', inside().document).disabled && one('#embeddings-view canvas', inside().document);
export const train = () => one('#play', inside().document).click();
export const finished = () => over(inside());

/** Frames an address, and returns the rule that stopped it. */
export function blocked(address: string) {
  const frame = document.createElement('iframe');
  return new Promise(done => {
    addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));
    frame.src = address;
    document.body.append(frame);
  });
}
