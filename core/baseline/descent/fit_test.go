package descent

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/baseline/tape"
)

// A line is the model y = a x + b under the squared distance to some points, one part for each list.
type line struct {
	a, b   *tape.Param[float64]
	x, y   [][]float64
	list   []*tape.Param[float64]
	record [1]tape.Value
}

func newLine(x, y [][]float64) *line {
	l := &line{a: tape.NewParam[float64]("a", 1, 1), b: tape.NewParam[float64]("b", 1, 1), x: x, y: y}
	l.list = []*tape.Param[float64]{l.a, l.b}
	return l
}

func (l *line) Params() []*tape.Param[float64] { return l.list }
func (l *line) Updates(int) int                { return 1 }
func (l *line) Parts() int                     { return len(l.x) }

func (l *line) Loss(t *tape.Tape[float64], _, _, part int) []tape.Value {
	n := len(l.x[part])
	y := t.AddRow(t.Mul(t.Constant(n, 1, l.x[part]), t.Param(l.a)), t.Param(l.b))
	l.record[0] = t.Scale(t.SquaredDistance(y, t.Constant(n, 1, l.y[part])), 1/float64(n))
	return l.record[:]
}

func ExampleFit() {
	m := newLine([][]float64{{0, 1, 2, 3}}, [][]float64{{1, 3, 5, 7}})
	f := New[float64](m, Rule{Epochs: 2000, Groups: []Group{{Rate: 0.05}}}, tape.New[float64]())
	for !f.Over() {
		if err := f.Step(nil); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%.3f %.3f\n", m.a.Value[0], m.b.Value[0])
	// Output: 2.000 1.000
}

// The updates are those of Adam as its authors write it, with rates and decay of groups and a schedule.
func TestUpdates(t *testing.T) {
	m := newLine([][]float64{{0, 1, 2}}, [][]float64{{1, 2, 5}})
	m.a.Value[0], m.b.Value[0] = 0.5, -1
	groups := []Group{{Rate: 0.1, Decay: 0.3}, {Rate: 0.02}}
	rule := Rule{Epochs: 6, Groups: groups, Schedule: func(e int) float64 { return 1 / float64(1+e) }, Group: func(name string) int {
		if name == "b" {
			return 1
		}
		return 0
	}}
	f := New[float64](m, rule, tape.New[float64]())
	w, mean, square := [2]float64{0.5, -1}, [2]float64{}, [2]float64{}
	for step := 1; !f.Over(); step++ {
		if err := f.Step(nil); err != nil {
			t.Fatal(err)
		}
		var g [2]float64
		for i, x := range m.x[0] {
			e := 2 * (w[0]*x + w[1] - m.y[0][i]) / 3
			g[0], g[1] = g[0]+e*x, g[1]+e
		}
		for k := range w {
			d := g[k] + groups[k].Decay*w[k]
			mean[k], square[k] = 0.9*mean[k]+0.1*d, 0.999*square[k]+0.001*d*d
			up, low := mean[k]/(1-math.Pow(0.9, float64(step))), square[k]/(1-math.Pow(0.999, float64(step)))
			w[k] -= groups[k].Rate / float64(step) * up / (math.Sqrt(low) + 1e-8)
		}
		if math.Abs(m.a.Value[0]-w[0]) > 1e-12 || math.Abs(m.b.Value[0]-w[1]) > 1e-12 {
			t.Fatalf("step %d: %v and %v, expected %v", step, m.a.Value, m.b.Value, w)
		}
	}
}

// A loss in parts of one size is that of all points together.
func TestParts(t *testing.T) {
	rule := Rule{Epochs: 20, Groups: []Group{{Rate: 0.1}}}
	whole := newLine([][]float64{{0, 1, 2, 4}}, [][]float64{{1, 2, 5, 3}})
	parts := newLine([][]float64{{0, 1}, {2, 4}}, [][]float64{{1, 2}, {5, 3}})
	a, b := New[float64](whole, rule, tape.New[float64]()), New[float64](parts, rule, tape.New[float64]())
	for !a.Over() {
		calls := 0
		if a.Step(nil) != nil || b.Step(func(done, total int) error { calls++; return nil }) != nil {
			t.Fatal("a step failed")
		}
		if calls != 2 {
			t.Errorf("%d pauses in a step of two parts", calls)
		}
		if math.Abs(a.Terms()[0]-b.Terms()[0]) > 1e-12 || math.Abs(whole.a.Value[0]-parts.a.Value[0]) > 1e-12 {
			t.Fatalf("loss %v and slope %v, in parts %v and %v", a.Terms(), whole.a.Value, b.Terms(), parts.a.Value)
		}
	}
	stop := errors.New("stop")
	if err := New[float64](parts, rule, tape.New[float64]()).Step(func(int, int) error { return stop }); err != stop {
		t.Errorf("a pause that ends the step: %v", err)
	}
}

// A told model returns prescribed losses, whatever its parameter, which counts the updates.
type told struct {
	p       *tape.Param[float64]
	losses  []float64
	updates int
	drawn   int
}

func (m *told) Params() []*tape.Param[float64] { return []*tape.Param[float64]{m.p} }
func (m *told) Updates(int) int                { return m.updates }
func (m *told) Parts() int                     { return 1 }

func (m *told) Loss(t *tape.Tape[float64], epoch, update, _ int) []tape.Value {
	if epoch*m.updates+update != m.drawn {
		panic("a loss out of order")
	}
	m.drawn++
	p := t.Param(m.p) // its derivative is 1, and Adam's step -rate
	return []tape.Value{t.Add(t.Add(p, t.Scale(t.Constant(1, 1, []float64{m.p.Value[0]}), -1)), t.Constant(1, 1, []float64{m.losses[m.drawn-1]}))}
}

// Early stopping: which epoch is the last, how many updates it took, and which parameters stay.
func TestStops(t *testing.T) {
	for name, c := range map[string]struct {
		rule          Rule
		losses        []float64
		updates       int // an epoch
		epochs, moves int
		early         bool
		best, kept    int
	}{
		"best before its update": {rule: Rule{Epochs: 9, Patience: 2}, losses: []float64{5, 4, 4, 6}, updates: 1,
			epochs: 4, moves: 3, early: true, best: 1, kept: 1},
		"a lower loss sets it back": {rule: Rule{Epochs: 9, Patience: 2}, losses: []float64{5, 6, 4, 6, 4}, updates: 1,
			epochs: 5, moves: 4, early: true, best: 2, kept: 2},
		"restored after the last, too": {rule: Rule{Epochs: 3, Patience: 5}, losses: []float64{5, 4, 6}, updates: 1, epochs: 3, moves: 3, best: 1, kept: 1},
		"no patience":                  {rule: Rule{Epochs: 3}, losses: []float64{5, 4, 6}, updates: 1, epochs: 3, moves: 3, best: -1, kept: 3},
		"best mean after its updates": {rule: Rule{Epochs: 9, Patience: 1, Stop: BestAfter}, losses: []float64{5, 3, 9, 1, 1, 7.5, 8, 8}, updates: 2,
			epochs: 2, moves: 4, early: true, best: 0, kept: 2},
		"last of an epoch": {rule: Rule{Epochs: 9, Patience: 1, Stop: Last, After: 2}, losses: []float64{9, 1, 9, 2, 9, 3}, updates: 2,
			epochs: 3, moves: 6, early: true, best: 0, kept: 6},
	} {
		m := &told{p: tape.NewParam[float64]("p", 1, 1), losses: c.losses, updates: c.updates}
		c.rule.Groups = []Group{{Rate: 1}}
		f := New[float64](m, c.rule, tape.New[float64]())
		for !f.Over() {
			if err := f.Step(nil); err != nil {
				t.Fatal(err)
			}
		}
		best, _ := f.Best()
		if f.Epoch() != c.epochs || f.Updates() != c.moves || f.Early() != c.early || best != c.best || math.Abs(m.p.Value[0]+float64(c.kept)) > 1e-6 {
			t.Errorf("%s: %d epochs, %d updates, early %v, best %d, parameter %v; expected %+v", name, f.Epoch(), f.Updates(), f.Early(), best, m.p.Value, c)
		}
	}
}

// A loss that is not a number ends the step before the parameters move.
func TestNonFinite(t *testing.T) {
	m := &told{p: tape.NewParam[float64]("p", 1, 1), losses: []float64{1, math.Inf(1)}, updates: 1}
	f := New[float64](m, Rule{Epochs: 3, Groups: []Group{{Rate: 1}}}, tape.New[float64]())
	var wrong *NonFinite
	if err := f.Step(nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Step(nil); !errors.As(err, &wrong) || wrong.Epoch != 2 || f.Updates() != 1 {
		t.Errorf("%v after %d updates", err, f.Updates())
	}
}

// After the first, steps allocate nothing.
func TestAllocations(t *testing.T) {
	src := rng.New(1, "points")
	x, y := make([]float64, 40), make([]float64, 40)
	src.Fill(x)
	src.Fill(y)
	f := New[float64](newLine([][]float64{x, y}, [][]float64{y, x}), Rule{Epochs: 1000, Patience: 10, Groups: []Group{{Rate: 0.01}}}, tape.New[float64]())
	step := func() {
		if err := f.Step(nil); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := testing.AllocsPerRun(10, step); n > 0 {
		t.Errorf("%v allocations in a step", n)
	}
}
