// Blobs for the Go programs. A program refers to every object it has met until its next collection, so intermediate objects stay
// here.
//
// Browsers collect Blobs, and buffers of FileReaderSync, along with arrays and at the pace of arrays: a large file read in windows
// would stay in memory as a whole. An untouched array counts in full, but the machine gives it no memory.

const PER_BYTE = 16;       // bytes of such an array for one that was read or written
const PER_BLOB = 64 << 20; // and at most for a Blob that was made

let reader = null;

/** Makes the browser's collector believe that this much more memory is in use; without room for that it need not. */
function press(bytes: number) {
  try {
    new Uint8Array(bytes);
  } catch {
    // as said
  }
}

function take(blob: Blob) {
  reader ||= new FileReaderSync();
  return new Uint8Array(reader.readAsArrayBuffer(blob));
}

export const blobs = {
  /** Reads a Blob from a position on into `into`, up to its end, and returns the number of bytes. */
  read(blob: Blob, from: number, into: Uint8Array) {
    const bytes = take(blob.slice(from, from + into.length));
    into.set(bytes);
    press(PER_BYTE * bytes.length);
    return bytes.length;
  },

  /**
   * Adds the first n bytes of an array to the parts of a Blob. The browser takes them in its own time, which reading one of them
   * waits for, so that no two full arrays are on their way.
   */
  add(parts: BlobPart[], stage: Uint8Array<ArrayBuffer>, n: number) {
    const part = new Blob([stage.subarray(0, n)]);
    if (n === stage.length) take(part.slice(0, 1));
    parts.push(part);
  },

  /** One Blob of several. */
  join(parts: BlobPart[]) {
    const blob = new Blob(parts);
    press(Math.min(PER_BLOB, PER_BYTE * blob.size));
    return blob;
  },
};
