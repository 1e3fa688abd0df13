package evaluate

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Probes reads what Table's probe reads, in the same folds, and columns of any width.
func TestProbesAreThoseOfTheTable(t *testing.T) {
	src := rng.New(4, "probes")
	const n = 60
	x := mat.NewDense(n, 4, nil)
	of, groups := make([]int, n), make([]int, n)
	for i := range n {
		of[i], groups[i] = i%3, i/3
		for j := range 4 {
			x.Set(i, j, src.Norm())
		}
		x.Set(i, 0, x.At(i, 0)+float64(of[i]))
	}
	targets := []multiplex.LabelSet{{Name: "class", Classes: []string{"a", "b", "c"}, Of: of}}
	o := Defaults()
	o.Epochs = 5
	list := []Embedding{{Name: "x", Tokens: []*mat.Dense{x}}}
	table, err := Table(Input{Trained: list, Untrained: list, Targets: targets, Groups: groups, Classify: true}, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	probes, err := Probes(append(list, Embedding{Name: "wide", Tokens: []*mat.Dense{mat.NewDense(n, 7, nil)}}), targets, groups, o, 1, func(done, total int) error {
		if done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(probes) != 4 || probes[0].Value != table[0].Probe || probes[1].Value != table[1].Probe || probes[0].Value < 0.4 || len(probes[0].Folds) != 5 || probes[2].Value > 0.3 {
		t.Errorf("%+v\nand in the table\n%+v", probes, table)
	}
}

// A fold that trains on a group that it tests does not come to pass.
func TestGroupsStayApart(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2}
	apart(groups, []int{0, 1, 4}, []int{2, 3})
	defer func() {
		if e := recover(); e != ErrGroups {
			t.Errorf("found %v, expected %v", e, ErrGroups)
		}
	}()
	apart(groups, []int{0, 1, 2}, []int{3, 4})
	t.Error("a group on both sides was let through")
}
