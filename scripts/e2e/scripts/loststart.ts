// Loses what the page sends first to a worker: no answer comes, and no error.
const {postMessage} = Worker.prototype;
let sent = 0;
Worker.prototype.postMessage = function(this: Worker, ...message: any) { if (sent++ > 0) postMessage.apply(this, message); };
export {};
