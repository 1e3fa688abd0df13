// Fills the page's database as an earlier version left it, where no program has begun one.
type Entries = Record<string, {blob: boolean, bytes: string}>;

export default async ({version, stores}: {version: number, stores: Record<string, Entries>}) => {
  const request = indexedDB.open(new URL('.', location.href).pathname + 'cadem', version);
  request.onupgradeneeded = () => { for (const name of Object.keys(stores)) request.result.createObjectStore(name); };
  const db = await new Promise<IDBDatabase>((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  const t = db.transaction(Object.keys(stores), 'readwrite');
  for (const [name, entries] of Object.entries(stores)) {
    for (const [key, {blob, bytes}] of Object.entries(entries)) {
      const value = Uint8Array.from(atob(bytes), c => c.charCodeAt(0));
      t.objectStore(name).put(blob ? new Blob([value]) : value, key);
    }
  }
  await new Promise<void>((done, failed) => {
    t.oncomplete = () => done();
    t.onabort = () => failed(t.error);
  });
  db.close();
};
