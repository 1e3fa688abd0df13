// Pins the run on screen, to be seen behind the next ones, and says which run is pinned.
import {byId, h, setText} from '../dom/elements.js';
import {besideOf} from '../run/beside.js';
import type {Lab} from '../types.js';

export function createPin({session, setup, pinned, say}: Lab) {
  const button = byId<HTMLButtonElement>('pin');
  const note = h('p', {id: 'pin-note', class: 'soft small', hidden: true});
  byId('tabs').append(note);
  button.addEventListener('click', () => {
    const {model} = session, {run} = pinned, made = setup.madeOf(model);
    const next = run && !pinned.behind(model) || !made ? null : besideOf(model, made);
    pinned.pin(next);
    say.announce(next ? `Pinned ${next.name}. The next run is drawn in front of it.` : `${run?.name} is no longer pinned.`);
  });
  return {
    show() {
      const {model} = session, {run} = pinned, here = Boolean(run) && !pinned.behind(model);
      button.setAttribute('aria-pressed', String(here));
      if (button !== document.activeElement) button.disabled = !here && (!model.snapshots.length || !model.progress?.step || !setup.madeOf(model));
      note.hidden = !run;
      setText(note, here ? `Pinned: \u201c${run?.name}\u201d. Change a setting and train: this run stays visible behind the next one.`
        : `Faint and dashed: the pinned run, \u201c${run?.name}\u201d.`);
      note.title = note.textContent ?? ''; // a narrow stage shows only its beginning
    },
  };
}
