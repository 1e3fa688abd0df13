package parity

import (
	"encoding/json"
	"strconv"

	"cadem/core/graphsignal"
	"cadem/core/kernel"
)

// spectral checks the graph of nearest neighbours, filters of its Laplacian and bumps.
func (r *Report) spectral(file string, data []byte) {
	type bump struct {
		Centre             int
		Hops, Weights, Raw []float64
		Unit               []float64
	}
	var g struct {
		N, K      int
		Positions tensor
		Sigma     float64 `json:"sigma_median_neighbour_distance"`
		W         tensor
		Lambda    []float64 `json:"lambda"`
		Largest   float64   `json:"lambda_max"`
		T         float64
		Functions []struct {
			Filter        string
			Vector, Exact []float64
		}
		Centres []int
		Blobs   []struct {
			Radius    int
			Centres   []bump
			SumOfUnit []float64 `json:"sum_of_unit_blobs"`
			UnitNorm  []float64 `json:"signal_unit_norm"`
			SumOfRaw  []float64 `json:"sum_of_raw_blobs"`
		}
		Hops   []float64            `json:"hops_to_nearest_centre"`
		Inside map[string][]float64 `json:"inside_radius"`
	}
	if err := json.Unmarshal(data, &g); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	check := func(quantity string, got, want []float64, tolerance float64) {
		r.compare(file, quantity, 64, got, want, tolerance)
	}
	w, sigma, err := graphsignal.NeighbourGraph(g.Positions.data, g.K)
	if err != nil {
		r.fail(file, "positions", 64, err)
		return
	}
	check("sigma", []float64{sigma}, []float64{g.Sigma}, 1e-12)
	check("weights", w.Dense(), g.W.data, 1e-12)
	laplacian := graphsignal.Laplacian(w)
	filter := func(v []float64, f func(float64) float64) []float64 {
		x := make([]float64, len(v))
		graphsignal.Filter(x, laplacian, v, g.N, f)
		return x
	}
	low := func(x float64) float64 { return kernel.Exp(-x) }
	band := func(x float64) float64 { return graphsignal.Wavelet(float64(g.T * x)) }
	for _, c := range g.Functions {
		switch c.Filter {
		case "lowpass exp(-x)":
			check("low pass", filter(c.Vector, low), c.Exact, 1e-9)
		case "bandpass u exp(-u^2), u = t x":
			check("band pass", filter(c.Vector, band), c.Exact, 1e-9)
		default:
			check("unknown filter "+c.Filter, nil, c.Exact, 0)
		}
	}
	for _, b := range g.Blobs {
		unit, raw := make([]float64, g.N), make([]float64, g.N)
		for _, c := range b.Centres {
			hops := graphsignal.Hops(w, c.Centre)
			check("hops", floats(hops), c.Hops, 0)
			weights := graphsignal.Bump(hops, b.Radius)
			check("bump", weights, c.Weights, 1e-12)
			x := filter(weights, band)
			check("raw atom", x, c.Raw, 1e-9)
			graphsignal.Add(raw, 1, x)
			graphsignal.Scale(1/graphsignal.Norm(x), x)
			check("unit atom", x, c.Unit, 1e-9)
			graphsignal.Add(unit, 1, x)
		}
		check("sum of raw atoms", raw, b.SumOfRaw, 1e-9)
		check("sum of unit atoms", unit, b.SumOfUnit, 1e-9)
		graphsignal.Scale(1/graphsignal.Norm(unit), unit)
		check("signal", unit, b.UnitNorm, 1e-9)
	}
	hops := graphsignal.Hops(w, g.Centres...)
	check("hops to the nearest centre", floats(hops), g.Hops, 0)
	for radius, want := range g.Inside {
		n, err := strconv.Atoi(radius)
		if err != nil {
			r.fail(file, "inside the radius", 64, err)
			return
		}
		inside := make([]float64, len(hops))
		for i, h := range hops {
			if h >= 0 && h <= n {
				inside[i] = 1
			}
		}
		check("inside the radius", inside, want, 0)
	}
}

func floats(x []int) []float64 {
	f := make([]float64, len(x))
	for i, v := range x {
		f[i] = float64(v)
	}
	return f
}
