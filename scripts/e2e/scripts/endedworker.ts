// Has requests of the page to the service worker fail, but for pages and the scripts of workers.
addEventListener('fetch', event => {
  const e = event as Event & {request: Request, respondWith(answer: Promise<Response>): void};
  if (e.request.mode === 'navigate' || e.request.url.includes('/wasm_exec.')) return;
  e.stopImmediatePropagation();
  e.respondWith(Promise.reject(new Error('ended')));
});
export {};
