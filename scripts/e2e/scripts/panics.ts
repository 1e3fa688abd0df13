// Lets the page end its compute workers at any moment.
let role = '';
addEventListener('message', ({data}) => { if (data.start) role = data.role; });
new BroadcastChannel('e2e').onmessage = ({data}) => { if (data === role) postMessage({exit: 2, text: 'panic: so to speak'}); };
export {};
