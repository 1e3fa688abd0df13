package main

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Figures are all that was measured, by name. A Go benchmark is named where/Name/of/its/parts, with a bar
// before its unit: times of an operation have none and are in ms.
type figures struct {
	names []string // in the order in which they came
	of    map[string]samples
}

// samples are repeated measurements of one quantity.
type samples []float64

// add notes measurements.
func (b *bench) add(name string, values ...float64) {
	if b.warming {
		return
	}
	if b.of[name] == nil {
		b.names = append(b.names, name)
	}
	b.of[name] = append(b.of[name], values...)
}

func (f *figures) has(name string) bool       { return f.of[name] != nil }
func (f *figures) median(name string) float64 { return f.of[name].median() }

// high is a quantile of a quantity.
func (f *figures) high(q float64, name string) float64 { return f.of[name].quantile(q) }

// ratio is that of two medians.
func (f *figures) ratio(above, below string) float64 { return f.median(above) / f.median(below) }

// under lists what is under a prefix, without units.
func (f *figures) under(prefix string) (list []string) {
	for _, name := range f.names {
		if rest, in := strings.CutPrefix(name, prefix); in {
			rest, _, _ = strings.Cut(rest, "|")
			if !slices.Contains(list, rest) {
				list = append(list, rest)
			}
		}
	}
	return list
}

// groups lists the folders under a prefix.
func (f *figures) groups(prefix string) (list []string) {
	for _, name := range f.under(prefix) {
		list = append(list, path.Dir(name))
	}
	return slices.Compact(list)
}

// A series is how a quantity grows with a size.
type series struct{ X, Y []float64 }

// series collects the medians of quantities whose names differ in a size.
func (f *figures) series(prefix, suffix string) (s series) {
	for _, name := range f.names {
		rest, in := strings.CutPrefix(name, prefix)
		rest, ends := strings.CutSuffix(rest, suffix)
		size, _, _ := strings.Cut(rest, "/")
		if x, err := strconv.ParseFloat(size, 64); in && ends && err == nil {
			s.X, s.Y = append(s.X, x), append(s.Y, round(f.median(name)))
		}
	}
	return s
}

// Exponent fits y = c x^p by least squares in logarithms and returns p, NaN for fewer than two sizes.
func (s series) Exponent() float64 {
	if len(s.X) < 2 {
		return math.NaN()
	}
	var x, y []float64
	for i := range s.X {
		x, y = append(x, math.Log(s.X[i])), append(y, math.Log(s.Y[i]))
	}
	_, p := stat.LinearRegression(x, y, nil, false)
	return p
}

// Sizes and Values are the first and the last.
func (s series) Sizes() string  { return fmt.Sprintf("%.0f .. %.0f", s.X[0], s.X[len(s.X)-1]) }
func (s series) Values() string { return fmt.Sprintf("%g .. %g", s.Y[0], s.Y[len(s.Y)-1]) }

// median returns the middle one, or the mean of the two in the middle; NaN of none.
func (s samples) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(s))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// quantile returns the smallest sample that a share q of all do not exceed; NaN of none.
func (s samples) quantile(q float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	return stat.Quantile(q, stat.Empirical, slices.Sorted(slices.Values(s)), nil)
}

// round keeps four significant digits.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // it was a number
	return y
}

// A spread is the range of repeated measurements.
type spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"`
}

func (s samples) spread() spread {
	return spread{round(s.median()), round(slices.Min(s)), round(slices.Max(s)), len(s)}
}

// A report is the JSON output.
type report struct {
	Spread    map[string]spread `json:"spread"` // of every quantity
	Steps     map[string]int    `json:"steps"`
	Allocs    float64           `json:"allocs_per_step"`
	HashEqual bool              `json:"hash_equal"`
	WasmGzip  int               `json:"wasm_gzip_bytes"`  // of the program of a first visit
	WholeGzip int               `json:"whole_gzip_bytes"` // of the one that is loaded when asked for
	// A quick run has none of these.
	Machine *machine            `json:"machine,omitempty"`
	Remarks map[string][]string `json:"remarks,omitempty"`
	Paper   []map[string]any    `json:"paper,omitempty"`
}

func (b *bench) report() *report {
	sizes := b.site.Downloads()
	r := &report{Spread: map[string]spread{}, Steps: b.steps, HashEqual: b.sameHashes(),
		WasmGzip: sizes[1].Size, WholeGzip: sizes[2].Size, Remarks: b.remarks, Paper: b.paper}
	for name, s := range b.of {
		r.Spread[name] = s.spread()
	}
	if b.has(allocations) {
		r.Allocs = b.median(allocations)
	}
	if !b.quick {
		r.Machine = &b.machine
	}
	return r
}

// sameHashes says whether Syn1 ended in the same bits wherever it ran.
func (b *bench) sameHashes() bool {
	list := slices.Collect(maps.Values(b.hashes))
	return len(list) > 1 && list[0] != "" && len(slices.Compact(list)) == 1
}
