// @ts-check
// Ties each term of the loss to its slider, its curve and its part of the formula: pointing at one lights all.

/**
 * createHighlight(root, onTerm) -> highlight(term or null)
 *
 * Everything below root whose data-term names it is given the class "lit", which the style sheet draws.
 * @param {HTMLElement} root
 * @param {(term: string | null) => void} onTerm
 */
export function createHighlight(root, onTerm) {
  /** @type {string | null} */
  let current = null;
  /** @param {string | null} term */
  const highlight = term => {
    if (term === current) return;
    current = term;
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-term]'))) {
      el.classList.toggle('lit', term !== null && Boolean(el.dataset.term?.split(' ').includes(term)));
    }
    onTerm(term);
  };
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.how [data-term]'))) {
    const term = el.dataset.term ?? null;
    for (const on of ['pointerenter', 'focusin']) el.addEventListener(on, () => highlight(term));
    for (const on of ['pointerleave', 'focusout']) el.addEventListener(on, () => highlight(null));
  }
  return highlight;
}
