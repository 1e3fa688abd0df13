package drive

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

// ownHosts are hosts that a fresh browser asks on its own account, whatever
// the page, and that no setting keeps it from. A page that asked one of them
// would still show in its own list of resources and break the policy.
var ownHosts = []string{
	"accounts.google.com", "android.clients.google.com", "clients2.google.com", "update.googleapis.com", "optimizationguide-pa.googleapis.com",
	"start.duckduckgo.com", "www.google.com", // new tabs of Debian's Chromium
	"firefox.settings.services.mozilla.com",
}

// A proxy refuses every request and remembers it, unless it is the browser's
// own. Browsers leave it out for loopback addresses, so only requests to
// other machines come here.
type proxy struct {
	addr string
	srv  *http.Server
	mu   sync.Mutex
	list []string
}

func startProxy() (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{addr: l.Addr().String()}
	p.srv = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !slices.Contains(ownHosts, host) {
			p.mu.Lock()
			p.list = append(p.list, r.Method+" "+r.RequestURI)
			p.mu.Unlock()
		}
		http.Error(w, "no way out", http.StatusForbidden)
	})}
	go func() { _ = p.srv.Serve(l) }() // ends with stop
	return p, nil
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

// forget drops what was remembered.
func (p *proxy) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = nil
}

func (p *proxy) stop() { _ = p.srv.Close() }
