"""A run as a page of its own, with the module of docs/javascript.md and its programs inside."""
import base64
import html
import json
import os
import pathlib

from ._command import ROOT

# The module takes its files from the page, the worker the script of Go from in front of its own.
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>CaDeM</title>
<style>body{font:14px sans-serif}figure{display:inline-block}canvas{display:block;border:1px solid}</style>
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
const {names, byName} = await run.picture(), [classes = []] = Object.values(graph.labels), size = 220;
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
const called = i => graph.nodes?.[i] ?? `node ${i}`;
const asked = async node => {
  const {terms, bias, mean} = await run.explain(node, {most: 5});
  const list = [...terms.map(t => [called(t.node), t]), ['the bias', bias], ['the mean', mean]]
    .map(([who, {share}]) => `${who} (${Math.round(100 * share)} %)`);
  say.textContent = `What makes the place of ${called(node)} in S: ${list.join(', ')}.`;
};
for (const name of names) {
  const xy = byName[name], [figure, canvas] = ['figure', 'canvas'].map(kind => document.createElement(kind));
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
    const far = i => (at(i, 0) - e.offsetX) ** 2 + (at(i, 1) - e.offsetY) ** 2;
    const near = [...Array(xy.length / 2).keys()].reduce((a, i) => far(i) < far(a) ? i : a);
    asked(near).catch(e => { say.textContent = e.message; });
  };
}
say.textContent = `${run.hash}: a click on a node says what makes its place.`;
</script></html>"""


def page(run, others):
    """Returns the page of a run; others says that it is one of another method than CaDeM."""
    own, clone = pathlib.Path(__file__).parent / "site", ROOT and pathlib.Path(ROOT, "dist")
    kinds = ["cadem.js", "worker.*.js", "wasm_exec.*.js", "whole.*.gz", *["methods.*.gz"] * others]
    for folder in filter(None, (os.environ.get("CADEM_SITE"), own, clone)):
        found = [path for kind in kinds for path in sorted(pathlib.Path(folder).glob(kind))]
        if len(found) == len(kinds):
            held = {path.name: path for path in found} | {"run.zip": pathlib.Path(run)}
            files = {name: base64.b64encode(path.read_bytes()).decode() for name, path in held.items()}
            return _PAGE.replace("FILES", json.dumps(files))
    raise FileNotFoundError("found no module of the page, expected a wheel of `make wheel`, "
                            "`make dist` in a clone, or its folder in CADEM_SITE")


class Framed:
    """What a notebook shows as a frame."""

    def __init__(self, page):
        self.page = page

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="620"></iframe>'
