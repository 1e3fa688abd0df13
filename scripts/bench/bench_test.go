package main

import (
	"encoding/json"
	"io"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"cadem.example/scripts/build/builder"
)

func TestSamples(t *testing.T) {
	for _, c := range []struct {
		s                samples
		median, p50, p99 float64
	}{
		{samples{3}, 3, 3, 3},
		{samples{4, 1}, 2.5, 1, 4},
		{samples{9, 1, 5}, 5, 5, 9},
	} {
		if got := c.s.median(); got != c.median {
			t.Errorf("median of %v is %v, expected %v", c.s, got, c.median)
		}
		if got := c.s.quantile(0.5); got != c.p50 {
			t.Errorf("half of %v do not exceed %v, expected %v", c.s, got, c.p50)
		}
		if got := c.s.quantile(0.99); got != c.p99 {
			t.Errorf("99 %% of %v do not exceed %v, expected %v", c.s, got, c.p99)
		}
	}
	if x := (samples{}).median(); !math.IsNaN(x) {
		t.Errorf("median of nothing is %v", x)
	}
}

func TestExponent(t *testing.T) {
	x := []float64{10, 100, 1000, 30_000}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = 0.3 * math.Pow(v, 1.25)
	}
	if got := (series{x, y}).Exponent(); math.Abs(got-1.25) > 1e-12 {
		t.Errorf("exponent %v, expected 1.25", got)
	}
}

func TestRound(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 12346: 12350, 0.00123456: 0.001235, -2.00004: -2} {
		if got := round(x); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v becomes %v, expected %v", x, got, want)
		}
	}
}

// TestKeys holds the quick report to its keys, in their order.
func TestKeys(t *testing.T) {
	b := newBench(io.Discard)
	b.quick, b.site = true, &builder.Site{}
	b.hashes = map[string]string{"native": "a", "shipped": "a", "scalar": "a"}
	for _, w := range brief() {
		b.add("run/"+w.Key, 1)
		b.steps[w.Key] = 1
	}
	text, err := json.Marshal(b.report())
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"spread":{"run/syn1":{"median":1,"low":1,"high":1,"n":1},"run/syn2_one_gamma":{"median":1,"low":1,"high":1,"n":1},` +
		`"run/syn3":{"median":1,"low":1,"high":1,"n":1},"run/syn4":{"median":1,"low":1,"high":1,"n":1}},` +
		`"steps":{"syn1":1,"syn2_one_gamma":1,"syn3":1,"syn4":1},` +
		`"allocs_per_step":0,"hash_equal":true,"wasm_gzip_bytes":0,"whole_gzip_bytes":0}`
	if string(text) != want {
		t.Errorf("%s\nexpected\n%s", text, want)
	}
	b.hashes["scalar"] = "b"
	if b.report().HashEqual {
		t.Error("different hashes count as equal")
	}
}

func TestServer(t *testing.T) {
	s := &server{
		files:  map[string][]byte{"index.html": []byte("page"), "worker.js": []byte("work")},
		before: map[string]map[string]string{"scalar": {"worker.js": "first"}, "visit": {"index.html": "noted"}},
	}
	s.put("tfjs/peer.js", []byte("peer"))
	for path, want := range map[string]string{"/shipped/": "page", "/scalar/worker.js": "first\nwork", "/shipped/worker.js": "work",
		"/visit12/": "noted\npage", "/tfjs/peer.js": "peer", "/worker.js": "404 page not found\n", "/scalar/none": "404 page not found\n"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Body.String(); got != want {
			t.Errorf("%s: %q, expected %q", path, got, want)
		}
		if strings.HasSuffix(path, ".js") && w.Code == 200 && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Errorf("%s is of type %q", path, w.Header().Get("Content-Type"))
		}
	}
}

// A peer that lacks a term of the loss does not agree.
func TestMissingTerm(t *testing.T) {
	var ours columns
	for i := range ours {
		ours[i] = 1
	}
	p := &problem{Losses: []columns{ours}}
	var a answer
	if err := json.Unmarshal([]byte(`{"losses":[[`+strings.Repeat("1,", len(ours)-2)+`1]]}`), &a); err != nil {
		t.Fatal(err)
	}
	if d := p.deviation(a.Losses); !(d > agreement) {
		t.Errorf("%d of %d columns deviate by %v", len(ours)-1, len(ours), d)
	}
}

// TestProblem holds the problem that peers are given to its shapes, and its losses to those
// of a run that draws nothing else.
func TestProblem(t *testing.T) {
	p := newProblem()
	size := 0
	for name, at := range p.Arrays {
		n := 4
		for _, d := range at.Shape {
			n *= d
		}
		if at.Offset < 0 || at.Offset+n > len(p.data) {
			t.Errorf("%s lies outside the data", name)
		}
		size += n
	}
	if size != len(p.data) {
		t.Errorf("%d bytes of arrays in %d of data", size, len(p.data))
	}
	if d := p.deviation(p.Losses); d != 0 {
		t.Errorf("our own losses deviate by %v", d)
	}
	other := slices.Clone(p.Losses)
	other[3][2] *= 1.01
	if d := p.deviation(other); math.Abs(d-0.01) > 1e-9 {
		t.Errorf("deviation %v, expected 0.01", d)
	}
	if d := p.deviation(other[:1]); !(d > agreement) {
		t.Errorf("missing losses deviate by %v", d)
	}
}
