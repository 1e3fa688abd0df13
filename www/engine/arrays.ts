// Arrays in a message: little-endian numbers in one buffer, described in the header (wasm/PROTOCOL.md).
// Every machine that runs a browser is little-endian, so typed arrays are the wire format.

import type {ArrayHeader, Arrays, NumberArray} from '../types.js';

const ARRAYS = {f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array};
type Kind = keyof typeof ARRAYS;

const typeOf = (data: NumberArray) => Object.keys(ARRAYS).find(t => data instanceof ARRAYS[(t as Kind)]) as Kind;

const aligned = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Packs {name: typed array or Blob, ...} into one fresh buffer; Blobs are passed unchanged. */
export function pack(arrays: Arrays): {slabs?: ArrayHeader[], buffer?: ArrayBuffer, blobs?: Blob[]} {
  const slabs: ArrayHeader[] = [];
  const blobs: Blob[] = [];
  const packed: [NumberArray, number][] = [];
  let size = 0;
  for (const [name, data] of Object.entries(arrays)) {
    if (data instanceof Blob) slabs.push({name, type: 'u8', shape: [data.size], offset: 0, blob: blobs.push(data)});
    else {
      packed.push([data, size]);
      slabs.push({name, type: typeOf(data), shape: [data.length], offset: size});
      size += aligned(data.byteLength);
    }
  }
  if (slabs.length === 0) return {};
  const all = new Uint8Array(size);
  for (const [data, at] of packed) all.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
  return {slabs, buffer: all.buffer, blobs};
}

/** Gives the arrays of a message by name, as views of its buffer, each with its `shape`, and its Blobs. */
export function unpack(slabs: ArrayHeader[] | undefined, buffer: ArrayBuffer | undefined, blobs: Blob[] | undefined) {
  const arrays: Arrays = {};
  for (const s of slabs || []) {
    if (s.blob) {
      arrays[s.name] = blobs?.[s.blob - 1];
      continue;
    }
    const n = s.shape.reduce((a, b) => a * b, 1);
    arrays[s.name] = Object.assign(new ARRAYS[s.type](buffer as ArrayBuffer, s.offset, n), {shape: s.shape});
  }
  return arrays;
}

/** Base64 to bytes. */
export function decode64(text: string) {
  const s = atob(text), b = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
  return b;
}

/** Bytes to base64. */
export function encode64(bytes: Uint8Array) {
  let s = '';
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s);
}
