// Ends a compute program, when it is asked to, after the first part of its next large checkpoint.
let armed = false;
new BroadcastChannel('e2e').onmessage = ({data}) => { if (data === 'midway') armed = true; };
self.Blob = new Proxy(self.Blob, {construct(Blob, [list, ...rest]) {
  if (armed && list[0]?.length >= 1 << 22) {
    armed = false;
    postMessage({exit: 2, text: 'so to speak, in the middle of a checkpoint'});
  }
  return new Blob(list, ...rest);
}});
export {};
