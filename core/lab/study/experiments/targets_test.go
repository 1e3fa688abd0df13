package experiments

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// explained is the share of the variance of numbers that lies between their classes.
func explained(x []float64, class []int) float64 {
	sum, count, total := map[int]float64{}, map[int]float64{}, 0.0
	for i, v := range x {
		sum[class[i]] += v
		count[class[i]]++
		total += v
	}
	mean, between, all := total/float64(len(x)), 0.0, 0.0
	for c, n := range count {
		between += n * (sum[c]/n - mean) * (sum[c]/n - mean)
	}
	for _, v := range x {
		all += (v - mean) * (v - mean)
	}
	return between / all
}

// targetsOf are the degree of each node of a layer, and how closed its neighbourhood is.
func targetsOf(a *multiplex.CSR) (degree, closed []float64) {
	m := a.Rows
	linked := a.Dense()
	degree, closed = make([]float64, m), make([]float64, m)
	for i := range m {
		var of []int
		for j := range m {
			if i != j && linked[i*m+j] > 0 {
				of = append(of, j)
			}
		}
		degree[i] = float64(len(of))
		for k, j := range of {
			for _, n := range of[:k] {
				if linked[j*m+n] > 0 {
					closed[i] += 2
				}
			}
		}
		if d := degree[i]; d > 1 {
			closed[i] /= d * (d - 1)
		}
	}
	return degree, closed
}

// RATIONALE.md says what other targets of a pooled graph could teach by figures that are measured here: how much of the targets is each layer's own
// communities, and how much lies between the layers.
func TestOtherTargets(t *testing.T) {
	const draws, pooled = 10, 40
	var figures []any
	for _, c := range []struct {
		example, own string
		options      map[string]any
	}{{"syn1", "layer_%d", nil}, {"syn2", "private_%d", map[string]any{"nodes": 300}}} {
		var own, between [2]float64
		for seed := range uint64(draws) {
			d, err := run.OpenExample(c.example, c.options, seed)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(seed, 0))
			var means [2][]float64
			var layer []int
			for l := range d.Graph.Layers {
				degree, closed := targetsOf(d.Graph.Layers[l].Adjacency)
				named := slices.IndexFunc(d.Graph.Labels, func(s multiplex.LabelSet) bool { return s.Name == fmt.Sprintf(c.own, l+1) })
				for k, x := range [][]float64{degree, closed} {
					own[k] += explained(x, d.Graph.Labels[named].Of) / draws / float64(len(d.Graph.Layers))
				}
				for range pooled {
					var sum [2]float64
					for _, i := range random.Perm(len(degree))[:len(degree)*6/10] {
						sum[0], sum[1] = sum[0]+degree[i], sum[1]+closed[i]
					}
					means[0], means[1], layer = append(means[0], sum[0]), append(means[1], sum[1]), append(layer, l)
				}
			}
			for k := range means {
				between[k] += explained(means[k], layer) / draws
			}
		}
		figures = append(figures, own[0], own[1], between[0], between[1])
	}
	_, said, _ := strings.Cut(stored(t, "RATIONALE.md"), "Own communities explain ")
	want := fmt.Sprintf("[%.2f %.2f %.2[5]f %.2[6]f %.2[3]f %.2[4]f %.2[7]f %.2[8]f]", figures...) // Syn1 and Syn2, by communities and between layers
	if got := regexp.MustCompile(`0\.\d\d`).FindAllString(said, 8); fmt.Sprint(got) != want {
		t.Errorf("RATIONALE.md has the figures %v, expected %v", got, want)
	}
}
