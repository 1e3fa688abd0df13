// Counts how often the page asks the browser not to clear what it keeps, which says that it does.
let asked = 0;
Object.assign(globalThis, {asked});
StorageManager.prototype.persist = async () => {
  Object.assign(globalThis, {asked: ++asked});
  return true;
};
export {};
