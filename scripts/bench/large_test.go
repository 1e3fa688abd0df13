package main

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"cadem/core/cadem"
)

// Projections follow the measured figures: memory in proportion to the links, times by their exponents, a sample's scores by the nodes.
func TestBeyond(t *testing.T) {
	var list []largeFit
	for _, nodes := range []int{1000, 10_000} {
		n := float64(nodes)
		list = append(list, largeFit{Nodes: nodes, Links: 10 * nodes, Preset: "refined", Steps: 500, ListMB: n / 100, GraphMB: n / 1000,
			Seconds: map[string]float64{"read": n / 1e4, "prepare": math.Pow(n, 1.5), "steps": math.Sqrt(n), "score": 7},
			MB:      map[string]float64{"read": n / 10, "prepare": n, "steps": n / 2, "score": n / 4}})
	}
	o := cadem.Released()
	p := beyond(list, 1e7, &o) // a hundred times the second
	for what, c := range map[string][2]float64{
		"nodes": {p.Nodes, 1e6}, "list": {p.List, 10}, "graph": {p.Graph, 1}, "GB to read": {p.GB["read"], 100}, "GB of scores": {p.GB["score"], 250},
		"hours to read": {p.Hours["read"], 100. / 3600}, "hours to prepare": {p.Hours["prepare"], 1e9 / 3600}, // 1.5
		"hours of steps": {p.Hours["steps"], 100 * 100 * 2. / 3600}, "hours to score": {p.Hours["score"], 7. / 3600},
		"entries": {p.Fraction, 1e7 / math.MaxInt32}, "exchange": {p.Exchange, 1e6 * 8 * 8 / 1.25e9}, "epoch": {p.Epoch, 100}, // 5 of 1,000 steps
	} {
		if math.Abs(c[0]-c[1]) > 1e-3*c[1] {
			t.Errorf("%s: %v, expected %v", what, c[0], c[1])
		}
	}
	if text := p.broken(); !strings.HasPrefix(text, "bytes of a list, ") {
		t.Error(text)
	}
	p = beyond(list, 1e5, &o)
	if text := p.broken(); text != "none" {
		t.Error(text)
	}
	p = beyond(list, 4e9, &o)
	if text := p.broken(); !strings.Contains(text, "nodes of a list, 40 times; entries of a layer, 1.9 times") {
		t.Error(text)
	}
	b := &bench{full: &full{Large: list}}
	var out bytes.Buffer
	b.writeBeyond(&out)
	var none bytes.Buffer
	if (&bench{full: &full{Large: list[:1]}}).writeBeyond(&none); none.Len() > 0 {
		t.Errorf("one size tells of others:\n%s", &none)
	}
	for _, line := range []string{"| links | 1e+08 | 1e+09 |", "| nodes | 1e+07 | 1e+08 |", "| graph, GB | 10 | 100 |", "less, so layers could have"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in\n%s", line, &out)
		}
	}
}

// Presets, node2vec and svds tell held-out links of planted groups from other pairs, and each has a row.
func TestLargeLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("trains node2vec")
	}
	b := &bench{log: io.Discard, root: "../..", full: &full{}}
	b.full.LargeLinks = b.largeLinks(largeFiles(400, 8000))
	methods := map[string]bool{}
	for _, f := range b.full.LargeLinks {
		method, _, _ := strings.Cut(f.Method, " ")
		methods[method+" "+f.Score] = true
		if f.Nodes != 400 || !(f.AUC > .6 && f.AUC < .95) || !(f.Matched > .55 && f.Matched < .95) || f.Seconds <= 0 {
			t.Errorf("%+v", f)
		}
	}
	for _, name := range []string{"refined combined", "evidence combined", "node2vec combined", "svds rank 64"} {
		if !methods[name] && !(strings.HasPrefix(name, "svds") && b.full.NotHere != nil) {
			t.Errorf("no row of %s in %v", name, methods)
		}
	}
	var out bytes.Buffer
	b.writeLarge(&out)
	if strings.Count(out.String(), "| 400 |") != len(b.full.LargeLinks) {
		t.Errorf("rows are missing in\n%s", &out)
	}
}

// Each phase of a graph of thousands of nodes is measured, and the exponent of what is measured comes from all sizes.
func TestLargeFit(t *testing.T) {
	b := &bench{log: io.Discard, full: &full{}}
	f := b.largeFit(largeFiles(3000, 30_000), 3000, 30_000, largeWork{"refined", "", 50, 3000})
	for _, phase := range largePhases {
		if !(f.Seconds[phase] > 0 && f.MB[phase] > 0) {
			t.Errorf("%s: %v s, %v MB", phase, f.Seconds[phase], f.MB[phase])
		}
	}
	if f.Steps != 50 || !(f.GraphMB > .2 && f.GraphMB < 5) || !(f.Estimate > 0) {
		t.Errorf("%+v", f)
	}
	list := []largeFit{{Nodes: 10, Seconds: map[string]float64{"prepare": 2}}, {Nodes: 1000, Seconds: map[string]float64{"prepare": 20}}}
	if g := growth(list, ofPhase("prepare")); g != 0.5 {
		t.Errorf("exponent %v", g)
	}
}
