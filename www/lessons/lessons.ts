// The lessons. A card promises nothing: its sentence is filled in with the numbers of the reader's own run, its checks say whether they show what
// the card is about, and what follows from that ("so") is told only where they do. measures.ts names the numbers.

const RUNS: Record<string, CardRun> = {
  all: {label: 'all three losses'},
  unmatched: {label: 'no matching', options: {weight_matching: 0}},
  matched: {label: 'matching alone', options: {weight_selfsupervised: 0, weight_causal: 0}},
  unshared: {label: 'nothing shared', dataOptions: {gamma: 0}},
  shared: {label: 'everything shared', dataOptions: {gamma: 1}},
  wide: {label: '8 numbers a person', options: {dim: 8}},
  own: {label: 'own pairs', options: {pairing: 'own', weight_causal: 50}},
  swapped: {label: 'swapped pairs', options: {weight_causal: 50}},
  syn1: {label: 'Syn1', data: 'syn1'},
  refined: {label: 'refined', preset: 'refined'},
  closed: {label: 'closed form', preset: 'closed'},
  heldOut: {label: 'released, five times without some links', links: 5},
  heldOutClosed: {label: 'closed form, the same', preset: 'closed', links: 5},
  syn1refined: {label: 'Syn1, refined', data: 'syn1', preset: 'refined'},
};

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
      text: [
        'Rows and columns of a [[matrix|layers]] are people. A dot is a link.',
        'People of one group stand beside each other. Links inside a group lie in the blocks on the diagonal.',
      ],
      do: 'Show the layers as matrices.', hand: 'view', show: {layers: 'matrices'},
      see: 'Links inside a shared group: {inside friends shared|%} of the friends\u2019 links, {inside work shared|%} at work and {inside lunch shared|%} at'
        + ' lunch. Chance alone would put {chance shared|%} there.',
      so: 'So all three layers follow these groups, each in part.',
      check: [['inside friends shared', '>', 'chance shared', 0.1], ['inside work shared', '>', 'chance shared', 0.1],
        ['inside lunch shared', '>', 'chance shared', 0.1]],
    },
    {
      title: 'Groups of one layer alone', light: ['layers', 'embeddings'], view: {layers: 'matrices'},
      text: [
        'Every layer has groups of its own as well.',
        'Choose other groups to sort the [[matrices|layers]] by: the field \u201cColour by\u201d is at the [[embeddings|embeddings]].',
      ],
      do: 'Colour by the groups of friends.', hand: 'view', show: {color: 'labels:friends'},
      see: 'Links inside the groups of friends: {inside friends friends|%} of the friends\u2019 links, {inside work friends|%} at work and'
        + ' {inside lunch friends|%} at lunch. Chance is {chance friends|%}.',
      so: 'So these groups shape the friends\u2019 layer, and the other two do not follow them.',
      check: [['inside friends friends', '>', 'chance friends', 0.1], ['inside work friends', '~', 'chance friends', 0.06],
        ['inside lunch friends', '~', 'chance friends', 0.06]],
    },
    {
      title: 'Which groups hold in all three?', light: ['layers', 'embeddings'], view: {layers: 'matrices'},
      text: ['You have seen two sets of groups. There are two more, of work and of lunch.', 'Try each of them under \u201cColour by\u201d before you answer.'],
      do: 'Answer the question.', hand: 'answer',
      ask: {question: 'Which groups are blocks in all three matrices?', choices: ['shared', 'friends', 'work', 'lunch'], right: 'shared'},
      see: 'Links at work inside the groups: shared {inside work shared|%}, of friends {inside work friends|%}, of work {inside work work|%},'
        + ' of lunch {inside work lunch|%}.',
      so: 'So a layer mixes what all share with what is its own. The method should tell the two apart, and nobody tells it the groups.',
      check: [['inside work shared', '>', 'inside work friends', 0.1], ['inside work work', '>', 'inside work lunch', 0.1]],
    },
  ]},
  {title: 'Common and private', cards: [
    {
      title: 'Numbers for every person', light: ['embeddings'], view: {color: 'labels:shared'},
      text: [
        'The model gives every person a few numbers: [[a common embedding S|embeddings]] and one private embedding P for each layer.',
        'A dot is a person. Dots that lie close have similar numbers. Before training all weights are random.',
      ],
      do: 'Press Reset, so that the model is untrained.', runs: {now: {...RUNS.all, until: 'start'}},
      see: 'Epoch {epoch|#}: {nodes|#} dots in every picture, and nothing has been learned.', check: [['epoch', '~', 0]],
    },
    {
      title: 'Train it', light: ['embeddings', 'knows'],
      text: [
        'Training changes the weights in small steps.',
        'S should come to hold what all layers share. K-means cuts the dots into groups, and [[Who knows what|knows]] says how well they match the true ones.',
        'A score of 1 is a perfect match. Chance gives 0.',
      ],
      do: 'Press Train. Watch S.', runs: {now: RUNS.all},
      see: 'S tells the shared groups at {clusters common shared}. Before training it was {clusters-before common shared}.',
      so: 'So training put the shared groups into S.', check: [['clusters common shared', '>', 0.8], ['clusters-before common shared', '<', 0.2]],
    },
    {
      title: 'What the private embeddings learned', light: ['knows'], view: {knows: null},
      text: ['Each P should hold the groups of its own layer.', 'Compare the filled squares with their outlines: the outline is the untrained model.'],
      do: 'Train, if you have not yet. Then read the rows of P.', runs: {now: RUNS.all},
      see: 'Own groups, before and after: friends {clusters-before private_1 friends} and {clusters private_1 friends}, work {clusters-before private_2 work}'
        + ' and {clusters private_2 work}, lunch {clusters-before private_3 lunch} and {clusters private_3 lunch}.',
      so: 'So training taught the private embeddings next to nothing about single people.',
      check: [['clusters private_1 friends', '~', 'clusters-before private_1 friends', 0.1],
        ['clusters private_2 work', '~', 'clusters-before private_2 work', 0.1],
        ['clusters private_3 lunch', '~', 'clusters-before private_3 lunch', 0.1]],
    },
    {
      title: 'Is anything private left in S?', light: ['knows'],
      text: [
        'K-means sees only what is plain. A [[linear probe|knows]] is a small classifier that is given labels and looks harder.',
        'If it cannot find the groups of one layer in S, S is free of them.',
      ],
      do: 'Choose \u201ca linear probe\u201d above the squares.', hand: 'view', show: {knows: 'probe'}, runs: {now: RUNS.all},
      see: 'The probe reads from S: shared groups {probe common shared}, of friends {probe common friends}, of work {probe common work},'
        + ' of lunch {probe common lunch}.',
      so: 'So S is nearly free of what is private in this town. The next lesson shows when it is not.',
      check: [['probe common shared', '>', 0.9], ['probe common friends', '<', 0.4], ['probe common work', '<', 0.4], ['probe common lunch', '<', 0.4]],
    },
  ]},
  {title: 'Matching, and what slips through', cards: [
    {
      title: 'Without matching', light: ['pulls', 'term:matching'],
      text: ['[[Matching|term:matching]] pulls the common embeddings of all layers towards one S.', 'Its weight is w.'],
      do: 'Set the weight of Matching to 0 and train.', runs: {now: RUNS.unmatched},
      see: 'S tells the shared groups at {clusters common shared}; untrained {clusters-before common shared}.',
      so: 'So without matching S learns nothing about them.', check: [['clusters common shared', '~', 'clusters-before common shared', 0.1]],
    },
    {
      title: 'Matching alone', light: ['pulls', 'term:matching'],
      text: ['There are two more losses. Do they help S?', 'Switch both off and compare.'],
      do: 'Train with matching alone, and with all three losses.', runs: {all: RUNS.all, now: RUNS.matched},
      see: 'S tells the shared groups at {clusters common shared} with matching alone and at {all.clusters common shared} with all three losses.',
      so: 'So matching does this by itself.', check: [['clusters common shared', '~', 'all.clusters common shared', 0.1], ['clusters common shared', '>', 0.8]],
    },
    {
      title: 'When nothing is shared', light: ['knows', 'layers'], view: {knows: 'probe'},
      text: ['\u03b3 is the part of the links that follow shared groups.', 'Now let it be 0: the layers have nothing in common, and S should be empty.'],
      do: 'In the Lab, set Gamma to 0 and train. Then come back.', runs: {now: RUNS.unshared},
      see: 'The probe reads from S, before and after: groups of friends {probe-before common friends} and {probe common friends}, of work'
        + ' {probe-before common work} and {probe common work}, of lunch {probe-before common lunch} and {probe common lunch}.',
      so: 'So S fills with what is private. Matching pulls shared things in; it does not push private things out.',
      check: [['probe common friends', '>', 'probe-before common friends', 0.1], ['probe common work', '>', 'probe-before common work', 0.1],
        ['probe common lunch', '>', 'probe-before common lunch', 0.1]],
    },
    {
      title: 'When everything is shared', light: ['knows'], view: {knows: 'probe'},
      text: ['Now let \u03b3 be 1: every layer follows the shared groups, and none has groups of its own.',
        'S should hold them, and the private embeddings should not.'],
      do: 'In the Lab, set Gamma to 1 and train. Then come back.', runs: {now: RUNS.shared},
      see: 'The probe reads the shared groups from S at {probe common shared}. It reads them from P\u2081 at {probe private_1 shared}, from P\u2082 at'
        + ' {probe private_2 shared} and from P\u2083 at {probe private_3 shared} as well.',
      so: 'So shared things stay in the private embeddings too: no loss pushes them out.',
      check: [['probe common shared', '>', 0.9], ['probe private_1 shared', '>', 0.25], ['probe private_2 shared', '>', 0.25],
        ['probe private_3 shared', '>', 0.25]],
    },
    {
      title: 'Room for what is private', light: ['knows'], view: {knows: 'probe'},
      text: ['In the town everybody has 4 numbers in S.', 'Two numbers are enough for three groups. What happens when there is more room?'],
      do: 'In the Lab, set the embedding size to 8 and train. Train with 4 as well, to compare.',
      runs: {all: {...RUNS.all, label: '4 numbers a person'}, now: RUNS.wide},
      see: 'The probe reads the groups of friends from S at {all.probe common friends} with 4 numbers and at {probe common friends} with 8;'
        + ' of work {all.probe common work} and {probe common work}; of lunch {all.probe common lunch} and {probe common lunch}.',
      so: 'So S keeps private things out mainly where it has no room for them.',
      check: [['probe common friends', '>', 'all.probe common friends', 0.2], ['probe common work', '>', 'all.probe common work', 0.1],
        ['probe common lunch', '>', 'all.probe common lunch', 0.2]],
    },
  ]},
  {title: 'Guess the layer', cards: [
    {
      title: 'A guessing game', light: ['pulls', 'term:selfsupervised'],
      text: [
        'Put some people of one layer into a bag and add up their private embeddings.',
        'The classifier \u03c6 must name the layer of the bag. Its loss is [[the self-supervised one|term:selfsupervised]].',
        'Who guesses blindly pays ln 3 for three layers, once for small bags and once for whole layers.',
      ],
      do: 'Press Step once on an untrained model.', runs: {now: {...RUNS.all, until: 'step'}},
      see: 'The first loss is {first-loss selfsupervised}. Blind guessing costs {guessing}.',
      so: 'So \u03c6 begins no better than a blind guesser.', check: [['first-loss selfsupervised', '>', 'guessing']],
    },
    {
      title: 'How hard is it?', light: ['pulls', 'losses', 'term:selfsupervised'],
      text: ['A loss that is nearly 0 asks for no more change.', 'The dotted line under [[Pulls|pulls]] is blind guessing.'],
      do: 'Train.', runs: {now: RUNS.all},
      see: '\u03c6 was better than a blind guesser after step {below selfsupervised|#}. Its last loss is {loss selfsupervised}.',
      so: 'So the game is easy, and soon it hardly pulls at anything.', check: [['below selfsupervised', '<', 50], ['loss selfsupervised', '<', 0.01]],
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
    },
  ]},
  {title: 'Swap the common part', cards: [
    {
      title: 'The back door', light: ['causality'], view: {show: 'causality'},
      text: [
        'A second classifier, \u03c8, sees the private part and the common part of a bag.',
        'If the common part still tells the layer, \u03c8 can cheat with it. That path is the [[back door|causality]].',
        'First leave the door open: every private part meets its own common part, with a large weight \u03b2.',
      ],
      do: 'In the Lab, set Pairing to own and \u03b2 to 50, and train.', runs: {now: RUNS.own}, measure: 'exchange',
      see: '\u03c8 keeps its answer in {kept|%} of all swaps of the common part.',
      so: 'So \u03c8 uses the back door: with another common part it often answers something else.', check: [['kept', '<', 0.95]],
    },
    {
      title: 'Close the door', light: ['causality', 'term:causal'], view: {show: 'causality'},
      text: ['Now \u03c8 is trained with common parts of other bags. This is the [[causal loss|term:causal]].',
        'A trace of the layer in the common part now misleads it.'],
      do: 'In the Lab, set Pairing back to permutation, keep \u03b2 at 50, and train.', runs: {own: RUNS.own, now: RUNS.swapped}, measure: 'exchange',
      see: '\u03c8 keeps its answer in {kept|%} of all swaps. Trained with own pairs it was {own.kept|%}.',
      so: 'So \u03c8 has learned to answer by the private part.', check: [['kept', '>', 'own.kept', 0.05], ['kept', '>', 0.95]],
    },
    {
      title: 'One swap by hand', light: ['causality'], view: {show: 'causality'},
      text: ['Each cell is one private part beside one common part.', 'The votes of both parts add up to the answer, because \u03c8 is linear.'],
      do: 'Choose a cell beside the diagonal.', hand: 'pair', runs: {now: RUNS.swapped}, measure: 'exchange',
      see: '{=pair}', check: [['kept', '>', 0]],
    },
    {
      title: 'Has C forgotten its layer?', light: ['causality'], view: {show: 'causality'},
      text: [
        'An answer that does not depend on C is one thing. A C without any trace of its layer is another.',
        'A fresh classifier looks for the trace while the same training runs again, with own and with swapped pairs.',
      ],
      do: 'Press \u201cTrain and compare\u201d in the causality lab.', runs: {now: RUNS.swapped}, measure: 'comparison',
      see: 'The fresh classifier names the layer of C in {now.read-from-C} of the cases with swapped pairs and in {own.read-from-C} with own pairs.'
        + ' Chance is a third.',
      so: 'So the trace is weaker, and it is still there: \u03c8 ignores it.', check: [['now.read-from-C', '>', 1 / 3, 0.05],
        ['now.read-from-C', '<', 'own.read-from-C', 0.05]],
    },
    {
      title: 'What it costs', light: ['knows', 'term:causal'], view: {knows: null},
      text: ['A loss that pulls harder leaves less for the others.', 'Compare S with the usual \u03b2 of 0.5 and with 50.'],
      do: 'Train with both weights.', runs: {all: {...RUNS.all, label: '\u03b2 0.5'}, now: {...RUNS.swapped, label: '\u03b2 50'}},
      see: 'S tells the shared groups at {all.clusters common shared} with \u03b2 0.5 and at {clusters common shared} with 50.',
      so: 'So a strong causal loss has its price.', check: [['clusters common shared', '<', 'all.clusters common shared', 0.05]],
    },
  ]},
  {title: 'Was it trained, or was it easy?', cards: [
    {
      title: 'High before training', data: 'syn1', light: ['knows'], view: {knows: null},
      text: ['Syn1 is one of the paper\u2019s data sets. Its layers share nothing.', 'Look at the outlines: the same model with its first random weights.'],
      do: 'Train Syn1.', runs: {now: RUNS.syn1},
      see: 'A classifier finds the labels of layer 1 in P\u2081 at {f1 private_1 layer_1}. Untrained it was {f1-before private_1 layer_1}.',
      so: 'So the score is high, and training did not raise it: read the difference, not the score.',
      check: [['f1-before private_1 layer_1', '>', 0.7], ['f1 private_1 layer_1', '~', 'f1-before private_1 layer_1', 0.1]],
    },
    {
      title: 'A refined training', light: ['pulls', 'knows'], view: {knows: null, color: 'labels:shared'},
      text: [
        'The preset refined finds out before training which directions the layers share, and gives S those alone.',
        'A fourth loss draws each P to its layer\u2019s own directions.',
      ],
      do: 'In the Lab, set Preset to refined and train.', runs: {now: RUNS.refined},
      see: 'S tells the shared groups at {clusters common shared}. Own groups in P: friends {clusters private_1 friends}, work {clusters private_2 work},'
        + ' lunch {clusters private_3 lunch}. Friends in S, by a probe: {probe common friends}.',
      so: 'So here the two parts are told apart.',
      check: [['clusters common shared', '>', 0.9], ['clusters private_1 friends', '>', 0.8], ['clusters private_2 work', '>', 0.8],
        ['clusters private_3 lunch', '>', 0.8], ['probe common friends', '<', 0.2]],
    },
    {
      title: 'And without any training?', light: ['knows'], view: {knows: null},
      text: ['What refined finds out beforehand is linear algebra. The closed form does that and stops.', 'Does training add anything to it?'],
      do: 'Compute the closed form beside refined.', runs: {now: RUNS.refined, closed: RUNS.closed},
      see: 'S tells the shared groups at {closed.clusters common shared} by the closed form and at {clusters common shared} by refined. Own groups in P:'
        + ' friends {closed.clusters private_1 friends} and {clusters private_1 friends}, work {closed.clusters private_2 work} and {clusters private_2 work}.',
      so: 'So in this town the closed form does as well. Training is not what tells them apart.',
      check: [['closed.clusters common shared', '>', 'now.clusters common shared', -0.05],
        ['closed.clusters private_1 friends', '>', 'now.clusters private_1 friends', -0.05],
        ['closed.clusters private_2 work', '>', 'now.clusters private_2 work', -0.05]],
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
    },
    {
      title: 'An honest nothing', data: 'syn1', light: ['knows'], view: {knows: null},
      text: ['The layers of Syn1 share nothing. What should S say of them?', 'Compare what S tells of layer 1 in both trainings.'],
      do: 'Train Syn1 as released and as refined.', runs: {all: {...RUNS.syn1, label: 'Syn1, released'}, now: RUNS.syn1refined},
      see: 'A classifier finds the labels of layer 1 in S at {all.f1 common layer_1} as released, and at {f1 common layer_1} as refined,'
        + ' whose S has {rank|#} directions.',
      so: 'So as released S holds what is private, and refined says that nothing is shared. Send the address of this card to your class.',
      check: [['all.f1 common layer_1', '>', 0.9], ['f1 common layer_1', '<', 0.4], ['rank', '~', 0]],
    },
  ]},
];
