package main

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"cadem.example/core/cadem"
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

// What the page takes stands beside what the same takes natively, is compared with its limits, and a refusal is quoted.
func TestLargeTab(t *testing.T) {
	b := &bench{samples: map[string]*samples{}, full: &full{}}
	seconds := map[string]float64{"read": 3, "prepare": 31, "steps": 5, "score": 20}
	b.full.Large = []largeFit{{Nodes: 100_000, Links: 1_000_000, Preset: "refined", Steps: 1000, Seconds: map[string]float64{"read": .5, "prepare": 9, "steps": .4,
		"score": 13}, MB: map[string]float64{"read": 120, "prepare": 400, "steps": 220, "score": 530}}}
	b.full.LargeTab = []tabFit{
		{Nodes: 20_000, Links: 200_000, Preset: "evidence", Picture: 9, Seconds: map[string]float64{"read": 1, "prepare": 6}, MB: map[string]float64{"prepare": 300}},
		{Nodes: 100_000, Links: 1_000_000, Preset: "refined", Steps: 1000, Picture: 36, Seconds: seconds, MB: map[string]float64{"prepare": 650}},
		{Nodes: 100_000, Links: 1_000_000, Preset: "evidence", Seconds: map[string]float64{"read": 3, "prepare": 36}, MB: map[string]float64{"prepare": 800}},
		{Nodes: 1_000_000, Links: 10_000_000, Seconds: map[string]float64{"read": .7}, Refused: "links.csv: found 150 MB", MB: map[string]float64{"read": 290}},
	}
	for _, f := range b.full.LargeTab[:3] {
		b.add(f.of("late"), 0, 1, 49, 60)
		b.add(f.of("hover"), 16)
	}
	var out bytes.Buffer
	b.writeLargeTab(&out)
	for _, line := range []string{
		"| 20000 | 200000 | evidence | tab | 1 | 6 | 9 |  |  |  |  | 300 |  |  |\n",
		"| 100000 | 1000000 | refined | tab | 3 | 31 | 36 | 1000 | 5 | 20 |  | 650 |  |  |\n" +
			"| 100000 | 1000000 | refined | native | 0.5 | 9 |  | 1000 | 0.4 | 13 | 120 | 400 | 220 | 530 |\n",
		"| 100000 nodes, refined: timers late from the drop to the picture | 25 | 0 .. 60 | 4 | 60 |",
		"A list of 10000000 links between 1000000 nodes is refused 0.7 s after the drop", "\u201clinks.csv: found 150 MB\u201d",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in\n%s", line, &out)
		}
	}
	met := map[string]bool{}
	b.acceptLargeTab(func(what string, value, target float64, atMost bool, _ string) { met[what] = value <= target == atMost })
	for what, want := range map[string]bool{"In the tab, 100,000 nodes, 1,000,000 links: read": true, "The same, `refined`: prepared": false,
		"In the tab, `evidence`: prepared, to a fifth of nodes and links": false, "The same: memory until it is prepared": true,
		"The same: the page's thread blocked until the picture, 99th percentile": false, "The same: frame, pointing at nodes, 95th percentile": true} {
		if got, there := met[what]; !there || got != want {
			t.Errorf("%s: %v, %v", what, got, there)
		}
	}
}
