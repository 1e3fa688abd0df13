package baseline

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// consensusOf returns MCGC on two layers of 12 nodes before its first step.
func consensusOf(t *testing.T, change func(o *MCGCOptions)) (*consensus, error) {
	t.Helper()
	m, err := train.Lookup("mcgc")
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	options := o.(*MCGCOptions)
	options.Neighbours, options.A0 = 3, 5
	change(options)
	run, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{blocks(t, 12)}, Options: options})
	if err != nil {
		return nil, err
	}
	return run.(*consensus), run.(*consensus).prepare(nil)
}

// The gradient is that of the loss, by central differences, also on the diagonal.
func TestConsensusGradient(t *testing.T) {
	c, err := consensusOf(t, func(o *MCGCOptions) { o.Alpha = 2 })
	if err != nil {
		t.Fatal(err)
	}
	loss := func() float64 {
		v, err := c.evaluate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	loss()
	gradient := mat.NewVecDense(144, append([]float64(nil), c.gradient...))
	const h = 1e-5
	for i := range c.s {
		v := c.s[i]
		c.s[i] = v + h
		above := loss()
		c.s[i] = v - h
		below := loss()
		c.s[i] = v
		if want := (above - below) / (2 * h); math.Abs(gradient.AtVec(i)-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("entry %d: gradient %v, difference quotient %v", i, gradient.AtVec(i), want)
		}
	}
}

// The prior is that of the layer asked for, so the result depends on it; steps allocate nothing.
func TestConsensusPrior(t *testing.T) {
	list := map[string]bool{}
	for prior := 1; prior <= 2; prior++ {
		c, err := consensusOf(t, func(o *MCGCOptions) { o.Prior, o.Steps = prior, 20 })
		if err != nil {
			t.Fatal(err)
		}
		take(t, c, 3)
		if n := testing.AllocsPerRun(5, func() {
			if err := c.Step(nil); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v allocations a step", n)
		}
		take(t, c, -1)
		list[train.Hash(c.Embeddings(0))] = true
		if notes := c.Report().Notes; len(notes) != 1 || !strings.Contains(notes[0], "layer "+c.graph.Layers[prior-1].Name) {
			t.Errorf("notes %q", notes)
		}
	}
	if len(list) != 2 {
		t.Error("the prior changes nothing")
	}
	for _, change := range []func(o *MCGCOptions){func(o *MCGCOptions) { o.Prior = 3 }, func(o *MCGCOptions) { o.Neighbours = 12 }} {
		if _, err := consensusOf(t, change); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("a setting that does not fit: %v", err)
		}
	}
}
