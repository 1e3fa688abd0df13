"""A run as a page of its own, with the module of docs/javascript.md and its programs inside."""
import base64
import html
import json
import os
import pathlib

from ._command import ROOT

# The module takes its files from what is written into the page, the worker its script from in front of itself.
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>CaDeM</title>
<style>body{font:14px sans-serif}figure{display:inline-block;margin:4px}canvas{display:block;border:1px solid #bbb}</style>
<main></main><p role="status">Opening...</p><script type="module">
const files = FILES, bytes = name => Uint8Array.from(atob(files[name]), c => c.charCodeAt(0));
const text = name => new TextDecoder().decode(bytes(name)), say = document.querySelector('p');
const go = text(Object.keys(files).find(name => name.startsWith('wasm_exec.')));
globalThis.fetch = async url => {
  const name = String(url).split('/').pop(), script = name.startsWith('worker.');
  if (!files[name]) return new Response(null, {status: 404});
  return new Response(script ? `${go};self.importScripts = () => {};${text(name)}` : bytes(name));
};
const code = text('cadem.js').replaceAll('import.meta.url', '"https://inside.invalid/"');
const module = await import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
const {graph, run} = await module.load(new File([bytes('run.zip')], 'run.zip'));
const {names, byName} = await run.picture(), classes = Object.values(graph.labels)[0] ?? [], size = 220;
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
const called = i => graph.nodes?.[i] ?? `node ${i}`, of = share => `(${Math.round(100 * share)} %)`;
const asked = async node => {
  const {terms, bias, mean} = await run.explain(node, {most: 5});
  const list = [...terms.map(t => [called(t.node), t.share]), ['the bias', bias.share], ['the mean', mean.share]];
  say.textContent = `What makes the place of ${called(node)} in S: ${list.map(([who, share]) => `${who} ${of(share)}`).join(', ')}.`;
};
for (const name of names) {
  const xy = byName[name], figure = document.createElement('figure'), canvas = document.createElement('canvas');
  const most = xy.reduce((a, v) => Math.max(a, Math.abs(v)), 0) || 1, pen = canvas.getContext('2d');
  const at = (i, k) => size / 2 + (k ? -1 : 1) * (size / 2 - 6) * xy[2 * i + k] / most;
  canvas.width = canvas.height = size;
  figure.append(canvas, name);
  document.querySelector('main').append(figure);
  for (let i = 0; i < xy.length / 2; i++) {
    pen.fillStyle = colours[Math.max(classes[i] ?? 0, 0) % colours.length];
    pen.fillRect(at(i, 0) - 2, at(i, 1) - 2, 4, 4);
  }
  canvas.onclick = e => {
    const far = i => (at(i, 0) - e.offsetX) ** 2 + (at(i, 1) - e.offsetY) ** 2, all = [...Array(xy.length / 2).keys()];
    asked(all.reduce((a, i) => far(i) < far(a) ? i : a, 0)).catch(e => { say.textContent = e.message; });
  };
}
say.textContent = `${run.hash}: a click on a node says what makes its place.`;
</script></html>"""


def page(run, others):
    """Returns the page of a run; others says that it is one of another method than CaDeM."""
    own, clone = pathlib.Path(__file__).parent / "site", ROOT and pathlib.Path(ROOT, "dist")
    kinds = ["cadem.js", "worker.*.js", "wasm_exec.*.js", "whole.*.wasm.gz", *["methods.*.wasm.gz"] * others]
    for folder in filter(None, (os.environ.get("CADEM_SITE"), own, clone)):
        found = [path for kind in kinds for path in sorted(pathlib.Path(folder).glob(kind))]
        if len(found) == len(kinds):
            files = {path.name: path.read_bytes() for path in found} | {"run.zip": pathlib.Path(run).read_bytes()}
            return _PAGE.replace("FILES", json.dumps({k: base64.b64encode(v).decode() for k, v in files.items()}))
    raise FileNotFoundError("found no module of the page, expected a wheel of `make wheel`, `make dist` in a clone, or its folder in CADEM_SITE")


class Framed:
    """What a notebook shows as a frame."""

    def __init__(self, page):
        self.page = page

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="620" style="border:0"></iframe>'
