// Runs a wasm test binary built with the tag simd under node, with the kernels or, with CADEM_SCALAR set, without:
//   GOOS=js GOARCH=wasm go test -tags simd -exec "node scripts/wasmtest/kernels.mjs" ./core/...
import {createRequire} from 'node:module';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import './webcrypto.mjs';

const root = execFileSync('go', ['env', 'GOROOT'], {encoding: 'utf8'}).trim();
const here = path.dirname(fileURLToPath(import.meta.url));
const read = name => fs.readFileSync(path.join(here, '../../core/base/kernel/simd', name));
Object.assign(globalThis, {require: createRequire(import.meta.url), fs, path});
globalThis.require(path.join(root, 'lib/wasm/wasm_exec.js'));

const go = new Go();
go.argv = process.argv.slice(2);
go.env = {HOME: process.env.HOME, PATH: process.env.PATH}; // there is little room for more
go.exit = process.exit;
const {instance: shim} = await WebAssembly.instantiate(read('shim.wasm'));
const on = !process.env.CADEM_SCALAR && WebAssembly.validate(read('kernel.wasm'));
const {instance} = await WebAssembly.instantiate(fs.readFileSync(process.argv[2]), {...go.importObject, kern: {...shim.exports, ready: () => Number(on)}});
if (on) await WebAssembly.instantiate(read('kernel.wasm'), {go: {mem: instance.exports.mem}, shim: {t: shim.exports.t}});
console.log(on ? 'with SIMD kernels' : 'without SIMD kernels');
await go.run(instance);
