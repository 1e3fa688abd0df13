// Which data: the examples as cards, or the reader's own files.
import {h, setText} from './dom.js';

const EDGES = `1 1 2 1
1 2 3 1
2 1 3 2.5`;
const LAYERS = `layerID layerLabel
1 lunch
2 work`;
const NODES = `nodeID nodeLabel
1 Ana
2 Ben
3 Cleo`;
const LABELS = `nodeID,team,floor
1,blue,ground
2,blue,first
3,red,`;

/**
 * createPicker(el, {examples, onExample, onFiles}) -> {show}
 *
 * onExample(name); onFiles([File]), at least one.
 * show({data, title, files}) marks what is open.
 */
export function createPicker(el, {examples, onExample, onFiles}) {
  const input = h('input', {type: 'file', multiple: true, class: 'unseen', id: 'open-files', onchange: () => {
    take([...input.files]);
    input.value = '';
  }});
  const own = h('p', {class: 'card-note', id: 'files-note'});
  const cards = examples.map(e => {
    const radio = h('input', {type: 'radio', name: 'data', value: e.name, onchange: () => onExample(e.name)});
    return {e, radio, el: h('label', {class: 'card'}, radio, h('span', {}, h('strong', {}, e.title), h('span', {class: 'card-note'}, e.sentence)))};
  });
  const drop = h('div', {class: 'card files', id: 'drop'},
    h('span', {}, h('strong', {}, 'Your own files'), own), h('label', {class: 'button', for: 'open-files'}, 'Open files'), input);
  const help = h('details', {class: 'format'}, h('summary', {}, 'Which files?'),
    h('p', {}, 'One file of edges, without a header: the layer, two nodes and a weight of at least 0 on each line.'),
    h('pre', {}, EDGES),
    h('p', {}, 'If you have them: the names of the layers, the names of the nodes,'),
    h('pre', {}, LAYERS), h('pre', {}, NODES),
    h('p', {}, 'and labels, one column for each set, which are never trained on. An empty cell or NA is a missing label.'),
    h('pre', {}, LABELS),
    h('p', {}, 'Choose all of them together, or drop them anywhere on this page. They are read here and sent nowhere. An exported run opens here too.'));
  el.append(h('fieldset', {class: 'cards'}, h('legend', {class: 'unseen'}, 'Example'), cards.map(c => c.el)), drop, help);

  function take(files) {
    if (files.length) onFiles(files);
  }

  // The whole page takes dropped files.
  const carriesFiles = e => [...(e.dataTransfer?.types || [])].includes('Files');
  addEventListener('dragover', e => {
    if (!carriesFiles(e)) return;
    e.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', e => { if (!e.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', e => {
    if (!carriesFiles(e)) return;
    e.preventDefault();
    document.body.classList.remove('dropping');
    take([...e.dataTransfer.files]);
  });

  return {
    show({data, files}) {
      for (const c of cards) {
        c.radio.checked = c.e.name === data;
        c.el.classList.toggle('chosen', c.e.name === data);
      }
      drop.classList.toggle('chosen', data === 'files');
      setText(own, data === 'files' && files?.length ? 'Open: ' + files.map(f => f.name).join(', ') : 'A multiplex graph as text files.');
    },
  };
}
