// A link for a class: the parts it hides, locks and opens, with a preview, the code of a frame, and headers that the host of the page has to send.
import {button, h, setText} from '../dom/elements.js';
import {HIDABLE} from '../settings/state.js';
import {EXERCISES} from '../exercises/exercises.js';
import type {Lab, PageChoices} from '../types.js';

const PARTS: Record<typeof HIDABLE[number], string> = {
  learn: 'exercises and explanations', settings: 'settings', pulls: 'pulls', tabs: 'the names of views', places: 'the names of places',
};
const FLAGS: [string, string][] = [
  ['lock', 'Lock: settings, weights and data stay as they are'], ['big', 'Large: one view in large letters, for a lecture hall'],
  ['embed', 'Frame: the stage and the run control alone'],
];

/** The choices of a link beyond the settings; null removes one from the address. */
export const choicesOf = ({hidden, flags, lesson}: {hidden: string[], flags: string[], lesson: string}): PageChoices => ({
  hide: hidden.length ? hidden.join('.') : null, lesson: lesson || null, ...lesson && {place: 'learn'},
  ...Object.fromEntries(FLAGS.map(([name]) => [name, flags.includes(name) ? '1' : null])),
});

/** The code of a frame: its data are in an attribute. */
export const frameOf = (address: string) => `<iframe src="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="100%" height="600"`
  + ' title="CaDeM"></iframe>';

/** Has the dialog stand over the page. */
export function share({setup, say}: Lab) {
  const box = (value: string, text: string, checked: boolean) => {
    const input = h('input', {type: 'checkbox', value, onchange: show});
    input.checked = checked;
    return {input, el: h('label', {class: 'check'}, input, text)};
  };
  const {view} = setup.settings, left = String(view.hide ?? '').split('.');
  const parts = HIDABLE.map(name => box(name, PARTS[name], left.includes(name)));
  const flags = FLAGS.map(([name, text]) => box(name, text, view[name as keyof PageChoices] === '1'));
  const lesson = h('select', {id: 'share-lesson', onchange: show}, h('option', {value: ''}, 'none'),
    EXERCISES.map((e, k) => h('option', {value: e.name}, `${k + 1} ${e.title}`)));
  lesson.value = String(view.lesson ?? '');
  const copied = (what: string, field: HTMLInputElement) => h('button', {type: 'button', onclick: async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      say.announce(`${what} copied`);
    } catch {
      field.select(); // no permission: it is copied by hand
    }
  }}, `Copy ${what.toLowerCase()}`);
  const link = h('input', {type: 'text', readonly: true, id: 'share-link'});
  const code = h('input', {type: 'text', readonly: true, id: 'share-code'});
  const preview = h('iframe', {title: 'Preview of the link', hidden: true});
  const needs = h('p', {class: 'small'});
  const look = button('Preview', () => {
    preview.hidden = false;
    preview.src = link.value;
  }, {id: 'share-preview'});
  const dialog = h('dialog', {class: 'import share', 'aria-labelledby': 'share-title', onclose: () => dialog.remove()},
    h('div', {class: 'import-body'}, h('h2', {id: 'share-title'}, 'Share for class'),
      h('p', {}, 'The link has the data, every setting and the seeds as they are now. Whoever opens it gets the same numbers.'),
      h('p', {}, h('label', {for: 'share-lesson'}, 'Opens the exercise '), lesson),
      h('fieldset', {class: 'switch'}, h('legend', {}, 'Leaves out'), parts.map(p => p.el)),
      h('fieldset', {class: 'switch'}, h('legend', {}, 'Shows'), flags.map(f => f.el)),
      h('p', {}, h('label', {for: 'share-link'}, 'Link '), link, ' ', copied('Link', link)),
      h('p', {}, h('label', {for: 'share-code'}, 'Code for a page of your own '), code, ' ', copied('Code', code)), needs,
      h('p', {}, look), preview),
    h('div', {class: 'import-foot actions'}, button('Done', () => dialog.close(), {class: 'primary'})));

  function show() {
    const chosen = (list: {input: HTMLInputElement}[]) => list.filter(b => b.input.checked).map(b => b.input.value);
    const address = location.href.split('#')[0] + setup.hashWith(choicesOf({hidden: chosen(parts), flags: chosen(flags), lesson: lesson.value}));
    link.value = address;
    code.value = frameOf(address);
    setText(needs, `A frame on another site is shown if the host of this page, ${location.host || 'this machine'}, lets it: where it sends`
      + ' \u201cContent-Security-Policy: frame-ancestors\u201d, as \u201cmake serve\u201d does, the address of that site has to stand behind it.');
    if (!preview.hidden) preview.src = address; // which follows it, as every page does
  }

  show();
  document.body.append(dialog);
  dialog.showModal();
}
