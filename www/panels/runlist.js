// @ts-check
// The list of saved runs: open, continue, rename, delete with a while to think again.
import {h} from '../dom/elements.js';
import {figure} from '../dom/figures.js';

const UNDO = 10_000; // ms until a deleted run is gone for good

const when = (/** @type {string} */ iso) => new Date(iso).toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'short'});
const STATES = {paused: 'paused', finished: 'finished', failed: 'stopped by an error', cancelled: 'paused'};

/**
 * create(el, options) -> {update, destroy}
 *
 * options: onOpen(record, continues), onRename(record, name), onDelete(record), onRestore(record), onPurge().
 * update({runs, damaged, current, readOnly, note}): records newest first, those that cannot be shown ({run, name, reason}), the id of the one that is open.
 * @typedef {{runs: RunRecord[], damaged: RunRecord[], current?: string | null, readOnly: boolean, note?: string}} Shown
 * @param {HTMLElement} el
 * @param {{onOpen: (r: RunRecord, continues: boolean) => void, onRename: (r: RunRecord, name: string) => void,
 *   onDelete: (r: RunRecord) => void, onRestore: (r: RunRecord) => void, onPurge: () => void}} options
 */
export function create(el, {onOpen, onRename, onDelete, onRestore, onPurge}) {
  const list = h('ul', {class: 'runs'}), undo = h('div', {role: 'status'});
  el.append(undo, list);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let /** @type {string | null} */ renaming = null, /** @type {Shown} */ shown = {runs: [], damaged: [], readOnly: false};

  function stateOf(/** @type {RunRecord} */ r) {
    if (r.state !== 'running') return /** @type {Record<string, string>} */ (STATES)[r.state] || r.state;
    if (shown.readOnly) return 'training in another tab';
    return r.run === shown.current ? 'training now' : 'interrupted';
  }

  function describe(/** @type {RunRecord} */ r) {
    const p = r.progress, data = r.summary?.name || r.data.example, parts = [stateOf(r)];
    if (!r.name.toLowerCase().startsWith(data.toLowerCase())) parts.unshift(data);
    if (p) parts.push(`epoch ${p.epoch} of ${p.epochs}`);
    if (p?.losses) parts.push(`loss ${figure(p.losses.total)}`);
    return [...parts, when(r.updated)].join(' \u00b7 ');
  }

  function item(/** @type {RunRecord} */ r, /** @type {Shown} */ {current, readOnly}) {
    if (renaming === r.run) {
      const input = h('input', {type: 'text', value: r.name, 'aria-label': 'New name', maxlength: 120});
      const done = (/** @type {boolean} */ keep) => {
        renaming = null;
        if (keep && input.value.trim() && input.value.trim() !== r.name) onRename(r, input.value.trim());
        else draw();
        /** @type {HTMLElement | null} */ (el.querySelector(`[data-run="${r.run}"] [data-act="rename"]`))?.focus();
      };
      input.addEventListener('keydown', e => { if (e.key === 'Escape') done(false); });
      return h('li', {'data-run': r.run}, h('form', {class: 'rename', onsubmit: (/** @type {SubmitEvent} */ e) => { e.preventDefault(); done(true); }},
        input, h('button', {type: 'submit'}, 'Rename'), h('button', {type: 'button', class: 'quiet', onclick: () => done(false)}, 'Cancel')));
    }
    const unfinished = ['running', 'paused', 'cancelled'].includes(r.state) && !readOnly && !(r.state === 'running' && r.run === current);
    const act = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ f, quiet = true) =>
      h('button', {type: 'button', class: quiet ? 'quiet' : null, 'data-act': name, 'aria-label': `${text} ${r.name}`, onclick: f}, text);
    return h(
      'li',
      {'data-run': r.run, class: r.run === current ? 'current' : null},
      h(
        'div',
        {},
        h('strong', {}, r.name),
        r.run === current ? h('span', {class: 'tag'}, 'open') : null,
        h('p', {class: 'soft small figures'}, describe(r)),
      ),
      h(
        'div',
        {class: 'actions'},
        act('open', 'Open', () => onOpen(r, false), false),
        unfinished ? act('continue', 'Continue', () => onOpen(r, true), false) : null,
        readOnly
          ? null
          : [
              act('rename', 'Rename', () => {
                renaming = r.run;
                draw();
                /** @type {HTMLInputElement} */ (el.querySelector('form.rename input')).select();
              }),
              act('delete', 'Delete', () => remove(r)),
            ],
      ),
    );
  }

  /** One whose record is damaged can only be deleted. */
  function broken(/** @type {RunRecord} */ r, /** @type {Shown} */ {readOnly}) {
    return h('li', {'data-run': r.run, class: 'damaged'},
      h('div', {}, h('strong', {}, r.name), h('span', {class: 'tag'}, 'damaged'), h('p', {class: 'soft small'}, `It cannot be opened: ${r.reason}.`)),
      readOnly
        ? null
        : h(
            'div',
            {class: 'actions'},
            h('button', {type: 'button', class: 'quiet', 'data-act': 'delete', 'aria-label': `Delete ${r.name}`, onclick: () => remove(r)}, 'Delete'),
          ),
    );
  }

  function remove(/** @type {RunRecord} */ r) {
    clearTimeout(timer);
    onDelete(r);
    undo.replaceChildren(h('p', {class: 'notice'}, `Deleted \u201c${r.name}\u201d. `, h('button', {type: 'button', onclick: () => {
      clearTimeout(timer);
      undo.replaceChildren();
      onRestore(r);
    }}, 'Undo')));
    undo.querySelector('button')?.focus({preventScroll: true});
    timer = setTimeout(() => {
      undo.replaceChildren();
      onPurge();
    }, UNDO);
  }

  function draw() {
    const {runs, damaged, note} = shown;
    list.replaceChildren(...runs.map(r => item(r, shown)), ...damaged.map(r => broken(r, shown)));
    if (!list.children.length) list.replaceChildren(h('li', {class: 'soft'}, note || 'Nothing yet. A run is kept from its first step on.'));
  }

  return {
    update(/** @type {Shown} */ next) {
      shown = next;
      if (!renaming || !el.contains(document.activeElement)) draw();
    },
    destroy() {
      clearTimeout(timer);
      el.replaceChildren();
    },
  };
}
