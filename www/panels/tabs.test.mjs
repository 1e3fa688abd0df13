// Tests of www/panels/tabs.ts with tabs that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';

/** Every channel of the page's name, all in one program. */
const line = new Set();
globalThis.BroadcastChannel = class extends EventTarget {
  constructor() {
    super();
    line.add(this);
  }

  postMessage(data) {
    for (const other of line) if (other !== this) setTimeout(() => other.dispatchEvent(Object.assign(new Event('message'), {data})));
  }
};
let held = true;
Object.defineProperty(globalThis, 'navigator', {value: {locks: {query: async () => ({held: held ? [{name: '/a/cadem'}] : []})}}});
globalThis.document = {baseURI: 'http://localhost/a/'};
globalThis.__PROGRAMS__ = ['first', 'whole', 'studies', 'methods'].map(plain => ({plain, packed: plain}));
const {createTabs} = await import('./tabs.js');

test('the tab that asks looks for the lock only once it is free', async () => {
  /** A tab whose storage program has the lock, or finds it free. */
  const tab = (keeps, ended) => createTabs({
    keeps: () => keeps, attempt: f => f, changed: async () => {},
    async connect() { keeps ||= !held; },
    async letGo() {
      keeps = false;
      ended();
    },
  });
  tab(true, () => setTimeout(() => { held = false; }, 100)); // long after the program was ended
  assert.equal(await tab(false, () => {}).takeOver(), 'this');
});

test('of two tabs that ask at once, one keeps the runs and the other one learns that it does', async () => {
  line.clear();
  let owner = 0;
  let looking = 0;
  let seen;
  const both = new Promise(f => { seen = f; }); // that both have seen the lock taken, so neither asks after the other one has it
  /** A tab of a number, of which one has the lock. */
  const tab = n => createTabs({
    keeps: () => owner === n, attempt: f => f, changed: async () => {},
    async connect() {
      if (owner === 9) {
        if (++looking === 2) seen();
        return both;
      }
      await new Promise(f => setTimeout(f, n)); // under load either may be the quicker one
      if (!owner) owner = n;
      held = owner > 0;
    },
    async letGo() {
      owner = 0;
      held = false;
    },
  });
  owner = 9;
  tab(9);
  const owners = await Promise.all([tab(1).takeOver(), tab(5).takeOver()]);
  assert.deepEqual(owners.sort(), ['another', 'this']);
});
