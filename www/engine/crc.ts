// The CRC-32 of zip, gzip and PNG.
import {num} from '../dom/nth.js';

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1;
  return n;
});

/** The sum of bytes that come after others, which have the sum `before`. */
export function crc(bytes: Uint8Array, before = 0) {
  let c = ~before;
  for (const b of bytes) c = num(TABLE, (c ^ b) & 255) ^ c >>> 8;
  return ~c >>> 0;
}
