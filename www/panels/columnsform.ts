// The columns of an edge list: a part of the dialog of files, for a list that can be read in two ways or names no layer.
import {nth} from '../dom/nth.js';
import {button, h, scrolled, setText} from '../dom/elements.js';
import {count} from './surveytext.js';

/** The roles of a column, as the engine calls them, and as the reader does. */
const ROLES: [string, string][] = [['source', 'from a node'], ['target', 'to a node'], ['layer', 'layer'], ['weight', 'weight'], ['-', 'not used']];

const TEXTS = new Map(ROLES);

/** A role in words, as the reader chooses it. */
const called = (role: string) => `\u201c${TEXTS.get(role)}\u201d`;

/** Roles as the engine writes them: what is not used has one name here. */
const rolesOf = (columns: string) => columns.split(',').map(r => r === 'time' ? '-' : r);

/** Why columns make no list of links; '' when they do. */
export function problemOf(roles: string[]) {
  const n = (role: string) => roles.filter(r => r === role).length;
  if (n('source') !== 1 || n('target') !== 1) return `Choose ${called('source')} for one column and ${called('target')} for another.`;
  return n('layer') > 2 ? `Choose ${called('layer')} for one column, or for two where both ends of a link have one.` : '';
}

/** The chosen role of each column, by position or by the titles of a header, if one was chosen for lists like this one. */
export function chosenRoles({roles: taken, header}: Question, choices: string = '') {
  const roles = rolesOf(taken.join());
  const chosen = choices.split(';').find(c => c.includes('=') ? header : c.split(',').length === roles.length);
  if (!chosen) return roles;
  if (!chosen.includes('=')) return rolesOf(chosen);
  const named = new Map(chosen.split(',').map(part => part.split(/=(.*)/s).slice(0, 2).reverse() as [string, string]));
  const other = roles.map(role => [...named.values()].includes(role) ? '-' : role);
  return other.map((role, i) => named.get(header?.[i] ?? '') ?? role);
}

/** The form; chosen is the earlier choice. done(columns) is called with the choice, null when it was given up. */
export function columnsForm({question, chosen, done}: {question: Question, chosen?: string, done: (columns: string | null) => void}) {
  const {file, why, header, rows, readings} = question;
  const wrong = h('p', {class: 'problem', role: 'alert', id: 'import-problem'});
  const go = h('button', {type: 'submit', class: 'primary', id: 'import-open'}, 'Go on');
  const selects = chosenRoles(question, chosen).map((role, i) => {
    const select = h('select', {'aria-label': `Column ${i + 1}${header?.[i] ? `, ${header[i]}` : ''}`, onchange: changed},
      ROLES.map(([r, text]) => h('option', {value: r}, text)));
    select.value = role;
    return select;
  });
  const likely = readings.map(({columns, layers, nodes}) => {
    const radio = h('input', {type: 'radio', name: 'import-reading', value: columns, onchange: () => {
      rolesOf(columns).forEach((r, i) => { nth(selects, i).value = r; });
      changed();
    }});
    return h('label', {class: 'radio'}, radio, `${rolesOf(columns).map(r => TEXTS.get(r)).join(', ')}: ${count(layers, 'layer')}, ${count(nodes, 'node')}`);
  });
  const now = () => selects.map(s => s.value);

  function changed() {
    const problem = problemOf(now());
    setText(wrong, problem);
    go.disabled = Boolean(problem);
    for (const label of likely) {
      const radio = label.querySelector('input') as HTMLInputElement;
      radio.checked = rolesOf(radio.value).join() === now().join();
    }
  }

  const form = h('form', {class: 'import-form', onsubmit: (e: SubmitEvent) => {
    e.preventDefault();
    if (!go.disabled) done(now().join(','));
  }},
  h('div', {class: 'import-body'},
    h('h2', {id: 'import-title'}, 'What are the columns?'),
    h('p', {}, h('strong', {}, file), ` \u00b7 ${why} A graph needs at least two layers.`),
    likely.length > 1 ? h('fieldset', {class: 'switch readings'}, h('legend', {}, 'Likely readings'), likely) : null,
    scrolled(`First rows of ${file}`,
      h('table', {class: 'first-rows'},
        h('thead', {}, h('tr', {}, selects.map((s, i) => h('th', {scope: 'col'}, header?.[i] ? h('div', {}, header[i]) : null, s)))),
        h('tbody', {}, rows.map(r => h('tr', {}, r.map(cell => h('td', {}, cell)))))))),
  h('div', {class: 'import-foot'}, wrong, h('div', {class: 'actions'}, go, button('Cancel', () => done(null)))));
  changed();
  return form;
}
