// Ties each term of the loss to its slider, its curve and its part of the formula: pointing at one lights all.

/** Lets a loss term stand out: everything below root whose data-term names it gets the class "lit", which the style sheet draws. */
export function createHighlight(root: HTMLElement, onTerm: (term: string | null) => void) {
  let current: string | null = null;
  const highlight = (term: string | null) => {
    if (term === current) return;
    current = term;
    for (const el of (root.querySelectorAll('[data-term]') as NodeListOf<HTMLElement>)) {
      el.classList.toggle('lit', term !== null && Boolean(el.dataset.term?.split(' ').includes(term)));
    }
    onTerm(term);
  };
  for (const el of (root.querySelectorAll('.how [data-term]') as NodeListOf<HTMLElement>)) {
    const term = el.dataset.term ?? null;
    for (const on of ['pointerenter', 'focusin']) el.addEventListener(on, () => highlight(term));
    for (const on of ['pointerleave', 'focusout']) el.addEventListener(on, () => highlight(null));
  }
  return highlight;
}
