// The scores, which the page's Go program writes as tables and as a sentence.
import {byId} from '../dom/elements.js';
import type {Model} from '../types.js';

/** The place of what goes while its data are trained on again is kept for the next ones. */
export function createScores(send: (kind: string, fields: object) => void) {
  /** The name of the data that scores were last shown of. */
  let scored: string | null | undefined = null;
  return {
    show({scores, data}: Model) {
      const again = data?.name === scored;
      for (const el of [byId('verdict'), byId('metrics')]) {
        if (!again) el.style.minHeight = '';
        else if (!scores) el.style.minHeight = `${el.getBoundingClientRect().height}px`;
      }
      if (scores) scored = data?.name;
      send('scores', {rows: scores || [], task: data?.task});
    },
  };
}
