package skipgram

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// drawn is a source of a seed.
type drawn uint64

func (s drawn) Uniform(dst []float64, low, high float64, what string, round int) {
	stream := rng.New(uint64(s), what)
	stream.At(uint64(round))
	for i := range dst {
		dst[i] = stream.Uniform(low, high)
	}
}

func (s drawn) Permutation(dst []int, what string, round int) {
	stream := rng.New(uint64(s), what)
	stream.At(uint64(round))
	stream.Perm(dst)
}

// graph is the graph of the exact transition probabilities below; edge 2-2 and node 6 change nothing.
func graph(t *testing.T) *multiplex.CSR {
	t.Helper()
	a, err := multiplex.FromEdges(7, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 2}, {I: 1, J: 2, Weight: 3}, {I: 1, J: 3, Weight: 1},
		{I: 2, J: 4, Weight: 1}, {I: 3, J: 4, Weight: 2}, {I: 3, J: 5, Weight: 1}, {I: 2, J: 2, Weight: 9}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Steps are taken with the probabilities of the definition, worked out from the matrix: chi-squared
// with at most two degrees of freedom, upper 1e-6 point.
func TestStepsHaveTheirProbabilities(t *testing.T) {
	a := graph(t)
	w := a.Dense()
	const critical = 27.64
	for _, pq := range [][2]float64{{1, 1}, {0.25, 4}, {4, 0.5}, {1, 2}} {
		walker := NewWalker(Without(a), pq[0], pq[1], true)
		counts, first := map[[3]int]float64{}, map[[2]int]float64{}
		for k := range 6000 {
			walk := walker.Walk(nil, k%6, 12, drawn(3), "walk", k)
			first[[2]int{int(walk[0]), int(walk[1])}]++
			for i := 2; i < len(walk); i++ {
				counts[[3]int{int(walk[i-2]), int(walk[i-1]), int(walk[i])}]++
			}
		}
		fits := func(what string, count func(x int) float64, weight func(x int) float64) {
			n, all, chi := 0.0, 0.0, 0.0
			for x := range 6 {
				n, all = n+count(x), all+weight(x)
			}
			for x := range 6 {
				if weight(x) == 0 && count(x) > 0 {
					t.Errorf("p, q = %v: %s went to %d", pq, what, x)
				} else if e := n * weight(x) / all; e > 0 {
					if e < 20 {
						t.Errorf("p, q = %v: %s: %v expected, too few to test", pq, what, e)
					}
					chi += (count(x) - e) * (count(x) - e) / e
				}
			}
			if chi > critical {
				t.Errorf("p, q = %v: %s: chi-squared %.1f", pq, what, chi)
			}
		}
		edge := func(v, x int) float64 {
			if v == x {
				return 0
			}
			return w[v*7+x]
		}
		for v := range 6 {
			fits(fmt.Sprintf("first step from %d", v), func(x int) float64 { return first[[2]int{v, x}] }, func(x int) float64 { return edge(v, x) })
			for s := range 6 {
				if edge(s, v) == 0 {
					continue
				}
				fits(fmt.Sprintf("step from %d after %d", v, s), func(x int) float64 { return counts[[3]int{s, v, x}] }, func(x int) float64 {
					switch {
					case x == s:
						return edge(v, x) / pq[0]
					case edge(s, x) > 0:
						return edge(v, x)
					}
					return edge(v, x) / pq[1]
				})
			}
		}
	}
}

// Every node starts a walk in every round; from a node without neighbours it goes nowhere.
func TestWalks(t *testing.T) {
	c, err := NewWalker(Without(graph(t)), 1, 1, false).Walks(3, 5, drawn(1), "a/", nil)
	if err != nil {
		t.Fatal(err)
	}
	var starts []int
	for k := range c.Documents() {
		walk := c.Document(k)
		starts = append(starts, int(walk[0]))
		want := 5
		if walk[0] == 6 {
			want = 1
		}
		if len(walk) != want {
			t.Errorf("walk %v has not %d nodes", walk, want)
		}
	}
	for r := range 3 {
		slices.Sort(starts[7*r : 7*r+7])
		if !slices.Equal(starts[7*r:7*r+7], []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("round %d starts at %v", r, starts[7*r:7*r+7])
		}
	}
	if _, err := NewWalker(Without(graph(t)), 1, 1, false).Walks(5000, 5, drawn(1), "a/", func(int, int) error { return errStop }); err != errStop {
		t.Errorf("the error of a pause: %v", err)
	}
}

var errStop = fmt.Errorf("enough")

// The layers of a union are joined without their loops.
func TestUnion(t *testing.T) {
	a := graph(t)
	b, err := multiplex.FromEdges(7, []multiplex.Edge{{I: 5, J: 6, Weight: 7}, {I: 0, J: 1, Weight: 5}, {I: 3, J: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	u := Union([]*multiplex.CSR{a, b})
	for v, want := range [][]int32{{1, 2}, {0, 2, 3}, {0, 1, 4}, {1, 4, 5}, {2, 3}, {3, 6}, {5}} {
		if !slices.Equal(u.of(v), want) {
			t.Errorf("node %d has neighbours %v, expected %v", v, u.of(v), want)
		}
		for x := range int32(7) {
			if u.has(v, x) != slices.Contains(want, x) {
				t.Errorf("%d and %d: neighbours %v", v, x, u.has(v, x))
			}
		}
	}
	if u.Weight != nil {
		t.Error("the union has weights")
	}
}

// Among trees of the same counts the one built has the smallest mean length, which is found here by
// trying all ways to join nodes; and no code begins another.
func TestTreeIsOptimal(t *testing.T) {
	var best func(counts []int) int
	best = func(counts []int) int {
		if len(counts) < 2 {
			return 0
		}
		least := math.MaxInt
		for i := range counts {
			for j := range i {
				rest := slices.Concat(counts[:j], counts[j+1:i], counts[i+1:], []int{counts[i] + counts[j]})
				least = min(least, counts[i]+counts[j]+best(rest))
			}
		}
		return least
	}
	for _, counts := range [][]int{{5}, {3, 3}, {1, 2, 3, 4, 5}, {4, 4, 4, 4, 4}, {1, 1, 1, 7, 2, 9}} {
		tree, length, codes := NewTree(counts), 0, map[string]bool{}
		for w, n := range counts {
			length += n * len(tree.Way(w))
			code := ""
			for _, target := range tree.Way(w) {
				code += fmt.Sprint(target&1, ",")
			}
			for other := range codes {
				if len(counts) > 1 && (len(other) <= len(code) && code[:len(other)] == other || len(code) < len(other) && other[:len(code)] == code) {
					t.Errorf("%v: codes %s and %s", counts, code, other)
				}
			}
			codes[code] = true
		}
		if want := best(counts); length != want {
			t.Errorf("%v: length %d, expected %d", counts, length, want)
		}
	}
}

// Words of noise are those of a plain search through the sums.
func TestNoise(t *testing.T) {
	counts := []int{10, 10, 1, 10, 80, 79, 81, 40, 3}
	n := NewNoise(counts)
	sums, sum := []float64{}, 0.0
	for _, c := range counts {
		sum += math.Pow(float64(c), 0.75)
		sums = append(sums, sum)
	}
	for k := range 10000 {
		u := (float64(k) + 0.5) / 10000
		want := 0
		for sums[want] <= u*sum {
			want++
		}
		if got := n.Word(u); int(got) != want {
			t.Errorf("the word of %v is %d, expected %d", u, got, want)
		}
	}
	if NewNoise([]int{4}).Word(0.99) != 0 {
		t.Error("the only word is not drawn")
	}
}

// The sum of the losses of an epoch of steps too small to matter has the gradient by which they move:
// central differences, of negatives and tree together.
func TestUpdatesAreGradients(t *testing.T) {
	const m, d = 7, 5
	c, err := NewWalker(Without(graph(t)), 1, 1, true).Walks(2, 6, drawn(2), "a/", nil)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, (3*m-1)*d)
	drawn(4).Uniform(start, -1, 1, "start", 0)
	loss := func(rate float64, x []float64) (float64, []float64) {
		x = slices.Clone(x)
		o := Options{Window: 3, Epochs: 1, Negatives: 3, Tree: true, Subsample: 0.1, From: rate, To: rate}
		trainer := NewTrainer[float64](c, m, d, o, drawn(5), "a/")
		trainer.O, trainer.H = x[m*d:2*m*d], x[2*m*d:]
		pairs := 0
		trainer.Watch = func(*Pair[float64]) { pairs++ }
		mean, err := trainer.Epoch(0, &Table[float64]{x[:m*d], d}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return mean * float64(pairs), x
	}
	const rate, h = 1e-9, 1e-5
	_, moved := loss(rate, start)
	for i := range start {
		x := slices.Clone(start)
		x[i] += h
		above, _ := loss(0, x)
		x[i] -= 2 * h
		below, _ := loss(0, x)
		want, got := (above-below)/(2*h), (start[i]-moved[i])/rate
		if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("entry %d: gradient %v, difference quotient %v", i, got, want)
		}
	}
}

// The parts of a layer move by the gradient of the same loss, while b stays; beyond the limit T is
// brought back to it.
func TestLayeredUpdatesAreGradients(t *testing.T) {
	const m, d, extra = 7, 5, 2
	c, err := NewWalker(Without(graph(t)), 1, 1, true).Walks(2, 6, drawn(2), "a/", nil)
	if err != nil {
		t.Fatal(err)
	}
	start, fixed := make([]float64, (m+d)*extra), make([]float64, 2*m*d)
	drawn(4).Uniform(start, -1, 1, "start", 0)
	drawn(4).Uniform(fixed, -1, 1, "fixed", 0)
	loss := func(rate, limit float64, x []float64) (float64, []float64) {
		l := NewLayered(slices.Clone(fixed[:m*d]), slices.Clone(x[:m*extra]), d, extra, limit)
		copy(l.T, x[m*extra:])
		trainer := NewTrainer[float64](c, m, d, Options{Window: 3, Epochs: 1, Negatives: 3, From: rate, To: rate}, drawn(5), "a/")
		trainer.O = slices.Clone(fixed[m*d:])
		pairs := 0
		trainer.Watch = func(*Pair[float64]) { pairs++ }
		mean, err := trainer.Epoch(0, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(l.b, fixed[:m*d]) {
			t.Error("b was moved")
		}
		return mean * float64(pairs), slices.Concat(l.A, l.T)
	}
	const rate, h = 1e-9, 1e-5
	_, moved := loss(rate, 1e9, start)
	for i := range start {
		x := slices.Clone(start)
		x[i] += h
		above, _ := loss(0, 1e9, x)
		x[i] -= 2 * h
		below, _ := loss(0, 1e9, x)
		want, got := (above-below)/(2*h), (start[i]-moved[i])/rate
		if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("entry %d: gradient %v, difference quotient %v", i, got, want)
		}
	}
	_, moved = loss(rate, 0.5, start)
	squares := 0.0
	for _, v := range moved[m*extra:] {
		squares += v * v
	}
	if math.Abs(math.Sqrt(squares)-0.5) > 1e-6 {
		t.Errorf("the map has norm %v beyond a limit of 0.5", math.Sqrt(squares))
	}
}

// An epoch allocates nothing once its lists have their lengths.
func TestEpochsDoNotAllocate(t *testing.T) {
	c, err := NewWalker(Without(graph(t)), 1, 1, true).Walks(2, 6, drawn(2), "a/", nil)
	if err != nil {
		t.Fatal(err)
	}
	trainer := NewTrainer[float32](c, 7, 4, Options{Window: 3, Epochs: 1000, Negatives: 3, Subsample: 0.1}, half{}, "a/")
	trainer.O = make([]float32, 28)
	table := &Table[float32]{make([]float32, 28), 4}
	if n := testing.AllocsPerRun(20, func() { _, _ = trainer.Epoch(0, table, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// half draws, by turns, two numbers.
type half struct{}

func (half) Uniform(dst []float64, _, _ float64, _ string, _ int) {
	for i := range dst {
		dst[i] = 0.3 + 0.5*float64(i%2)
	}
}
func (half) Permutation(dst []int, _ string, _ int) {}
