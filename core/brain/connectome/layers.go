package connectome

import (
	"math"

	"cadem.example/core/multiplex"
)

// A Layer is one sign of functional connectivity, made binary.
type Layer struct {
	Name     string
	Edges    [][2]int // pairs i < j beyond the threshold, in order
	Isolates []int    // nodes without such an edge
	Added    [][2]int // links of isolated nodes: the node and its strongest neighbour
}

// Strength writes the connectivity of one sign to dst: the positive part of FC (sign 1) or
// that of -FC (sign -1), without the diagonal. Both are m x m.
func Strength(dst, fc []float64, m int, sign float64) {
	ErrShape.Unless(len(dst) == m*m && len(fc) == m*m)
	for k, r := range fc {
		dst[k] = max(float64(sign*r), 0)
	}
	for i := range m {
		dst[i*m+i] = 0
	}
}

// NewLayer makes a layer of the symmetric m x m matrix of strengths >= 0; it ignores the diagonal.
// Pairs of strength 0 are never joined. Among equal strengths the pair that comes first, row by
// row, counts as the stronger.
func NewLayer(name string, strength []float64, m int, o *Options) *Layer {
	ErrShape.Unless(len(strength) == m*m)
	l := &Layer{Name: name}
	joined := make([]bool, m*m)
	share := o.Keep / 100
	switch o.Threshold {
	case "absolute":
		for k, w := range strength {
			joined[k] = w > o.AbsoluteR
		}
	case "node":
		row := make([]float64, 0, m)
		for i := range m {
			row = row[:0]
			for j := range m {
				if j != i {
					row = append(row, strength[i*m+j])
				}
			}
			least, ties := cut(row, max(1, rounded(float64(share*float64(m-1)))))
			for j := range m {
				if w := strength[i*m+j]; j != i && w > 0 && taken(w, least, &ties) {
					joined[i*m+j], joined[j*m+i] = true, true
				}
			}
		}
	default:
		all := make([]float64, 0, m*(m-1)/2)
		for i := range m {
			all = append(all, strength[i*m+i+1:(i+1)*m]...)
		}
		least, ties := cut(all, max(1, rounded(float64(share*float64(len(all))))))
		for i := range m {
			for j := i + 1; j < m; j++ {
				if w := strength[i*m+j]; w > 0 && taken(w, least, &ties) {
					joined[i*m+j], joined[j*m+i] = true, true
				}
			}
		}
	}
	for i := range m {
		alone := true
		for j := range m {
			if j != i && joined[i*m+j] {
				alone = false
				if j > i {
					l.Edges = append(l.Edges, [2]int{i, j})
				}
			}
		}
		if alone {
			l.Isolates = append(l.Isolates, i)
		}
	}
	if o.Isolates == "keep" {
		return l
	}
	for _, i := range l.Isolates {
		best := -1
		for j := range m {
			if w := strength[i*m+j]; j != i && w > 0 && (best < 0 || w > strength[i*m+best]) {
				best = j
			}
		}
		if best >= 0 {
			l.Added = append(l.Added, [2]int{i, best})
		}
	}
	return l
}

func rounded(x float64) int { return int(math.Floor(x + 0.5)) }

// cut returns the least of the n largest values of x, which are >= 0, and how many that equal
// it are among them. It changes the order of x.
func cut(x []float64, n int) (least float64, ties int) {
	if n >= len(x) {
		return 0, len(x)
	}
	least = largest(x, n)
	for _, v := range x {
		if v > least {
			n--
		}
	}
	return least, n
}

// largest returns the n-th largest value of x, n from 1, and brings the n largest to the
// front (Hoare 1961).
func largest(x []float64, n int) float64 {
	from, to := 0, len(x)-1
	for from < to {
		pivot := middle(x[from], x[(from+to)/2], x[to])
		i, j := from, to
		for i <= j {
			for x[i] > pivot {
				i++
			}
			for x[j] < pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n-1 <= j:
			to = j
		case n-1 >= i:
			from = i
		default:
			return x[n-1]
		}
	}
	return x[n-1]
}

func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// taken reports whether a value is among those that cut left, and counts the ties down.
func taken(w, least float64, ties *int) bool {
	if w == least {
		*ties--
		return *ties >= 0
	}
	return w > least
}

// Adjacency returns the binary adjacency matrix of the layer's edges and links.
func (l *Layer) Adjacency(m int) (*multiplex.CSR, error) {
	edges := make([]multiplex.Edge, 0, len(l.Edges)+len(l.Added))
	for _, list := range [][][2]int{l.Edges, l.Added} {
		for _, e := range list {
			edges = append(edges, multiplex.Edge{I: e[0], J: e[1], Weight: 1})
		}
	}
	return multiplex.FromEdges(m, edges)
}
