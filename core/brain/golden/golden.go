// Package golden holds the steps from a series to a graph to the reference implementation's numbers.
package golden

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/lab/parity"
)

// Register adds these files to those of the lab.
func Register() {
	parity.Register("core/brain/connectome", "confounds from_fft from_butter", signals)
}

// signals checks the steps from a time series to layers, in double precision.
func signals(data func(...any) []float64, text func(...any) string, check parity.Checker) {
	number := func(path ...any) float64 { return data(path...)[0] }
	samples, regions, band := int(number("T")), int(number("regions")), data("band_hz")
	if text("padtype") != "odd" || len(band) != 2 {
		panic(fmt.Errorf("padtype %q, %d limits: expected odd, 2", text("padtype"), len(band)))
	}
	each := func(x []float64, do func(row []float64)) []float64 {
		x = slices.Clone(x)
		for i := range regions {
			do(x[i*samples : (i+1)*samples])
		}
		return x
	}
	fft, bad := connectome.NewFFT(samples, number("tr"), band[0], band[1])
	order := int(number("butter_order"))
	butter, err := connectome.NewButterworth(order, number("tr"), band[0], band[1])
	if err := errors.Join(bad, err); err != nil {
		panic(err)
	}
	butter.Pad = int(number("padlen"))
	check("fft_kept_bins", fft.Bins, 0, "fft_kept_bins")
	b, a := []float64{butter.Gain}, []float64{1} // the sections of the filter, multiplied out
	for _, s := range butter.Sections {
		b, a = multiplied(b, [3]float64{1, 0, -1}), multiplied(a, [3]float64{1, s[0], s[1]})
	}
	check("filter coefficients", b, 1e-8, "b")
	check("filter coefficients", a, 1e-8, "a")
	detrended := each(data("X"), connectome.Detrend)
	check("detrended", detrended, 1e-10, "detrended")
	passed := map[string][]float64{"from_fft": each(detrended, fft.Apply), "from_butter": each(detrended, butter.Apply)}
	check("bandpass_fft", passed["from_fft"], 1e-10, "bandpass_fft")
	check("bandpass_sosfiltfilt", passed["from_butter"], 1e-8, "bandpass_sosfiltfilt")

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
			check(quantity, biased[k], 1e-8, want, moment+"_biased")
			check(quantity, unbiased[k], 1e-8, want, moment+"_unbiased")
		}
	}
	moments("raw", data("X"), "raw_moments")
	regression := connectome.NewRegression(samples,
		slices.Collect(slices.Chunk(data("confounds"), samples)))
	fc, strength := make([]float64, regions*regions), make([]float64, regions*regions)
	for _, name := range []string{"from_butter", "from_fft"} {
		x := each(passed[name], regression.Apply)
		check(name+": after_regression", x, 1e-8, name, "after_regression")
		x = each(x, func(row []float64) { connectome.ZScore(row, 0) })
		check(name+": zscore", x, 1e-8, name, "zscore_population_sd")
		moments(name, x, name)
		connectome.Correlate(fc, x, regions, samples)
		check(name+": fc", fc, 1e-8, name, "fc")
	}
	o := &connectome.Options{Threshold: "absolute", AbsoluteR: number("threshold"), Isolates: "link"}
	for k, name := range []string{"co", "anti"} {
		connectome.Strength(strength, fc, regions, []float64{1, -1}[k])
		l := connectome.NewLayer(name, strength, regions, o)
		check(name+": weights", strength, 1e-8, "layers", name, "weights")
		check(name+": edges", joined(l.Edges, regions), 0, "layers", name, "thresholded")
		check(name+": isolates", l.Isolates, 0, "layers", name, "isolates")
		check(name+": added links", l.Added, 0, "layers", name, "added_links")
		all := slices.Concat(l.Edges, l.Added)
		check(name+": final", joined(all, regions), 0, "layers", name, "final")
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
