// The training step in TensorFlow.js, in a worker: {form, steps} is answered with {ms} a step, and {form, check} with the
// losses of the first steps. Tensors are tidied, variables updated in place by two Adam optimisers (heads and encoders have
// rates of their own), nothing is read back while it is timed, and a form is warmed up by its caller.
//
// Forms: natural (Z W1) W2; reassociated Z (W1 W2); pooled, where the pooled rows of Z are formed once and the private branch
// never visits the nodes.
'use strict';
importScripts('tf.min.js', 'tf-backend-wasm.min.js');

let problem = null;
const runs = {};

async function load() {
  tf.wasm.setWasmPaths('./');
  await tf.setBackend('wasm');
  await tf.ready();
  const header = await (await fetch('../problem.json')).json();
  const data = await (await fetch('../problem.bin')).arrayBuffer();
  const array = name => {
    const {offset, shape} = header.arrays[name];
    return tf.tensor(new Float32Array(data, offset, shape.reduce((a, b) => a * b, 1)), shape);
  };
  return {...header, array};
}

/** A matrix that picks rows: n of them from a total. */
const rows = (list, total) => tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(list, 'int32'), total), 'float32'));

function create(form) {
  const p = problem, {N, augmented: A} = p, all = N * (A + 1);
  const {add, concat, div, matMul, mean, mul, square, sub, sum} = tf;
  const variables = {};
  for (const name of Object.keys(p.arrays)) if (/W|^b|\.b/.test(name)) variables[name] = tf.variable(p.array(name), true, `${form}/${name}`);
  const v = name => variables[name];
  const layers = Array.from({length: N}, (_, l) => {
    const z = p.array('Z.' + l), pool = p.array('pool.' + l);
    return {z, pool, pooled: matMul(pool, z), count: sum(pool, 1, true), noise: {c: p.array('noise_c.' + l), p: p.array('noise_p.' + l)}};
  });
  const S = p.array('S');
  // Rows of all pooled graphs, layer after layer: the augmented ones and the whole layers.
  const index = [[], []], classes = [[], []];
  for (let l = 0; l < N; l++) {
    for (let i = 0; i <= A; i++) {
      index[Number(i === A)].push(l * (A + 1) + i);
      classes[Number(i === A)].push(l);
    }
  }
  const pick = index.map(list => rows(list, all)), want = classes.map(list => rows(list, N));
  const partner = p.pairs.map(step => step.map((perm, g) => rows(perm.map(i => index[g][i]), all)));

  const node = (l, e) => {
    const {z} = layers[l], w1 = v(`l${l}.W1${e}`), w2 = v(`l${l}.W2${e}`);
    return add(form === 'natural' ? matMul(matMul(z, w1), w2) : matMul(z, matMul(w1, w2)), v(`l${l}.b${e}`));
  };
  const entropy = (logits, g) => tf.neg(mean(sum(mul(want[g], tf.logSoftmax(logits)), 1)));
  const terms = step => {
    const far = [], h = {c: [], p: []};
    for (let l = 0; l < N; l++) {
      const {pool, pooled, count, noise} = layers[l];
      const c = node(l, 'c');
      far.push(sum(square(sub(c, S))));
      for (const e of 'cp') {
        const total = form === 'pooled' ? add(matMul(pooled, matMul(v(`l${l}.W1${e}`), v(`l${l}.W2${e}`))), mul(count, v(`l${l}.b${e}`)))
          : matMul(pool, e === 'c' ? c : node(l, e));
        h[e].push(add(total, noise[e]));
      }
    }
    const hc = concat(h.c), hp = concat(h.p), selfsupervised = [], causal = [];
    for (const g of [0, 1]) {
      const own = matMul(pick[g], hp), other = matMul(partner[step][g], hc);
      selfsupervised.push(entropy(add(matMul(own, v('Wphi')), v('bphi')), g));
      causal.push(entropy(add(matMul(add(own, other), v('Wpsi')), v('bpsi')), g));
    }
    return [div(tf.addN(far), p.M), tf.addN(selfsupervised), tf.addN(causal)];
  };
  const total = t => tf.addN(t.map((x, i) => mul(x, p.weights[i])));

  const names = Object.keys(variables), head = name => !name.includes('.');
  const parts = [[p.lr_heads, names.filter(head)], [p.lr_encoders, names.filter(n => !head(n))]]
    .map(([rate, list]) => ({optimiser: tf.train.adam(rate, 0.9, 0.999, 1e-8), list}));
  let step = 0;
  return {
    step() {
      tf.tidy(() => {
        const {grads} = tf.variableGrads(() => total(terms(step % p.pairs.length)), Object.values(variables));
        for (const {optimiser, list} of parts) {
          optimiser.applyGradients(list.map(name => ({name: `${form}/${name}`, tensor: grads[`${form}/${name}`]})));
        }
      });
      step++;
    },
    losses: () => tf.tidy(() => {
      const t = terms(step % p.pairs.length);
      const [sum, ...parts] = [total(t), ...t].map(x => x.dataSync()[0]);
      return [...parts, 0, sum]; // 0: private matching, which is off
    }),
    settle: () => variables.bphi.dataSync(),
  };
}

onmessage = async ({data: {form, steps, check}}) => {
  try {
    problem ||= await load();
    runs[form] ||= create(form);
    const run = runs[form];
    if (check) {
      const losses = [];
      for (let i = 0; i < check; i++) {
        losses.push(run.losses());
        run.step();
      }
      postMessage({losses, version: tf.version.tfjs, simd: await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT')});
      return;
    }
    const began = performance.now();
    for (let i = 0; i < steps; i++) run.step();
    run.settle();
    postMessage({ms: (performance.now() - began) / steps, tensors: tf.memory().numTensors});
  } catch (e) {
    postMessage({error: String(e?.stack ?? e)});
  }
};
