// Keeps one version of the site for visits without network. Caches are named by scope, because project pages of
// one host share an origin; only this scope's own old versions are deleted. A new version waits until the reader
// reloads: a page must never load a worker or program of another build.

const PREFIX = 'cadem:' + new URL(self.registration.scope).pathname + ':';
const CACHE = PREFIX + __VERSION__;

// One form of each program is enough: the small one where it can be unpacked.
const PLAIN = {[__WASM_GZ__]: __WASM__, [__WHOLE_GZ__]: __WHOLE__};
const FILES = self.DecompressionStream ? __PRECACHE__ : __PRECACHE__.map(f => PLAIN[f] ?? f);

self.addEventListener('install', event => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map(f => new Request(f, {cache: 'no-cache'})));
})()));

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

async function answer(request, url, scope) {
  const cache = await caches.open(CACHE);
  const home = url.pathname === scope.pathname || url.pathname === scope.pathname + 'index.html';
  const response = await cache.match(home ? './' : request, {ignoreSearch: true}) || await fetch(request);
  // A worker does not inherit the page's policy, and a static host sends none.
  if (request.destination !== 'worker' || !response.ok) return response;
  const headers = new Headers(response.headers);
  headers.set('Content-Security-Policy', __CSP__);
  return new Response(response.body, {status: response.status, headers});
}
