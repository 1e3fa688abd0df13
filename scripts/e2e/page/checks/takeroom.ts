// Keeps in a database of its own what the browser lets this site keep, to the last 16 kB. Firefox gives up a connection that meets the
// limit: each piece has its own.
const asked = <T>(request: IDBRequest<T>) => new Promise<T>((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = e => {
    e.preventDefault(); // nobody needs to hear of it
    failed(request.error);
  };
});

const over = (t: IDBTransaction) => new Promise<void>((done, failed) => {
  t.oncomplete = () => done();
  t.onerror = e => {
    e.preventDefault();
    failed(t.error);
  };
  t.onabort = () => failed(t.error);
});

export default async () => {
  const filled = new Uint8Array(2 ** 22);
  for (let at = 0; at < filled.length; at += 65536) crypto.getRandomValues(filled.subarray(at, at + 65536));
  for (let size = filled.length; size >= 2 ** 14;) {
    const request = indexedDB.open('room');
    request.onupgradeneeded = () => { request.result.createObjectStore('taken', {autoIncrement: true}); };
    const db = await asked(request).catch(() => null);
    try {
      const t = (db as IDBDatabase).transaction('taken', 'readwrite'), ended = over(t);
      ended.catch(() => {}); // told below
      await asked(t.objectStore('taken').add(filled.slice(0, size)));
      await ended;
    } catch {
      size /= 2;
    }
    db?.close();
  }
  const {usage, quota} = await navigator.storage.estimate();
  return `${usage} of ${quota} bytes`;
};
