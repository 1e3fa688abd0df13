// Keeps one version of the site for visits without network. Caches are named by scope, because project pages of
// one host share an origin; only this scope's own old versions are deleted. A new version waits until the reader
// reloads: a page must never load a worker or program of another build.

/** An event of this worker, as far as used here: of its life, of a message, or of a request. */
interface Happened extends MessageEvent {
  request: Request;
  addRoutes?(rules: object[]): Promise<void>;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const scope = self as unknown as {
  registration: {scope: string}; clients: {claim(): Promise<void>}; skipWaiting(): void; addEventListener(type: string, f: (event: Happened) => void): void;
};
const PREFIX = 'cadem:' + new URL(scope.registration.scope).pathname + ':';
const CACHE = PREFIX + __VERSION__;

// One form of each program is enough: the small one where it can be unpacked.
const PLAIN = Object.fromEntries(__PROGRAMS__.map(p => [p.packed, p.plain]));
const FILES = (globalThis.DecompressionStream ? __PRECACHE__ : __PRECACHE__.map(f => PLAIN[f] ?? f))
  .map(f => f.endsWith('.json') ? f + '?v=' + __VERSION__ : f); // as pages ask for it

scope.addEventListener('install', event => {
  // All but pages come out of the cache without this script, where browsers can do that: a page whose requests come while a busy browser
  // ends the process of this script, and starts another one, is not without them.
  const {href, pathname} = new URL(scope.registration.scope);
  event.addRoutes?.([{source: {cacheName: CACHE}, condition: {or: FILES.filter(f => !/(\/|\.html)$/.test(f)).map(f => {
    const [name, search = ''] = f.split('?');
    return {urlPattern: new URLPattern({pathname: pathname + name, search, baseURL: href})};
  })}}]);
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map(f => new Request(f, {cache: 'no-cache'})));
  })());
});

scope.addEventListener('activate', event => event.waitUntil((async () => {
  await scope.clients.claim();
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
})()));

scope.addEventListener('message', event => {
  if (event.data === 'skipWaiting') scope.skipWaiting();
});

scope.addEventListener('fetch', event => {
  const {request} = event, url = new URL(request.url), base = new URL(scope.registration.scope);
  if (request.method !== 'GET' || url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
  event.respondWith(answer(request, url, base));
});

/** Answers from the cache, or from the host where the cache has no answer or cannot be read. */
async function answer(request: Request, url: URL, base: URL) {
  const home = url.pathname === base.pathname || url.pathname === base.pathname + 'index.html';
  const kept = await caches.match(home ? './' : request, {cacheName: CACHE, ignoreSearch: true}).catch(() => null);
  return kept ? confined(kept) : fetch(request);
}

/** A page has the header that closes what its own policy cannot, also where the host does not send it. */
function confined(kept: Response) {
  const headers = new Headers(kept.headers);
  if (!headers.get('Content-Type')?.startsWith('text/html') || headers.has('Connection-Allowlist')) return kept;
  headers.set('Connection-Allowlist', __CONNECTIONS__);
  return new Response(kept.body, {headers});
}
