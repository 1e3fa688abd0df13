// Makes the database of a worker answer as a browser does that keeps nothing, in a private window or by its settings.
Object.defineProperty(self, 'indexedDB', {value: {open() {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}}});
export {};
