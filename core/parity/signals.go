package parity

import (
	"encoding/json"
	"fmt"
	"slices"

	"cadem/core/connectome"
)

// A chain is what came out of a band-pass, step by step.
type chain struct {
	Regression       tensor    `json:"after_regression"`
	ZScore           tensor    `json:"zscore_population_sd"`
	FC               tensor    `json:"fc"`
	Skewness         []float64 `json:"skewness_biased"`
	SkewnessUnbiased []float64 `json:"skewness_unbiased"`
	Kurtosis         []float64 `json:"excess_kurtosis_biased"`
	KurtosisUnbiased []float64 `json:"excess_kurtosis_unbiased"`
}

// signals checks the steps from a time series to layers, in double precision.
func (r *Report) signals(file string, data []byte) {
	var g struct {
		T, Regions   int
		TR           float64
		Band         []float64 `json:"band_hz"`
		X, Confounds tensor
		Detrended    tensor
		Order        int `json:"butter_order"`
		B, A         []float64
		PadType      string
		PadLen       int
		Butterworth  tensor `json:"bandpass_sosfiltfilt"`
		FFT          tensor `json:"bandpass_fft"`
		Bins         []int  `json:"fft_kept_bins"`
		FromFFT      chain  `json:"from_fft"`
		FromButter   chain  `json:"from_butter"`
		RawMoments   chain  `json:"raw_moments"`
		Threshold    float64
		Layers       map[string]struct {
			Weights, Thresholded, Final tensor
			Isolates                    []int
			Added                       [][2]int `json:"added_links"`
		}
	}
	if err := json.Unmarshal(data, &g); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	if g.PadType != "odd" || len(g.Band) != 2 {
		r.fail(file, "file", 64, fmt.Errorf("padtype %q, %d limits: expected odd, 2", g.PadType, len(g.Band)))
		return
	}
	check := func(quantity string, got, want []float64, tolerance float64) {
		r.compare(file, quantity, 64, got, want, tolerance)
	}
	each := func(x []float64, do func(row []float64)) []float64 {
		x = slices.Clone(x)
		for i := range g.Regions {
			do(x[i*g.T : (i+1)*g.T])
		}
		return x
	}
	fft, err := connectome.NewFFT(g.T, g.TR, g.Band[0], g.Band[1])
	if err != nil {
		r.fail(file, "bandpass_fft", 64, err)
		return
	}
	butter, err := connectome.NewButterworth(g.Order, g.TR, g.Band[0], g.Band[1])
	if err != nil {
		r.fail(file, "bandpass_sosfiltfilt", 64, err)
		return
	}
	butter.Pad = g.PadLen
	check("fft_kept_bins", floats(fft.Bins), floats(g.Bins), 0)
	b, a := coefficients(butter)
	check("filter coefficients", b, g.B, 1e-8)
	check("filter coefficients", a, g.A, 1e-8)
	detrended := each(g.X.data, connectome.Detrend)
	check("detrended", detrended, g.Detrended.data, 1e-10)
	kept := each(detrended, fft.Apply)
	check("bandpass_fft", kept, g.FFT.data, 1e-10)
	smooth := each(detrended, butter.Apply)
	check("bandpass_sosfiltfilt", smooth, g.Butterworth.data, 1e-8)

	moments := func(name string, x []float64, want *chain) {
		var s, k, s1, k1 []float64
		each(x, func(row []float64) {
			skewness, kurtosis := connectome.Moments(row)
			s, k = append(s, skewness), append(k, kurtosis)
			skewness, kurtosis = connectome.Unbiased(g.T, skewness, kurtosis)
			s1, k1 = append(s1, skewness), append(k1, kurtosis)
		})
		check(name+": skewness", s, want.Skewness, 1e-8)
		check(name+": skewness", s1, want.SkewnessUnbiased, 1e-8)
		check(name+": excess kurtosis", k, want.Kurtosis, 1e-8)
		check(name+": excess kurtosis", k1, want.KurtosisUnbiased, 1e-8)
	}
	moments("raw", g.X.data, &g.RawMoments)
	var confounds [][]float64
	for k := range g.Confounds.len() {
		confounds = append(confounds, g.Confounds.at(k).data)
	}
	regression := connectome.NewRegression(g.T, confounds)
	fc := make([]float64, g.Regions*g.Regions)
	for _, c := range []struct {
		name string
		x    []float64
		want *chain
	}{{"from_butter", smooth, &g.FromButter}, {"from_fft", kept, &g.FromFFT}} {
		x := each(c.x, regression.Apply)
		check(c.name+": after_regression", x, c.want.Regression.data, 1e-8)
		x = each(x, func(row []float64) { connectome.ZScore(row, 0) })
		check(c.name+": zscore", x, c.want.ZScore.data, 1e-8)
		moments(c.name, x, c.want)
		connectome.Correlate(fc, x, g.Regions, g.T)
		check(c.name+": fc", fc, c.want.FC.data, 1e-8)
	}
	o := &connectome.Options{Threshold: "absolute", AbsoluteR: g.Threshold, Isolates: "link"}
	strength := make([]float64, len(fc))
	for k, name := range []string{"co", "anti"} {
		want, ok := g.Layers[name]
		if !ok {
			r.fail(file, "layer "+name, 64, fmt.Errorf("no such layer"))
			continue
		}
		connectome.Strength(strength, fc, g.Regions, []float64{1, -1}[k])
		l := connectome.NewLayer(name, strength, g.Regions, o)
		check(name+": weights", strength, want.Weights.data, 1e-8)
		check(name+": edges", joined(l.Edges, g.Regions), want.Thresholded.data, 0)
		check(name+": isolates", floats(l.Isolates), floats(want.Isolates), 0)
		check(name+": added links", pairs(l.Added), pairs(want.Added), 0)
		check(name+": final", joined(append(slices.Clone(l.Edges), l.Added...), g.Regions), want.Final.data, 0)
	}
}

// coefficients multiplies the sections of a filter out.
func coefficients(f *connectome.Butterworth) (b, a []float64) {
	b, a = []float64{f.Gain}, []float64{1}
	for _, s := range f.Sections {
		b, a = multiplied(b, [3]float64{1, 0, -1}), multiplied(a, [3]float64{1, s[0], s[1]})
	}
	return b, a
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

func pairs(list [][2]int) []float64 {
	var x []float64
	for _, p := range list {
		x = append(x, float64(p[0]), float64(p[1]))
	}
	return x
}
