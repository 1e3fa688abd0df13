package connectome_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"cadem.example/core/brain/connectome"
)

func ExampleCountNetworks() {
	// Ten regions, the first four of them visual; the two with the largest values are both visual.
	network := []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	top := connectome.Top([]float64{3, 1, 5, 2, 0, 0, 1, 2, 1, 0}, 0.2)
	for k, c := range connectome.CountNetworks(network, 2, top) {
		fmt.Printf("%s: %d of %d, expected %.1f, p = %.3f\n", []string{"visual", "default"}[k], c.Count, c.Size, c.Expected, c.P)
	}
	// Output:
	// visual: 2 of 4, expected 0.8, p = 0.133
	// default: 0 of 6, expected 1.2, p = 1.000
}

// The tail as a sum of exact fractions.
func exactTail(count, all, marked, n int64) float64 {
	sum, b := new(big.Int), func(n, k int64) *big.Int {
		if k > n {
			return new(big.Int)
		}
		return new(big.Int).Binomial(n, k)
	}
	for k := count; k <= min(n, marked); k++ {
		sum.Add(sum, new(big.Int).Mul(b(marked, k), b(all-marked, n-k)))
	}
	p, _ := new(big.Rat).SetFrac(sum, b(all, n)).Float64()
	return p
}

func TestChanceIsHypergeometric(t *testing.T) {
	for _, c := range []struct{ all, marked, n int }{{360, 55, 36}, {360, 1, 36}, {360, 360, 36}, {12, 7, 8}, {1000, 140, 500}, {10, 0, 3}, {5, 2, 5}} {
		network := make([]int, c.all)
		for i := c.marked; i < c.all; i++ {
			network[i] = -1
		}
		for count := max(0, c.n+c.marked-c.all); count <= min(c.n, c.marked); count++ {
			var chosen []int
			for i := range count {
				chosen = append(chosen, i)
			}
			for i := range c.n - count {
				chosen = append(chosen, c.marked+i)
			}
			got := connectome.CountNetworks(network, 1, chosen)[0]
			want := exactTail(int64(count), int64(c.all), int64(c.marked), int64(c.n))
			if got.Count != count || got.Size != c.marked || math.Abs(got.P-want) > 1e-12*(1+1e3*want) {
				t.Errorf("%+v, count %d: %+v, want p %v", c, count, got, want)
			}
			if expected := float64(c.marked*c.n) / float64(c.all); math.Abs(got.Expected-expected) > 1e-9 {
				t.Errorf("%+v: expected %v, want %v", c, got.Expected, expected)
			}
		}
	}
}

// Holm's correction, worked out by hand: the counts that stand out do so at the level of all.
func TestChanceIsCorrected(t *testing.T) {
	// 40 regions, ten a network; of eight chosen, six are of the first and two of the third.
	// The last network has no regions and is not a test.
	network := make([]int, 40)
	for i := range network {
		network[i] = i / 10
	}
	counts := connectome.CountNetworks(network, 5, []int{0, 1, 2, 3, 4, 5, 20, 21})
	first, third := exactTail(6, 40, 10, 8), exactTail(2, 40, 10, 8)
	for k, want := range []float64{4 * first, 1, min(1, 3*third), 1, 1} {
		if c := counts[k]; math.Abs(c.Corrected-want) > 1e-12 || c.Beyond != (want < 0.05) || c.Corrected < c.P {
			t.Errorf("network %d: %+v, want %v", k, c, want)
		}
	}
	if !counts[0].Beyond || counts[2].Beyond {
		t.Errorf("%+v", counts)
	}
	// One network of seven at p = .03 by itself is not a finding.
	wide := make([]int, 70)
	for i := range wide {
		wide[i] = i / 10
	}
	counts = connectome.CountNetworks(wide, 7, []int{0, 1, 2, 10, 20, 30, 40})
	if c := counts[0]; c.P >= 0.06 || c.P < 0.02 || c.Beyond {
		t.Errorf("%+v", c)
	}
}

// A network has one mark whatever others there are and however its name is written.
func TestMarksOfNetworks(t *testing.T) {
	for _, c := range []struct {
		networks []string
		want     []int
	}{
		{[]string{"Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal", "Default"}, []int{0, 1, 2, 3, 4, 5, 6}},
		{[]string{"Default Mode", "SomMot", "dorsal-attention"}, []int{6, 1, 2}},
		{[]string{"Somatomotor", "Cerebellum", "Language", "Thalamus"}, []int{1, 14, 8, 15}},
		{[]string{"Default", "DMN"}, []int{6, 14}},
		{nil, nil},
	} {
		if got := connectome.Marks(c.networks); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.networks, got, c.want)
		}
	}
}

func TestTop(t *testing.T) {
	values := []float64{1, 4, 4, 0, 9}
	for _, c := range []struct {
		share float64
		want  []int
	}{{0, []int{4}}, {0.2, []int{4}}, {0.4, []int{4, 1}}, {0.6, []int{4, 1, 2}}, {1, []int{4, 1, 2, 0, 3}}, {2, []int{4, 1, 2, 0, 3}}} {
		if got := connectome.Top(values, c.share); !slices.Equal(got, c.want) {
			t.Errorf("share %v: %v, want %v", c.share, got, c.want)
		}
	}
	if got := connectome.Top(nil, 0.1); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
