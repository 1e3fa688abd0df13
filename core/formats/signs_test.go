package formats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// correlated are values between -1 and 1, alike in both directions, with a diagonal of 1.
func correlated(m int) []float64 {
	src := rng.New(3, "formats/signs")
	x := make([]float64, m*m)
	for i := range m {
		for j := range i {
			v := math.Round(1e4*(2*src.Float64()-1)) / 1e4
			x[i*m+j], x[j*m+i] = v, v
		}
		x[i*m+i] = 1
	}
	return x
}

// asText writes a matrix, with names above and beside it if there are any.
func asText(x []float64, m int, names bool) string {
	var b strings.Builder
	if names {
		for i := range m {
			fmt.Fprintf(&b, ",n%d", i)
		}
		b.WriteString("\n")
	}
	for i := range m {
		if names {
			fmt.Fprintf(&b, "n%d,", i)
		}
		for j := range m {
			fmt.Fprintf(&b, "%s%g", []string{"", ","}[min(j, 1)], x[i*m+j])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// asEdges writes both directions of each pair.
func asEdges(x []float64, m int) string {
	b := strings.Builder{}
	b.WriteString("source,target,weight\n")
	for i := range m {
		for j := range m {
			if i != j && x[i*m+j] != 0 {
				fmt.Fprintf(&b, "n%d,n%d,%g\n", i, j, x[i*m+j])
			}
		}
	}
	return b.String()
}

// A matrix or a list with numbers below 0 makes a layer for each sign, whatever its form, beside plain ones; the two together are
// the matrix again.
func TestSigns(t *testing.T) {
	const m = 12
	x := correlated(m)
	plain := make([]float64, m*m)
	for k, v := range x {
		plain[k] = math.Abs(v)
	}
	for i := range m {
		plain[i*m+i] = 0
	}
	for name, files := range map[string][]File{
		"with names": {{Name: "fc.csv", Data: []byte(asText(x, m, true))}, {Name: "sc.csv", Data: []byte(asText(plain, m, true))}},
		"without":    {{Name: "fc.csv", Data: []byte(asText(x, m, false))}, {Name: "sc.csv", Data: []byte(asText(plain, m, false))}},
		"as links":   {{Name: "fc.csv", Data: []byte(asEdges(x, m))}, {Name: "sc.csv", Data: []byte(asEdges(plain, m))}},
	} {
		c, err := Read(files)
		if err != nil {
			t.Fatal(err)
		}
		g, report, err := c.Graph(Choice{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var names []string
		of := map[string]*multiplex.CSR{}
		for _, l := range g.Layers {
			names = append(names, l.Name)
			of[l.Name] = l.Adjacency
		}
		if slices.Sort(names); !slices.Equal(names, []string{"fc (negative)", "fc (positive)", "sc"}) {
			t.Fatalf("%s: %q", name, names)
		}
		positive, negative := of["fc (positive)"].Dense(), of["fc (negative)"].Dense()
		for k, v := range x {
			if k%(m+1) != 0 && positive[k]-negative[k] != v || k%(m+1) == 0 && positive[k] != 0 || positive[k]*negative[k] != 0 {
				t.Fatalf("%s: entry %d is %v - %v, not %v", name, k, positive[k], negative[k], v)
			}
		}
		if said := strings.Join(report.Notes, "\n"); !strings.Contains(said, "below 0") {
			t.Errorf("%s: %s", name, said)
		}
		survey, err := c.Survey(Choice{}, func() error { return nil })
		if err != nil || survey.Plain {
			t.Fatalf("%s: %v, plain %v", name, err, survey != nil && survey.Plain)
		}
		layers := 0
		for _, v := range survey.Variables {
			if v.Role == AsLayer {
				layers++
			}
		}
		if layers != 3 {
			t.Errorf("%s: %d layers are offered", name, layers)
		}
		strongestOf(t, name, c, of)
	}
}

// strongestOf leaves one sign out, and keeps the strongest pairs.
func strongestOf(t *testing.T, name string, c *Content, of map[string]*multiplex.CSR) {
	t.Helper()
	g, report, err := c.Graph(Choice{Layers: []string{"fc (positive)", "sc"}, Keep: 10})
	if err != nil || g.N() != 2 {
		t.Fatalf("%s: %v", name, err)
	}
	const want = 7 // of 66 pairs
	for k, l := range g.Layers {
		if report.Layers[k].Edges != want || l.Adjacency.NNZ() != 2*want {
			t.Errorf("%s: layer %s keeps %d links", name, l.Name, report.Layers[k].Edges)
		}
		whole := of[l.Name].Dense()
		least := math.Inf(1)
		for _, w := range l.Adjacency.Value {
			least = min(least, w)
		}
		beyond := 0
		for _, w := range whole {
			if w > least {
				beyond++
			}
		}
		if beyond >= 2*want {
			t.Errorf("%s: layer %s leaves out stronger links than %v", name, l.Name, least)
		}
	}
}

// Two plain layers need no third one: it is named, not taken.
func TestSignsBesideLayers(t *testing.T) {
	const m = 12
	x := correlated(m)
	plain := make([]float64, m*m)
	for k, v := range x {
		plain[k] = math.Abs(v)
	}
	c, err := Read([]File{{Name: "a.csv", Data: []byte(asText(plain, m, false))}, {Name: "b.csv", Data: []byte(asText(plain, m, false))},
		{Name: "fc.csv", Data: []byte(asText(x, m, false))}})
	if err != nil {
		t.Fatal(err)
	}
	g, report, err := c.Graph(Choice{})
	if err != nil || g.N() != 2 || !strings.Contains(strings.Join(report.Notes, "\n"), "fc (negative) was passed over") {
		t.Errorf("%v, %q", err, report.Notes)
	}
	if g, _, err = c.Graph(Choice{Layers: []string{"a", "fc (negative)"}}); err != nil || g.N() != 2 {
		t.Error(err)
	}
	if _, _, err = c.Graph(Choice{Keep: 101}); err == nil || !strings.Contains(err.Error(), "from 0 to 100 %") {
		t.Error(err)
	}
}

// A list of several layers has its signs layer by layer; a diagonal of its own stays.
func TestSignsOfLayers(t *testing.T) {
	const list = "layer,source,target,weight\nlike,a,b,1\nlike,b,c,-2\nlike,a,a,3\nmeet,a,c,1\nmeet,b,c,0\nhate,a,b,-1\n"
	c, err := Read([]File{{Name: "e.csv", Data: []byte(list)}})
	if err != nil {
		t.Fatal(err)
	}
	g, report, err := c.Graph(Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range g.Layers {
		names = append(names, fmt.Sprint(l.Name, l.Adjacency.NNZ()))
	}
	if got := strings.Join(names, " "); got != "hate (negative)2 like (positive)3 like (negative)2 meet2" {
		t.Errorf("%s: %q", got, report.Notes)
	}
}

// Self loops below 0 alone make no layer: they are left out, and the layer keeps its name.
func TestSignsOfDiagonals(t *testing.T) {
	const rest = "like,a,b,1\nlike,b,c,2\nmeet,a,c,1\nmeet,b,c,3\n"
	for name, c := range map[string]struct{ loops, note string }{
		"one":           {"like,a,a,-2\nlike,b,b,4\n", "1 self loop of like has a weight below 0 and was left out."},
		"all, one same": {"like,a,a,-1\nlike,b,b,-1\nlike,c,c,-1\n", "3 self loops of like have a weight below 0 and were left out."},
	} {
		content, err := Read([]File{{Name: "e.csv", Data: []byte("layer,source,target,weight\n" + c.loops + rest)}})
		if err != nil {
			t.Fatal(err)
		}
		g, report, err := content.Graph(Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := strings.Join(report.Notes, "\n")
		if g.N() != 2 || g.Layers[0].Name != "like" || g.Layers[1].Name != "meet" || !strings.Contains(said, c.note) || strings.Contains(said, "layer of their own") {
			t.Errorf("%s: %d layers, the first %s:\n%s", name, g.N(), g.Layers[0].Name, said)
		}
	}
}

// Pairs with a sign in each direction are in both layers, which a note counts, whatever form they have.
func TestSignsOfDirections(t *testing.T) {
	const m, want = 12, "3 pairs have opposite signs in the two directions, or in rows that repeat the pair: both layers of fc join them."
	x := correlated(m)
	plain := make([]float64, m*m)
	for k, v := range x {
		plain[k] = math.Abs(v)
	}
	for _, pair := range [][2]int{{0, 1}, {3, 7}, {8, 5}} {
		x[pair[0]*m+pair[1]], x[pair[1]*m+pair[0]] = 0.5, -0.25
	}
	for name, files := range map[string][]File{
		"with names": {{Name: "fc.csv", Data: []byte(asText(x, m, true))}, {Name: "sc.csv", Data: []byte(asText(plain, m, true))}},
		"without":    {{Name: "fc.csv", Data: []byte(asText(x, m, false))}, {Name: "sc.csv", Data: []byte(asText(plain, m, false))}},
		"as links":   {{Name: "fc.csv", Data: []byte(asEdges(x, m))}, {Name: "sc.csv", Data: []byte(asEdges(plain, m))}},
		"links, again": {{Name: "fc.csv", Data: []byte(asEdges(x, m) + strings.TrimPrefix(asEdges(x, m), "source,target,weight\n"))},
			{Name: "sc.csv", Data: []byte(asEdges(plain, m))}},
	} {
		c, err := Read(files)
		if err != nil {
			t.Fatal(err)
		}
		_, report, err := c.Graph(Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if said := strings.Join(report.Notes, "\n"); !strings.Contains(said, want) {
			t.Errorf("%s:\n%s", name, said)
		}
	}
}
