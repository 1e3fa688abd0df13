// The lessons. A card promises nothing: its sentence is filled in with the numbers of the reader's own run, its checks say whether they show what
// the card is about, and what follows from that ("so") is told only where they do. measures.ts names the numbers.

const RUNS: Record<string, CardRun> = {
  all: {label: 'all three losses'},
  unmatched: {label: 'w = 0', options: {weight_matching: 0}},
  matched: {label: 'matching alone', options: {weight_selfsupervised: 0, weight_causal: 0}},
  unshared: {label: '\u03b3 = 0', dataOptions: {gamma: 0}},
  shared: {label: '\u03b3 = 1', dataOptions: {gamma: 1}},
  wide: {label: '8 numbers a person', options: {dim: 8}},
  own: {label: 'own pairs, \u03b2 = 50', options: {pairing: 'own', weight_causal: 50}},
  swapped: {label: 'swapped pairs, \u03b2 = 50', options: {weight_causal: 50}},
  syn1: {label: 'Syn1', press: 'Train Syn1', data: 'syn1'},
  syn2: {label: 'Syn2', data: 'syn2'},
  refined: {label: 'refined', preset: 'refined'},
  closed: {label: 'closed form', press: 'Compute the closed form', preset: 'closed'},
  heldOut: {label: 'released, five times without some links', links: 5},
  heldOutClosed: {label: 'closed form, the same', press: 'Compute the closed form five times', preset: 'closed', links: 5},
  syn1refined: {label: 'Syn1, refined', press: 'Train Syn1 as refined', data: 'syn1', preset: 'refined'},
};
const TRAIN: CardRun = {...RUNS.all, press: 'Train'};
const GAMMA = {label: '\u03b3, the part of the links that follows shared groups', choices: [RUNS.unshared, {label: '\u03b3 = 0.5'}, RUNS.shared]};
const ARMS: [Check[], string][] = [
  [[['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]], 'So after as many epochs more of the layer can be read from C with the other losses.'
    + ' They may only have slowed the matching.'],
  [[['all.layer-of-C', '<', 'alone.layer-of-C', 0.05]], 'So after as many epochs less of the layer can be read from C with the other losses,'
    + ' as the paper says.'],
  [[], 'So here the other losses leave C about as matching made it.'],
];
const READ = {label: 'Read from each embedding by', of: 'knows', choices: [['', 'clusters'], ['probe', 'a linear probe']] as [string, string][]};

export const LESSONS: Lesson[] = [
  {title: 'One town, three kinds of links', cards: [
    {
      title: 'The same people, three networks', light: ['layers'], view: {show: 'layers', layers: 'links'},
      text: [
        'These are invented people of a small town. They are linked in three ways: as friends, at work and at lunch.',
        'Each kind of link is a [[layer|layers]]. A person has the same place in every layer.',
      ],
      do: 'Point at a person. With the keyboard, go to a picture and press an arrow key.', hand: 'node',
      see: '{=who} has {links friends|#} friends, {links work|#} colleagues and {links lunch|#} lunch companions.'
        + ' {links-everywhere|#} people are linked to {=who} in all three ways.',
      so: 'So the layers tell different things about the same person.', check: [['links friends', '>', 'links-everywhere']],
    },
    {
      title: 'The same links as a matrix', light: ['layers'], view: {show: 'layers', color: 'labels:shared'},
      look: {label: 'Show layers as', of: 'layers', choices: [['links', 'links'], ['matrices', 'matrices']]},
      text: [
        'Rows and columns of a [[matrix|layers]] are people. A dot is a link.',
        'People of one group stand beside each other. Links inside a group lie in the blocks on the diagonal.',
      ],
      do: 'Show the layers as matrices.', hand: 'view', show: {layers: 'matrices'},
      see: 'Links inside these groups: {inside friends shared|%} of the friends\u2019 links, {inside work shared|%} at work and {inside lunch shared|%} at'
        + ' lunch. Chance alone would put {chance shared|%} there.',
      so: 'So all three layers follow these groups, each in part.',
      check: [['inside friends shared', '>', 'chance shared', 0.1], ['inside work shared', '>', 'chance shared', 0.1],
        ['inside lunch shared', '>', 'chance shared', 0.1]],
    },
    {
      title: 'Groups of one layer alone', light: ['layers'], view: {show: 'layers', layers: 'matrices', color: 'labels:shared'},
      look: {label: 'Sort and colour by the groups of', of: 'color', choices: [['labels:shared', 'before'], ['labels:friends', 'friends']]},
      text: [
        'Every layer has groups of its own as well.',
        'Choose other groups to sort the [[matrices|layers]] by.',
      ],
      do: 'Sort and colour by the groups of friends.', hand: 'view', show: {color: 'labels:friends'},
      see: 'Links inside the groups of friends: {inside friends friends|%} of the friends\u2019 links, {inside work friends|%} at work and'
        + ' {inside lunch friends|%} at lunch. Chance is {chance friends|%}.',
      so: 'So these groups shape the friends\u2019 layer, and the other two do not follow them.',
      check: [['inside friends friends', '>', 'chance friends', 0.1], ['inside work friends', '~', 'chance friends', 0.06],
        ['inside lunch friends', '~', 'chance friends', 0.06]],
    },
    {
      title: 'Which groups hold in all three?', light: ['layers'], view: {show: 'layers', layers: 'matrices', color: 'labels:work'},
      text: ['There are four groupings of these people. Each answer sorts and colours the [[matrices|layers]] by one of them.',
        'A grouping that a layer follows makes blocks on the diagonal.'],
      do: 'Answer the question. A wrong answer costs nothing: look at it.', hand: 'answer',
      ask: {
        question: 'Which grouping makes blocks in all three matrices?', right: 'shared',
        choices: [['work', 'A'], ['friends', 'B'], ['shared', 'C'], ['lunch', 'D']],
      },
      see: 'Links inside the groups of {=answer}: {inside friends @|%} of the friends\u2019 links, {inside work @|%} at work and {inside lunch @|%} at lunch.'
        + ' Chance is {chance @|%}.',
      so: 'All three layers follow it. So a layer mixes what all share with what is its own, and nobody tells the method which is which.',
      check: [['inside friends @', '>', 'chance @', 0.1], ['inside work @', '>', 'chance @', 0.1], ['inside lunch @', '>', 'chance @', 0.1]],
      found: 'What layers share',
    },
  ]},
  {title: 'Common and private', cards: [
    {
      title: 'Numbers for every person', light: ['embeddings'], view: {color: 'labels:shared'},
      text: [
        'The model gives every person a few numbers: [[a common embedding S|embeddings]] and one private embedding P for each layer.',
        'A dot is a person. Dots that lie close have similar numbers. Before training all weights are random.',
      ],
      do: 'Press \u201cReset the model\u201d, so that nothing is learned yet.', runs: {now: {...RUNS.all, press: 'Reset the model', until: 'start'}},
      see: 'Epoch {epoch|#}: {nodes|#} dots in every picture, and nothing has been learned.', check: [['epoch', '~', 0]],
    },
    {
      title: 'Train it', light: ['embeddings', 'knows'], view: {color: 'labels:shared', pace: '10'},
      text: [
        'Training changes the weights in small steps.',
        'S should come to hold what all layers share. K-means cuts the dots into groups, and [[Who knows what|knows]] says how well they match the true ones.',
        'A score of 1 is a perfect match. Chance gives 0.',
      ],
      do: 'Press Train. Watch S for ten seconds.', runs: {now: TRAIN},
      see: 'Clusters in S match the shared groups: {clusters common shared} of 1. Before training it was {clusters-before common shared}.',
      so: 'So training put the shared groups into S.', check: [['clusters common shared', '>', 0.8], ['clusters-before common shared', '<', 0.2]],
      otherwise: [[[['clusters common shared', '>', 'clusters-before common shared', 0.1]], 'So training put something of the shared groups into S.'],
        [[], 'So here training did not put the shared groups into S.']],
      found: 'Did training put the shared groups into S?',
    },
    {
      title: 'What the private embeddings learned', light: ['knows'], view: {knows: null},
      text: ['Each P should hold the groups of its own layer.', 'Compare each filled dot with the open one: that is the untrained model.'],
      do: 'Train, if you have not yet. Then read the rows of P.', runs: {now: TRAIN},
      see: 'Own groups, before and after: friends {clusters-before private_1 friends} and {clusters private_1 friends}, work {clusters-before private_2 work}'
        + ' and {clusters private_2 work}, lunch {clusters-before private_3 lunch} and {clusters private_3 lunch}.',
      so: 'So training taught the private embeddings next to nothing about single people.',
      check: [['clusters private_1 friends', '~', 'clusters-before private_1 friends', 0.1],
        ['clusters private_2 work', '~', 'clusters-before private_2 work', 0.1],
        ['clusters private_3 lunch', '~', 'clusters-before private_3 lunch', 0.1]],
      otherwise: [[[], 'So here training changed what the private embeddings tell of single people.']],
      found: 'Did training teach P the groups of its own layer?',
    },
    {
      title: 'Is anything private left in S?', light: ['knows'], look: READ,
      text: [
        'K-means sees only what is plain. A [[linear probe|knows]] is a small classifier that is given labels and looks harder.',
        'If it cannot find the groups of one layer in S, S is free of them.',
      ],
      do: 'Read by a linear probe.', hand: 'view', show: {knows: 'probe'}, runs: {now: TRAIN},
      see: 'The probe reads from S: shared groups {probe common shared}, of friends {probe common friends}, of work {probe common work},'
        + ' of lunch {probe common lunch}.',
      so: 'So S is nearly free of what is private in this town. The next lesson shows when it is not.',
      check: [['probe common shared', '>', 0.9], ['probe common friends', '<', 0.4], ['probe common work', '<', 0.4], ['probe common lunch', '<', 0.4]],
      otherwise: [[[['probe common shared', '>', 0.9]], 'So here S tells something private as well.'],
        [[], 'So here S lacks some of what is shared.']],
    },
    {
      title: 'Private groups, in sight', light: ['embeddings'], view: {show: 'embeddings', color: 'own'},
      look: {label: 'Colour', of: 'color', choices: [['labels:shared', 'all by the shared groups'], ['own', 'each P by its own groups']]},
      text: [
        'A training called refined finds out first what the layers share, and what is a layer\u2019s own.',
        'Now every P is coloured by the groups of its own layer, in colours of its own.',
      ],
      do: 'Press \u201cTrain with refined\u201d. Then switch the colours to and fro.', runs: {now: RUNS.refined},
      see: 'Clusters in P match the groups of their own layer: friends {clusters private_1 friends}, work {clusters private_2 work}, lunch'
        + ' {clusters private_3 lunch} of 1. Clusters in S match the shared ones: {clusters common shared}.',
      so: 'So what is shared and what is private lie apart: this is what \u201cdisentangled\u201d means.',
      check: [['clusters common shared', '>', 0.9], ['clusters private_1 friends', '>', 0.8], ['clusters private_2 work', '>', 0.8],
        ['clusters private_3 lunch', '>', 0.8]],
      found: 'What a training finds that looks for it first',
      otherwise: [[[], 'So here they do not lie apart as clearly.']],
    },
  ]},
  {title: 'Matching, and what slips through', cards: [
    {
      title: 'Without matching', light: ['pulls', 'term:matching'],
      text: ['[[Matching|term:matching]] pulls the common embeddings of all layers towards one S.', 'Its weight is w.'],
      knob: {label: 'The weight of Matching', choices: [{label: 'w = 1'}, RUNS.unmatched]},
      do: 'Choose w = 0 and train.', runs: {now: RUNS.unmatched},
      see: 'Clusters in S match the shared groups: {clusters common shared} of 1. Untrained it was {clusters-before common shared}.',
      so: 'So without matching S learns nothing about them.', check: [['clusters common shared', '~', 'clusters-before common shared', 0.1]],
      otherwise: [[[], 'So here S tells more or less of them than untrained, although nothing was matched.']],
    },
    {
      title: 'Matching alone', light: ['pulls', 'term:matching'],
      text: ['There are two more losses. Do they help S?', 'Switch both off and compare.'],
      do: 'Train with matching alone, and with all three losses.', runs: {all: RUNS.all, now: RUNS.matched},
      see: 'Clusters in S match the shared groups: {clusters common shared} of 1 with matching alone and {all.clusters common shared} with all three losses.',
      so: 'So matching does this by itself.', check: [['clusters common shared', '~', 'all.clusters common shared', 0.1], ['clusters common shared', '>', 0.8]],
      otherwise: [[[['clusters common shared', '<', 'all.clusters common shared', 0.1]], 'So here the other losses help S.'],
        [[['clusters common shared', '>', 'all.clusters common shared', 0.1]], 'So here S is better without the other losses.'],
        [[], 'So here neither finds all of the shared groups.']],
      found: 'Which loss fills S?',
    },
    {
      title: 'When nothing is shared', light: ['knows', 'layers'], view: {knows: 'probe'},
      text: ['\u03b3 is the part of the links that follow shared groups.', 'Now let it be 0: the layers have nothing in common, and S should be empty.'],
      knob: GAMMA, do: 'Choose \u03b3 = 0 and train.', runs: {now: RUNS.unshared},
      see: 'The probe reads from S, before and after: groups of friends {probe-before common friends} and {probe common friends}, of work'
        + ' {probe-before common work} and {probe common work}, of lunch {probe-before common lunch} and {probe common lunch}.',
      so: 'So S fills with what is private. Matching pulls shared things in; it does not push private things out.',
      check: [['probe common friends', '>', 'probe-before common friends', 0.1], ['probe common work', '>', 'probe-before common work', 0.1],
        ['probe common lunch', '>', 'probe-before common lunch', 0.1]],
      otherwise: [[[], 'So here S does not fill with the groups of all three layers.']],
      found: 'What S holds when nothing is shared',
    },
    {
      title: 'When everything is shared', light: ['knows'], view: {knows: 'probe'},
      text: ['Now let \u03b3 be 1: every layer follows the shared groups, and none has groups of its own.',
        'S should hold them, and the private embeddings should not.'],
      knob: GAMMA, do: 'Choose \u03b3 = 1 and train.', runs: {now: RUNS.shared},
      see: 'The probe reads the shared groups from S at {probe common shared}. It reads them from P\u2081 at {probe private_1 shared}, from P\u2082 at'
        + ' {probe private_2 shared} and from P\u2083 at {probe private_3 shared} as well.',
      so: 'So shared things stay in the private embeddings too: no loss pushes them out.',
      check: [['probe common shared', '>', 0.9], ['probe private_1 shared', '>', 0.25], ['probe private_2 shared', '>', 0.25],
        ['probe private_3 shared', '>', 0.25]],
      otherwise: [[[], 'So here not every one of these four holds them.']],
    },
    {
      title: 'Room for what is private', light: ['knows'], view: {knows: 'probe'},
      text: ['In the town everybody has 4 numbers in S.', 'Two numbers are enough for three groups. What happens when there is more room?'],
      do: 'Train with 4 numbers and with 8.',
      runs: {all: {...RUNS.all, label: '4 numbers a person'}, now: RUNS.wide},
      see: 'The probe reads the groups of friends from S at {all.probe common friends} with 4 numbers and at {probe common friends} with 8;'
        + ' of work {all.probe common work} and {probe common work}; of lunch {all.probe common lunch} and {probe common lunch}.',
      so: 'So S keeps private things out mainly where it has no room for them.',
      check: [['probe common friends', '>', 'all.probe common friends', 0.2], ['probe common work', '>', 'all.probe common work', 0.1],
        ['probe common lunch', '>', 'all.probe common lunch', 0.2]],
      otherwise: [[[], 'So here more room does not let the groups of all three layers in.']],
    },
  ]},
  {title: 'Guess the layer', cards: [
    {
      title: 'A guessing game', light: ['pulls', 'term:selfsupervised'],
      text: [
        'Put some people of one layer into a bag and add up their private embeddings.',
        'The classifier \u03c6 must name the layer of the bag. Its loss is [[the self-supervised one|term:selfsupervised]].',
        'Blind guessing costs ln 3 = 1.10. Small bags and whole layers each cost it once: 2.20.',
      ],
      do: 'Take one step with an untrained model.', runs: {now: {...RUNS.all, press: 'Take one step', until: 'step'}},
      see: 'The first loss is {first-loss selfsupervised}. Blind guessing costs {guessing}.',
      so: 'So \u03c6 begins no better than a blind guesser.', check: [['first-loss selfsupervised', '>', 'guessing']],
      otherwise: [[[], 'So here \u03c6 begins a little better than a blind guesser.']],
    },
    {
      title: 'How hard is it?', light: ['pulls', 'losses', 'term:selfsupervised'],
      text: ['A loss that is nearly 0 asks for no more change.', 'The dotted line under [[Pulls|pulls]] is blind guessing.'],
      do: 'Train.', runs: {now: TRAIN},
      see: '\u03c6 was better than a blind guesser after step {below selfsupervised|#}. Its last loss is {loss selfsupervised}.',
      so: 'So the game is easy, and soon it hardly pulls at anything.', check: [['below selfsupervised', '<', 50], ['loss selfsupervised', '<', 0.01]],
      otherwise: [[[], 'So here the game is not won as soon or as clearly.']],
      found: 'How hard is it to name the layer?',
    },
    {
      title: 'Does it shape single people?', light: ['knows'], view: {knows: 'probe'},
      text: ['A bag is a sum over many people. To tell sums apart says little about who is who.', 'Compare with a run in which no loss acts on P.'],
      do: 'Train with matching alone, and with all three losses.', runs: {all: RUNS.all, now: RUNS.matched},
      see: 'The probe reads own groups from P, without the game and with it: friends {probe private_1 friends} and {all.probe private_1 friends},'
        + ' work {probe private_2 work} and {all.probe private_2 work}, lunch {probe private_3 lunch} and {all.probe private_3 lunch}.',
      so: 'So the game leaves the private embeddings of people about as they were.',
      check: [['probe private_1 friends', '~', 'all.probe private_1 friends', 0.1], ['probe private_2 work', '~', 'all.probe private_2 work', 0.1],
        ['probe private_3 lunch', '~', 'all.probe private_3 lunch', 0.1]],
      otherwise: [[[], 'So here the game changes what a probe reads from P.']],
    },
  ]},
  {title: 'What removes the layer from C?', cards: [
    {
      title: 'Matching alone', light: ['causality', 'term:matching'], view: {show: 'causality'}, scroll: '#causality-layer',
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
      title: 'The back door', light: ['causality', 'term:causal'], view: {show: 'causality'},
      text: [
        'A classifier \u03c8 sees the private part and the common part of a bag. A trace of the layer in the common part is a [[back door|causality]].',
        'With own pairs the door is open. The [[causal loss|term:causal]] trains \u03c8 with common parts of other bags, where the trace misleads.',
      ],
      do: 'Train with own pairs, then with swapped pairs.', runs: {own: RUNS.own, now: RUNS.swapped}, measure: ['exchange'],
      see: '\u03c8 keeps its answer in {own.kept|%} of all swaps of the common part after own pairs, and in {kept|%} after swapped pairs.',
      so: 'So with swapped pairs \u03c8 has learned to answer by the private part.', check: [['kept', '>', 'own.kept', 0.05], ['kept', '>', 0.95]],
      otherwise: [[[['kept', '>', 'own.kept', 0.05]], 'So swapped pairs taught \u03c8 to heed the common part less.'],
        [[], 'So here swapped pairs did not teach \u03c8 to heed the common part less.']],
      found: 'What the causal loss changes',
    },
    {
      title: 'One swap by hand', light: ['causality'], view: {show: 'causality'}, scroll: '.pairings-view',
      text: ['Each cell is one private part beside one common part.', 'The votes of both parts add up to the answer, because \u03c8 is linear.'],
      do: 'Choose a cell beside the diagonal.', hand: 'pair', runs: {now: RUNS.swapped}, measure: ['exchange'],
      see: '{=pair}', check: [['kept', '>', 0]],
    },
    {
      title: 'And what becomes of C?', light: ['causality'], view: {show: 'causality'}, scroll: '#causality-layer',
      text: [
        'The paper says that its losses take the layer out of C.',
        'Have the same model trained with matching alone, and with each of the other losses beside it. Your own run stands above them.',
      ],
      do: 'Press \u201cTrain all four\u201d.', runs: {now: {...RUNS.swapped, press: 'Train all four'}}, measure: ['arms', 'layer'],
      see: 'The classifier names the layer of C in {alone.layer-of-C|%} of the cases with matching alone, in {guess.layer-of-C|%} with the self-supervised'
        + ' loss beside it, in {causal.layer-of-C|%} with the causal loss, and in {all.layer-of-C|%} with both. In your own run it is {layer-of-C|%}.',
      so: 'So after as many epochs more of the layer can be read from C with the causal loss. It may only have slowed the matching.',
      check: [['causal.layer-of-C', '>', 'alone.layer-of-C', 0.05], ['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]],
      otherwise: ARMS,
    },
    {
      title: 'Ignored is not forgotten', light: ['causality', 'term:causal'], view: {show: 'causality'}, scroll: '#causality-layer',
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
      title: 'With the weights of the paper', data: 'syn2', light: ['causality'], view: {show: 'causality'}, scroll: '#causality-layer',
      text: ['In the town \u03b2 was 50, so that its pull can be seen. Syn2 is the paper\u2019s own data set, and 0.5 its own weight.',
        'It has 1000 nodes: this takes a minute. Below stands what became of the paper\u2019s sentence, and with how many seeds.'],
      do: 'Press \u201cTrain all four on Syn2\u201d.', runs: {now: {...RUNS.syn2, press: 'Train all four on Syn2'}}, measure: ['arms', 'layer'],
      see: 'The classifier names the layer of C in {alone.layer-of-C|%} of the cases with matching alone and in {all.layer-of-C|%} with all losses;'
        + ' chance is {layer-by-chance|%}.',
      so: 'So here, too, more of the layer can be read from C with the other losses. They may only have slowed the matching.',
      check: [['all.layer-of-C', '>', 'alone.layer-of-C', 0.05]],
      otherwise: ARMS,
      found: 'What removes the layer from C?',
    },
  ]},
  {title: 'Was it trained, or was it easy?', cards: [
    {
      title: 'High before training', data: 'syn1', light: ['knows'], view: {knows: null},
      text: ['Syn1 is one of the paper\u2019s data sets. Its layers share nothing.', 'Look at the open dots: the same model with its first random weights.'],
      do: 'Train Syn1.', runs: {now: RUNS.syn1},
      see: 'A classifier finds the labels of layer 1 in P\u2081 at {f1 private_1 layer_1}. Untrained it was {f1-before private_1 layer_1}.',
      so: 'So the score is high, and training did not raise it: read the difference, not the score.',
      check: [['f1-before private_1 layer_1', '>', 0.7], ['f1 private_1 layer_1', '~', 'f1-before private_1 layer_1', 0.1]],
      otherwise: [[[['f1 private_1 layer_1', '>', 'f1-before private_1 layer_1', 0.1]], 'So here training raised the score.'],
        [[['f1 private_1 layer_1', '<', 'f1-before private_1 layer_1', 0.1]], 'So here training lowered the score.'],
        [[], 'So here the score was not high before training.']],
      found: 'Was a high score learned?',
    },
    {
      title: 'A refined training', light: ['embeddings', 'knows'], view: {knows: null, color: 'own'},
      knob: {label: 'Training', choices: [{label: 'as released', press: 'Train as released'}, RUNS.refined]},
      text: [
        'The preset refined finds out before training which directions the layers share, and gives S those alone.',
        'A fourth loss draws each P to its layer\u2019s own directions.',
      ],
      do: 'Choose refined and train.', runs: {now: RUNS.refined},
      see: 'Clusters in S match the shared groups: {clusters common shared} of 1. Own groups in P: friends {clusters private_1 friends},'
        + ' work {clusters private_2 work}, lunch {clusters private_3 lunch}. Friends in S, by a probe: {probe common friends}.',
      so: 'So here the two parts are told apart.',
      check: [['clusters common shared', '>', 0.9], ['clusters private_1 friends', '>', 0.8], ['clusters private_2 work', '>', 0.8],
        ['clusters private_3 lunch', '>', 0.8], ['probe common friends', '<', 0.2]],
      otherwise: [[[], 'So here they are not told apart as clearly.']],
    },
    {
      title: 'And without any training?', light: ['embeddings', 'knows'], view: {knows: null, color: 'own'},
      text: ['What refined finds out beforehand is linear algebra. The closed form does that and stops.', 'Does training add anything to it?'],
      do: 'Compute the closed form beside refined.', runs: {now: RUNS.refined, closed: RUNS.closed},
      see: 'Clusters in S match the shared groups: {closed.clusters common shared} of 1 by the closed form and {clusters common shared} by refined.'
        + ' Own groups in P: friends {closed.clusters private_1 friends} and {clusters private_1 friends}, work'
        + ' {closed.clusters private_2 work} and {clusters private_2 work}.',
      so: 'So in this town the closed form does as well. Training is not what tells them apart.',
      check: [['closed.clusters common shared', '>', 'now.clusters common shared', -0.05],
        ['closed.clusters private_1 friends', '>', 'now.clusters private_1 friends', -0.05],
        ['closed.clusters private_2 work', '>', 'now.clusters private_2 work', -0.05]],
      otherwise: [[[], 'So here training adds something to at least one of these.']],
    },
    {
      title: 'And without any labels?', light: [], view: {},
      text: [
        'Links are there where labels are not. Take 15 % of them away, train on the rest, and ask which pairs were linked.',
        'Guessing is right in half of such questions. People with many links have one more often, so degrees are asked, too.',
      ],
      do: 'Have both trained five times, each time without other links.', runs: {now: RUNS.heldOut, closed: RUNS.heldOutClosed},
      see: 'As released, {held-out combined|%} of the answers are right, {held-out-before combined|%} untrained, and {held-out-degrees combined|%} by degrees'
        + ' alone. By the closed form it is {closed.held-out combined|%}.',
      so: 'So training taught something of links that it never saw, and the closed form, which does not train, knows more.',
      check: [['held-out combined', '>', 'held-out-before combined', 0.05], ['held-out-degrees combined', '<', 0.55],
        ['closed.held-out combined', '>', 'held-out combined', 0.05]],
      otherwise: [[[['held-out combined', '>', 'held-out-before combined', 0.05]], 'So training taught something of links that it never saw.'],
        [[], 'So here training taught hardly anything of links that it never saw.']],
    },
    {
      title: 'An honest nothing', data: 'syn1', light: ['knows'], view: {knows: null},
      text: ['The layers of Syn1 share nothing. What should S say of them?', 'Compare what S tells of layer 1 in both trainings.'],
      do: 'Train Syn1 as released and as refined.',
      runs: {all: {...RUNS.syn1, label: 'Syn1, released', press: 'Train Syn1 as released'}, now: RUNS.syn1refined},
      see: 'A classifier finds the labels of layer 1 in S at {all.f1 common layer_1} as released, and at {f1 common layer_1} as refined,'
        + ' whose S has {rank|#} directions.',
      so: 'So as released S holds what is private, and refined says that nothing is shared. Send the address of this card to your class.',
      check: [['all.f1 common layer_1', '>', 0.9], ['f1 common layer_1', '<', 0.4], ['rank', '~', 0]],
      otherwise: [[[['rank', '~', 0]], 'So refined says that nothing is shared.'], [[], 'So here refined finds something shared after all.']],
    },
  ]},
];
