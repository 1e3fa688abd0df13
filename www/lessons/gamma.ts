// The sentence that the lessons open with: gamma as a word to change. What the closed form finds there is said at once.
import {button, h, setText} from '../dom/elements.js';
import {Gammas} from '../run/gammas.js';
import {closedWords} from '../views/curvewords.js';
import {createGammaWord} from '../views/gammaword.js';

const HINT = 'Drag the number sideways, or use the arrow keys.';

export function createGammaSentence(context: ViewContext) {
  const {session, setup, attempt, change} = context, gammas = new Gammas({...context, changed: show});
  const {scrub, sentence} = createGammaWord({value: gammas.now, input: follow, settled(v) { change('gamma', v / 100, 'dataOptions'); }});
  const said = h('span', {id: 'gamma-said', role: 'status'}, HINT);
  const more = button('See all of it move', () => context.showView({show: 'predict'}), {class: 'points', id: 'gamma-more'});
  const el = h('div', {id: 'gamma-sentence'}, sentence, h('p', {class: 'measure small'}, said, ' ', more));

  function follow(percent: number) {
    const {labels, layers} = session.model.data?.summary ?? {};
    if (labels?.length === Number(layers?.length) + 1) { // groups that all share, and those of each layer
      attempt(() => gammas.look(percent, 'closed', labels.map((l: {name: string}) => l.name)))();
    }
    show();
  }

  function show() {
    el.hidden = !gammas.possible;
    if (el.hidden) return;
    el.inert = setup.settings.view.lock === '1';
    if (!scrub.moving) scrub.set(gammas.now);
    const percent = Number(scrub.el.getAttribute('aria-valuenow')), closed = gammas.at(percent, 'closed');
    if (closed || !scrub.moving) setText(said, closedWords(percent, closed, gammas.busy('closed')) || HINT);
  }

  show();
  return {el, show};
}
