package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A report is what is printed. The quick run fills all but what full adds.
type report struct {
	Step      stepTimes          `json:"syn2_step_ms"`
	Floor     floorTimes         `json:"floor_ms"`
	Runs      map[string]float64 `json:"runs_s"`
	Steps     map[string]int     `json:"steps"`
	Allocs    float64            `json:"allocs_per_step"`
	HashEqual bool               `json:"hash_equal"`
	WasmGzip  int                `json:"wasm_gzip_bytes"`
	*full

	machine machine
	spread  map[string]spread
}

type stepTimes struct {
	SIMD   float64 `json:"simd"`
	Scalar float64 `json:"scalar"`
	Native float64 `json:"native"`
}

type floorTimes struct {
	SIMD   float64 `json:"simd"`
	Native float64 `json:"native,omitempty"`
}

// A spread tells how far repeated measurements lie apart.
type spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"`
}

// full is what only the full run measures.
type full struct{}

func (b *bench) report() *report {
	r := &report{Runs: map[string]float64{}, Steps: b.steps, Allocs: b.allocs, WasmGzip: b.site.WasmSize(), full: b.full,
		machine: b.machine, spread: map[string]spread{}}
	r.Step = stepTimes{round(b.median("step/simd")), round(b.median("step/scalar")), round(b.median("step/native"))}
	r.Floor = floorTimes{SIMD: round(b.median("floor/simd"))}
	r.HashEqual = len(b.hashes) > 1
	for _, h := range b.hashes {
		r.HashEqual = r.HashEqual && h != "" && h == b.hashes["native"]
	}
	for name, s := range b.samples {
		r.spread[name] = spread{round(s.median()), round(slices.Min(*s)), round(slices.Max(*s)), len(*s)}
		if run, ok := strings.CutPrefix(name, "run/"); ok {
			r.Runs[run] = round(s.median())
		}
	}
	return r
}

// table writes the report for people.
func (r *report) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.machine.String())
	for _, name := range slices.Sorted(maps.Keys(r.spread)) {
		s := r.spread[name]
		fmt.Fprintf(&b, "%-28s %10.3f   (%.3f to %.3f, n %d)\n", name, s.Median, s.Low, s.High, s.N)
	}
	fmt.Fprintf(&b, "\nallocations per step %v, same hashes %v, wasm %d bytes gzip\n", r.Allocs, r.HashEqual, r.WasmGzip)
	return b.String()
}
