// Play, pause, step, epoch, reset, pace and progress.
import {byId, h, setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {PACES} from '../settings/state.js';
import type {Lab, Message, Model, Settings} from '../types.js';

const ANNOUNCE = 10_000; // ms between spoken progress while it runs

/** A time to wait in words. */
function duration(s: number) {
  if (!Number.isFinite(s)) return '';
  if (s < 1) return 'under 1 s';
  if (s < 90) return `${Math.round(s)} s`;
  return s < 5400 ? `${Math.round(s / 60)} min` : `${figure(Math.round(s / 360) / 10)} h`;
}

/** begin() puts the run that the form describes in place; problems() lists what was refused in the form. */
export function createControls({session, setup, say, attempt}: Lab, {begin, problems}: {begin: () => Promise<boolean>; problems: () => Message[]}) {
  const differs = () => setup.differs(session.model);
  const of = (id: string) => byId<HTMLButtonElement>(id);
  const button = {play: of('play'), step: of('step'), epoch: of('epoch'), reset: of('reset'), evaluate: of('evaluate')};
  const bar = byId<HTMLProgressElement>('progress'), text = byId('epoch-text');
  const hint = byId('run-hint'), pace = byId<HTMLInputElement>('pace');
  let status = '', spoken = 0, working = false, moving = false, wanted = false;
  let going = false; // what Train makes ready is to train then
  /** The last button pressed while a held run was not ready. */
  let waiting: (() => unknown) | null = null;
  /** The model that the status speaks of. */
  let told: Model | null = null;
  let hinted: string | null = null;

  const fresh = () => {
    const {phase, progress} = session.model;
    return ['idle', 'shipped', 'finished', 'failed'].includes(phase) || (phase === 'paused' && progress?.step === 0 && (differs() || problems().length > 0));
  };

  // One press at a time: a second one while the engine makes ready would start a second run, or the one that is going. A step, or
  // the run after Reset, is on screen before the engine has answered: what is pressed then is done after it.
  const once = (f: () => unknown) => attempt(async () => {
    const {phase} = session.model;
    if (moving && phase === 'paused') waiting = f;
    if (working || phase === 'opening') return;
    working = true;
    try {
      for (waiting = f; waiting;) {
        const due = waiting;
        waiting = null;
        await due();
      }
    } finally {
      working = false;
      waiting = null;
    }
  });

  const toggle = once(async () => {
    wanted = false;
    going = true;
    if (session.model.phase === 'running') await session.pause();
    else if (!fresh() || (await begin() && going)) await session.play();
  });
  const holding = (f: () => unknown) => once(async () => {
    moving = true;
    try {
      await f();
    } finally {
      moving = false;
    }
  });
  const move = (action: 'step' | 'epoch') => holding(async () => {
    if (session.model.phase === 'running') await session.pause();
    if (!fresh() || await begin()) await session[action]();
  });
  // Train, pressed while a run is being made ready, means that run; Pause then holds it once it is.
  const press = () => {
    const {phase, preparing} = session.model;
    if (preparing && working) going = !going;
    else if (phase === 'opening' && !working) wanted = !(preparing && wanted);
    else toggle();
  };
  const reset = holding(begin), stop = attempt(() => session.giveUp());
  button.play.addEventListener('click', press);
  button.step.addEventListener('click', move('step'));
  button.epoch.addEventListener('click', move('epoch'));
  button.reset.addEventListener('click', () => session.model.preparing ? stop() : reset());
  button.evaluate.addEventListener('click', once(() => {
    const {evaluation, eval_seed} = setup.values;
    return session.evaluate(evaluation, eval_seed);
  }));

  /** @param chosen one of PACES; else as fast as it goes */
  const setPace = attempt(async (chosen?: string | null) => {
    const p = Number(chosen ?? 0);
    const words = p ? `${p} ${p === 1 ? 'epoch' : 'epochs'}/s` : 'full speed';
    pace.value = String(chosen ? PACES.indexOf(chosen) : PACES.length);
    setText(byId('pace-text'), words);
    pace.setAttribute('aria-valuetext', words);
    await session.setPace(p);
  });
  pace.addEventListener('input', () => {
    const chosen = PACES[Number(pace.value)];
    setPace(chosen);
    setup.setView({pace: chosen});
  });

  const more = byId('more');
  more.addEventListener('click', () => {
    more.setAttribute('aria-expanded', String(more.parentElement?.classList.toggle('open')));
  });

  // Space and full stop work everywhere but where they already mean something.
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || e.defaultPrevented) return;
    const own = (e.target as Element).closest?.('input:not([type="range"]), select, textarea, button, a, summary, label, [contenteditable]');
    if (own) return;
    if (e.key === ' ' && !button.play.disabled) press();
    else if (e.key === '.' && !button.step.disabled) button.step.click();
    else return;
    e.preventDefault();
  });

  function statusOf({phase, progress: p, data, preparing, scoring, record, snapshots}: Model, ready: boolean) {
    const of = scoring?.of?.replaceAll('_', ' ') ?? '';
    if (scoring) return scoring.total ? `Scoring ${of}: ${Math.round(100 * scoring.done / scoring.total)} %` : 'Scoring\u2026';
    const name = record?.name || data?.name || '';
    switch (phase) {
      case 'idle':
        if (data) return `${name}: stopped before it was ready. Press Train.`;
        return ready ? 'Open files or a saved run, or choose an example.' : 'Loading the engine\u2026';
      case 'shipped': return 'This is a finished run. Press Train to run it here.';
      case 'opening': return preparing ? `Preparing: ${Math.round(100 * preparing.done / preparing.total)} %` : 'Preparing\u2026';
      case 'running': return `Training ${name}.`;
      case 'paused': return p?.step ? `Paused after step ${p.step}.` : `${name}: untrained${snapshots.length ? ', as the pictures show' : ''}. Press Train.`;
      case 'finished':
        if (record?.method) return `Finished after ${p?.step} of at most ${p?.steps} steps: ${record.method}, level ${record.level}.`;
        return `Finished after ${p?.epoch} epochs${p && p.epoch < p.epochs ? ' (the loss no longer improved)' : ''}.`
          + ` Rank of S: ${record?.rank_S ?? p?.rank_S}.`;
    }
    return null; // the error speaks for itself
  }

  function showHint(content: {key: string, nodes: (string | Node)[]} | null) {
    const key = content ? content.key : null;
    if (key === hinted) return;
    hinted = key;
    hint.hidden = !content;
    hint.replaceChildren(...(content ? content.nodes : []));
  }

  return {
    /** Follows a link. */
    follow({view}: Settings) { if (PACES[Number(pace.value)] !== view.pace) setPace(view.pace); },

    /** Something has failed. Where it was to be made ready, nobody wants it to train; a run that stands has its status said again. */
    failed() {
      wanted = false;
      if (session.stands) told = null;
    },

    show(model: Model, ready: boolean) {
      const {phase, progress: p, preparing, scoring, record} = model;
      const running = phase === 'running', usable = ready || phase === 'shipped' || phase === 'failed'; // a call starts the engine
      const begun = phase === 'paused' && Number(p?.step) > 0;
      setText(button.reset, preparing ? 'Stop' : 'Reset');
      button.reset.toggleAttribute('data-stops', Boolean(preparing));
      const holds = running || (preparing && (working ? going : wanted));
      setText(button.play, holds ? 'Pause' : begun ? 'Continue' : phase === 'finished' && !differs() ? 'Train again' : 'Train');
      const held = !usable || Boolean(scoring) || phase === 'opening';
      const off = {
        play: !usable || Boolean(scoring), step: held || phase === 'finished', epoch: held || phase === 'finished',
        reset: !preparing && (held || (phase === 'paused' && !p?.step)), evaluate: held || !record,
      };
      for (const [name, b] of Object.entries(button)) {
        const disabled = off[name as keyof typeof off];
        // A disabled button would lose the focus of who has just pressed it.
        if (b !== document.activeElement || !disabled || phase !== 'opening') b.disabled = disabled;
      }
      bar.max = preparing?.total || p?.epochs || 1;
      bar.value = preparing?.done ?? (phase === 'finished' ? bar.max : p?.epoch ?? 0); // one that ended early is done, too
      const eta = running && p?.eta_s ? `, ${duration(p.eta_s)} left` : '';
      const rate = running && p?.step_ms ? `, ${figure(Number(p.step_ms.toPrecision(2)))} ms a step` : '';
      const print = model.hash ? `, fingerprint ${model.hash}` : '';
      setText(text, p ? `${model.record?.method ? 'step' : 'epoch'} ${p.epoch} of ${p.epochs}${eta}${rate}${print}` : '\u00a0');
      if (wanted && phase !== 'opening') {
        wanted = false;
        if (phase === 'paused') toggle();
      }
      const next = statusOf(model, ready);
      // A message of another part of the page during the opening of a run gives way to the run, even if it reads the same.
      if (next && (next !== status || model !== told)) {
        status = next;
        told = model;
        say.status(next);
        if (phase !== 'opening' && !scoring) say.announce(next);
      }
      if (running && performance.now() - spoken > ANNOUNCE) {
        if (spoken) say.announce(`Epoch ${p?.epoch} of ${p?.epochs}`);
        spoken = performance.now();
      } else if (!running) spoken = 0;
      const wrong = problems();
      if (wrong.length) showHint({key: 'wrong' + wrong.length, nodes: ['A setting cannot be used as it stands. It is marked in the form.']});
      else if (record && Number(p?.step) > 0 && phase !== 'opening' && differs()) {
        const setUp = h('button', {type: 'button', onclick: holding(begin)}, 'Set it up');
        showHint({key: 'differs' + record.run, nodes: ['The settings have changed. They make another run. ', setUp]});
      } else showHint(null);
    },
  };
}
