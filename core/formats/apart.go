package formats

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// asked refuses features that are guessed and may be labels.
func asked(v *Variable, given *Choice) error {
	why := v.MayBeClasses()
	if why == "" || given.Features != "" || given.Unasked || given.Unscored {
		return nil
	}
	const ways = "to be told which: -features %s, or -labels %[1]s, or -features none"
	return v.Fail(why+", which may be features or labels", fmt.Sprintf(ways, v.Name))
}

// apart refuses label sets of a graph that are among the features x, if there are any: their
// scores would say nothing. Those that are guessed beside chosen features are left out.
func apart(g *multiplex.Graph, x *multiplex.CSR, report *Report, given *Choice) error {
	sets := g.Labels
	g.Labels = nil
	for k := range sets {
		s := &sets[k]
		held := x != nil && !given.Unscored && holds(x, s)
		switch {
		case held && given.Unasked:
			report.Note("Labels %s are among the features: their scores say nothing.", s.Name)
		case held && given.Features != "" && len(given.Labels) == 0:
			report.Note("Labels %s are among the features and were left out.", s.Name)
			continue
		case held:
			return &diag.Error{Where: "labels",
				Found:    input.Quote(s.Name) + ", which the features hold, too",
				Expected: "labels that are no input: -features none or others, or -labels none or others"}
		}
		g.Labels = append(g.Labels, *s)
	}
	return nil
}

// holds reports whether features hold a label set, as numbers or as a column for each class:
// columns that do not differ within any class tell all classes apart.
func holds(x *multiplex.CSR, s *multiplex.LabelSet) bool {
	each := func(nodes []int, yield func(j int32, v float64)) {
		for _, i := range nodes {
			for k := x.Start[i]; k < x.Start[i+1]; k++ {
				v := 1.0
				if x.Value != nil {
					v = x.Value[k]
				}
				yield(x.Index[k], v)
			}
		}
	}
	classes, n := make([][]int, len(s.Classes)), 0.0
	for i, c := range s.Of {
		if c != multiplex.Missing {
			classes[c] = append(classes[c], i)
			n++
		}
	}
	classes = slices.DeleteFunc(classes, func(nodes []int) bool { return nodes == nil })
	bits, k := 0.0, float64(len(classes))
	for _, nodes := range classes {
		bits += float64(float64(len(nodes)) * math.Log2(n/float64(len(nodes))))
	}
	// Of many columns some tell a few nodes apart by chance.
	if k < 2 || n < 2*k || bits < float64((k-1)*math.Log2(float64(x.Cols)))+5 {
		return false
	}
	count, value, differs := make([]int, x.Cols), make([]float64, x.Cols), make([]bool, x.Cols)
	for _, nodes := range classes {
		each(nodes, func(j int32, v float64) {
			if count[j]++; count[j] == 1 {
				value[j] = v
			}
			differs[j] = differs[j] || v != value[j]
		})
		each(nodes, func(j int32, _ float64) {
			differs[j] = differs[j] || count[j] > 0 && count[j] < len(nodes)
			count[j] = 0
		})
	}
	seen := map[string]bool{}
	for _, nodes := range classes {
		var row []byte
		each(nodes[:1], func(j int32, v float64) {
			if !differs[j] {
				row = binary.LittleEndian.AppendUint32(row, uint32(j))
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
			}
		})
		seen[string(row)] = true
	}
	return len(seen) == len(classes)
}
