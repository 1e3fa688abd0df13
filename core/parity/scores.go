package parity

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem/core/evaluate"
	"cadem/core/rng"
)

// combiner replays the training of the attention combiner, in double precision.
func combiner(g *golden) {
	n, embed := g.int("n"), g.int("embed")
	tokens, every := make([]*mat.Dense, g.int("tokens")), make([]int, n)
	for k := range tokens {
		tokens[k] = mat.NewDense(n, embed, nil)
		for i := range every {
			every[i] = i
			tokens[k].SetRow(i, g.data("X", i, k))
		}
	}
	c := evaluate.NewCombiner(evaluate.Shape{Tokens: len(tokens), Dim: embed, Classes: g.int("classes"), Heads: g.int("heads")})
	for _, name := range c.Parameters() {
		if x := g.data("init", name); copy(c.Parameter(name), x) != len(c.Parameter(name)) {
			panic(fmt.Errorf("%s: %d values, expected %d", name, len(x), len(c.Parameter(name))))
		}
	}
	all, train, e := evaluate.NewBatch(tokens, every, nil), evaluate.NewBatch(tokens, g.ints("train"), g.ints("y")), g.in("", g.sub("expect"))
	e.check("fused", c.Fused(all).RawMatrix().Data, 1e-9, "first", "fused")
	e.check("logits", c.Logits(all).RawMatrix().Data, 1e-9, "first", "logits")
	for head, w := range c.Attention(all) {
		for i := range n {
			e.check("attention", w.RawRowView(i), 1e-9, "first", "attention", i, head)
		}
	}
	e.check("loss", []float64{c.Backward(train)}, 1e-9, "first", "loss")
	for _, name := range c.Parameters() {
		e.check("gradients", c.Gradient(name), 1e-10, "first", "grads", name)
	}
	for s := range e.length("losses") {
		e.check("loss", []float64{c.Backward(train)}, 1e-9, "losses", s)
		c.Step(train, g.number("lr"))
		for _, name := range c.Parameters() {
			got, want := c.Parameter(name), e.data("params_after", s, name)
			if name == "in_proj_bias" {
				// The gradient of the keys' bias is 0 exactly; Adam magnified its rounding in
				// the reference, and it has no influence.
				e.compare("parameters", got[:embed], want[:embed], 1e-6)
				got, want = got[2*embed:], want[2*embed:]
			}
			e.compare("parameters", got, want, 1e-6)
		}
	}
	e.check("final logits", c.Logits(all).RawMatrix().Data, 1e-9, "final_logits")
}

// metrics checks K-means, ARI, NMI and F1, and the properties of folds.
func metrics(g *golden) {
	matrix := func(t tensor) *mat.Dense { return mat.NewDense(t.shape[0], t.shape[1], t.data) }
	for _, c := range g.list("kmeans") {
		got := evaluate.Lloyd(matrix(c.tensor("X")), matrix(c.tensor("init")))
		g.compare("kmeans labels", floats(got.Labels), c.data("labels"), 0)
		g.compare("kmeans centroids", got.Centroids.RawMatrix().Data, c.data("centroids"), 1e-9)
		g.compare("kmeans inertia", []float64{got.Inertia}, c.data("inertia"), 1e-9)
	}
	for _, c := range g.list("partitions") {
		g.compare("ari", []float64{evaluate.ARI(c.ints("a"), c.ints("b"))}, c.data("ari"), 1e-12)
		g.compare("nmi", []float64{evaluate.NMI(c.ints("a"), c.ints("b"))}, c.data("nmi"), 1e-12)
	}
	for _, c := range g.list("f1") {
		macro, micro := evaluate.F1(c.ints("true"), c.ints("pred"))
		g.compare("f1", []float64{macro, micro}, slices.Concat(c.data("macro"), c.data("micro")), 1e-12)
	}
	for seed := range uint64(5) {
		for _, c := range g.list("stratified_folds") {
			count, sizes := foldCounts(evaluate.StratifiedFolds(c.ints("y"), c.int("k"), rng.New(seed, "folds")), c)
			misses := 0.0
			for _, fold := range count {
				for class, n := range fold {
					misses += truth(n < c.int("per_class_min", class) || n > c.int("per_class_max", class))
				}
			}
			misses += truth(!slices.Equal(slices.Sorted(slices.Values(sizes)), slices.Sorted(slices.Values(c.ints("fold_sizes")))))
			g.compare("stratified folds: rows outside the limits", []float64{misses}, []float64{0}, 0)
		}
		c := g.sub("grouped_folds")
		folds := evaluate.GroupedFolds(c.ints("y"), c.ints("groups"), c.int("k"), rng.New(seed, "folds"))
		count, _ := foldCounts(folds, c)
		home, held, misses := map[int]int{}, make([]int, len(count)), 0.0
		for i, group := range c.ints("groups") {
			f, met := home[group]
			if home[group] = folds[i]; !met {
				held[folds[i]]++
			}
			misses += truth(met && f != folds[i])
		}
		for f := range count {
			misses += truth(!slices.Equal(count[f], c.ints("every_fold_class_counts")) || held[f] != c.int("every_fold_groups"))
		}
		g.compare("grouped folds: rows outside the limits", []float64{misses}, []float64{0}, 0)
	}
}

// foldCounts counts the rows of each fold and class, and of each fold.
func foldCounts(folds []int, c values) (count [][]int, sizes []int) {
	y := c.ints("y")
	sizes = make([]int, c.int("k"))
	for range sizes {
		count = append(count, make([]int, slices.Max(y)+1))
	}
	for i, f := range folds {
		count[f][y[i]]++
		sizes[f]++
	}
	return count, sizes
}
