// Layers of arrays as the file that the program reads: NumPy arrays in an uncompressed zip archive. It is a Blob of the arrays,
// without a copy before it is sent.

import {crc} from './crc.js';
import type {NumberArray} from '../types.js';

const TYPES = [[Float32Array, '<f4'], [Float64Array, '<f8'], [Int32Array, '<i4'], [Uint8Array, '|u1']] as [any, string][];

const sum = (parts: Uint8Array[]) => parts.reduce((before, part) => crc(part, before), 0);

const utf8 = (text: string) => new TextEncoder().encode(text);

function member(values: NumberArray | string[], shape: number[]) {
  let type, bytes;
  if (Array.isArray(values)) { // text of one width, in UTF-32
    const chars = values.map(v => Array.from(v, c => c.codePointAt(0) as number));
    const width = Math.max(1, ...chars.map(c => c.length));
    const all = new Uint32Array(width * values.length);
    chars.forEach((c, i) => all.set(c, i * width));
    [type, bytes] = [`<U${width}`, new Uint8Array(all.buffer)];
  } else {
    type = TYPES.find(([kind]) => values instanceof kind)?.[1];
    if (!type) throw new TypeError(`found ${Object.prototype.toString.call(values)}, expected a Float32Array, Float64Array, Int32Array or Uint8Array`);
    bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  }
  let head = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  head = head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11) + '\n';
  return [Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length & 255, head.length >> 8), utf8(head), bytes];
}

/** A zip archive of arrays by name, each with its shape, as a Blob. */
export function npz(arrays: Record<string, {values: NumberArray | string[], shape: number[]}>) {
  const parts: Uint8Array[] = [], listed = [];
  let at = 0, list = 0;
  for (const [name, {values, shape}] of Object.entries(arrays)) {
    const data = member(values, shape), path = utf8(name + '.npy');
    const size = data.reduce((n, part) => n + part.length, 0);
    const field = new DataView(new ArrayBuffer(26)); // version, flags (names in UTF-8), method, time, date, sum, sizes, lengths
    field.setUint16(0, 20, true);
    field.setUint16(2, 0x800, true);
    field.setUint16(8, 0x21, true);
    field.setUint32(10, sum(data), true);
    field.setUint32(14, size, true);
    field.setUint32(18, size, true);
    field.setUint16(22, path.length, true);
    const fields = new Uint8Array(field.buffer);
    const last = new DataView(new ArrayBuffer(14));
    last.setUint32(10, at, true);
    const entry = [Uint8Array.of(0x50, 0x4b, 3, 4), fields, path, ...data];
    at += 30 + path.length + size;
    parts.push(...entry);
    listed.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), fields, new Uint8Array(last.buffer), path);
    list += 46 + path.length;
  }
  const end = new DataView(new ArrayBuffer(22)), count = Object.keys(arrays).length;
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, count, true);
  end.setUint16(10, count, true);
  end.setUint32(12, list, true);
  end.setUint32(16, at, true);
  return new Blob([...parts, ...listed, new Uint8Array(end.buffer)] as BlobPart[]);
}
