//go:build !js

package baseline

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// ringed returns two rings of m nodes, the second with longer steps, without features.
func ringed(t *testing.T, m int) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "rings"}
	for l, step := range []int{1, 7} {
		var edges []multiplex.Edge
		for i := range m {
			edges = append(edges, multiplex.Edge{I: i, J: (i + step) % m, Weight: 1})
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: []string{"near", "far"}[l], Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

// After its first steps a training holds the memory that its method announced, up to a factor because counts are rough.
func TestMemoryIsAsSaid(t *testing.T) {
	// Memory of earlier tests in pools and behind finalizers takes several collections to go: collect until nothing more is freed.
	held := func() float64 {
		least := math.Inf(1)
		for range 10 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			now := float64(m.HeapAlloc)
			if now > least-1e4 {
				return min(now, least)
			}
			least = now
		}
		return least
	}
	for _, m := range train.Methods() {
		if m.Memory == nil {
			continue
		}
		s := &train.Setup{Graphs: []*multiplex.Graph{ringed(t, 160)}, Options: m.Options(), Seed: 1}
		property.Defaults(s.Options)
		if m.Name == "mvgrl-graph" {
			s.Graphs = append(s.Graphs, ringed(t, 160))
		}
		before := held()
		run, err := train.Start(&m, s)
		if err != nil {
			t.Fatal(err)
		}
		// Memory is measured within a step, too.
		found, calls := 0.0, 0
		for range 2 {
			err := run.Step(func(int, int) error {
				if calls++; run.Progress().Total == 1 && calls&(calls-1) == 0 { // looking takes longer than the step
					found = max(found, held()-before)
				}
				return nil
			})
			if err != nil && err != train.ErrDone {
				t.Fatal(err)
			}
		}
		found = max(found, held()-before)
		runtime.KeepAlive(run)
		said := m.Memory(s)
		t.Logf("%s: %.1f MB held, %.1f MB said, %.2f times", m.Name, found/1e6, said/1e6, said/found)
		if said < 0.9*found || said > 3*found {
			t.Errorf("%s holds %.1f MB after two steps, said were %.1f MB", m.Name, found/1e6, said/1e6)
		}
	}
}

// A method that would need more memory than the program is limited to is refused before it starts, with its need and those that
// need less.
func TestTooLittleMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(300 << 20))
	g := ringed(t, 5000)
	for name, less := range map[string]bool{"mcgc": false, "dmg": false, "vgae": true, "deepwalk": true} {
		m, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &train.Setup{Graphs: []*multiplex.Graph{g}, Options: m.Options(), Seed: 1}
		property.Defaults(s.Options)
		_, err = train.Start(m, s)
		var why *diag.Error
		switch {
		case less && err != nil:
			t.Errorf("%s: %v", name, err)
		case !less && (!errors.As(err, &why) || why.Option):
			t.Errorf("%s: %v", name, err)
		case !less:
			for _, text := range []string{"5000 nodes", "for which " + name + " needs about", " GB of memory", "need less: ", "vgae", "deepwalk"} {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%s: %v; expected %q", name, err, text)
				}
			}
			if _, able, _ := strings.Cut(err.Error(), "need less: "); strings.Contains(able, "mcgc") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
