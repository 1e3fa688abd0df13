package main

import (
	"math"
	"slices"
)

// A report is the JSON output. The quick run fills all but the additions of full.
type report struct {
	Spread    map[string]spread `json:"spread"` // of every quantity, by the names of the tables
	Steps     map[string]int    `json:"steps"`
	Allocs    float64           `json:"allocs_per_step"`
	HashEqual bool              `json:"hash_equal"`
	WasmGzip  int               `json:"wasm_gzip_bytes"`  // of the program of a first visit
	WholeGzip int               `json:"whole_gzip_bytes"` // of the one that is loaded when asked for
	*full
}

// full holds the figures that only the full run measures.
type full struct {
	Machine    machine               `json:"machine"`
	Peers      map[string]peerReport `json:"peers"` // tfjs and torch, those that are here
	NotHere    []string              `json:"not_here,omitempty"`
	Memory     memoryReport          `json:"memory_mb"`
	Loops      *loopReport           `json:"kernels,omitempty"`
	Board      *boardReport          `json:"all_methods,omitempty"`
	Epochs     []string              `json:"-"` // graph and method of every one; their times are in the spread
	Scaling    []fit                 `json:"scaling"`
	Projected  []projection          `json:"projected,omitempty"`
	Cohort     *cohortFit            `json:"cohort,omitempty"`
	Large      []largeFit            `json:"large,omitempty"`
	LargeLinks []heldFit             `json:"large_links,omitempty"`
	LargeTab   []tabFit              `json:"large_in_the_page,omitempty"`
	Paper      []paperRow            `json:"paper,omitempty"`
	Acceptance []line                `json:"acceptance"`
}

// A peerReport tells who took the step of Syn2; its times are in the spread.
type peerReport struct {
	Name      string  `json:"name"`
	Version   string  `json:"version"`
	Deviation float64 `json:"loss_deviation"` // largest relative difference of its first losses from ours
}

// A loopReport tells who did the loops; their times are in the spread.
type loopReport struct {
	Torch string `json:"torch"` // its version; "" if it is not here
}

// A memoryReport sets the memory of the program after training Syn2, in MB, beside what
// its parameters (32 bytes each) and its graph take.
type memoryReport struct {
	Peak       float64 `json:"peak"`
	Parameters float64 `json:"parameters"`
	Graph      float64 `json:"graph"`
}

// A spread tells how far repeated measurements lie apart.
type spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"`
}

func (s samples) spread() spread {
	return spread{round(s.median()), round(slices.Min(s)), round(slices.Max(s)), len(s)}
}

// sameHashes says whether Syn1 ended in the same bits wherever it ran.
func (b *bench) sameHashes() bool {
	for _, h := range b.hashes {
		if h == "" || h != b.hashes["native"] {
			return false
		}
	}
	return len(b.hashes) > 1
}

func (b *bench) report() *report {
	r := &report{Spread: map[string]spread{}, Steps: b.steps, Allocs: b.allocs, HashEqual: b.sameHashes(), WasmGzip: b.site.WasmSize(),
		WholeGzip: b.site.WholeSize(), full: b.full}
	for name, s := range b.samples {
		r.Spread[name] = s.spread()
	}
	if r.full != nil {
		r.Machine = b.machine
	}
	return r
}

// samples are repeated measurements of one quantity.
type samples []float64

// median returns the middle one, or the mean of the two in the middle.
func (s samples) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(s))
	n := len(v) / 2
	if len(v)%2 == 1 {
		return v[n]
	}
	return (v[n-1] + v[n]) / 2
}

// quantile returns the smallest sample that a share q of all do not exceed.
func (s samples) quantile(q float64) float64 {
	v := slices.Sorted(slices.Values(s))
	return v[max(0, int(math.Ceil(q*float64(len(v))))-1)]
}

// exponent fits y = c x^p by least squares in logarithms and returns p.
func exponent(x, y []float64) float64 {
	n, sx, sy, sxx, sxy := float64(len(x)), 0.0, 0.0, 0.0, 0.0
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// round keeps four significant digits.
func round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
