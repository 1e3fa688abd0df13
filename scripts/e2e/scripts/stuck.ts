// Lets the page have a compute program wait for what never comes.
let give: (f: () => void) => void, line: BroadcastChannel | null = null;
Object.defineProperty(self, 'cademYield', {set(f) { give = f; }, get: () => (f: () => void) => { line ? line.postMessage('stuck') : give(f); }});
new BroadcastChannel('e2e').onmessage = ({data, target}) => { if (data === 'wait' && self.name === 'cadem compute') line = target as BroadcastChannel; };
export {};
