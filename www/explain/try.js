// @ts-check
// Things to try, each with what to look for. An entry names loss terms or data options and the end of their range they
// are moved to, never a number: those are in the option table.

/** @type {Try[]} */
export const TRIES = [
  {
    title: 'Only matching', data: 'syn2', off: ['selfsupervised', 'causal'],
    see: 'The private pictures stay exactly as they were drawn: no loss acts on them.'
      + ' The common one parts into the shared groups all the same: a linear classifier (probe) reads them from it at 1.00.',
  },
  {
    title: 'No matching', data: 'syn2', off: ['matching'],
    see: 'Nothing pulls the layers\u2019 common embeddings together. The matching curve no longer falls, and the common picture stays one cloud (ARI 0.03).',
  },
  {
    title: 'Nothing in common', data: 'syn2', low: 'gamma',
    see: 'Nothing is shared, so watch the common embedding store the groups of all three layers, 3 x 3 x 3 = 27 of them.'
      + ' A linear classifier reads each layer\u2019s own groups from it at 1.00. Matching alone does not keep private things out.',
  },
  {
    title: 'Everything in common', data: 'syn2', high: 'gamma',
    see: 'All layers follow the shared groups, and the common picture falls into three clear clusters (ARI 0.98).'
      + ' The private embeddings show them too (ARI 0.4 to 0.5), trained or not: nothing keeps shared things out of them.',
  },
  {
    title: 'What training adds', data: 'syn1',
    see: 'In the table of scores, the untrained figures in small print are already high: neighbours alone tell much. Read the difference, not the score.',
  },
];
