/** An answer `ok: false`, or the end of the program that should have answered (code "exited"). */
export class RequestError extends Error {
  readonly code; readonly file; readonly line; readonly field; readonly options;

  constructor({code, message, file, line, field, options}: Failure) {
    super(message);
    this.code = code;
    this.file = file;
    this.line = line;
    this.field = field;
    this.options = options;
  }
}
