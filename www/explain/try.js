// Things to try, each with what to look for. An entry names loss terms or data options and the end of their range they
// are moved to, never a number: those are in the option table.

/** {title, data, off: terms whose weight goes to its least value, low, high: data options, see}. */
export const TRIES = [
  {
    title: 'Only matching', data: 'syn2', off: ['selfsupervised', 'causal'],
    see: 'The private pictures stand still: nothing asks anything of them. The common one forms all the same.',
  },
  {
    title: 'No matching', data: 'syn2', off: ['matching'],
    see: 'Nothing pulls the layers\u2019 common embeddings together, and the matching curve no longer falls.',
  },
  {
    title: 'Nothing in common', data: 'syn2', low: 'gamma',
    see: 'Every link now follows its own layer\u2019s groups. Colour by a private label set: that layer\u2019s picture separates, the common one does not.',
  },
  {
    title: 'Everything in common', data: 'syn2', high: 'gamma',
    see: 'All layers follow the shared groups. The common picture falls into clear clusters; private labels are nowhere to be seen.',
  },
  {
    title: 'What training adds', data: 'syn1',
    see: 'In the table of scores the untrained column is already high: neighbours alone tell much. Read the difference, not the score.',
  },
];
