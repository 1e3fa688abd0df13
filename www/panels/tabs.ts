// Tabs of this page hand the keeping of runs to each other: one asks, the one that keeps them writes what it has and lets go (free), and the first
// one takes over (kept). The storage program of the one that keeps them tells the others of every change.
import {prefix} from '../engine/endpoint.js';
import type {Attempt} from '../types.js';

const NAME = prefix + 'cadem'; // of the channel, and of the lock that the storage program of the one holds
const PATIENCE = 10_000; // ms that one tab waits for another one

type Word = 'ask' | 'free' | 'kept';

/**
 * keeps() says whether this tab keeps the runs; letGo() ends that, once all is written; connect() tries to keep them from now on, or says who does;
 * changed() is called when another tab has changed something.
 */
export function createTabs({keeps, letGo, connect, changed, attempt}: {
  keeps: () => boolean; letGo: () => Promise<void>; connect: () => Promise<unknown>; changed: () => Promise<void>; attempt: Attempt;
}) {
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(NAME) : null;
  /** Listeners for a message of another tab. */
  const waiting: Map<Word, () => void> = new Map();
  const say = (word: Word) => channel?.postMessage({[word]: true});

  /** Reports whether another tab says a word, or has not for too long. */
  const hear = (word: Word): Promise<boolean> => new Promise(resolve => {
    waiting.set(word, () => resolve(true));
    setTimeout(resolve, PATIENCE, false);
  });

  /** Resolves when no tab keeps the runs: a lock goes some time after the program that held it. */
  async function released() {
    const held = async () => (await navigator.locks.query()).held?.some(lock => lock.name === NAME);
    const since = performance.now();
    while (await held() && performance.now() - since < PATIENCE) await new Promise(f => setTimeout(f, 20));
  }

  channel?.addEventListener('message', attempt(async ({data}: MessageEvent) => {
    for (const word of waiting.keys()) {
      if (!data[word]) continue;
      waiting.get(word)?.();
      waiting.delete(word);
    }
    if (data.ask && keeps()) {
      await letGo();
      await released(); // before the one that asks looks for the lock
      const over = hear('kept');
      say('free');
      await over;
      await connect();
    } else if (data.changed && !keeps()) await changed();
  }));

  return {
    /**
     * Makes this tab the owner of the runs; the other one lets go. Reports the owner then: this tab, another one that was quicker, or one that
     * does not answer.
     */
    async takeOver(): Promise<'this' | 'another' | 'silent'> {
      let free = false;
      await connect();
      if (!keeps()) {
        const word = hear('free');
        say('ask');
        free = await word;
        await connect();
      }
      if (!keeps()) return free ? 'another' : 'silent';
      say('kept');
      return 'this';
    },
  };
}
