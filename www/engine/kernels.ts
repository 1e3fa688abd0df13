// Links a Go program with its SIMD kernels (core/base/kernel): the program imports a shim, the kernels import the program's
// memory and fill the shim's table, then the program runs. Without SIMD the program uses its own loops, with the same
// bits.
import kernel from '../../core/base/kernel/simd/kernel.wasm';
import shim from '../../core/base/kernel/simd/shim.wasm';

/** Whether this machine has them. */
export const vectors = WebAssembly.validate(kernel);

/** Instantiates a compiled program for `go`, ready to run. */
export async function link(go: any, module: WebAssembly.Module) {
  const {exports} = await WebAssembly.instantiate(await WebAssembly.compile(shim));
  const instance = await WebAssembly.instantiate(module, {...go.importObject, kern: {...exports, ready: () => Number(vectors)}});
  const its = instance.exports as {mem: WebAssembly.Memory}, table = exports as {t: WebAssembly.Table};
  if (vectors) await WebAssembly.instantiate(await WebAssembly.compile(kernel), {go: {mem: its.mem}, shim: {t: table.t}});
  return instance;
}
