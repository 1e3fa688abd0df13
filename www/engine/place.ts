/** Where the files of this site are: beside the page, or wherever a page of one's own has them. */
export const place = {base: new URL('.', document.baseURI).href};

/** The address of a file of the site. */
export const addressOf = (name: string) => new URL(name, place.base).href;
