package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"cadem.example/scripts/build/builder"
)

// FuzzSite asks for any path under any name: the answer is a file of the site or a refusal, has the policy, and nothing beside the site
// comes out.
func FuzzSite(f *testing.F) {
	for _, r := range siteRequests {
		f.Add(r.method, r.path, r.host, "gzip", "bytes=0-9")
	}
	f.Add("GET", "/app.2FJ4Q7XA.js", "[::1%25lo]", "gzip;q=0", "bytes=-1,2-")
	s, err := newSite(folder(f), true)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, path, host, encoding, part string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return // the server refuses such a line
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, &http.Request{Method: method, URL: u, Host: host, Header: http.Header{"Accept-Encoding": {encoding}, "Range": {part}}})
		switch w.Code {
		case http.StatusOK, http.StatusPartialContent:
			if method != http.MethodGet && method != http.MethodHead || !loopbackName(host) {
				t.Errorf("%s %s of %q: %d", method, path, host, w.Code)
			}
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusMisdirectedRequest, http.StatusRequestedRangeNotSatisfiable:
		default:
			t.Errorf("%s %s: %d", method, path, w.Code)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s %s gave the secret away", method, path)
		}
		if w.Header().Get("Content-Security-Policy") != builder.HeaderPolicy || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: without the policy", method, path)
		}
	})
}
