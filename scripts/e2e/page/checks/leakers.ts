// Has the roles of a visit try every way out that testdata/leaks.js knows, and gathers what each has told of them.
export default async (visit: string, roles: string[]) => {
  const channel = new BroadcastChannel('leaks'), told: Record<string, Record<string, string>> = {};
  const ask = () => { // also one whose script has not run yet
    channel.postMessage({leaks: visit});
    navigator.serviceWorker.controller?.postMessage({leaks: visit});
  };
  const asking = setInterval(ask, 250);
  await new Promise<void>(all => {
    channel.onmessage = ({data}) => {
      if (data.role) told[data.role] = data.told;
      if (roles.every(r => told[r])) all();
    };
    ask();
  });
  clearInterval(asking);
  channel.close();
  return told;
};
