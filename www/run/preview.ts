// Before the first step, the pictures follow the form: they show the untrained model of its settings.

import type {Message, Model} from '../types.js';

const PAUSE = 400; // ms after the last change

/**
 * differs() reports whether the form differs from the run on screen, possible() whether a run of it can be made; begin(messages) makes it, with
 * messages on the request.
 */
export function createPreview({model, differs, possible, begin}: {
  model: () => Model; differs: () => boolean; possible: () => boolean; begin: (messages: Message[]) => void;
}) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** No step is lost by another run, and the one on screen, or on its way, may differ from the settings. */
  function due() {
    const {phase, progress} = model();
    switch (phase) {
      case 'idle': case 'failed': return true;
      case 'opening': return !progress?.step; // what is being made ready was asked for before the last change
      case 'shipped': return differs();
      case 'paused': return progress?.step === 0 && differs();
    }
    return false;
  }

  const cancel = () => clearTimeout(timer);
  return {
    cancel,
    /** Follows a change, soon. */
    after(messages: Message[] = []) {
      cancel();
      timer = setTimeout(() => { if (due() && possible()) begin(messages); }, PAUSE);
    },
  };
}
