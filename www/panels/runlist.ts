// The list of saved runs, by their data: open, continue, pin, compare, rename, delete with a while to think again.
import {button, h} from '../dom/elements.js';
import {figure, fixed, spaced, when} from '../dom/figures.js';
import {dotsOf, scoreOf} from '../run/beside.js';
import {thumbnail} from '../views/thumbnail.js';
import type {RunRecord} from '../types.js';

const UNDO = 10_000; // ms until a deleted run is gone for good

const STATES = {paused: 'paused', finished: 'finished', failed: 'stopped by an error', cancelled: 'paused'};

/** The last picture of S that was kept of a run, small. */
const smallOf = (r: RunRecord): SVGElement => thumbnail(dotsOf(r), r.summary?.labels?.[0] ?? {});

interface Shown {runs: RunRecord[]; damaged: RunRecord[]; current?: string | null; pinned?: {run: string | null} | null; readOnly: boolean; note?: string}

/**
 * dataOf names the data of a run; onExport is asked for a damaged one; onPin takes the pin away from the run that has it; onCompare compares with the
 * pinned run. update takes the records, newest first, those that cannot be shown, and the ids of the run that is open and of the pinned one, which is
 * null of the run that ships with the page.
 */
export function create(el: HTMLElement, {dataOf, onOpen, onRename, onDelete, onRestore, onPurge, onExport, onPin, onCompare}: {
  dataOf: (r: RunRecord) => string; onOpen: (r: RunRecord, continues: boolean) => void; onRename: (r: RunRecord, name: string) => void;
  onDelete: (r: RunRecord) => void; onRestore: (r: RunRecord) => void; onPurge: (runs: string[]) => void; onExport: (r: RunRecord) => void;
  onPin: (r: RunRecord) => void; onCompare: (r: RunRecord) => void;
}) {
  const list = h('div'), undo = h('div', {role: 'status'});
  el.append(undo, list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The run whose deletion can be taken back. */
  let going: string | null = null;
  /** The pictures in the list, by run. They are used again, as Firefox holds on to some 30 kB of each new one for a while. */
  let pictures: Map<string, {dots?: string, classes?: string, picture: SVGElement}> = new Map();
  let renaming: string | null = null, shown: Shown = {runs: [], damaged: [], readOnly: false};

  function stateOf(r: RunRecord) {
    if (r.state !== 'running') return (STATES as Record<string, string>)[r.state] || r.state;
    if (shown.readOnly) return 'training in another tab';
    return r.run === shown.current ? 'training now' : 'interrupted';
  }

  function describe(r: RunRecord) {
    const p = r.progress, parts = [stateOf(r)];
    if (p) parts.push(`epoch ${p.epoch} of ${p.epochs}`);
    if (p?.losses) parts.push(`loss ${figure(Number(p.losses.total))}`);
    const score = scoreOf(r);
    if (typeof score?.value === 'number') {
      const before = typeof score.untrained === 'number' ? ` (untrained ${fixed(score.untrained, 2)})` : '';
      parts.push(`S tells ${spaced(score.target)}: ${fixed(score.value, 2)}${before}`);
    }
    return [...parts, when(r.updated)].join(' \u00b7 ');
  }

  function pictureOf(r: RunRecord) {
    const {dots, classes} = r.frame ?? {}, of = pictures.get(r.run);
    return of && of.dots === dots && of.classes === classes ? of : {dots, classes, picture: smallOf(r)};
  }

  const buttonOf = (run: string, act: string) => list.querySelector(`[data-run="${CSS.escape(run)}"] [data-act="${act}"]`) as HTMLElement | null;

  const act = (r: RunRecord, name: string, text: string, f: () => void, kind: string | null = 'quiet', label = text) =>
    button(text, f, {class: kind, 'data-act': name, 'aria-label': `${label} ${r.name}`});

  function item(r: RunRecord, picture: SVGElement | undefined) {
    const {current, pinned, readOnly} = shown;
    if (renaming === r.run) {
      const input = h('input', {type: 'text', value: r.name, 'aria-label': 'New name', maxlength: 120});
      const done = (keep: boolean) => {
        renaming = null;
        if (keep && input.value.trim() && input.value.trim() !== r.name) onRename(r, input.value.trim());
        else draw();
        buttonOf(r.run, 'rename')?.focus();
      };
      input.addEventListener('keydown', e => { if (e.key === 'Escape') done(false); });
      return h('li', {'data-run': r.run}, h('form', {class: 'rename', onsubmit: (e: SubmitEvent) => { e.preventDefault(); done(true); }},
        input, h('button', {type: 'submit'}, 'Rename'), button('Cancel', () => done(false), {class: 'quiet'})));
    }
    const unfinished = ['running', 'paused', 'cancelled'].includes(r.state) && !readOnly && !(r.state === 'running' && r.run === current);
    const here = pinned?.run === r.run, rename = () => {
      renaming = r.run;
      draw();
      (el.querySelector('form.rename input') as HTMLInputElement).select();
    };
    return h('li', {'data-run': r.run, class: r.run === current ? 'current' : null}, picture,
      h('div', {}, h('strong', {}, r.name), r.run === current && h('span', {class: 'tag'}, 'open'), here && h('span', {class: 'tag'}, 'pinned'),
        h('p', {class: 'soft small figures'}, describe(r))),
      h('div', {class: 'actions'},
        act(r, 'open', 'Open', () => onOpen(r, false), null),
        unfinished && act(r, 'continue', 'Continue', () => onOpen(r, true), null),
        Boolean(r.progress?.step) && act(r, 'pin', here ? 'Unpin' : 'Pin', () => onPin(r)),
        Boolean(pinned && !here && r.progress?.step) && act(r, 'compare', 'Compare with the pinned run', () => onCompare(r)),
        !readOnly && [act(r, 'rename', 'Rename', rename), act(r, 'delete', 'Delete', () => remove(r))]));
  }

  /** A damaged one can only be exported, as far as it is there, and deleted. */
  function broken(r: RunRecord) {
    const {readOnly} = shown;
    return h('li', {'data-run': r.run, class: 'damaged'},
      h('div', {}, h('strong', {}, r.name), h('span', {class: 'tag'}, 'damaged'), h('p', {class: 'soft small'}, `It cannot be opened: ${r.reason}.`)),
      h('div', {class: 'actions'},
        act(r, 'export', 'Export what is left', () => onExport(r), 'quiet', 'Export what is left of'),
        !readOnly && act(r, 'delete', 'Delete', () => remove(r))));
  }

  /** Ends the time to think again. */
  function purge() {
    clearTimeout(timer);
    undo.replaceChildren();
    if (going !== null) onPurge([going]);
    going = null;
  }

  function remove(r: RunRecord) {
    purge();
    onDelete(r);
    going = r.run;
    undo.replaceChildren(h('p', {class: 'notice'}, `Deleted \u201c${r.name}\u201d. `, button('Undo', () => {
      clearTimeout(timer);
      undo.replaceChildren();
      going = null;
      onRestore(r);
    })));
    undo.querySelector('button')?.focus({preventScroll: true});
    timer = setTimeout(purge, UNDO);
  }

  function draw() {
    const {runs, damaged, note} = shown;
    const groups: Map<string, Element[]> = new Map();
    const drawn: typeof pictures = new Map();
    const odd = [...damaged];
    for (const r of runs) {
      // A bad record keeps no other one from being listed.
      try {
        drawn.set(r.run, pictureOf(r));
        const row = item(r, drawn.get(r.run)?.picture), of = String(dataOf(r));
        groups.set(of, [...groups.get(of) ?? [], row]);
      } catch {
        odd.push({...r, name: String(r.name), reason: 'the page cannot show what its record says'});
      }
    }
    pictures = drawn;
    const at = document.activeElement as HTMLElement, act = list.contains(at) && at.dataset.act;
    const of = act && (at.closest('li') as HTMLElement).dataset.run;
    list.replaceChildren(...[...groups].map(([name, of]) => h('section', {'aria-label': `Runs on ${name}`},
      h('h3', {}, name), h('ul', {class: 'runs'}, of))));
    if (odd.length) list.append(h('section', {'aria-label': 'Damaged'}, h('h3', {}, `Damaged: ${odd.length}`), h('ul', {class: 'runs'}, odd.map(broken))));
    if (!list.children.length) list.append(h('p', {class: 'soft'}, note || 'Nothing yet. A run is kept from its first step on.'));
    // A focused button of the list stays focused when it is drawn anew.
    if (act) buttonOf(of || '', act)?.focus({preventScroll: true});
  }

  return {
    update(next: Shown) {
      shown = next;
      if (!renaming || !el.contains(document.activeElement)) draw();
    },
  };
}
