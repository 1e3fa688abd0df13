package numpy

import (
	"cadem.example/core/base/sorting"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

func Example() {
	s := NewRandomState(42)
	fmt.Println(s.IntN(3), s.IntN(3), s.IntN(3))
	g := NewGenerator(0)
	fmt.Println(g.Float64(), g.Choice(12, 3))
	// Output:
	// 2 0 2
	// 0.6369616873214543 [2 3 5]
}

// A stream is the output of one call from one seed.
type stream struct {
	Call   string
	Seed   uint64
	Args   []float64
	Values []any
}

// numbers flattens what is drawn.
func numbers(values []any) (x []float64) {
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			x = append(x, v)
		case []any:
			for _, e := range v {
				x = append(x, e.(float64))
			}
		}
	}
	return x
}

func widen(x []int) (f []float64) {
	for _, v := range x {
		f = append(f, float64(v))
	}
	return f
}

// draw repeats the call and returns n numbers, and how far they may differ from NumPy's. Whole words are compared here.
func (c *stream) draw(t *testing.T, n int) (got []float64, tolerance float64) {
	t.Helper()
	arg := func(i int) int { return int(c.Args[i]) }
	times := func(f func() float64) {
		for range n {
			got = append(got, f())
		}
	}
	g, s := NewGenerator(c.Seed), NewRandomState(uint32(c.Seed))
	switch c.Call {
	case "SeedSequence":
		for i, w := range seedSequence(c.Seed) {
			if h := fmt.Sprintf("%016x", w); h != c.Values[i] {
				t.Errorf("SeedSequence(%d): word %d is %s, want %s", c.Seed, i, h, c.Values[i])
			}
		}
	case "RandomState.rand":
		times(s.Float64)
	case "RandomState.randn":
		times(s.Norm)
		tolerance = 1e-15
	case "RandomState.randint":
		times(func() float64 { return float64(s.IntN(arg(0))) })
	case "random.Random":
		times(NewRandom(c.Seed).Float64)
	case "default_rng.integers":
		times(func() float64 { return float64(g.IntN(arg(0))) })
	case "default_rng.random":
		times(g.Float64)
	case "default_rng.normal":
		times(func() float64 { return c.Args[0] + c.Args[1]*g.Norm() })
		tolerance = 1e-15
	case "default_rng.choice":
		got = widen(g.Choice(arg(0), arg(1)))
	case "default_rng.permutations":
		for range c.Values {
			got = append(got, widen(g.Permutation(arg(0)))...)
		}
	case "default_rng.mixed":
		got = []float64{float64(g.IntN(7)), g.Float64(), float64(g.IntN(7)), float64(g.IntN(1000)), g.Norm(), float64(g.IntN(7))}
		tolerance = 1e-15
	case "default_rng.normal_sum":
		// So many that some are from the tail.
		sum := 0.0
		for range arg(0) {
			sum += g.Norm()
		}
		got, tolerance = []float64{sum}, 1e-9
		if next := strconv.FormatUint(g.word64(), 16); next != c.Values[1] {
			t.Errorf("after %d normal numbers comes %s, want %s", arg(0), next, c.Values[1])
		}
	default:
		t.Errorf("unknown call %s", c.Call)
	}
	return got, tolerance
}

// streams.json holds what NumPy 1.24 and Python draw.
func TestStreams(t *testing.T) {
	data, err := os.ReadFile("testdata/streams.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []stream }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		want := numbers(c.Values)
		got, tolerance := c.draw(t, len(want))
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= tolerance*(1+math.Abs(b)) }) {
			t.Errorf("%s, seed %d, arguments %v:\n%v, want\n%v", c.Call, c.Seed, c.Args, got, want)
		}
	}
	if len(file.Cases) < 30 {
		t.Errorf("%d cases", len(file.Cases))
	}
}

func TestZigguratTables(t *testing.T) {
	data, err := os.ReadFile("testdata/ziggurat256.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ K, W, F []string }
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	got := tables()
	for i := range 256 {
		for name, pair := range map[string][2]string{
			"k": {want.K[i], fmt.Sprintf("%016x", got.inner[i])},
			"w": {want.W[i], fmt.Sprintf("%016x", math.Float64bits(got.width[i]))},
			"f": {want.F[i], fmt.Sprintf("%016x", math.Float64bits(got.height[i]))},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s of strip %d: %s, want %s", name, i, pair[1], pair[0])
			}
		}
	}
}

func TestChoiceWithWeights(t *testing.T) {
	s := NewRandomState(9)
	var n [3]int
	for range 20000 {
		n[s.Choice([]float64{0.8, 0.1, 0.1})]++
	}
	if n[0] < 15700 || n[0] > 16300 || n[1] < 1800 || n[1] > 2200 {
		t.Errorf("drawn %v of 16000, 2000, 2000 expected", n)
	}
	if i := s.Choice([]float64{0, 1, 0}); i != 1 {
		t.Errorf("the only possible one is 1, drawn %d", i)
	}
}

// The value of RandomState(42).permutation(10).
func TestShuffle(t *testing.T) {
	x := sorting.Places(10)
	NewRandomState(42).Shuffle(x)
	if !slices.Equal(x, []int{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}) {
		t.Errorf("RandomState(42) shuffles to %v", x)
	}
}

func TestNothingToDrawFrom(t *testing.T) {
	for name, call := range map[string]func(){
		"legacy integers": func() { NewRandomState(1).IntN(0) },
		"integers":        func() { NewGenerator(1).IntN(0) },
		"too many":        func() { NewGenerator(1).Choice(3, 4) },
		"no weights":      func() { NewRandomState(1).Choice(nil) },
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrRange {
					t.Errorf("%s: panicked with %v", name, r)
				}
			}()
			call()
		}()
	}
}
