// @ts-check
// The list of saved runs, by their data: open, continue, pin, compare, rename, delete with a while to think again.
import {h, svg} from '../dom/elements.js';
import {figure, fixed, when} from '../dom/figures.js';
import {dotsOf, scoreOf} from '../run/beside.js';
import {colourOf, markOf} from '../views/palette.js';

const UNDO = 10_000; // ms until a deleted run is gone for good

const STATES = {paused: 'paused', finished: 'finished', failed: 'stopped by an error', cancelled: 'paused'};

/** The last picture of S that was kept of a run, small: some of its nodes in the colours of the first label set. @param {RunRecord} r */
function thumbnail(r) {
  const [set = {}] = r.summary?.labels ?? [], /** @type {Map<string, string>} */ paths = new Map();
  for (const {x, y, of} of dotsOf(r)) {
    const colour = of < 0 ? 'missing' : String(colourOf(markOf(set, of)));
    paths.set(colour, `${paths.get(colour) ?? ''}M${(2 + 56 * x).toFixed(1)} ${(2 + 56 * y).toFixed(1)}h2v2h-2z`);
  }
  return svg('svg', {viewBox: '0 0 60 60', class: 'thumbnail', 'aria-hidden': 'true'}, ...[...paths].map(([c, d]) => svg('path', {class: `mark-${c}`, d})));
}

/**
 * create(el, options) -> {update, destroy}
 *
 * options: dataOf(record), what the data of a run are called; onOpen(record, continues), onRename(record, name), onDelete(record),
 * onRestore(record), onPurge(), onPin(record), which takes the pin from one that is pinned, and onCompare(record), with the pinned run.
 * update({runs, damaged, current, pinned, readOnly, note}): records newest first, those that cannot be shown ({run, name, reason}), the id of the one that
 * is open, that of the pinned one, which is null of the run that ships with the page.
 * @typedef {{runs: RunRecord[], damaged: RunRecord[], current?: string | null, pinned?: {run: string | null} | null, readOnly: boolean, note?: string}} Shown
 * @param {HTMLElement} el
 * @param {{dataOf: (r: RunRecord) => string, onOpen: (r: RunRecord, continues: boolean) => void, onRename: (r: RunRecord, name: string) => void,
 *   onDelete: (r: RunRecord) => void, onRestore: (r: RunRecord) => void, onPurge: () => void, onPin: (r: RunRecord) => void,
 *   onCompare: (r: RunRecord) => void}} options
 */
export function create(el, {dataOf, onOpen, onRename, onDelete, onRestore, onPurge, onPin, onCompare}) {
  const list = h('div'), undo = h('div', {role: 'status'});
  el.append(undo, list);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The pictures in the list, by run. They are used again, as Firefox holds on to some 30 kB of each new one for a while.
   * @type {Map<string, {dots?: string, classes?: string, picture: SVGElement}>}
   */
  let pictures = new Map();
  let /** @type {string | null} */ renaming = null, /** @type {Shown} */ shown = {runs: [], damaged: [], readOnly: false};

  function stateOf(/** @type {RunRecord} */ r) {
    if (r.state !== 'running') return /** @type {Record<string, string>} */ (STATES)[r.state] || r.state;
    if (shown.readOnly) return 'training in another tab';
    return r.run === shown.current ? 'training now' : 'interrupted';
  }

  function describe(/** @type {RunRecord} */ r) {
    const p = r.progress, parts = [stateOf(r)];
    if (p) parts.push(`epoch ${p.epoch} of ${p.epochs}`);
    if (p?.losses) parts.push(`loss ${figure(p.losses.total)}`);
    const score = scoreOf(r);
    if (typeof score?.value === 'number') {
      const before = typeof score.untrained === 'number' ? ` (untrained ${fixed(score.untrained, 2)})` : '';
      parts.push(`S tells ${score.target.replaceAll('_', ' ')}: ${fixed(score.value, 2)}${before}`);
    }
    return [...parts, when(r.updated)].join(' \u00b7 ');
  }

  function pictureOf(/** @type {RunRecord} */ r) {
    const {dots, classes} = r.frame ?? {}, of = pictures.get(r.run);
    return of && of.dots === dots && of.classes === classes ? of : {dots, classes, picture: thumbnail(r)};
  }

  function item(/** @type {RunRecord} */ r, /** @type {Shown} */ {current, pinned, readOnly}) {
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
      pictures.get(r.run)?.picture,
      h(
        'div',
        {},
        h('strong', {}, r.name),
        r.run === current ? h('span', {class: 'tag'}, 'open') : null,
        pinned?.run === r.run ? h('span', {class: 'tag'}, 'pinned') : null,
        h('p', {class: 'soft small figures'}, describe(r)),
      ),
      h(
        'div',
        {class: 'actions'},
        act('open', 'Open', () => onOpen(r, false), false),
        unfinished ? act('continue', 'Continue', () => onOpen(r, true), false) : null,
        r.progress?.step ? act('pin', pinned?.run === r.run ? 'Unpin' : 'Pin', () => onPin(r)) : null,
        pinned && pinned.run !== r.run && r.progress?.step ? act('compare', 'Compare with the pinned run', () => onCompare(r)) : null,
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
    /** @type {Map<string, RunRecord[]>} */
    const groups = new Map();
    for (const r of runs) groups.set(dataOf(r), [...groups.get(dataOf(r)) ?? [], r]);
    pictures = new Map(runs.map(r => [r.run, pictureOf(r)]));
    const at = /** @type {HTMLElement} */ (document.activeElement), act = list.contains(at) && at.dataset.act;
    const of = act && /** @type {HTMLElement} */ (at.closest('li')).dataset.run;
    list.replaceChildren(...[...groups].map(([name, of]) => h('section', {'aria-label': `Runs on ${name}`},
      h('h3', {}, name), h('ul', {class: 'runs'}, of.map(r => item(r, shown))))));
    if (damaged.length) list.append(h('ul', {class: 'runs'}, damaged.map(r => broken(r, shown))));
    if (!list.children.length) list.append(h('p', {class: 'soft'}, note || 'Nothing yet. A run is kept from its first step on.'));
    // Whoever stands on a button of the list still does when it is drawn anew.
    if (act) /** @type {HTMLElement | null} */ (list.querySelector(`[data-run="${of}"] [data-act="${act}"]`))?.focus({preventScroll: true});
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
