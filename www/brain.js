// The brain view and what it follows: data whose nodes are regions of a brain have one, which is loaded with the first of them.
import {byId, download} from './dom.js';

const AT_MOST = 1000; // ms between two looks at a run that is going on

/**
 * createBrain({session, attempt, caption, onPick, onConditions, changed}) -> {show(model)}; onConditions() makes the figure of all conditions of an example
 * that has several, changed() has show called again.
 */
export function createBrain({session, attempt, caption, onPick, onConditions, changed}) {
  let view = null, wanted = false, asking = false, asked = 0;

  async function load() {
    const {create} = await import('./views/glassbrain.js');
    view = create(byId('brain-view'), {
      onShare: follow, onPick, onConditions,
      onSave: attempt(async type => { if (session.model.regions) download(await view.exportImage(caption(), type), `cadem-brain.${type}`); }),
      onTable: () => { if (session.model.regions) download(view.exportTable(), 'cadem-regions.csv', 'text/csv'); },
    });
    changed();
  }

  /** Has the regions found for the run's present step and the share that is asked for, unless they are. */
  async function follow() {
    const {phase, regions, progress, record, data} = session.model, {share} = view;
    if (asking || !record || !data?.places || !['running', 'paused', 'finished'].includes(phase)) return;
    const other = regions?.share !== share;
    if (!other && (regions.step === progress?.step || phase === 'running' && performance.now() - asked < AT_MOST)) return;
    asking = true;
    await attempt(() => session.findRegions(share))();
    asking = false;
    asked = performance.now();
  }

  return {
    show({data, regions}) {
      const places = data?.places;
      byId('brain').hidden = !places;
      if (!places) return;
      if (!wanted) {
        wanted = true;
        attempt(load)();
      }
      view?.update({places, nodes: data.nodes, labels: data.labels, regions, conditions: Boolean(data.spec?.options?.condition)});
      if (view) follow();
    },
  };
}
