/** An answer `ok: false`, or the end of the program that should have answered (code "exited"). */
import type {Failure} from '../types.js';

export interface RequestError extends Failure {}
export class RequestError extends Error {
  constructor({message, ...why}: Failure) {
    super(message);
    Object.assign(this, why);
  }
}
