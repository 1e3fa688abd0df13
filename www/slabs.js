// Arrays in a message: little-endian slabs in one buffer, described in the header (wasm/PROTOCOL.md).
// Every machine that runs a browser is little-endian, so typed arrays are the wire format.

const ARRAYS = {f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array};
const typeOf = data => Object.keys(ARRAYS).find(t => data instanceof ARRAYS[t]);

/** Packs {name: typed array, ...} into one fresh buffer. */
export function pack(arrays) {
  const slabs = [];
  let size = 0;
  for (const [name, data] of Object.entries(arrays)) {
    slabs.push({name, type: typeOf(data), shape: [data.length], offset: size});
    size += Math.ceil(data.byteLength / 8) * 8;
  }
  if (slabs.length === 0) return {};
  const all = new Uint8Array(size);
  Object.values(arrays).forEach((data, i) => all.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), slabs[i].offset));
  return {slabs, buffer: all.buffer};
}

/** Gives the arrays of a message by name, as views of its buffer, each with its `shape`. */
export function unpack(slabs, buffer) {
  const arrays = {};
  for (const s of slabs || []) {
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
