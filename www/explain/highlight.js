// Ties each term of the loss to its slider, its curve and its part of the formula: pointing at one lights all.

/**
 * createHighlight(root, onTerm) -> highlight(term or null)
 *
 * Everything below root with data-term takes part; the style sheet draws the rest by the root's data-highlight.
 */
export function createHighlight(root, onTerm) {
  let current = null;
  const highlight = term => {
    if (term === current) return;
    current = term;
    if (term) root.dataset.highlight = term;
    else delete root.dataset.highlight;
    onTerm(term);
  };
  for (const el of root.querySelectorAll('.how [data-term]')) {
    for (const [on, term] of [['pointerenter', el.dataset.term], ['focusin', el.dataset.term], ['pointerleave', null], ['focusout', null]]) {
      el.addEventListener(on, () => highlight(term));
    }
  }
  return highlight;
}
