// What the bundler and the Go programs put in place.

declare const __VERSION__: string;
/** A Go program, by its files as they are and after gzip. */
interface Program {plain: string; packed: string}
declare const __PROGRAMS__: [Program, Program, Program, Program];
declare const __WASM_EXEC__: string;
declare const __WORKER__: string;
declare const __PRECACHE__: string[];
declare const __CONNECTIONS__: string;

declare module '*.wasm' { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }

declare var Go: any;
declare var fs: any;
declare var URLPattern: new (parts: {pathname: string; search: string; baseURL: string}) => object;
declare var FileReaderSync: any;
declare function importScripts(address: string): void;

/** The globals of a worker of the Go programs beyond those of a page. */
interface WorkerScope {
  cademBase: string;
  cademBlobs: any;
  cademYield(callback: () => void): void;
  cademPost(header: string, bytes?: any, blobs?: Blob[]): void;
  cademAnswers: string[];
  cademPrefix: string;
  postMessage(message: any, transfer?: Transferable[]): void;
  [field: string]: any;
}

declare var cadem: any;
declare var cademPage: ((header: string) => void) | null;
declare var trustedTypes: {createPolicy(name: string, rules: {createScriptURL(address: string): string}): {createScriptURL(address: string): string}};

/** The part of uPlot that views/losses.ts uses. */
declare module '*/uPlot.esm.js' {
  export default class uPlot {
    constructor(options: object, rows: (number | null)[][], el: HTMLElement);
    static rangeLog(low: number, high: number, base: number, full: boolean): [number, number];
    readonly width: number;
    readonly height: number;
    readonly over: HTMLElement;
    readonly series: {alpha?: number; show?: boolean}[];
    readonly cursor: {idx?: number | null};
    redraw(rebuild?: boolean, recalculate?: boolean): void;
    setCursor(at: {left: number; top: number}): void;
    setData(rows: (number | null)[][]): void;
    setSize(size: {width: number; height: number}): void;
    valToPos(value: number, scale: string): number;
    destroy(): void;
  }
}
