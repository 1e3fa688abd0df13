// Leaves the page's compute program no memory beyond what it has: its next growth fails. A message that was on its way comes right
// after its end.
const post = self.postMessage.bind(self) as (message: object, ...rest: unknown[]) => void, late = new MessageChannel();
self.postMessage = (message: object, ...rest: unknown[]) => {
  post(message, ...rest);
  if ('exit' in message) late.port2.postMessage(0);
};
late.port1.onmessage = () => self.onmessage?.call(self as unknown as Window, new MessageEvent('message', {data: {header: '{}'}}));

const instantiate = WebAssembly.instantiate as (module: WebAssembly.Module, imports?: WebAssembly.Imports) => Promise<WebAssembly.Instance>;
let starve = () => {};
Object.assign(WebAssembly, {async instantiate(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
  const made = await instantiate.call(WebAssembly, module, imports), grown = imports?.gojs?.['runtime.resetMemoryDataView'];
  const mem = made.exports?.mem;
  if (grown instanceof Function && mem instanceof WebAssembly.Memory) {
    starve = () => {
      for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
        try {
          for (;;) mem.grow(pages);
        } catch {} // less, then
      }
      grown();
    };
  }
  return made;
}});
new BroadcastChannel('e2e').onmessage = ({data}) => { if (data === 'starve' && self.name === 'cadem compute') starve(); };
export {};
