// Exercises for a class: what the essay does not take over. One promises nothing: its sentence is filled in with the numbers of the reader's own run,
// its checks say whether they show what it is about, and what follows from that ("so") is said only where they do. measures.ts names the numbers.
// Names are those of the lessons of before, so that links and kept answers still hold.

import type {CardRun, Check, Exercise} from '../types.js';

const RUNS = {
  all: {label: 'all three losses'},
  unmatched: {label: 'w = 0', options: {weight_matching: 0}},
  matched: {label: 'matching alone', options: {weight_selfsupervised: 0, weight_causal: 0}},
  shared: {label: '\u03b3 = 1', dataOptions: {gamma: 1}},
  wide: {label: '8 numbers a person', options: {dim: 8}},
  swapped: {label: 'swapped pairs, \u03b2 = 50', options: {weight_causal: 50}},
  syn2: {label: 'Syn2', data: 'syn2'},
  refined: {label: 'refined', preset: 'refined'},
  closed: {label: 'closed form', press: 'Compute the closed form', preset: 'closed'},
  heldOut: {label: 'released, five times without some links', links: 5},
  heldOutClosed: {label: 'closed form, the same', press: 'Compute the closed form five times', preset: 'closed', links: 5},
} satisfies Record<string, CardRun>;
const ARMS: [Check[], string][] = [
  [[['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]], 'So after as many epochs more of the layer can be read from C with the other losses.'
    + ' They may only have slowed the matching.'],
  [[['all.layer-of-C', '<', 'alone.layer-of-C', 0.05]], 'So after as many epochs less of the layer can be read from C with the other losses,'
    + ' as the paper says.'],
  [[], 'So here the other losses leave C about as matching made it.'],
];

export const EXERCISES: Exercise[] = [
  {
    name: '1.4', title: 'Which groups hold in all three?', light: ['layers'], view: {show: 'layers', layers: 'matrices', color: 'labels:work'},
    text: ['There are four groupings of these people. Each answer sorts and colours the [[matrices|layers]] by one of them.',
      'A grouping that a layer follows makes blocks on the diagonal.'],
    do: 'Answer the question. A wrong answer costs nothing: look at it.',
    ask: {
      question: 'Which grouping makes blocks in all three matrices?', right: 'shared',
      choices: [['work', 'A'], ['friends', 'B'], ['shared', 'C'], ['lunch', 'D']],
    },
    see: 'Links inside the groups of {=answer}: {inside friends @|%} of the friends\u2019 links, {inside work @|%} at work and {inside lunch @|%} at lunch.'
      + ' Chance is {chance @|%}.',
    so: 'All three layers follow it. So a layer mixes what all share with what is its own, and nobody tells the method which is which.',
    check: [['inside friends @', '>', 'chance @', 0.1], ['inside work @', '>', 'chance @', 0.1], ['inside lunch @', '>', 'chance @', 0.1]],
  },
  {
    name: '2.2', title: 'Train it', light: ['embeddings', 'knows'], view: {color: 'labels:shared', pace: '10'},
    text: [
      'Training changes the weights in small steps.',
      'S should come to hold what all layers share. K-means cuts the dots into groups, and [[Who knows what|knows]] says how well they match the true ones.',
      'A score of 1 is a perfect match. Chance gives 0.',
    ],
    do: 'Press Train. Watch S for ten seconds.', runs: {now: {...RUNS.all, press: 'Train'}},
    see: 'Clusters in S match the shared groups: {clusters common shared} of 1. Before training it was {clusters-before common shared}.',
    so: 'So training put the shared groups into S.', check: [['clusters common shared', '>', 0.8], ['clusters-before common shared', '<', 0.2]],
    otherwise: [[[['clusters common shared', '>', 'clusters-before common shared', 0.1]], 'So training put something of the shared groups into S.'],
      [[], 'So here training did not put the shared groups into S.']],
  },
  {
    name: '3.1', title: 'Without matching', light: ['pulls', 'embeddings', 'term:matching'],
    text: ['[[Matching|term:matching]] pulls the common embeddings of all layers towards one S.', 'Its weight is w.'],
    do: 'Train with w = 1, and with w = 0.', runs: {all: {...RUNS.all, label: 'w = 1'}, now: RUNS.unmatched},
    see: 'Clusters in S match the shared groups: {clusters common shared} of 1 with w = 0 and {all.clusters common shared} with w = 1. Untrained it was'
      + ' {clusters-before common shared}.',
    so: 'So without matching S learns nothing about them.', check: [['clusters common shared', '~', 'clusters-before common shared', 0.1]],
    otherwise: [[[], 'So here S knows more or less of them than untrained, although nothing was matched.']],
  },
  {
    name: '3.2', title: 'Matching alone', light: ['pulls', 'embeddings', 'term:matching'],
    text: ['There are two more losses. Do they help S?', 'Switch both off and compare.'],
    do: 'Train with matching alone, and with all three losses.', runs: {all: RUNS.all, now: RUNS.matched},
    see: 'Clusters in S match the shared groups: {clusters common shared} of 1 with matching alone and {all.clusters common shared} with all three losses.',
    so: 'So matching does this by itself.', check: [['clusters common shared', '~', 'all.clusters common shared', 0.1], ['clusters common shared', '>', 0.8]],
    otherwise: [[[['clusters common shared', '<', 'all.clusters common shared', 0.1]], 'So here the other losses help S.'],
      [[['clusters common shared', '>', 'all.clusters common shared', 0.1]], 'So here S is better without the other losses.'],
      [[], 'So here neither finds all of the shared groups.']],
  },
  {
    name: '3.4', title: 'When everything is shared', light: ['knows'], view: {knows: 'probe', color: 'labels:shared'},
    text: ['\u03b3 is the part of the links that follow shared groups. Let it be 1: no layer has groups of its own.',
      'S should hold them, and the private embeddings should not.'],
    do: 'Train with \u03b3 = 1.', runs: {now: RUNS.shared},
    see: 'The probe reads the shared groups from S at {probe common shared}. It reads them from P\u2081 at {probe private_1 shared}, from P\u2082 at'
      + ' {probe private_2 shared} and from P\u2083 at {probe private_3 shared} as well.',
    so: 'So shared things stay in the private embeddings too: no loss pushes them out.',
    check: [['probe common shared', '>', 0.9], ['probe private_1 shared', '>', 0.25], ['probe private_2 shared', '>', 0.25],
      ['probe private_3 shared', '>', 0.25]],
    otherwise: [[[], 'So here not every one of these four holds them.']],
  },
  {
    name: '3.5', title: 'Room for what is private', light: ['knows'], view: {knows: 'probe'},
    text: ['Here everybody has 4 numbers in S.', 'Two numbers are enough for three groups. What happens when there is more room?'],
    do: 'Train with 4 numbers and with 8.',
    runs: {all: {...RUNS.all, label: '4 numbers a person'}, now: RUNS.wide},
    see: 'The probe reads the groups of friends from S at {all.probe common friends} with 4 numbers and at {probe common friends} with 8;'
      + ' of work {all.probe common work} and {probe common work}; of lunch {all.probe common lunch} and {probe common lunch}.',
    so: 'So S keeps private things out mainly where it has no room for them.',
    check: [['probe common friends', '>', 'all.probe common friends', 0.2], ['probe common work', '>', 'all.probe common work', 0.1],
      ['probe common lunch', '>', 'all.probe common lunch', 0.2]],
    otherwise: [[[], 'So here more room does not let the groups of all three layers in.']],
  },
  {
    name: '5.1', title: 'Matching alone, and the layer in C', light: ['causality', 'term:matching'], view: {show: 'causality'}, scroll: '#causality-layer',
    text: [
      'Every layer has a common embedding C of its own. It should not tell which layer it is of.',
      'A [[fresh classifier|causality]] sees bags of people and must name their layer by C alone. Chance is a third.',
    ],
    do: 'Train with matching alone.', runs: {now: RUNS.matched}, measure: ['layer'],
    see: 'The classifier names the layer of C in {layer-of-C|%} of the cases. Before training it was {layer-of-C-before|%}, and chance is'
      + ' {layer-by-chance|%}.',
    so: 'So matching by itself leaves nearly nothing of the layer that a linear classifier finds. One that sees products of numbers may find more.',
    check: [['layer-of-C', '<', 'layer-of-C-before', 0.05], ['layer-of-C', '<', 'layer-by-chance', -0.1]],
    otherwise: [[[['layer-of-C', '<', 'layer-of-C-before', 0.05]], 'So after matching a linear classifier finds less of the layer in C.'],
      [[], 'So here matching leaves in C what a linear classifier finds of the layer.']],
  },
  {
    name: '5.4', title: 'What becomes of C?', light: ['causality'], view: {show: 'causality'}, scroll: '#causality-layer',
    text: [
      'The paper says that its losses take the layer out of C.',
      'Have the same model trained with matching alone, and with each of the other losses beside it. Your run is in the top row.',
    ],
    do: 'Press \u201cTrain all four\u201d.', runs: {now: {...RUNS.swapped, press: 'Train all four'}}, measure: ['arms', 'layer'],
    see: 'The classifier names the layer of C in {alone.layer-of-C|%} of the cases with matching alone, in {guess.layer-of-C|%} with the self-supervised'
      + ' loss beside it, in {causal.layer-of-C|%} with the causal loss, and in {all.layer-of-C|%} with both. In your own run it is {layer-of-C|%}.',
    so: 'So after as many epochs more of the layer can be read from C with the causal loss. It may only have slowed the matching.',
    check: [['causal.layer-of-C', '>', 'alone.layer-of-C', 0.05], ['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]],
    otherwise: ARMS,
  },
  {
    name: '5.5', title: 'Ignored is not forgotten', light: ['causality', 'term:causal'], view: {show: 'causality'}, scroll: '#causality-layer',
    text: [
      'An answer that does not depend on C is one thing. A C without any trace of its layer is another.',
      'Compare \u03b2 = 0.5 with 50: what \u03c8 answers, what a fresh classifier finds, and what is left of S.',
    ],
    do: 'Train with both weights.', measure: ['exchange', 'layer'],
    runs: {all: {...RUNS.all, label: '\u03b2 = 0.5'}, now: {...RUNS.swapped, label: '\u03b2 = 50'}},
    see: 'With \u03b2 = 50 \u03c8 keeps its answer in {kept|%} of all swaps, with 0.5 in {all.kept|%}. The fresh classifier names the layer of C in'
      + ' {layer-of-C|%} and {all.layer-of-C|%} of the cases. Clusters in S match the shared groups: {clusters common shared} and'
      + ' {all.clusters common shared} of 1.',
    so: 'So at this length the layer is still in C: \u03c8 ignores it.',
    check: [['kept', '>', 0.95], ['layer-of-C', '>', 'layer-by-chance', 0.05]],
    otherwise: [[[['layer-of-C', '>', 'layer-by-chance', 0.05]], 'So the layer is still in C, and \u03c8 heeds it now and then.'],
      [[], 'So here the layer is hardly left in C.']],
  },
  {
    name: '5.6', title: 'With the weights of the paper', data: 'syn2', light: ['causality'], view: {show: 'causality'}, scroll: '#causality-layer',
    text: ['In the town \u03b2 was 50, so that its pull can be seen. Syn2 is the paper\u2019s own data set, and 0.5 its own weight.',
      'It has 1000 nodes: this takes a minute. The table below shows whether the paper\u2019s claim held, and with how many seeds.'],
    do: 'Press \u201cTrain all four on Syn2\u201d.', runs: {now: {...RUNS.syn2, press: 'Train all four on Syn2'}}, measure: ['arms', 'layer'],
    see: 'The classifier names the layer of C in {alone.layer-of-C|%} of the cases with matching alone and in {all.layer-of-C|%} with all losses;'
      + ' chance is {layer-by-chance|%}.',
    so: 'So here, too, more of the layer can be read from C with the other losses. They may only have slowed the matching.',
    check: [['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]],
    otherwise: ARMS,
  },
  {
    name: '6.3', title: 'Without any training', light: ['embeddings', 'knows'], view: {knows: null, color: 'own'},
    text: ['What refined finds out beforehand is linear algebra. The closed form does that and stops.', 'Does training add anything to it?'],
    do: 'Compute the closed form beside refined.', runs: {now: RUNS.refined, closed: RUNS.closed},
    see: 'Clusters in S match the shared groups: {closed.clusters common shared} of 1 by the closed form and {clusters common shared} by refined.'
      + ' Own groups in P: friends {closed.clusters private_1 friends} and {clusters private_1 friends}, work'
      + ' {closed.clusters private_2 work} and {clusters private_2 work}.',
    so: 'So in this town the closed form does as well. Training is not what parts them.',
    check: [['closed.clusters common shared', '>', 'now.clusters common shared', -0.05],
      ['closed.clusters private_1 friends', '>', 'now.clusters private_1 friends', -0.05],
      ['closed.clusters private_2 work', '>', 'now.clusters private_2 work', -0.05]],
    otherwise: [[[], 'So here training adds something to at least one of these.']],
  },
  {
    name: '6.4', title: 'Without any labels', light: [], view: {},
    text: [
      'Links are there where labels are not. Take 15 % of them away, train on the rest, and ask which pairs were linked.',
      'Guessing is right in half of such questions. People with many links have one more often, so we also guess by number of links alone.',
    ],
    do: 'Train both five times, hiding different links each time.', runs: {now: RUNS.heldOut, closed: RUNS.heldOutClosed},
    see: 'As released, {held-out combined|%} of the answers are right, {held-out-before combined|%} untrained, and {held-out-degrees combined|%} by degrees'
      + ' alone. By the closed form it is {closed.held-out combined|%}.',
    so: 'So training did learn about links it never saw, and the closed form, which does not train, knows more.',
    check: [['held-out combined', '>', 'held-out-before combined', 0.05], ['held-out-degrees combined', '<', 0.55],
      ['closed.held-out combined', '>', 'held-out combined', 0.05]],
    otherwise: [[[['held-out combined', '>', 'held-out-before combined', 0.05]], 'So training did learn about links it never saw.'],
      [[], 'So here training learned hardly anything about links it never saw.']],
  },
];
