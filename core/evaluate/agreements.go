package evaluate

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem/core/rng"
)

// clusters compares K-means clusters of x with every target, K being its number of
// classes, in every run. Targets with the same K share the runs.
func (e *evaluation) clusters(x *mat.Dense) ([]values, error) {
	scores := make([]values, len(e.targets))
	for _, k := range e.clusterCounts() {
		e.pace.begin(e.clusterWork(x, k))
		for run := range e.o.KMeansRuns {
			c, src := newClusterer(x, k), rng.New(e.seed, fmt.Sprintf("evaluate/kmeans/%d clusters/run %d", k, run))
			for r := range e.o.KMeansRestarts {
				before := c.passes
				c.run(src, r == 0)
				if err := e.pace.add((c.passes - before) * c.n * (c.d + 2)); err != nil {
					return nil, err
				}
			}
			for i, t := range e.targets {
				if t.classes == k {
					found := make([]int, len(t.rows))
					for j, node := range t.rows {
						found[j] = c.bestLabel[node]
					}
					scores[i].add(Clusters, t.truth, found)
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
	return e.o.KMeansRuns * e.o.KMeansRestarts * typical * k * n * (d + 2)
}
