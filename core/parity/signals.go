package parity

import (
	"fmt"
	"slices"
	"strconv"

	"cadem/core/connectome"
	"cadem/core/graphsignal"
	"cadem/core/kernel"
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
	g.check("fft_kept_bins", floats(fft.Bins), 0, "fft_kept_bins")
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
		got := map[string][]float64{}
		each(x, func(row []float64) {
			s, k := connectome.Moments(row)
			got["skewness_biased"], got["excess_kurtosis_biased"] = append(got["skewness_biased"], s), append(got["excess_kurtosis_biased"], k)
			s, k = connectome.Unbiased(samples, s, k)
			got["skewness_unbiased"], got["excess_kurtosis_unbiased"] = append(got["skewness_unbiased"], s), append(got["excess_kurtosis_unbiased"], k)
		})
		for _, kind := range []string{"_biased", "_unbiased"} {
			g.check(name+": skewness", got["skewness"+kind], 1e-8, want, "skewness"+kind)
			g.check(name+": excess kurtosis", got["excess_kurtosis"+kind], 1e-8, want, "excess_kurtosis"+kind)
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
		l := connectome.NewLayer(name, strength, regions, o)
		g.check(name+": weights", strength, 1e-8, "layers", name, "weights")
		g.check(name+": edges", joined(l.Edges, regions), 0, "layers", name, "thresholded")
		g.check(name+": isolates", floats(l.Isolates), 0, "layers", name, "isolates")
		var added []float64
		for _, p := range l.Added {
			added = append(added, float64(p[0]), float64(p[1]))
		}
		g.check(name+": added links", added, 0, "layers", name, "added_links")
		g.check(name+": final", joined(append(slices.Clone(l.Edges), l.Added...), regions), 0, "layers", name, "final")
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
	g.check("sigma", []float64{sigma}, 1e-12, "sigma_median_neighbour_distance")
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
			g.compare("low pass", filter(c.data("vector"), low), c.data("exact"), 1e-9)
		case "bandpass u exp(-u^2), u = t x":
			g.compare("band pass", filter(c.data("vector"), band), c.data("exact"), 1e-9)
		default:
			g.fail("unknown filter "+c.text("filter"), fmt.Errorf("known are the low and the band pass"))
		}
	}
	for _, b := range g.list("blobs") {
		unit, raw := make([]float64, n), make([]float64, n)
		for _, c := range b.list("centres") {
			hops := graphsignal.Hops(w, c.int("centre"))
			g.compare("hops", floats(hops), c.data("hops"), 0)
			weights := graphsignal.Bump(hops, b.int("radius"))
			g.compare("bump", weights, c.data("weights"), 1e-12)
			x := filter(weights, band)
			g.compare("raw atom", x, c.data("raw"), 1e-9)
			graphsignal.Add(raw, 1, x)
			graphsignal.Scale(1/graphsignal.Norm(x), x)
			g.compare("unit atom", x, c.data("unit"), 1e-9)
			graphsignal.Add(unit, 1, x)
		}
		g.compare("sum of raw atoms", raw, b.data("sum_of_raw_blobs"), 1e-9)
		g.compare("sum of unit atoms", unit, b.data("sum_of_unit_blobs"), 1e-9)
		graphsignal.Scale(1/graphsignal.Norm(unit), unit)
		g.compare("signal", unit, b.data("signal_unit_norm"), 1e-9)
	}
	hops := graphsignal.Hops(w, g.ints("centres")...)
	g.check("hops to the nearest centre", floats(hops), 0, "hops_to_nearest_centre")
	for _, radius := range g.tensor("inside_radius").names {
		inside := make([]float64, len(hops))
		for i, h := range hops {
			inside[i] = truth(h >= 0 && h <= must(strconv.Atoi(radius)))
		}
		g.check("inside the radius", inside, 0, "inside_radius", radius)
	}
}

// dynamics checks the six dynamics of Syn4 in both variants.
func dynamics(g *golden) {
	a := g.adjacency(g.int("n"), "edges")
	radius := graphsignal.SpectralRadius(a)
	g.check("spectral radius", []float64{radius}, 1e-12, "spectral_radius")
	found := 0
	for k, variant := range []string{"released", "printed"} {
		states := []string{"released", "paper"}[k]
		for _, d := range graphsignal.Systems(variant == "printed") {
			if !g.has("dynamics", d.Name) {
				continue
			}
			found++
			want, seen := g.sub("dynamics", d.Name), 0
			steps := slices.Concat(want.data("steps"), want.data("beta"), want.data("dt"))
			g.compare(d.Name+": steps", []float64{float64(d.Steps), d.Beta, d.Dt}, steps, 0)
			x := slices.Clone(want.data("x0"))
			d.Run(x, a, radius, func(step int) {
				if want.has(states, step) {
					seen++
					g.compare(d.Name+", "+variant, x, want.data(states, step), 1e-10)
				}
			})
			g.compare(d.Name+": states", []float64{float64(seen)}, []float64{float64(want.length(states))}, 0)
		}
	}
	g.compare("known dynamics", []float64{float64(found)}, []float64{float64(2 * g.length("dynamics"))}, 0)
}
