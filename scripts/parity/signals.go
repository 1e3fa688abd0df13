package parity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/graphsignal"
	"cadem.example/core/synth"
	"cadem.example/core/synth/examples"
)

// signals checks the steps from a time series to layers, in double precision.
func signals(g *golden) {
	samples, regions, band := g.int("T"), g.int("regions"), g.data("band_hz")
	if g.text("padtype") != "odd" || len(band) != 2 {
		panic(fmt.Errorf("padtype %q, %d limits: expected odd, 2", g.text("padtype"), len(band)))
	}
	each := func(x []float64, do func(row []float64)) []float64 {
		x = slices.Clone(x)
		for i := range regions {
			do(x[i*samples : (i+1)*samples])
		}
		return x
	}
	fft := must(connectome.NewFFT(samples, g.number("tr"), band[0], band[1]))
	butter := must(connectome.NewButterworth(g.int("butter_order"), g.number("tr"), band[0], band[1]))
	butter.Pad = g.int("padlen")
	g.check("fft_kept_bins", fft.Bins, 0, "fft_kept_bins")
	b, a := []float64{butter.Gain}, []float64{1} // the sections of the filter, multiplied out
	for _, s := range butter.Sections {
		b, a = multiplied(b, [3]float64{1, 0, -1}), multiplied(a, [3]float64{1, s[0], s[1]})
	}
	g.check("filter coefficients", b, 1e-8, "b")
	g.check("filter coefficients", a, 1e-8, "a")
	detrended := each(g.data("X"), connectome.Detrend)
	g.check("detrended", detrended, 1e-10, "detrended")
	passed := map[string][]float64{"from_fft": each(detrended, fft.Apply), "from_butter": each(detrended, butter.Apply)}
	g.check("bandpass_fft", passed["from_fft"], 1e-10, "bandpass_fft")
	g.check("bandpass_sosfiltfilt", passed["from_butter"], 1e-8, "bandpass_sosfiltfilt")

	moments := func(name string, x []float64, want string) {
		var biased, unbiased [2][]float64
		each(x, func(row []float64) {
			s, k := connectome.Moments(row)
			biased = [2][]float64{append(biased[0], s), append(biased[1], k)}
			s, k = connectome.Unbiased(samples, s, k)
			unbiased = [2][]float64{append(unbiased[0], s), append(unbiased[1], k)}
		})
		for k, moment := range []string{"skewness", "excess_kurtosis"} {
			quantity := name + ": " + strings.ReplaceAll(moment, "_", " ")
			g.check(quantity, biased[k], 1e-8, want, moment+"_biased")
			g.check(quantity, unbiased[k], 1e-8, want, moment+"_unbiased")
		}
	}
	moments("raw", g.data("X"), "raw_moments")
	var confounds [][]float64
	for _, v := range g.list("confounds") {
		confounds = append(confounds, v.data())
	}
	regression := connectome.NewRegression(samples, confounds)
	fc, strength := make([]float64, regions*regions), make([]float64, regions*regions)
	for _, name := range []string{"from_butter", "from_fft"} {
		x := each(passed[name], regression.Apply)
		g.check(name+": after_regression", x, 1e-8, name, "after_regression")
		x = each(x, func(row []float64) { connectome.ZScore(row, 0) })
		g.check(name+": zscore", x, 1e-8, name, "zscore_population_sd")
		moments(name, x, name)
		connectome.Correlate(fc, x, regions, samples)
		g.check(name+": fc", fc, 1e-8, name, "fc")
	}
	o := &connectome.Options{Threshold: "absolute", AbsoluteR: g.number("threshold"), Isolates: "link"}
	for k, name := range []string{"co", "anti"} {
		connectome.Strength(strength, fc, regions, []float64{1, -1}[k])
		l, v := connectome.NewLayer(name, strength, regions, o), g.sub("layers", name)
		v.check(name+": weights", strength, 1e-8, "weights")
		v.check(name+": edges", joined(l.Edges, regions), 0, "thresholded")
		v.check(name+": isolates", l.Isolates, 0, "isolates")
		v.check(name+": added links", l.Added, 0, "added_links")
		v.check(name+": final", joined(slices.Concat(l.Edges, l.Added), regions), 0, "final")
	}
}

// multiplied returns the product of two polynomials.
func multiplied(x []float64, y [3]float64) []float64 {
	p := make([]float64, len(x)+2)
	for i, v := range x {
		for j, w := range y {
			p[i+j] += float64(v * w)
		}
	}
	return p
}

// joined returns the m x m adjacency matrix of pairs.
func joined(pairs [][2]int, m int) []float64 {
	a := make([]float64, m*m)
	for _, p := range pairs {
		a[p[0]*m+p[1]], a[p[1]*m+p[0]] = 1, 1
	}
	return a
}

// spectral checks the graph of nearest neighbours, filters of its Laplacian and bumps.
func spectral(g *golden) {
	w, sigma, err := graphsignal.NeighbourGraph(g.data("positions"), g.int("k"))
	ok(err)
	g.check("sigma", sigma, 1e-12, "sigma_median_neighbour_distance")
	g.check("weights", w.Dense(), 1e-12, "W")
	n, t, laplacian := g.int("n"), g.number("t"), graphsignal.Laplacian(w)
	filter := func(v []float64, f func(float64) float64) []float64 {
		x := make([]float64, len(v))
		graphsignal.Filter(x, laplacian, v, n, f)
		return x
	}
	low := func(x float64) float64 { return kernel.Exp(-x) }
	band := func(x float64) float64 { return graphsignal.Wavelet(float64(t * x)) }
	for _, c := range g.list("functions") {
		switch c.text("filter") {
		case "lowpass exp(-x)":
			c.check("low pass", filter(c.data("vector"), low), 1e-9, "exact")
		case "bandpass u exp(-u^2), u = t x":
			c.check("band pass", filter(c.data("vector"), band), 1e-9, "exact")
		default:
			g.fail("unknown filter "+c.text("filter"), fmt.Errorf("known are the low and the band pass"))
		}
	}
	for _, b := range g.list("blobs") {
		unit, raw := make([]float64, n), make([]float64, n)
		for _, c := range b.list("centres") {
			hops := graphsignal.Hops(w, c.int("centre"))
			c.check("hops", hops, 0, "hops")
			weights := graphsignal.Bump(hops, b.int("radius"))
			c.check("bump", weights, 1e-12, "weights")
			x := filter(weights, band)
			c.check("raw atom", x, 1e-9, "raw")
			graphsignal.Add(raw, 1, x)
			graphsignal.Scale(1/graphsignal.Norm(x), x)
			c.check("unit atom", x, 1e-9, "unit")
			graphsignal.Add(unit, 1, x)
		}
		b.check("sum of raw atoms", raw, 1e-9, "sum_of_raw_blobs")
		b.check("sum of unit atoms", unit, 1e-9, "sum_of_unit_blobs")
		graphsignal.Scale(1/graphsignal.Norm(unit), unit)
		b.check("signal", unit, 1e-9, "signal_unit_norm")
	}
	hops := graphsignal.Hops(w, g.ints("centres")...)
	g.check("hops to the nearest centre", hops, 0, "hops_to_nearest_centre")
	for _, radius := range g.names("inside_radius") {
		inside := make([]bool, len(hops))
		for i, h := range hops {
			inside[i] = h >= 0 && h <= must(strconv.Atoi(radius))
		}
		g.check("inside the radius", inside, 0, "inside_radius", radius)
	}
}

// dynamics checks the six dynamics of Syn4 in both variants.
func dynamics(g *golden) {
	a, found := g.adjacency(g.int("n"), "edges"), 0
	radius := graphsignal.SpectralRadius(a)
	g.check("spectral radius", radius, 1e-12, "spectral_radius")
	for k, variant := range []string{"released", "printed"} {
		states := []string{"released", "paper"}[k]
		for _, d := range graphsignal.Systems(variant == "printed") {
			want, seen := g.sub("dynamics", d.Name), 0
			if want.x == nil {
				continue
			}
			found++
			steps := []float64{want.number("steps"), want.number("beta"), want.number("dt")}
			g.compare(d.Name+": steps", []any{d.Steps, d.Beta, d.Dt}, steps, 0)
			x := want.data("x0")
			d.Run(x, a, radius, func(step int) {
				if want.has(states, step) {
					seen++
					want.check(d.Name+", "+variant, x, 1e-10, states, step)
				}
			})
			g.compare(d.Name+": states", seen, len(want.names(states)), 0)
		}
	}
	g.compare("known dynamics", found, 2*len(g.names("dynamics")), 0)
}

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
	all, train, e := evaluate.NewBatch(tokens, every, nil), evaluate.NewBatch(tokens, g.ints("train"), g.ints("y")), g.sub("expect")
	e.check("fused", c.Fused(all), 1e-9, "first/fused")
	e.check("logits", c.Logits(all), 1e-9, "first/logits")
	for head, w := range c.Attention(all) {
		for i := range n {
			e.check("attention", w.RawRowView(i), 1e-9, "first/attention", i, head)
		}
	}
	e.check("loss", c.Backward(train), 1e-9, "first/loss")
	for _, name := range c.Parameters() {
		e.check("gradients", c.Gradient(name), 1e-10, "first/grads", name)
	}
	for s := range e.length("losses") {
		e.check("loss", c.Backward(train), 1e-9, "losses", s)
		c.Step(train, g.number("lr"))
		for _, name := range c.Parameters() {
			got, want := c.Parameter(name), e.data("params_after", s, name)
			if name == "in_proj_bias" {
				// The gradient of the keys' bias is 0 exactly; Adam magnified its rounding in
				// the reference, and it has no influence.
				got, want = slices.Concat(got[:embed], got[2*embed:]), slices.Concat(want[:embed], want[2*embed:])
			}
			e.compare("parameters", got, want, 1e-6)
		}
	}
	e.check("final logits", c.Logits(all), 1e-9, "final_logits")
}

// metrics checks K-means, ARI, NMI and F1, and the properties of folds.
func metrics(g *golden) {
	matrix := func(v *golden) *mat.Dense { return mat.NewDense(v.shape()[0], v.shape()[1], v.data()) }
	for _, c := range g.list("kmeans") {
		got := evaluate.Lloyd(matrix(c.sub("X")), matrix(c.sub("init")))
		c.fields(got, 0, "labels=Labels kmeans labels")
		c.fields(got, 1e-9, "centroids=Centroids kmeans centroids; inertia=Inertia kmeans inertia")
	}
	for _, c := range g.list("partitions") {
		c.check("ari", evaluate.ARI(c.ints("a"), c.ints("b")), 1e-12, "ari")
		c.check("nmi", evaluate.NMI(c.ints("a"), c.ints("b")), 1e-12, "nmi")
	}
	for _, c := range g.list("f1") {
		macro, micro := evaluate.F1(c.ints("true"), c.ints("pred"))
		g.compare("f1", []float64{macro, micro}, []float64{c.number("macro"), c.number("micro")}, 1e-12)
	}
	for seed := range uint64(5) {
		for _, c := range g.list("stratified_folds") {
			count, sizes := foldCounts(evaluate.StratifiedFolds(c.ints("y"), c.int("k"), rng.New(seed, "folds")), c)
			misses := 0
			for _, fold := range count {
				for class, n := range fold {
					if n < c.int("per_class_min", class) || n > c.int("per_class_max", class) {
						misses++
					}
				}
			}
			if !slices.Equal(slices.Sorted(slices.Values(sizes)), slices.Sorted(slices.Values(c.ints("fold_sizes")))) {
				misses++
			}
			g.compare("stratified folds: rows outside the limits", misses, 0, 0)
		}
		c := g.sub("grouped_folds")
		folds := evaluate.GroupedFolds(c.ints("y"), c.ints("groups"), c.int("k"), rng.New(seed, "folds"))
		count, _ := foldCounts(folds, c)
		home, held, misses := map[int]int{}, make([]int, len(count)), 0
		for i, group := range c.ints("groups") {
			if f, met := home[group]; !met {
				home[group] = folds[i]
				held[folds[i]]++
			} else if f != folds[i] {
				misses++
			}
		}
		for f := range count {
			if !slices.Equal(count[f], c.ints("every_fold_class_counts")) || held[f] != c.int("every_fold_groups") {
				misses++
			}
		}
		g.compare("grouped folds: rows outside the limits", misses, 0, 0)
	}
}

// foldCounts counts the rows of each fold and class, and of each fold.
func foldCounts(folds []int, c *golden) (count [][]int, sizes []int) {
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

// sums is the file by which a folder of published data is known.
const sums = "checksums.json"

// published draws the published instances of Syn1 to Syn4 and holds them to the folder:
// edges to their checksums, everything else to the arrays that are there.
func published(g *golden) {
	if g.has("syn1") {
		graph := instance("syn1", "", "")
		g.hashed("syn1: edges", graph.Layers, "syn1")
		g.arrays("syn1.npz").labels(graph, "labels_final")
	}
	if g.has("syn2") {
		arrays := g.arrays("syn2.npz")
		for _, gamma := range g.part("syn2").names() {
			graph := instance("syn2", "gamma", gamma)
			g.hashed("syn2: edges, gamma "+gamma, graph.Layers, "syn2", gamma)
			arrays.labels(graph, "labels_common")
		}
	}
	if g.has("syn3") {
		graph, arrays := instance("syn3", "", ""), g.arrays("syn3.npz")
		g.hashed("syn3: edges", graph.Layers[:1], "syn3")
		arrays.array("positions", graph.Truth.Positions, 1e-12, "positions")
		for l, layer := range graph.Layers {
			arrays.array("centres", graph.Truth.Centres[l], 0, fmt.Sprintf("centres_p%d", l+1))
			arrays.array("signals", layer.Features.Dense, 1e-12, fmt.Sprintf("x_layer%d", l+1))
			arrays.array("regions", graph.Labels[2*l+1].Of, 0, fmt.Sprintf("labels_l%d", l))
		}
	}
	if !g.has("syn4") {
		return
	}
	arrays := g.arrays("syn4.npz")
	var bases []multiplex.Layer
	for sample := range synth.Syn4Samples {
		graph := instance("syn4", "sample", fmt.Sprint(sample))
		truth := graph.Truth
		if truth.Class == 0 {
			bases = append(bases, graph.Layers[0])
			arrays.array("spectral radius", truth.SpectralRadius, 1e-12, "spectral_radius", truth.Group)
		}
		arrays.array("classes", truth.Class, 0, "labels", sample)
		arrays.array("base graphs", truth.Group, 0, "base_id", sample)
		for l := range graph.Layers {
			arrays.array("initial states", truth.Initial[l], 1e-12, "x0", sample, l)
			arrays.array("final states", graph.Layers[l].Features.Dense, 1e-12, "x_final", sample, l)
		}
	}
	g.hashed("syn4: edges", bases, "syn4")
}

// instance returns the published graph, with one option set. It panics when the option is
// refused, which is the file's fault.
func instance(name, option, value string) *multiplex.Graph {
	o := must(examples.Lookup(name)).Options()
	ok(property.Set(o, "instance", "published"))
	if option != "" {
		ok(property.Set(o, option, value))
	}
	return must(examples.Draw(name, o, 0))
}

// arrays returns the arrays of a file beside, none when there is no such file.
func (g *golden) arrays(file string) *golden {
	c := *g
	c.path, c.x = path.Join(path.Dir(g.path), file), nil
	if _, err := fs.Stat(g.files, c.path); err == nil {
		c.x = map[string]any{}
		c.try("file", func() { c.readNPZ(c.path, strings.ToLower) })
	}
	return &c
}

// array compares an array, or a part of it, if there is a file.
func (g *golden) array(quantity string, got any, tolerance float64, path ...any) {
	if g.x != nil {
		g.compare(quantity, got, g.ifAny(path...), tolerance)
	}
}

// labels compares those of all layers and of each.
func (g *golden) labels(graph *multiplex.Graph, first string) {
	for i, name := range []string{first, "labels_l0", "labels_l1", "labels_l2"} {
		g.array(name, graph.Labels[i].Of, 0, name)
	}
}

// hashed compares the SHA-256 of the edges i < j of the matrices, one after the other, as
// pairs of little-endian int32.
func (g *golden) hashed(quantity string, layers []multiplex.Layer, path ...any) {
	h := sha256.New()
	for _, l := range layers {
		a := l.Adjacency
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if i < int(j) {
					ok(binary.Write(h, binary.LittleEndian, [2]int32{int32(i), j}))
				}
			}
		}
	}
	if got, want := hex.EncodeToString(h.Sum(nil)), g.sub(path...).text("edges_sha256"); got != want {
		g.fail(quantity, fmt.Errorf("hash %s, the file has %s", got, want))
		return
	}
	g.compare(quantity, nil, nil, 0)
}
