// Makes the database of a worker take no Blobs, as WebKit's does in private windows.
const {put} = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function(this: IDBObjectStore, value, ...key) {
  const request = put.call(this, value instanceof Blob ? 0 : value, ...key), t = this.transaction;
  if (!(value instanceof Blob)) return request;
  Object.defineProperty(t, 'error', {value: new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError')});
  request.addEventListener('success', () => t.abort());
  return request;
};
export {};
