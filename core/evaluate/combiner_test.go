package evaluate

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func randomTokens(n, d, tokens int, src *rng.Stream) []*mat.Dense {
	x := make([]*mat.Dense, tokens)
	for t := range x {
		x[t] = mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x[t].Set(i, j, src.Norm())
			}
		}
	}
	return x
}

// numbers returns 0 to n-1.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// whole is a batch of all items.
func whole(tokens []*mat.Dense, labels []int) *Batch {
	return NewBatch(tokens, numbers(items(tokens)), labels)
}

func randomLabels(n, k int, src *rng.Stream) []int {
	y := make([]int, n)
	for i := range y {
		y[i] = src.IntN(k)
	}
	return y
}

func randomized(s Shape, src *rng.Stream) *Combiner {
	c := NewCombiner(s)
	for i := range c.param {
		c.param[i] = 0.5 * src.Norm()
	}
	return c
}

func TestCombinerGradients(t *testing.T) {
	for _, s := range []Shape{
		{Tokens: 4, Dim: 8, Classes: 3, Heads: 4},
		{Tokens: 3, Dim: 6, Classes: 2, Heads: 3, Tag: true},
		{Tokens: 5, Dim: 4, Classes: 5, Heads: 1, Average: true},
		{Tokens: 2, Dim: 9, Classes: 4, Heads: 3, Average: true, Tag: true},
		{Tokens: 1, Dim: 5, Classes: 3, Heads: 5},
		{Tokens: 1, Dim: 7, Classes: 6},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			src := rng.New(1, "gradients")
			b := NewBatch(randomTokens(13, s.Dim, s.Tokens, src), []int{0, 1, 2, 4, 7, 8, 9, 12}, randomLabels(13, s.Classes, src))
			c := randomized(s, src)
			c.Backward(b)
			grad := append([]float64(nil), c.grad...)
			const h = 1e-5
			for _, name := range c.Parameters() {
				p, o := c.Parameter(name), c.offset[c.index(name)]
				for i := range p {
					was := p[i]
					p[i] = was + h
					up := c.Backward(b)
					p[i] = was - h
					down := c.Backward(b)
					p[i] = was
					if want := (up - down) / (2 * h); math.Abs(grad[o+i]-want) > 1e-8*(1+math.Abs(want)) {
						t.Errorf("gradient of %s[%d] = %v, differences give %v", name, i, grad[o+i], want)
					}
				}
			}
		})
	}
}

// The number of pieces changes no bit of the result.
func TestPiecesOfABatch(t *testing.T) {
	const n = 101
	for _, s := range []Shape{
		{Tokens: 3, Dim: 6, Classes: 3, Heads: 3, Tag: true}, {Tokens: 2, Dim: 4, Classes: 2, Heads: 2, Average: true}, {Tokens: 1, Dim: 7, Classes: 4},
	} {
		src := rng.New(5, "pieces")
		tokens, y := randomTokens(n, s.Dim, s.Tokens, src), randomLabels(n, s.Classes, src)
		start := randomized(s, src).param
		var want []string
		for _, piece := range []int{n + 3, 8, 40} {
			b, c, class := inPieces(tokens, numbers(n), y, piece), NewCombiner(s), make([]int, n)
			copy(c.param, start)
			got := []string{fmt.Sprint(c.Backward(b), c.grad)}
			c.Step(b, 0.1)
			c.Predict(class, b)
			got = append(got, fmt.Sprint(c.param), fmt.Sprint(class), fmt.Sprint(*c.Logits(b)), fmt.Sprint(*c.Fused(b)))
			for _, w := range c.Attention(b) {
				got = append(got, fmt.Sprint(*w))
			}
			if want == nil {
				want = got
			}
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("%+v in pieces of %d items, %d:\n%.200s\nin one:\n%.200s", s, piece, k, got[k], want[k])
				}
			}
		}
	}
}

// With zero tags the tagged combiner is the plain one, and swapping two tokens
// changes a tagged combiner only.
func TestLayerTagBreaksSymmetry(t *testing.T) {
	src := rng.New(2, "tag")
	tokens := randomTokens(5, 4, 3, src)
	swapped := whole([]*mat.Dense{tokens[1], tokens[0], tokens[2]}, nil)
	b := whole(tokens, nil)
	c := randomized(Shape{Tokens: 3, Dim: 4, Classes: 2, Heads: 2, Tag: true}, src)
	if mat.EqualApprox(c.Logits(b), c.Logits(swapped), 1e-6) {
		t.Error("a tagged combiner does not see the order of the tokens")
	}
	clear(c.Parameter("layer_tag"))
	plain := NewCombiner(Shape{Tokens: 3, Dim: 4, Classes: 2, Heads: 2})
	for _, name := range plain.Parameters() {
		copy(plain.Parameter(name), c.Parameter(name))
	}
	if !mat.EqualApprox(c.Logits(b), plain.Logits(b), 1e-12) {
		t.Error("zero tags change the logits")
	}
	if !mat.EqualApprox(plain.Logits(b), plain.Logits(swapped), 1e-12) {
		t.Error("a combiner without tags sees the order of the tokens")
	}
}

func TestAttentionSumsToOne(t *testing.T) {
	src := rng.New(3, "attention")
	c := randomized(Shape{Tokens: 3, Dim: 8, Classes: 2, Heads: 4}, src)
	heads := c.Attention(whole(randomTokens(6, 8, 3, src), nil))
	if len(heads) != 4 {
		t.Fatalf("%d heads", len(heads))
	}
	for _, w := range heads {
		for i := range 6 {
			if s := mat.Sum(w.RowView(i)); math.Abs(s-1) > 1e-12 {
				t.Errorf("weights sum to %v", s)
			}
		}
	}
}

func TestInitFollowsItsBounds(t *testing.T) {
	for name, init := range map[string]func(*Combiner){
		"own": func(c *Combiner) { c.Init(rng.New(1, "init")) }, "authors": func(c *Combiner) { c.InitAuthors(1) },
	} {
		t.Run(name, func(t *testing.T) { followsItsBounds(t, init) })
	}
}

func followsItsBounds(t *testing.T, init func(*Combiner)) {
	c := NewCombiner(Shape{Tokens: 3, Dim: 16, Classes: 4, Heads: 4, Tag: true})
	init(c)
	for name, bound := range map[string]float64{"query": math.Sqrt(3.0 / 16), "in_proj_weight": math.Sqrt(6.0 / 64), "in_proj_bias": 0,
		"out_proj_weight": math.Sqrt(6.0 / 32), "out_proj_bias": 0, "layer_tag": 0, "cls_weight": math.Sqrt(6.0 / 20), "cls_bias": 0} {
		most := 0.0
		for _, v := range c.Parameter(name) {
			most = max(most, math.Abs(v))
		}
		if most > bound+1e-7 || most < 0.8*bound {
			t.Errorf("%s reaches %v, bound %v", name, most, bound)
		}
	}
	first := append([]float64(nil), c.param...)
	b := whole(randomTokens(9, 16, 3, rng.New(1, "x")), randomLabels(9, 4, rng.New(1, "y")))
	run := func() []float64 {
		init(c)
		for range 3 {
			c.Step(b, 0.1)
		}
		return append([]float64(nil), c.param...)
	}
	a, again := run(), run()
	for i := range a {
		if a[i] != again[i] {
			t.Fatal("Init does not start afresh")
		}
	}
	if a[0] == first[0] {
		t.Error("steps move nothing")
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	src := rng.New(1, "alloc")
	for _, s := range []Shape{{Tokens: 4, Dim: 8, Classes: 3, Heads: 4, Tag: true}, {Tokens: 1, Dim: 8, Classes: 3}} {
		b := whole(randomTokens(80, 8, s.Tokens, src), randomLabels(80, 3, src))
		c := randomized(s, src)
		c.Step(b, 0.1)
		if n := testing.AllocsPerRun(20, func() { c.Step(b, 0.1) }); n != 0 {
			t.Errorf("%+v: a step allocates %v times", s, n)
		}
	}
}

func TestCombinerRefusesShapes(t *testing.T) {
	b := whole(randomTokens(3, 4, 2, rng.New(1, "x")), nil)
	good := NewCombiner(Shape{Tokens: 2, Dim: 4, Classes: 2, Heads: 2})
	for name, f := range map[string]func(){
		"heads":    func() { NewCombiner(Shape{Tokens: 2, Dim: 4, Classes: 2, Heads: 3}) },
		"alone":    func() { NewCombiner(Shape{Tokens: 2, Dim: 4, Classes: 2}) },
		"tokens":   func() { NewCombiner(Shape{Tokens: 3, Dim: 4, Classes: 2, Heads: 2}).Logits(b) },
		"labels":   func() { good.Step(b, 0.1) },
		"too few":  func() { whole(randomTokens(3, 4, 2, rng.New(1, "x")), []int{1}) },
		"predict":  func() { good.Predict(make([]int, 2), b) },
		"unequal":  func() { whole([]*mat.Dense{mat.NewDense(2, 2, nil), mat.NewDense(3, 2, nil)}, nil) },
		"no items": func() { F1([]int{1}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("recovered %v, want %v", r, ErrShape)
				}
			}()
			f()
		})
	}
}

func BenchmarkStep(b *testing.B) {
	src := rng.New(1, "bench")
	for _, s := range []Shape{{Tokens: 4, Dim: 8, Classes: 3, Heads: 4}, {Tokens: 1, Dim: 8, Classes: 3}} {
		b.Run(fmt.Sprintf("tokens=%d", s.Tokens), func(b *testing.B) {
			batch := whole(randomTokens(80, 8, s.Tokens, src), randomLabels(80, 3, src))
			c := randomized(s, src)
			c.Step(batch, 0.3)
			b.ReportAllocs()
			for b.Loop() {
				c.Step(batch, 0.3)
			}
		})
	}
}

// A combiner has the parameters that its shape needs, and no other.
func TestCombinerParameters(t *testing.T) {
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Shape{Dim: 4, Classes: 3, Tokens: 1}, "cls_weight 12 cls_bias 3"},
		{Shape{Dim: 4, Classes: 3, Tokens: 2, Heads: 2}, "query 4 in_proj_weight 48 in_proj_bias 12 out_proj_weight 16 out_proj_bias 4 cls_weight 12 cls_bias 3"},
		{Shape{Dim: 4, Classes: 3, Tokens: 2, Heads: 2, Average: true, Tag: true}, "query 4 in_proj_weight 48 in_proj_bias 12 layer_tag 8 cls_weight 6 cls_bias 3"},
	} {
		k, got := NewCombiner(c.shape), ""
		for i, name := range k.names {
			got += fmt.Sprintf(" %s %d", name, k.offset[i+1]-k.offset[i])
		}
		if got != " "+c.want {
			t.Errorf("%+v:%s, expected %s", c.shape, got, c.want)
		}
	}
}
