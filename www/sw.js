// @ts-check
// Keeps one version of the site for visits without network. Caches are named by scope, because project pages of
// one host share an origin; only this scope's own old versions are deleted. A new version waits until the reader
// reloads: a page must never load a worker or program of another build.

const PREFIX = 'cadem:' + new URL(self.registration.scope).pathname + ':';
const CACHE = PREFIX + __VERSION__;

// One form of each program is enough: the small one where it can be unpacked.
const PLAIN = {[__WASM_GZ__]: __WASM__, [__WHOLE_GZ__]: __WHOLE__};
const FILES = self.DecompressionStream ? __PRECACHE__ : __PRECACHE__.map(f => PLAIN[f] ?? f);

self.addEventListener('install', event => {
  // Files whose names change with their contents come out of the cache without this script, where browsers can do that.
  const {href, pathname} = new URL(self.registration.scope);
  const named = FILES.filter(f => /\.[A-Z0-9]{8}\./.test(f));
  event.addRoutes?.([{condition: {or: named.map(f => ({urlPattern: new URLPattern({pathname: pathname + f, search: '', baseURL: href})}))}, source: {cacheName: CACHE}}]);
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map(f => new Request(f, {cache: 'no-cache'})));
  })());
});

self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
})()));

self.addEventListener('message', event => {
  if (event.data === 'skipWaiting') self.skipWaiting();
});

self.addEventListener('fetch', event => {
  const {request} = event, url = new URL(request.url), scope = new URL(self.registration.scope);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  event.respondWith(answer(request, url, scope));
});

async function answer(/** @type {Request} */ request, /** @type {any} */ url, /** @type {any} */ scope) {
  const cache = await caches.open(CACHE);
  const home = url.pathname === scope.pathname || url.pathname === scope.pathname + 'index.html';
  return await cache.match(home ? './' : request, {ignoreSearch: true}) ?? fetch(request);
}
