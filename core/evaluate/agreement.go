package evaluate

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
)

// contingency counts how often class i of a meets class j of b.
// Classes are numbers from 0; rows and columns of absent classes are zero.
func contingency(a, b []int) (table [][]float64, rows, cols []float64) {
	ErrShape.Unless(len(a) == len(b))
	rows, cols = make([]float64, classes(a)), make([]float64, classes(b))
	table = make([][]float64, len(rows))
	for i := range table {
		table[i] = make([]float64, len(cols))
	}
	for i := range a {
		table[a[i]][b[i]]++
		rows[a[i]]++
		cols[b[i]]++
	}
	return table, rows, cols
}

// classes returns one more than the largest label.
func classes(y []int) int {
	k := 0
	for _, c := range y {
		ErrLabel.Unless(c >= 0)
		k = max(k, c+1)
	}
	return k
}

// ARI returns the adjusted Rand index of two partitions of the same items (Hubert and
// Arabie 1985): 1 for equal partitions, around 0 for unrelated ones, possibly negative.
func ARI(a, b []int) float64 {
	table, rows, cols := contingency(a, b)
	pairs := func(x float64) float64 { return float64(x * (x - 1) / 2) }
	var index, sa, sb float64
	for i, row := range table {
		sa += pairs(rows[i])
		for _, v := range row {
			index += pairs(v)
		}
	}
	for _, v := range cols {
		sb += pairs(v)
	}
	all := pairs(float64(len(a)))
	if all == 0 {
		return 1
	}
	expected, most := float64(sa/all*sb), float64((sa+sb)/2)
	if sa == sb && (sa == all || sa == 0) {
		return 1 // both one cluster, or both all single: the partitions are equal
	}
	return (index - expected) / (most - expected)
}

// NMI returns the mutual information of two partitions of the same items over the
// arithmetic mean of their entropies: 1 for equal partitions (also when both have one
// cluster only), 0 for independent ones.
func NMI(a, b []int) float64 {
	table, rows, cols := contingency(a, b)
	n := float64(len(a))
	entropy := func(counts []float64) float64 {
		h := 0.0
		for _, c := range counts {
			if c > 0 {
				h -= float64(c / n * kernel.Log(c/n))
			}
		}
		return h
	}
	h := entropy(rows) + entropy(cols)
	if h <= 0 {
		return 1
	}
	mi := 0.0
	for i, row := range table {
		for j, c := range row {
			if c > 0 {
				mi += float64(c / n * kernel.Log(float64(n*c)/float64(rows[i]*cols[j])))
			}
		}
	}
	if mi < 1e-15 {
		return 0
	}
	return min(1, 2*mi/h)
}

// clusters compares K-means clusters of x with every target, K being its number of
// classes, in every run. Targets with the same K share the runs.
func (e *evaluation) clusters(x *mat.Dense) ([]values, error) {
	scores := make([]values, len(e.targets))
	n, d := x.Dims()
	for _, k := range e.clusterCounts() {
		e.pace.begin(e.clusterWork(x, k))
		seen, all := x, (*clusterer)(nil)
		if most := max(e.o.Sample(n), k); most < n {
			seen, all = drawn(x, most, rng.New(e.seed, "evaluate/sample/kmeans")), newClusterer(x, k)
		}
		begin := beginning(n, items([]*mat.Dense{seen}), k)
		whole := newClusterer(seen, k)
		for run := range e.o.KMeansRuns {
			c, src := whole, rng.New(e.seed, fmt.Sprintf("evaluate/kmeans/%d clusters/run %d", k, run))
			if begin < c.n {
				c = newClusterer(drawn(seen, begin, src), k)
			}
			for r := range e.o.KMeansRestarts {
				before := c.passes
				c.run(src, r == 0 || c != whole)
				work := (c.passes - before) * c.n
				if c != whole { // the best of the restarts is that of all that are seen
					whole.take(c)
					whole.assign()
					whole.keep(r == 0)
					work += k * whole.n
				}
				if err := e.pace.add(work * (d + 2)); err != nil {
					return nil, err
				}
			}
			if c != whole {
				before := whole.passes
				copy(whole.centroid, whole.bestCentroid)
				whole.lloyd(whole.variance * kmeansTolerance)
				whole.keep(true)
				if err := e.pace.add((whole.passes - before) * whole.n * (d + 2)); err != nil {
					return nil, err
				}
			}
			found := whole.bestLabel
			if all != nil { // every item goes to the nearest centroid
				all.take(whole)
				all.assign()
				found = all.label
				if err := e.pace.add(k * n * (d + 2)); err != nil {
					return nil, err
				}
			}
			for i, t := range e.targets {
				if t.classes == k {
					scores[i].add(Clusters, t.truth, pick(found, t.rows))
				}
			}
		}
	}
	return scores, nil
}

// clusterCounts returns the distinct numbers of classes in order of appearance.
func (e *evaluation) clusterCounts() []int {
	var counts []int
	seen := map[int]bool{}
	for _, t := range e.targets {
		if !seen[t.classes] {
			seen[t.classes] = true
			counts = append(counts, t.classes)
		}
	}
	return counts
}

func (e *evaluation) clusterWork(x *mat.Dense, k int) int {
	const typical = 15 // iterations of Lloyd
	n, d := x.Dims()
	seen := e.o.Sample(n)
	begin := beginning(n, seen, k)
	work := e.o.KMeansRuns * e.o.KMeansRestarts * typical * k * begin * (d + 2)
	if begin < seen {
		work += e.o.KMeansRuns * typical * k * seen * (d + 2)
	}
	if seen < n {
		work += e.o.KMeansRuns * k * n * (d + 2)
	}
	return work
}
