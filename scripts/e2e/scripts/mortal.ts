// Lets the page end the Go programs of its workers, before whose script it stands. Told "compute", the compute program panics at its
// next rest; told "compute ends", it says there that it has ended; told "storage", that of the storage says so.
let give: (f: () => void) => void, dying = '', role = '';
const ended = (text: string) => postMessage({exit: 2, text});

Object.defineProperty(self, 'cademYield', {
  set(f) { give = f; },
  get: () => (f: () => void) => {
    const how = dying;
    dying = '';
    if (how === 'compute') throw new RangeError('out of memory, so to speak');
    if (how) ended('panic: so to speak');
    else give(f);
  },
});
addEventListener('message', ({data}) => { if (data.start) role = data.role; });
new BroadcastChannel('e2e').onmessage = ({data}: MessageEvent<string>) => {
  if (!role || !data.startsWith(role)) return;
  if (role === 'compute') dying = data;
  else ended('panic: so to speak\n\ngoroutine 1 [running]:');
};
export {};
