// Registers the service worker, offers new versions, and says when the page works without network.
import {scriptURL} from './dom/scripts.js';

/** onReady() when this page can be opened without network; onUpdate(apply) when a new version waits. */
export async function goOffline({onReady, onUpdate}: {onReady: () => void, onUpdate: (apply: () => void) => void}) {
  const container = navigator.serviceWorker;
  if (!container) return;
  if (container.controller) onReady();
  container.addEventListener('controllerchange', onReady);
  let registration: ServiceWorkerRegistration;
  try {
    registration = await container.register(scriptURL('sw.js'), {updateViaCache: 'none'});
  } catch {
    return; // not over https, or refused: the page works, with network only
  }
  const offer = (worker: ServiceWorker) => onUpdate(() => {
    container.addEventListener('controllerchange', () => location.reload(), {once: true});
    worker.postMessage('skipWaiting');
  });
  const watch = (worker: ServiceWorker | null) => {
    const before = registration.active; // without one it is the first, and WebKit may say late that it was installed
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && before && container.controller) offer(worker);
      if (worker.state === 'activated') onReady();
    });
  };
  if (registration.waiting && container.controller) offer(registration.waiting);
  if (registration.installing) watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  // A visit alone makes WebKit look for a newer version only now and then.
  if (registration.active) await registration.update().catch(() => {}); // without network there is none
}
