// What to look for in the run on screen: what is written of an example holds for its own settings, and of all others nobody knows before.

const UNKNOWN =
  'These are not the settings of the example, and what they lead to is written nowhere. After training, the sentences above the scores say what happened.';

/** example is that of the run on screen, null for data of one's own; course says what the run is made of, own what the example usually is made of. */
export const expectation = ({example, course, own}: {
  example: Example | null | undefined; course: string; own: string;
}) => !example?.expect ? '' : course === own ? 'You should see: ' + example.expect : UNKNOWN;
