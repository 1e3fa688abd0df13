// A browser whose language does not exist.
Object.defineProperty(navigator, 'language', {value: 'C', configurable: true});
export {};
