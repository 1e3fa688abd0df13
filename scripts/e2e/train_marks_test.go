package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/e2e/drive"
)

// TestMarks opens the page as somebody does who knows nothing of it, and reads the mark that answers each question of the table in www/README.md. What the
// marks say is what the core finds natively.
func TestMarks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town"}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("lab.shipped && lab.drawn && see.count && scores.verdict && see.filled", "#layers-view .plot:not(.all) canvas", 3, "#layers-view figcaption .note")
		d, s := c.Open(t)
		v.sameNodes(d)
		r := c.Train(t)
		if st := v.State(); st.Hash != r.Hash {
			t.Errorf("the run on screen is %s, natively %s", st.Hash, r.Hash)
		}
		scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
		if err != nil {
			t.Fatal(err)
		}
		value := map[string][2]float64{}
		for _, q := range scores {
			if q.Metric == "ari" {
				value[q.Embedding+" "+q.Target] = [2]float64{q.Value, q.Untrained}
			}
		}
		v.whoKnows(value)
		v.Push(".tab[data-show=causality]")
		v.Push("#causality-arms")
		v.Until("see.count", "#arms-said p", 2)
		v.lossesDo(c)
		v.Check()
	})
}

// sameNodes reads what a multiplex graph is: a dot is the same person at the same place of every layer, with other links in each.
func (v *Visit) sameNodes(d *run.Dataset) {
	v.t.Helper()
	var told [][]string // of a place in each layer, that of a person with unlike numbers of links
	v.Read(&told, "layers.threeNumbers")
	if len(told) != 3 {
		v.t.Fatalf("no person with another number of links in each layer is told of: %q", told)
	}
	i := slices.Index(d.Graph.Nodes, told[0][0])
	if i < 0 {
		v.t.Fatalf("nobody is called %q", told[0][0])
	}
	for l, layer := range d.Graph.Layers {
		a := layer.Adjacency
		title := strings.ToUpper(layer.Name[:1]) + layer.Name[1:]
		if want := fmt.Sprintf("%s: %d links", title, a.Start[i+1]-a.Start[i]); !slices.Contains(told[0], want) || !slices.Equal(told[l], told[0]) {
			v.t.Errorf("%s: pointed at in this layer, %q is said, expected %q as in the others", layer.Name, told[l], want)
		}
		var caption string
		v.Read(&caption, "layers.caption", l)
		links := strings.NewReplacer("\u202f", "", "\u00a0", "").Replace(caption) // of thousands
		if sum := layer.Summary(); !strings.HasPrefix(links, title) || !strings.HasSuffix(links, fmt.Sprintf("%d links", sum.Edges)) {
			v.t.Errorf("over the picture stands %q, expected %s with %d links", caption, title, sum.Edges)
		}
	}
}

// whoKnows reads what S and P hold, and what of it was there before training: numbers and dots of every cell, of which one of a row is framed, and the
// sentence about the whole.
func (v *Visit) whoKnows(value map[string][2]float64) {
	v.t.Helper()
	var rows [][]struct {
		Says    string
		Framed  bool
		Trained float64
		Before  float64
	}
	v.Read(&rows, "scores.knows")
	embeddings, targets := []string{"common", "private_1", "private_2", "private_3"}, []string{"shared", "friends", "work", "lunch"}
	if len(rows) != len(embeddings) || len(rows[0]) != len(targets) {
		v.t.Fatalf("the table has %d rows: %+v", len(rows), rows)
	}
	onLine := func(x float64) float64 { return min(1, max(0, x)) }
	for i, e := range embeddings {
		for k, target := range targets {
			got, want := rows[i][k], value[e+" "+target]
			if got.Says != decimals(want[0]) || got.Framed != (i == k) ||
				math.Abs(got.Trained-onLine(want[0])) > 1e-6 || math.Abs(got.Before-onLine(want[1])) > 1e-6 {
				v.t.Errorf("%s on %s: %+v, natively %.4f and before training %.4f", e, target, got, want[0], want[1])
			}
		}
	}
	most := slices.MaxFunc(targets, func(a, b string) int {
		change := func(of string) float64 { return math.Abs(value["common "+of][0] - value["common "+of][1]) }
		return int(math.Copysign(1, change(a)-change(b)))
	})
	s := value["common "+most]
	v.Want("#verdict", fmt.Sprintf("common embedding on %s most: from %s to %s.", most, decimals(s[1]), decimals(s[0])))
}

// decimals writes a score as the page does.
func decimals(x float64) string {
	text := fmt.Sprintf("%.2f", x)
	if text == "-0.00" {
		text = "0.00"
	}
	return strings.Replace(text, "-", "\u2212", 1)
}

// lossesDo reads what the losses do: how often a probe names the layer of C with matching alone and with each of the others beside it.
func (v *Visit) lossesDo(c Course) {
	v.t.Helper()
	_, s := c.Open(v.t)
	usual := s.CaDeM()
	ends, first := []float64{}, 0.0
	for k, on := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		task := study.Task{Data: run.DataSpec{Example: c.Example}, Preset: "released", EvalSeed: 1, Measure: []measure.Spec{{Kind: measure.Posterior}},
			Options: map[string]any{"weight_selfsupervised": on[0] * usual.WeightSelfSupervised, "weight_causal": on[1] * usual.WeightCausal}}
		r, err := task.Run(nil, nil)
		if err != nil {
			v.t.Fatal(err)
		}
		const probe = 3
		looks, columns := r.Array("posterior").Data, len(measure.PosteriorColumns)
		ends = append(ends, looks[len(looks)-columns+probe])
		if k == 0 {
			first = looks[probe]
		}
	}
	change := func(from, to float64, more, less, same string) string {
		const close = 0.05
		switch {
		case to > from+close:
			return more
		case to < from-close:
			return less
		}
		return same
	}
	v.Want("#arms-said",
		change(first, ends[0], "reads more of the layer from C in the end.", "reads less of the layer from C in the end.",
			"reads as much of the layer from C in the end."),
		change(ends[0], ends[3], "it reads more with both further losses, which slow the matching.", "it reads less with both further losses.",
			"The further losses hardly changed that."),
		fmt.Sprintf("in %.2f of the cases after the first step of matching, and in %.2f in the end", first, ends[0]),
		fmt.Sprintf("self-supervised loss beside it, it is %.2f, with the causal loss %.2f, and with both %.2f. Chance is 0.33.", ends[1], ends[2], ends[3]))
}
