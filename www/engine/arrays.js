// Arrays in a message: little-endian slabs in one buffer, described in the header (wasm/PROTOCOL.md).
// Every machine that runs a browser is little-endian, so typed arrays are the wire format.

const ARRAYS = {f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array};
const typeOf = data => Object.keys(ARRAYS).find(t => data instanceof ARRAYS[t]);

const aligned = bytes => Math.ceil(bytes / 8) * 8;

/** Packs {name: typed array or Blob, ...} into one fresh buffer; Blobs go along as they are. */
export function pack(arrays) {
  const slabs = [], blobs = [], packed = [];
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

/** Gives the arrays of a message by name, as views of its buffer, each with its `shape`, and its Blobs as they are. */
export function unpack(slabs, buffer, blobs) {
  const arrays = {};
  for (const s of slabs || []) {
    if (s.blob) {
      arrays[s.name] = blobs[s.blob - 1];
      continue;
    }
    const n = s.shape.reduce((a, b) => a * b, 1);
    const data = new ARRAYS[s.type](buffer, s.offset, n);
    data.shape = s.shape;
    arrays[s.name] = data;
  }
  return arrays;
}

/** Base64 to bytes. */
export function decode64(text) {
  const s = atob(text), b = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
  return b;
}
