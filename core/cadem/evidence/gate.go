package evidence

import (
	"fmt"
	"math"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
)

// Pooled is the source of a layer that all others make together.
const Pooled = -1

// A Source is functions that were estimated without the layer they are tested in (step 1).
type Source struct {
	Layer int // or Pooled
	F     Matrix
}

// Sources returns the sources of every layer: the others pooled, if there are two or more, and each other layer alone, unless there are
// more than 12 layers.
func Sources(layers []*Layer, r int, pause pause.Work) ([][]Source, error) {
	const most = 12
	n := len(layers)
	single := make([]Matrix, n)
	if n <= most {
		for l, a := range layers {
			var err error
			if _, single[l], err = NewPool(a).Functions(r, pause); err != nil {
				return nil, err
			}
		}
	}
	out := make([][]Source, n)
	for l := range layers {
		if n > 2 {
			_, f, err := NewPool(but(layers, l)...).Functions(r, pause)
			if err != nil {
				return nil, err
			}
			out[l] = append(out[l], Source{Pooled, f})
		}
		for k := range layers {
			if k != l && n <= most {
				out[l] = append(out[l], Source{k, single[k]})
			}
		}
	}
	return out, nil
}

// A Choice is a source that validated directions of a layer.
type Choice struct {
	Source int   // a layer, or Pooled
	Size   int   // k, of its leading functions
	Ranks  []int // which directions of the evidence, by modulus from 0
}

// A Level is the result for a source at one size.
type Level struct {
	Size        int       // leading functions
	Eigenvalues []float64 // of the evidence, Size numbers, rising
	Edge        float64   // e_k, which a direction has to exceed
	CosSquared  []float64 // CosSquared[k] is that of direction k with the layer's own leading space, if the layer is strong
	Above       int       // directions that count
	Sum         float64   // of x^2 - e_k^2 over them

	ranks []int
}

// A Trial is all that sources show in a layer.
type Trial struct {
	Null
	Columns [][2]int  // of T: source and size
	G, H    []Matrix  // by source
	Levels  [][]Level // by source and size
	Noise   float64   // 2 / sqrt(mean degree)
	Strong  bool
	Choices []Choice // before the gate
	Passed  bool
}

// sizes are the nested numbers of functions that are tested.
var sizes = []int{2, 4, 8, 16, 32}

// sizesOf returns the sizes that a source has.
func sizesOf(f Matrix) []int {
	n := 0
	for n < len(sizes) && sizes[n] <= f.Cols {
		n++
	}
	return sizes[:n]
}

// Try tests sources in layer l (steps 2 and 4), with o.Permutations permutations.
func Try(layers []*Layer, l int, sources []Source, o Options, draws Draws, pause pause.Work) (*Trial, error) {
	t, a := &Trial{}, layers[l]
	for _, s := range sources {
		g, h, err := Products(s.F, a, pause)
		if err != nil {
			return nil, err
		}
		t.G, t.H = append(t.G, g), append(t.H, h)
		for _, k := range sizesOf(s.F) {
			t.Columns = append(t.Columns, [2]int{s.Layer, k})
		}
		t.T = append(t.T, Largest(g, h, sizesOf(s.F))...)
	}
	if len(t.T) == 0 || a.Twice == 0 { // too few nodes, or no links: nothing can be tested
		t.P, t.Gumbel, t.T, t.Columns = 1, 1, nil, nil
		return t, nil
	}
	if err := t.permute(layers, l, sources, o, draws, pause); err != nil {
		return nil, err
	}
	own, err := t.own(a, o.functions(len(layers), a.M()), pause)
	if err != nil {
		return nil, err
	}
	at := 0
	for i, s := range sources {
		best, most := Choice{Source: s.Layer}, 0.0
		var levels []Level
		for _, k := range sizesOf(s.F) {
			edge := GammaQuantile(o.level()/float64(len(sources)), t.column(at))
			level, err := t.level(i, k, edge, s.F, a, own)
			if err != nil {
				return nil, err
			}
			if level.Sum > most {
				best.Size, best.Ranks, most = k, sorting.Places(level.Above), level.Sum
				if o.Validated {
					best.Ranks = level.ranks
				}
			}
			levels = append(levels, level)
			at++
		}
		t.Levels = append(t.Levels, levels)
		t.Choices = append(t.Choices, best)
	}
	return t, nil
}

// permute draws the null: the rows of the functions are permuted among nodes of equal degree.
func (t *Trial) permute(layers []*Layer, l int, sources []Source, o Options, draws Draws, pause pause.Work) error {
	a := layers[l]
	m, b := a.M(), o.permutations(len(layers))
	const checked = 20 // permutations between two looks at what they settle
	strata, q := Strata(a.Degrees, LeastStratum), make([]int, m)
	s, err := newShuffled(sources, a, strata, pause)
	if err != nil {
		return err
	}
	for from := 0; from < b; from += checked {
		to := min(from+checked, b)
		name := fmt.Sprintf("layer %d, permutations from %d", l, from)
		found, err := a.memory.part(name, func() (list [][]float64, err error) {
			for n := from; n < to; n++ {
				draws.Permutation(q, l, n, strata)
				s.permute(q)
				var row []float64
				for k := range sources {
					g, h, err := s.products(k, q, pause)
					if err != nil {
						return nil, err
					}
					row = append(row, Largest(g, h, sizesOf(sources[k].F))...)
				}
				list = append(list, row)
			}
			return list, nil
		})
		if err != nil {
			return err
		}
		t.Permuted = append(t.Permuted, found...)
		t.standardize()
		if o.Patience > 0 && t.Exceeded >= o.Patience {
			break
		}
	}
	return nil
}

// own returns the leading space of a strong layer: those of its R eigenvectors whose modulus is above the noise, if the
// mean degree is above 16 and the largest modulus above twice the noise.
func (t *Trial) own(a *Layer, r int, pause pause.Work) (Matrix, error) {
	t.Noise = 2 / math.Sqrt(max(a.Twice/float64(a.M()), 1e-9))
	if t.Noise >= .5 {
		return Matrix{}, nil
	}
	x, v, err := NewPool(a).Leading(r, Matrix{}, pause)
	if err != nil {
		return v, err
	}
	t.Strong = len(x) > 0 && math.Abs(x[0]) > 2*t.Noise
	n := 0
	for n < len(x) && math.Abs(x[n]) > t.Noise {
		n++
	}
	return v.first(n), nil
}

// level looks for the directions that the leading k functions of source i validate.
func (t *Trial) level(i, k int, edge float64, f Matrix, a *Layer, own Matrix) (Level, error) {
	x, v := Evidence(t.G[i], t.H[i], k)
	out := Level{Size: k, Eigenvalues: x, Edge: edge}
	if t.Strong {
		d, err := f.first(k).times(v, nil)
		if err != nil {
			return out, err
		}
		d = d.scaled(NewPool(a).Root)
		c, _ := own.transTimes(d, nil)
		out.CosSquared = make([]float64, d.Cols)
		for j := range d.Cols {
			whole, part := 0.0, 0.0
			for r := range d.Rows {
				whole += float64(d.Data[r*d.Cols+j] * d.Data[r*d.Cols+j])
			}
			for r := range c.Rows {
				part += float64(c.Data[r*c.Cols+j] * c.Data[r*c.Cols+j])
			}
			out.CosSquared[j] = part / whole
		}
	}
	for rank, j := range linalg.ByModulus(x) {
		if math.Abs(x[j]) > edge && (!t.Strong || out.CosSquared[j] > .25) {
			out.ranks = append(out.ranks, rank)
			out.Sum += float64(x[j]*x[j]) - float64(edge*edge)
		}
	}
	out.Above = len(out.ranks)
	return out, nil
}

// Gate decides which layers pass (step 3): p <= alpha / N. Two layers are one hypothesis: if one passes, both do. The plan holds the
// choices of layers that pass.
func Gate(trials []*Trial, o Options) (plan [][]Choice) {
	n, any := len(trials), false
	for _, t := range trials {
		t.Passed = t.P <= o.level()/float64(n)
		any = any || t.Passed
	}
	plan = make([][]Choice, n)
	for l, t := range trials {
		t.Passed = t.Passed || n == 2 && any
		for _, c := range t.Choices {
			if t.Passed && len(c.Ranks) > 0 {
				plan[l] = append(plan[l], c)
			}
		}
	}
	return plan
}

// Pair returns the Gumbel tail of a source in this layer alone (step 6), 1 where it was not tried.
func (t *Trial) Pair(source int) float64 {
	var columns []int
	for c, key := range t.Columns {
		if key[0] == source {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 || len(t.Permuted) == 0 {
		return 1
	}
	_, _, tail := t.of(columns)
	return tail
}
