package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"cadem/scripts/e2e/drive"
)

// reach is put before the workers' script: it tries to reach another origin in every way that there is, and tells what
// came of it whenever it is asked.
const reach = `(() => {
	const there = '%[1]s', tried = {
		fetch: () => fetch(there + 'fetch', {mode: 'no-cors'}).then(() => 'reached', () => 'refused'),
		xhr: () => new Promise(done => {
			const x = new XMLHttpRequest();
			x.onload = () => done('reached');
			x.onerror = () => done('refused');
			x.open('GET', there + 'xhr');
			x.send();
		}),
		socket: () => new Promise(done => {
			const s = new WebSocket(there.replace('http', 'ws') + 'socket');
			s.onopen = () => done('reached');
			s.onerror = () => done('refused');
		}),
		script: async () => {
			importScripts(there + 'script');
			return 'reached';
		},
		eval: async () => (0, eval)('1') && 'reached',
	};
	const results = Object.entries(tried).map(async ([name, f]) => {
		try {
			return [name, await f()];
		} catch {
			return [name, 'refused'];
		}
	});
	const channel = new BroadcastChannel('reach');
	channel.onmessage = async ({data}) => {
		if (data === 'tell') channel.postMessage({worker: self.name, results: Object.fromEntries(await Promise.all(results))});
	};
})();`

// TestWorkersReachNothing has the workers of a host without headers try to reach another origin: on the very first visit, while
// no service worker is there, and on a later one, under its control.
func TestWorkersReachNothing(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		var hits atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hits.Add(1)
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}))
		defer other.Close()
		s := NewSite(t)
		s.Precede(s.Built.Worker, fmt.Sprintf(reach, other.URL+"/"))
		release := s.Hold("sw.js")
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		for _, visit := range []string{"first", "later"} {
			v.Until(untouch)
			var controlled bool
			v.Read(&controlled, "return Boolean(navigator.serviceWorker.controller)")
			if controlled != (visit == "later") {
				t.Fatalf("the %s visit is under a service worker: %v", visit, controlled)
			}
			var told map[string]map[string]string
			v.Read(&told, `const channel = new BroadcastChannel('reach'), told = {};
channel.onmessage = ({data}) => { if (data.worker) told[data.worker] = data.results; };
while (!told['cadem compute'] || !told['cadem storage']) {
	channel.postMessage('tell');
	await new Promise(f => setTimeout(f, 50));
}
channel.close();
return told;`)
			for worker, results := range told {
				if len(results) != 5 {
					t.Errorf("%s visit, %s tried %v", visit, worker, results)
				}
				for way, what := range results {
					if what != "refused" {
						t.Errorf("%s visit, %s by %s: %s", visit, worker, way, what)
					}
				}
			}
			if n := hits.Load(); n > 0 {
				t.Errorf("%s visit: %d requests came to another origin", visit, n)
			}
			if visit == "first" {
				release()
				v.Until("document.querySelector('#offline-state').textContent.includes('without network')")
				v.Load("?later" + Small.Link())
			}
		}
		if st, want := v.Finish(), Small.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		for _, p := range v.Problems() {
			// What was tried is told as violations of the policy.
			if !strings.Contains(p, "Content Security Policy") && !strings.Contains(p, "Content-Security-Policy") && !strings.Contains(p, "violat") &&
				!strings.Contains(p, "requires 'Trusted") && !strings.Contains(p, other.URL) {
				t.Error(p)
			}
		}
	})
}
