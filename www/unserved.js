// @ts-check
// Tells who opened index.html as a file that it takes a server. Modules are not loaded from files, so this is
// a script that needs none, and it runs before the page's own.
if (location.protocol === 'file:') {
  document.documentElement.classList.remove('undecided');
  document.getElementById('unserved')?.removeAttribute('hidden');
  document.querySelector('.layout')?.classList.add('wired'); // which the page's own script would do
  const status = document.getElementById('status');
  if (status) status.textContent = 'Nothing can run here: the page was opened as a file.';
  // Formulas show all their variants here, more than fits: the keyboard scrolls them, too.
  for (const formula of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.formula'))) formula.tabIndex = 0;
}
