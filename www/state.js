// What a person has chosen, and its form in the address: everything that differs from the defaults, so that a
// link says the same thing to everybody and stays short. The link is kept up to date and never removed.
import {SEEDS, parse, seedProperty} from './catalogue.js';

const VERSION = '1';
const GROUPS = {o: ['training', 'options'], d: ['data', 'dataOptions'], e: ['evaluation', 'evaluation']};

/** The settings of an example as it is shipped. `options` and the like hold only what was changed; `subject`: the open files are those of a brain. */
export function freshSettings(data) {
  return {data, preset: 'released', options: {}, dataOptions: {}, evaluation: {}, seeds: {}, recommended: null, subject: false, view: {}};
}

/** All values, defaults filled in, as a run needs them. */
export function resolve(settings, catalogue) {
  const values = {};
  for (const [group, field] of Object.values(GROUPS)) {
    values[field] = {...catalogue.defaults(group, settings), ...settings[field]};
  }
  return {...values, preset: settings.preset, ...catalogue.seeds(settings.data), ...settings.seeds};
}

/** Drops the entries that say no more than the defaults do. */
export function prune(settings, catalogue) {
  for (const [group, field] of Object.values(GROUPS)) {
    const usual = catalogue.defaults(group, settings);
    for (const [name, value] of Object.entries(settings[field])) if (!(name in usual) || usual[name] === value) delete settings[field][name];
  }
  const usual = catalogue.seeds(settings.data);
  for (const [name, value] of Object.entries(settings.seeds)) if (usual[name] === value) delete settings.seeds[name];
}

/** Writes settings as the text behind the # of the address. */
export function toHash(settings) {
  const q = new URLSearchParams({v: VERSION, data: settings.data});
  if (settings.preset !== 'released') q.set('preset', settings.preset);
  for (const [key, [, field]] of Object.entries(GROUPS)) {
    for (const name of Object.keys(settings[field]).sort()) q.set(`${key}.${name}`, settings[field][name]);
  }
  for (const name of SEEDS) if (name in settings.seeds) q.set(name, settings.seeds[name]);
  for (const [name, value] of Object.entries(settings.view)) q.set('view.' + name, value);
  return '#' + q.toString();
}

/**
 * Reads an address. Returns null when it holds no settings, else {settings, messages}: what could not be used
 * is named and left at its default.
 */
export function fromHash(hash, catalogue) {
  if (!hash.includes('=')) return null;
  const q = new URLSearchParams(hash.slice(1));
  const messages = [];
  const complain = (field, found, wanted) => messages.push({level: 'warning', field, message: `In the link: ${field}: found ${found}, expected ${wanted}. The usual value is used.`});
  if (q.has('v') && q.get('v') !== VERSION) complain('v', `"${q.get('v')}"`, `"${VERSION}", the version of links this page writes`);
  let data = q.get('data') || catalogue.examples[0].name;
  if (data === 'files') {
    messages.push({level: 'info', message: 'The link was made with opened files, which a link cannot carry. Open them here and its settings apply.'});
  } else if (!catalogue.example(data)) {
    complain('data', `"${data}"`, 'one of ' + catalogue.examples.map(e => e.name).join(', '));
    data = catalogue.examples[0].name;
  }
  const settings = freshSettings(data);
  const preset = q.get('preset');
  if (preset && catalogue.presets[preset]) settings.preset = preset;
  else if (preset) complain('preset', `"${preset}"`, 'one of ' + Object.keys(catalogue.presets).join(', '));
  for (const [key, text] of q) {
    if (SEEDS.includes(key)) {
      take(settings.seeds, key, seedProperty, text);
      continue;
    }
    const dot = key.indexOf('.');
    if (dot < 0) continue;
    const kind = key.slice(0, dot), name = key.slice(dot + 1);
    if (kind === 'view') settings.view[name] = text;
    if (!(kind in GROUPS)) continue;
    const [group, field] = GROUPS[kind];
    const p = catalogue.properties(group, data).find(p => p.name === name);
    if (p) take(settings[field], name, p, text);
    else complain(name, 'an option this page does not have', 'one of its own');
  }
  prune(settings, catalogue);
  return {settings, messages};

  function take(into, name, property, text) {
    const r = parse(property, text);
    if ('value' in r) into[name] = r.value;
    else complain(name, r.found, r.expected);
  }
}
