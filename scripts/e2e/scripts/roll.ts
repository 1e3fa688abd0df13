// Has every worker hold a lock of its name, for as long as it lives.
navigator.locks.request('e2e ' + self.name + ' ' + Math.random(), () => new Promise(() => {}));
export {};
