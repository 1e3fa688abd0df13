package baseline

import (
	"fmt"
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// DeepWalk as the factorisation of a matrix, NetMF (Qiu, Dong, Ma, Li, Wang and Tang 2018), on all layers together:
//
//	A = sum over l of A_l,  D = diag(A 1),  R = log max(1, vol / (b T) (sum over t = 1 ... T of (D^-1 A)^t) D^-1),  vol = 1'A 1
//	Y = [v_1 ... v_d] diag(|w_1| ... |w_d|)^1/2,  w_k the eigenvalues of R of largest modulus
//
// T is the window of the walks and b the number of negatives. A link between i and j is as probable as (V diag(w) V')_ij. Above some number
// of nodes the sum is made of the leading h eigenpairs U, lambda of D^-1/2 A D^-1/2 alone, as the paper's NetMF for large windows does it:
//
//	D^-1/2 U diag(max(0, sum over t of lambda^t)) U' D^-1/2
//
// and no matrix of M x M is kept: its rows are computed anew for every product. Features are ignored.
//
// Cost: T M nnz(A) multiply-adds and M^2 logarithms, then 15 to 500 passes of 8 M^2; of eigenpairs 15 to 100 passes of h M^2.
//
// Not in the paper: several layers, whose links are added up here. Self-loops are left out. The paper takes singular vectors of R; it is symmetric, so
// these are its eigenvectors. Its 128 columns and 10 steps are for ten thousand nodes. A classifier learns nothing from as many columns as nodes, so
// here are 16 columns, and the 5 steps of DeepWalk. The level lite has 64 eigenpairs.
var netMF = train.Method{
	Name: "netmf", Label: "NetMF", Doc: "Leading eigenvectors of how often nodes would meet on random walks over all layers added up; nothing is trained.",
	Family: train.Walks, Fusion: train.Own, Unscaled: true,
	Fixed: true, Needs: []train.Need{train.OneGraph, train.Edges},
	Levels:  withLite("pairs", 64),
	Options: func() any { return &NetMFOptions{} },
	Memory: func(s *train.Setup) float64 {
		m, _, _ := extentOf(s)
		o := s.Options.(*NetMFOptions)
		largest := min(2*o.Dim+100, m)
		if m <= o.Exact {
			return 8 * float64(m*(m+4*largest))
		}
		return 8 * float64(m*(4*max(largest, min(2*o.Pairs+100, m))+2*o.Pairs+rowsTogether))
	},
}

func startNetMF(s *train.Setup) (train.Training, error) {
	o := s.Options.(*NetMFOptions)
	p := newSummed(s, o.Dim, func(p *summed, pause pause.Work) error { return p.netmf(o, pause) })
	p.says = func(p *summed, r *train.Report) {
		if m := p.graph.M(); m > o.Exact {
			r.Notes = append(r.Notes, fmt.Sprintf("The walks were approximated by %d eigenpairs: there are %d nodes, and more than %d.",
				p.counted, m, o.Exact))
		} else {
			r.Notes = append(r.Notes, "The walks were counted exactly.")
		}
	}
	return p, nil
}

// NetMFOptions are the options of NetMF.
type NetMFOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"16" doc:"Eigenvectors of the matrix of walks."`
	Window    int     `name:"window" symbol:"T" label:"Window" group:"Method" min:"1" max:"100" default:"5" doc:"Steps of a walk within which two nodes meet."`
	Negatives float64 `name:"negatives" symbol:"b" label:"Negatives" group:"Method" min:"0.01" max:"100" default:"1" doc:"Nodes drawn for each pair that DeepWalk would tell it from."`
	Exact     int     `name:"exact" label:"Exact up to" group:"Method" min:"0" max:"20000" default:"3000" doc:"Nodes up to which walks are counted exactly. With more they are approximated by eigenpairs, without a matrix of all pairs."`
	Pairs     int     `name:"pairs" symbol:"h" label:"Eigenpairs" group:"Method" min:"1" max:"512" default:"256" doc:"Eigenpairs that approximate the walks where there are more nodes."`
}

// rowsTogether is the number of rows of the matrix of walks that are made at a time.
const rowsTogether = 16

func (p *summed) netmf(o *NetMFOptions, pause pause.Work) error {
	a, degrees := together(p.graph.Layers)
	vol := 0.0
	for _, d := range degrees {
		vol += d
	}
	scale := vol / float64(o.Negatives*float64(o.Window))
	var mul func(dst, x []float64, columns int) error
	tolerance := settledPair
	if a.Rows <= o.Exact {
		walks, err := meetings(a, degrees, o.Window, scale, pause)
		if err != nil {
			return err
		}
		mul = func(dst, x []float64, columns int) error {
			return inRows(a.Rows, func(from, to int) error {
				kernel.Mul(dst[from*columns:to*columns], walks[from*a.Rows:to*a.Rows], x, to-from, a.Rows, columns)
				return pause.After((to - from) * a.Rows * columns)
			})
		}
	} else {
		factor, err := p.factor(a, degrees, o, scale, pause)
		if err != nil {
			return err
		}
		mul, tolerance = logarithms(factor, a.Rows, p.counted, pause), 1e-6
	}
	w, v, err := linalg.Extreme(a.Rows, o.Dim, mul, tolerance, pause)
	if err != nil {
		return err
	}
	p.place(w, v, 1)
	return nil
}

// inRows does something for all rows, some of them at a time.
func inRows(m int, do func(from, to int) error) error {
	for from := 0; from < m; from += rowsTogether {
		if err := do(from, min(from+rowsTogether, m)); err != nil {
			return err
		}
	}
	return nil
}

// meetings returns R with all its entries.
func meetings(a *multiplex.CSR, degrees []float64, window int, scale float64, pause pause.Work) ([]float64, error) {
	m := a.Rows
	out := make([]float64, m*m)
	x, next, sum := make([]float64, m*rowsTogether), make([]float64, m*rowsTogether), make([]float64, m*rowsTogether)
	step := product(a, pause)
	return out, inRows(m, func(from, to int) error {
		n := to - from
		x, next, sum := x[:m*n], next[:m*n], sum[:m*n]
		clear(x)
		clear(sum)
		for k := range n {
			if d := degrees[from+k]; d > 0 {
				x[(from+k)*n+k] = 1 / d
			}
		}
		for range window {
			if err := step(next, x, n); err != nil {
				return err
			}
			for i, d := range degrees {
				if d == 0 {
					continue // nothing came here
				}
				for k := i * n; k < (i+1)*n; k++ {
					x[k] = next[k] / d
					sum[k] += x[k]
				}
			}
		}
		for i := range m {
			for k, v := range sum[i*n : (i+1)*n] {
				if v *= scale; v > 1 {
					out[(from+k)*m+i] = kernel.Log(v)
				}
			}
		}
		return pause.After(8 * m * n)
	})
}

// factor returns B (M x h) such that R is approximately the logarithm of B B'.
func (p *summed) factor(a *multiplex.CSR, degrees []float64, o *NetMFOptions, scale float64, pause pause.Work) ([]float64, error) {
	q := make([]float64, a.Rows)
	for i, d := range degrees {
		if d > 0 {
			q[i] = 1 / math.Sqrt(d)
		}
	}
	known := product(onBothSides(a, q), pause)
	// No eigenvalue of I + S is negative, so that those of largest modulus are the largest.
	w, b, err := linalg.Extreme(a.Rows, o.Pairs, func(dst, x []float64, columns int) error {
		err := known(dst, x, columns)
		kernel.AddScaled(dst, x, 1)
		return err
	}, 1e-8, pause)
	if err != nil {
		return nil, err
	}
	p.counted = len(w)
	for k, lambda := range w {
		lambda--
		sum := 0.0
		for range o.Window {
			sum = float64((sum + 1) * lambda)
		}
		root := math.Sqrt(float64(max(sum, 0) * scale))
		for i := range a.Rows {
			b[i*len(w)+k] *= float64(root * q[i])
		}
	}
	return b, nil
}

// logarithms returns the products with log max(1, B B'), row by row.
func logarithms(b []float64, m, h int, pause pause.Work) func(dst, x []float64, columns int) error {
	across, part := make([]float64, len(b)), make([]float64, rowsTogether*m)
	for i := range m {
		for k, v := range b[i*h : (i+1)*h] {
			across[k*m+i] = v
		}
	}
	return func(dst, x []float64, columns int) error {
		return inRows(m, func(from, to int) error {
			n := to - from
			part := part[:n*m]
			kernel.Mul(part, b[from*h:to*h], across, n, h, m)
			for i, v := range part {
				if part[i] = 0; v > 1 {
					part[i] = kernel.Log(v)
				}
			}
			kernel.Mul(dst[from*columns:to*columns], part, x, n, m, columns)
			return pause.After(n * m * (h + columns + 8))
		})
	}
}
