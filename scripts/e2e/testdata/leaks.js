// Every way out of a page that browsers have. It stands before a script of the site, or of a page without a policy, and tries each when it
// is told to. LEAKS holds, by visit, role and way, the address of a listener that counts who comes.
(() => {
  const inPage = 'document' in globalThis, inService = 'ServiceWorkerGlobalScope' in globalThis;
  const role = inPage ? 'page' : inService ? 'service worker' : self.name;
  const once = (target, good, bad) => new Promise((f, r) => { target[good] = () => f(); target[bad] = r; });
  const put = (tag, properties, parent = document.body) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(properties)) k in e ? e[k] = v : e.setAttribute(k, v);
    parent.append(e);
    return e;
  };
  const link = (rel, more) => u => { put('link', {rel, href: u, ...more}, document.head); };
  const styled = property => u => { put('div', {textContent: 'x'}).style.setProperty(property, `url("${u}")`); };
  const drawn = (inner, attribute) => u => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), e = document.createElementNS('http://www.w3.org/2000/svg', inner);
    e.setAttribute(attribute, u);
    svg.append(e);
    document.body.append(svg);
  };
  const ran = value => value === 'ran' && 'ran';

  /** A way is called with an address. What runs code that it was given answers 'ran', which is a leak by itself.
   * @type {Record<string, (u: string) => any>} */
  const everywhere = {
    fetch: u => fetch(u, {mode: 'no-cors'}),
    keepalive: u => fetch(u, {mode: 'no-cors', method: 'POST', body: 'x', keepalive: true}),
    xhr: u => { const x = new XMLHttpRequest(); x.open('GET', u); x.send(); },
    websocket: u => { new WebSocket(u.replace('http', 'ws')); },
    eventsource: u => { new EventSource(u); },
    webtransport: u => new WebTransport(u.replace('http', 'https')).ready,
    webrtc: async u => {
      const c = new RTCPeerConnection({iceServers: [{urls: 'stun:' + new URL(u).host}]});
      c.createDataChannel('x');
      await c.setLocalDescription(await c.createOffer());
    },
    font: u => new FontFace('leak', `url("${u}")`).load(),
    cache: async u => (await caches.open('leaks')).add(new Request(u, {mode: 'no-cors'})),
    import: u => import(u),
    eval: () => ran((0, eval)("'ran'")),
    function: () => ran(Function("return 'ran'")()),
    'blob worker': async () => {
      const w = new Worker(URL.createObjectURL(new Blob(["postMessage('ran')"], {type: 'text/javascript'})));
      await once(w, 'onmessage', 'onerror');
      return 'ran';
    },
    'data worker': async () => {
      const w = new Worker("data:text/javascript,postMessage('ran')");
      await once(w, 'onmessage', 'onerror');
      return 'ran';
    },
  };
  const page = {
    beacon: u => { navigator.sendBeacon(u, 'x'); },
    image: u => { put('img', {src: u}); },
    srcset: u => { put('img', {srcset: u + ' 2x, ' + u + ' 1x'}); },
    css: styled('background-image'),
    cursor: styled('cursor'),
    mask: styled('mask-image'),
    'css import': u => { put('style', {textContent: `@import url("${u}");`}, document.head); },
    stylesheet: link('stylesheet'),
    script: u => { put('script', {src: u}); },
    'inline script': () => { put('script', {textContent: 'globalThis.leaked = "ran"'}); return ran(globalThis.leaked); },
    html: u => { put('div', {innerHTML: `<img src="${u}">`}); },
    speculation: u => { put('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{source: 'list', urls: [u]}]})}); },
    audio: u => { put('audio', {src: u, preload: 'auto'}); },
    video: u => { put('video', {poster: u}); },
    object: u => { put('object', {data: u}); },
    embed: u => { put('embed', {src: u}); },
    frame: u => { put('iframe', {src: u}); },
    'svg image': drawn('image', 'href'),
    form: u => {
      put('iframe', {name: 'leak'});
      put('form', {action: u, method: 'post', target: 'leak'}).submit();
    },
    ping: u => { put('a', {href: '#leak', ping: u, textContent: 'x'}).click(); },
    preload: link('preload', {as: 'image'}),
    modulepreload: link('modulepreload'),
    prefetch: link('prefetch'),
    prerender: link('prerender'),
    preconnect: link('preconnect'),
    icon: link('icon'),
    'timer of text': () => new Promise((f, r) => { globalThis.leakRan = () => f('ran'); setTimeout('leakRan()'); setTimeout(r, 500); }),
  };
  const worker = {importScripts: u => importScripts(u)};
  const ways = inPage ? {...everywhere, ...page} : inService ? everywhere : {...everywhere, ...worker};

  const patient = (/** @type {Promise<any>} */ p) => Promise.race([p, new Promise(f => setTimeout(f, 1500, 'nothing'))]);
  const begun = new Set();
  async function attempt(/** @type {string} */ visit) {
    if (begun.has(visit)) return; // the page asks until everyone has told
    begun.add(visit);
    const told = await Promise.all(Object.entries(ways).map(async ([way, go]) => {
      try {
        return [way, String(await patient(Promise.resolve(go(`http://${LEAKS[visit][role][way]}/${visit}`))))];
      } catch (e) {
        return [way, String(e)];
      }
    }));
    await new Promise(f => setTimeout(f, 500));
    const channel = new BroadcastChannel('leaks');
    channel.postMessage({role, told: Object.fromEntries(told)});
    setTimeout(() => channel.close(), 1000);
  }
  if (inService) addEventListener('message', e => { if (e.data.leaks) e.waitUntil(attempt(e.data.leaks)); });
  else new BroadcastChannel('leaks').onmessage = ({data}) => { if (data.leaks) attempt(data.leaks); };
})();
