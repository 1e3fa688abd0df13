// Lets the page close the worker of its compute program, which tells nobody, or keep it busy for longer than the page listens.
let role = '';
addEventListener('message', ({data}) => { if (data.start) role = data.role; });
new BroadcastChannel('e2e').onmessage = ({data}) => {
  if (role !== 'compute') return;
  if (data === 'busy') for (const since = performance.now(); performance.now() - since < 25_000;);
  else self.close();
};
export {};
