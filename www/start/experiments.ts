// The experiments on the page: they come last, as they are further down and need the engine.
import {byId} from '../dom/elements.js';
import {nodesToText} from '../settings/nodes.js';
import type {Lab, PageChoices} from '../types.js';

/** load() has the panel there, and may be tried again where that failed. */
export function createExperimentsSection({experiments, pool, catalogue, setup, session, changes, notices, say, attempt}: Omit<Lab, 'storage'>) {
  let showView = (view: PageChoices) => setup.setView(view);
  let loaded: ReturnType<typeof load> | null = null;

  /** The open example, and its changed options; null if there is none. */
  function drawn() {
    const {model} = session, {example, options = {}} = model.data?.spec ?? setup.madeOf(model)?.data ?? {};
    if (!example) return null;
    const usual = catalogue.defaults('data', {data: example}), other = Object.entries(options).filter(([name, v]) => v !== usual[name]);
    return {example, ...(other.length && {options: Object.fromEntries(other)})};
  }

  /** Has the pictures show numbers of the nodes, and some nodes chosen. */
  function look(name: string, values: Float32Array, nodes: number[] | null) {
    const {data} = session.model;
    if (!data) return;
    data.numbers = [...(data.numbers ?? []).filter(c => c.name !== name), {name, of: values}];
    changes.tell('data');
    showView({color: `number:column:${name}`, select: nodes ? nodesToText(nodes) || null : null});
  }

  async function load() {
    const {create} = await import('../panels/experiments.js');
    const panel = create(byId('experiments-view'), {
      experiments, pool, catalogue, attempt, say,
      onView: (study: string) => setup.setView({study: study || null}), onForm: (text: string) => setup.setView({order: text || null}),
      along: {data: () => session.model.data, look},
    });
    const show = () => panel.update({own: session.own, drawn: drawn()});
    changes.subscribe(['studies', 'data'], show);
    show();
    for (const [i, r] of experiments.interrupted.entries()) {
      const notice = i === 0 ? 'studies' : `studies-${i}`, title = catalogue.study(r.order.study)?.title ?? r.order.study;
      notices.show(notice, `The experiment \u201c${title}\u201d was interrupted at ${r.finished} of ${r.tasks} tasks.`, {actions: [['Continue it', () => {
        notices.hide(notice);
        panel.resume(r.order);
      }]]});
    }
    const {study, order} = setup.settings.view, left = order ? panel.take(order) : [];
    if (left.length) {
      say.messages(left.map(part => ({level: 'warning', message: `In the link: view.order: found \u201c${part}\u201d, expected a field of the form of`
        + ' experiments and a value of it. The usual value is used.'})));
    }
    if (study) await panel.open(study);
    return panel;
  }

  return {
    /** Has what a report is looked along by be shown in the pictures. */
    views: (show: (view: PageChoices) => void) => { showView = show; },
    load: () => loaded ||= load().catch(e => {
      loaded = null;
      throw e;
    }),
  };
}
