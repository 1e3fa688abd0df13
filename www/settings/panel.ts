// The settings form and its followers: the weights beside the formulas, the address, and options that a run takes up as it goes.
import {button, byId} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {createForm, symbol} from './form.js';
import type {Lab, Options, SettingsField, Values} from '../types.js';

/** change has the effect of a change in the form; advise tells again which preset fits the data. */
export function createSettingsPanel({setup, catalogue, session, attempt}: Lab, {preview, terms, highlight, onInvalid}: {
  preview: {after(): void}; terms: {options(values: Options, there: boolean[]): void}; highlight: (term: string | null) => void; onInvalid: () => void;
}) {
  const form = createForm(byId('settings-form'), {catalogue, onChange: change, onInvalid, onTerm: highlight});

  function change(field: SettingsField | 'preset' | 'method' | 'level' | 'usual', name = '', value?: OptionValue) {
    const live = field === 'options' && !setup.settings.method && catalogue.properties('training').find(p => p.name === name)?.live;
    if (live && session.model.record && Number(session.model.progress?.step) > 0) {
      attempt(() => session.setLive({[name]: value as OptionValue}))();
    }
    if (field === 'usual') setup.reset();
    else if (field === 'preset') setup.setPreset(String(value));
    else if (field === 'method') setup.setMethod(String(value));
    else if (field === 'level') setup.setLevel(String(value));
    else setup.set(field, name, value as OptionValue);
    if (field !== 'evaluation' && name !== 'eval_seed') preview.after();
  }

  /** The weight that each term's card speaks of, and its formula, from the form. */
  function showWeights(values: Values) {
    if (values.method) return;
    terms.options(values.options, catalogue.present(values.options, session.model.data?.summary?.features));
    for (const {name, weight} of catalogue.terms) {
      const el = weight && document.querySelector(`[data-weight="${name}"]`);
      if (!el) continue;
      const p = catalogue.properties('training').find(p => p.name === weight);
      el.replaceChildren('Its weight ', symbol(p?.symbol ?? ''), ` is ${figure(Number(values.options[weight]))} now. `,
        button('Change', () => form.focus(weight), {class: 'quiet'}));
    }
  }

  /** Which preset fits the data, if the form speaks of those that are open. */
  function advise() {
    const {data} = session.model, of = data?.spec && (data.spec.example ?? 'files');
    form.advise(of === setup.settings.data ? data?.advice : undefined, setup.settings.preset);
  }

  const show = (keepProblems = false) => {
    form.show(setup.settings, setup.values, keepProblems);
    advise();
    showWeights(setup.values);
    const away = document.documentElement.classList.contains('essay');
    if (setup.hash !== location.hash && !away) history.replaceState(null, '', setup.hash);
  };
  setup.subscribe(show);
  show();
  return {form, change, advise};
}
