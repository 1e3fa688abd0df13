import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const SCOPE = 'http://host/site/';

/** What older engines and node do not have, as far as files of a site need it. */
class URLPattern {
  constructor(init) { Object.assign(this, init); }
  test(url) {
    const {origin, pathname, search} = new URL(url);
    return origin === new URL(this.baseURL).origin && pathname === this.pathname && search.slice(1) === this.search;
  }
}

/** A request whose address is one below the scope. */
class Kept extends Request {
  constructor(name, more) { super(new URL(name, SCOPE), more); }
}

const files = ['./', 'frame.html', 'app.ABCDEFGH.js', 'unserved.js', 'manifest.webmanifest', 'options.json', 'finished/town.json'];

/** Starts the service worker with caches and what it fetches with, and returns the listeners that it adds. */
function start(caches, fetch, claim, more = {URLPattern}) {
  const on = {}, self = {registration: {scope: SCOPE}, clients: {claim}, addEventListener: (name, listener) => { on[name] = listener; }};
  const build = {__VERSION__: '1', __PRECACHE__: files, __CONNECTIONS__: '', __PROGRAMS__: []};
  const script = readFileSync(new URL('../sw.js', import.meta.url), 'utf8');
  vm.runInNewContext(script, {self, caches, fetch, URL, Headers, Response, Request: Kept, ...more, ...build});
  return on;
}

/** Asks a service worker for a file of the site. */
async function ask(on, name) {
  let answer;
  on.fetch({request: new Request(SCOPE + name), respondWith: it => { answer = it; }});
  return await (await answer).text();
}

const fetched = async request => new Response('fetched ' + request.url);
const broken = async () => { throw new Error('Unexpected internal error.'); };

/** Caches whose one cache answers so. */
const holding = match => ({match: (what, {cacheName}) => cacheName === 'cadem:/site/:1' ? match(what) : undefined, open: async () => ({match})});

test('what is kept comes out of the cache, and the page by each of its names', async () => {
  const on = start(holding(async what => new Response('kept ' + (what.url ?? what))), fetched);
  assert.equal(await ask(on, 'unserved.js'), 'kept http://host/site/unserved.js');
  assert.equal(await ask(on, ''), 'kept ./');
  assert.equal(await ask(on, 'index.html#v=1'), 'kept ./');
});

test('what is not kept comes from the host', async () => {
  assert.equal(await ask(start(holding(async () => undefined), fetched), 'unserved.js'), 'fetched http://host/site/unserved.js');
});

test('files come from the host where the cache cannot be read', async () => {
  for (const caches of [holding(broken), {match: broken, open: broken}]) {
    assert.equal(await ask(start(caches, fetched), 'unserved.js'), 'fetched http://host/site/unserved.js');
  }
});

test('a new worker takes charge of open pages although old caches cannot be deleted', async () => {
  let claimed = false, done;
  const on = start({keys: broken}, fetched, async () => { claimed = true; });
  on.activate({waitUntil: it => { done = it; }});
  await done.catch(() => {});
  assert.ok(claimed);
});

test('a browser without routes keeps the files as well', async () => {
  let kept = 0, done;
  const on = start({open: async () => ({addAll: async list => { kept = list.length; }})}, fetched, undefined, {});
  on.install({waitUntil: it => { done = it; }});
  await done;
  assert.equal(kept, files.length);
});

test('all but pages comes out of the cache without the script, under the address that pages ask for', async () => {
  let rules, kept, done;
  const on = start({open: async () => ({addAll: async list => { kept = list.map(r => r.url); }})}, fetched);
  on.install({addRoutes: list => { rules = list; }, waitUntil: it => { done = it; }});
  await done;
  assert.equal(kept.length, files.length);
  assert.equal(rules[0].source.cacheName, 'cadem:/site/:1');
  const routed = url => rules[0].condition.or.some(({urlPattern}) => urlPattern.test(url));
  assert.equal(kept.filter(url => !routed(url)).join(), SCOPE + ',' + SCOPE + 'frame.html');
  assert.ok(kept.includes(SCOPE + 'options.json?v=1') && !routed(SCOPE + 'options.json?v=2') && !routed(SCOPE + 'unserved.js?v=1'));
});
