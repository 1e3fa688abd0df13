// Has workers say how much memory their Go programs have, which give none back.
const instantiate = WebAssembly.instantiate as (module: WebAssembly.Module, imports?: WebAssembly.Imports) => Promise<WebAssembly.Instance>;
const line = new BroadcastChannel('heaps');
let memory: WebAssembly.Memory | null = null;
Object.assign(WebAssembly, {async instantiate(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
  const made = await instantiate.call(WebAssembly, module, imports), mem = made.exports?.mem;
  if (mem instanceof WebAssembly.Memory) memory = mem;
  return made;
}});
line.onmessage = ({data}) => { if (data === 'heap?' && memory) line.postMessage({name: self.name, bytes: memory.buffer.byteLength}); };
export {};
