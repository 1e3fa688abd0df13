package synth

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/multiplex"
)

func paintedOf(t *testing.T, nodes int, blocks string, seed uint64) *multiplex.Graph {
	t.Helper()
	g, err := Painted.Draw(&PaintedOptions{Nodes: nodes, Blocks: blocks}, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ExamplePainted() {
	// Two blocks of six: within them every pair may be linked, and in the second layer between them alone.
	g, err := Painted.Draw(&PaintedOptions{Nodes: 12, Blocks: "909_090"}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range g.Layers {
		inside, all := 0, 0
		for pair := range has(&g.Layers[l]) {
			all++
			if g.Labels[0].Of[pair[0]] == g.Labels[0].Of[pair[1]] {
				inside++
			}
		}
		fmt.Println(g.Layers[l].Name, inside, "of", all, "links within a block")
	}
	// Output:
	// layer 1 22 of 22 links within a block
	// layer 2 0 of 28 links within a block
}

// The share of linked pairs of every two blocks is the chance that is painted, give or take five standard deviations.
func TestPaintedChances(t *testing.T) {
	const nodes = 600
	chances := []float64{0, .02, .05, .1, .15, .2, .3, .4, .6, .8} // as the option says
	for seed := range uint64(3) {
		blocks := []string{"0123456789", "9876543210"}
		g := paintedOf(t, nodes, strings.Join(blocks, "_"), seed)
		of := g.Labels[0].Of
		for l, digits := range blocks {
			pairs, linked := map[[2]int]float64{}, map[[2]int]float64{}
			for i := range nodes {
				for j := i + 1; j < nodes; j++ {
					pairs[[2]int{of[i], of[j]}]++
				}
			}
			for pair := range has(&g.Layers[l]) {
				linked[[2]int{of[pair[0]], of[pair[1]]}]++
			}
			at := 0
			for a := range 4 {
				for b := a; b < 4; b++ {
					p, n := chances[digits[at]-'0'], pairs[[2]int{a, b}]
					if got := linked[[2]int{a, b}] / n; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/n) {
						t.Errorf("seed %d, layer %d, blocks %d and %d: %.3f of the pairs, expected %.2f", seed, l+1, a+1, b+1, got, p)
					}
					at++
				}
			}
		}
	}
}

// A stronger digit adds links and takes none, and other layers stay as they are.
func TestPaintingAddsLinks(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 40 {
		digits := make([]byte, 10)
		for i := range digits {
			digits[i] = byte('1' + random.IntN(8))
		}
		other, at := "8611811818", random.IntN(10)
		before := paintedOf(t, 40, string(digits)+"_"+other, 3)
		digits[at]++
		after := paintedOf(t, 40, string(digits)+"_"+other, 3)
		now := has(&after.Layers[0])
		for pair := range has(&before.Layers[0]) {
			if !now[pair] {
				t.Fatalf("%s: nodes %v lost their link", digits, pair)
			}
		}
		if !slices.Equal(before.Layers[1].Adjacency.Index, after.Layers[1].Adjacency.Index) {
			t.Fatalf("%s: another layer changed", digits)
		}
	}
}

// What is no painting comes back as an error that names the option and what is wrong.
func TestBadPaintings(t *testing.T) {
	const digits = "2 to 6 layers with _ between them, each of a digit for each pair of 2 to 8 blocks"
	for text, want := range map[string]string{
		"": digits, "909": digits, strings.Repeat("909_", 7): digits, "9_9": digits, "90_90": digits, "909_9": `found "909_9", expected ` + digits,
		"909_9x9": `found "909_9x9"`, "909_\u0665\u06659": digits, "909_000": "layer 2", strings.Repeat("1", 45) + "_" + strings.Repeat("1", 45): digits,
	} {
		_, err := Painted.Draw(&PaintedOptions{Nodes: 20, Blocks: text}, 1)
		var bad *diag.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}

func FuzzPainted(f *testing.F) {
	f.Add("8611811818_8111861818")
	f.Add("909_090")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Painted.Draw(&PaintedOptions{Nodes: 14, Blocks: text}, 1)
		if err == nil && (g.Check() != nil || strings.Count(text, "_") != len(g.Layers)-1) {
			t.Errorf("%q: %d layers, %v", text, len(g.Layers), g.Check())
		}
	})
}
