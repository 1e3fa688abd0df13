package prepare

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
)

// divide is the split of package evidence,
//
//	Z^C_l = sqrt(M) V (V'L_l V) / |.|_2,   Z^P_l = sqrt(M) V_P diag(|s|) / |s_1|
//
// with V_P in its oblique form if the private part is to be the layer's own. Columns that only the other encoder of the layer
// has are zeros: they have no gradient. A direction's strength replaces its singular value in the target. There is no noise
// edge: held-out links separated the directions kept from noise.
func divide(t *inputs.Trail, graphs multiplex.Source, o *inputs.Options) error {
	layers, notes, err := evidence.Layers(graphs.Graph(0), graphs.Len)
	if err != nil {
		return err
	}
	found, err := evidence.Divide(layers, o.Yield, o.Journal)
	if err != nil {
		return err
	}
	t.Evidence, t.Layers, t.Remarks = found, layers, notes
	m := layers[0].M()
	r := &split.Result{Shared: found.Rank(), Featureless: true, Rows: []int{0, m}}
	for l, a := range layers {
		common, err := found.Common(a, func(int) error { return o.Yield.At(1, 1) })
		if err != nil {
			return err
		}
		own := found.Own[l]
		v := own.V
		if o.Own {
			v = own.Oblique
		}
		layer := split.Layer{F: max(1, r.Shared, v.Cols)}
		strengths := own.Strengths()
		layer.Rank = len(strengths)
		layer.Common, layer.Own = widened(common, nil, layer.F), widened(v, strengths, layer.F)
		if !o.Whole {
			layer.Target = target(&layer, m, strengths)
		}
		r.Layers = append(r.Layers, layer)
	}
	t.Prepared = []*split.Result{r}
	return nil
}

// widened returns sqrt(M) x diag(scale) with columns of zeros behind; those without a scale are zeros, too. Nil scales none.
func widened(x evidence.Matrix, scale []float64, columns int) []float64 {
	root, out := math.Sqrt(float64(x.Rows)), make([]float64, x.Rows*columns)
	for i := range x.Rows {
		for k, v := range x.Row(i) {
			switch {
			case scale == nil:
				out[i*columns+k] = root * v
			case k < len(scale):
				out[i*columns+k] = root * float64(v*scale[k])
			}
		}
	}
	return out
}

// target is the target of a private part whose directions are columns.
func target(l *split.Layer, m int, strengths []float64) *split.Target {
	rank := len(strengths)
	t, right, gram := make([]float64, rank), make([]float64, l.F*rank), make([]float64, l.F*l.F)
	for k, s := range strengths {
		t[k], right[k*rank+k] = math.Sqrt(float64(m))*s, 1
	}
	kernel.AddMulTrans(gram, l.Own, l.Own, m, l.F, l.F)
	return split.NewTarget(l, m, t, right, gram)
}
