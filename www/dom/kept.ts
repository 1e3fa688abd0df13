// Small notes that a browser keeps for this site, in localStorage; project pages share an origin, so that the site's folder is part of their names.
const called = (name: string) => `${new URL('.', document.baseURI).pathname}cadem ${name}`;

/** What is kept under a name; '' where there is nothing, or that is not allowed. */
export function kept(name: string) {
  try {
    return localStorage.getItem(called(name)) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text, unless there is no room or that is not allowed. */
export function keep(name: string, text: string) {
  try {
    localStorage.setItem(called(name), text);
  } catch {} // then nothing is missed, and a reader begins anew
}
