// The page's address.
export const hash = () => location.hash;
export const any = () => location.hash.length > 1;
export const has = (part: string) => location.hash.includes(part);
export const go = (hash: string) => { location.hash = hash; };
export const add = (part: string) => { location.hash += part; };
export const replace = (part: string, by: string) => { location.hash = location.hash.replace(part, by); };
export const place = (name: string) => has('place=' + name);
/** Whether it names an epoch or a pace. */
export const placed = () => /(at|pace)=/.test(location.hash);
export const axes = () => /view[.](axes|of)/.test(location.hash);
export const query = () => location.search !== '';
