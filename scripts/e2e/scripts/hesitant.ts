// Has requests to open data wait in the worker of the compute program while they are held, and tells when there are two.
const line = new BroadcastChannel('e2e');
let role = '', held: object[] | null = null;
addEventListener('message', e => {
  if (e.data.start) role = e.data.role;
  if (!held || !e.data.header || JSON.parse(e.data.header).kind !== 'open') return;
  e.stopImmediatePropagation();
  held.push(e.data);
  if (held.length === 2) line.postMessage('two held');
});
line.onmessage = ({data}) => {
  if (role !== 'compute') return;
  if (data === 'hold') held = [];
  else if (data === 'release') {
    const waiting = held ?? [];
    held = null;
    for (const data of waiting) dispatchEvent(new MessageEvent('message', {data}));
  } else return;
  line.postMessage(data + ' done');
};
export {};
