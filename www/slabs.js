// Arrays in a message: little-endian slabs in one buffer, described in the header (wasm/PROTOCOL.md).
// Every machine that runs a browser is little-endian, so typed arrays are the wire format.

const ARRAYS = {f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array};
const typeOf = data => Object.keys(ARRAYS).find(t => data instanceof ARRAYS[t]);

const aligned = bytes => Math.ceil(bytes / 8) * 8;

/**
 * Packs {name: typed array or Blob, ...} into one fresh buffer; Blobs go along as they are. The arrays named in `lend` are
 * not copied here but in the worker, behind that buffer (whole); each is all that matters in its own buffer, which is transferred.
 */
export function pack(arrays, lend = []) {
  const slabs = [], blobs = [], packed = [], lent = [];
  let size = 0;
  const place = (name, data) => {
    slabs.push({name, type: typeOf(data), shape: [data.length], offset: size});
    size += aligned(data.byteLength);
  };
  for (const [name, data] of Object.entries(arrays)) {
    if (data instanceof Blob) slabs.push({name, type: 'u8', shape: [data.size], offset: 0, blob: blobs.push(data)});
    else if (!lend.includes(name)) {
      packed.push([data, size]);
      place(name, data);
    }
  }
  const all = new Uint8Array(size);
  for (const [data, at] of packed) all.set(bytesIn(data), at);
  for (const name of lend) {
    if (!arrays[name]) continue;
    lent.push({name, at: size, data: arrays[name]});
    place(name, arrays[name]);
  }
  if (slabs.length === 0) return {};
  return {slabs, buffer: all.buffer, blobs, lent};
}

const bytesIn = data => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** The buffer of a message as one array of bytes, with what was lent. */
export function whole(buffer, lent = []) {
  if (lent.length === 0) return new Uint8Array(buffer);
  const last = lent[lent.length - 1], all = new Uint8Array(last.at + last.data.byteLength);
  all.set(new Uint8Array(buffer));
  for (const {at, data} of lent) all.set(bytesIn(data), at);
  return all;
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
