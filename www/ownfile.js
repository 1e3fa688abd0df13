// Reads a file that a person chose.
import {bytes} from './dom.js';
import {RequestError} from './runclient.js';

// More than this in one file would not fit beside its own graph in a tab's 4 GB.
const LARGEST = 512e6;

/** The contents of a File; an error names it. */
export async function readFile(file) {
  const refuse = message => new RequestError({code: 'bad-data', file: file.name, message: `${file.name}: ${message}`});
  if (file.size > LARGEST) throw refuse(`found ${bytes(file.size)}, expected at most ${bytes(LARGEST)} a file`);
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (e) {
    throw refuse(`it could not be read (${e.message})`);
  }
}
