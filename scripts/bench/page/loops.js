// Runs the program of scripts/bench/loops/tab in a worker, with the site's kernels.
import {link} from '../../../www/engine/kernels.js';

importScripts('../shipped/' + __WASM_EXEC__);

const up = (async () => {
  const go = new Go();
  go.run(await link(go, await WebAssembly.compileStreaming(fetch('program.wasm'))));
})();

self.onmessage = async ({data}) => {
  try {
    await up;
    self.postMessage(data.method ? self.learn(data) : self.loop(data));
  } catch (e) {
    self.postMessage({error: String(e.stack)});
  }
};
