package experiments

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem/core/multiplex"
	"cadem/core/study/measure"
)

// sharedBy returns what was found of layers: which of them carry each direction, and how many directions each has of its own.
func sharedBy(names []string, carriers [][]int, own ...int) *shown {
	n := len(names)
	s := &shown{dataset: "town", compared: &multiplex.Comparison{Nodes: 500}, sharing: &measure.Sharing{Alpha: .05}}
	for l, name := range names {
		s.compared.Layers = append(s.compared.Layers, multiplex.Extent{Name: name, Links: 1000 + l, Density: .01})
		layer := measure.LayerSharing{P: .9, Exceeded: 179, Permutations: 199, Own: make([]float64, own[l])}
		for _, of := range carriers {
			if slices.Contains(of, l) {
				layer = measure.LayerSharing{Passed: true, P: 1e-5, Permutations: 199, Own: layer.Own}
			}
		}
		s.sharing.Layers = append(s.sharing.Layers, layer)
		row := make([]float64, n)
		for k := range row {
			row[k] = 1
			for _, of := range carriers {
				if k != l && slices.Contains(of, l) && slices.Contains(of, k) {
					row[k] = 1e-6
				}
			}
		}
		s.sharing.Pairs = append(s.sharing.Pairs, row)
		for k := l + 1; k < n; k++ {
			s.compared.Pairs = append(s.compared.Pairs, multiplex.Overlap{A: l, B: k, Common: 30 + k, Jaccard: .1, Expected: 12.3, SD: 2, Z: 8 + float64(k)})
		}
	}
	for _, of := range carriers {
		share := make([]float64, n)
		for _, l := range of {
			share[l] = 1
		}
		s.sharing.Directions = append(s.sharing.Directions, measure.SharedDirection{Layers: of, Share: share, Strength: .5, ByLayer: share})
	}
	return s
}

func paragraph(s *shown) string {
	var texts []string
	for _, one := range s.sentences() {
		texts = append(texts, one.text)
	}
	return strings.Join(texts, " ")
}

// What is said of who shares what, in all its forms.
func TestWhoSharesWhat(t *testing.T) {
	three, five := []string{"friends", "lunch", "work"}, []string{"friends", "lunch", "work", "sport", "church"}
	for _, c := range []struct {
		s    *shown
		text string
	}{
		{sharedBy(three, [][]int{{0, 1, 2}, {0, 1}}, 1, 0, 2), "Friends and lunch share two directions (p < 0.005). Work shares one of them."},
		{sharedBy(three, [][]int{{0, 1}}, 1, 0, 2), "Friends and lunch share one direction (p < 0.005). Work shares none of them."},
		{sharedBy(three, [][]int{{0, 1, 2}}, 1, 0, 2), "All three layers share one direction (p < 0.005)."},
		{sharedBy(three[:2], [][]int{{0, 1}, {0, 1}}, 1, 0), "Both layers share two directions (p < 0.005)."},
		{sharedBy(five, [][]int{{0, 1, 2, 3}, {0, 1}}, 1, 0, 2, 0, 0), "Friends and lunch share two directions (p < 0.005). Work and sport share one of them. " +
			"Church shares none of them."},
		{sharedBy(three, [][]int{{0, 1}, {1, 2}}, 1, 0, 2), "Friends and lunch share one direction (p < 0.005). Lunch and work share another direction (p < 0.005)."},
		{sharedBy(five, [][]int{{0, 1}, {2, 3}, {2, 3}}, 1, 0, 2, 0, 0), "Friends and lunch share one direction (p < 0.005). Work and sport share two others (p < 0.005). " +
			"Church shares none of them."},
		{sharedBy(three, [][]int{{0}, {}}, 1, 0, 2), "Friends carries one direction alone: the others tell of it, and none of them carries it (p < 0.005). " +
			"Another direction is carried by no layer for the larger part."},
		{sharedBy(three, nil, 1, 0, 2), "Nothing is shared that the test can see: the clearest layer is friends with p = 0.9, where 0.01667 is asked for."},
	} {
		if text := paragraph(c.s); !strings.Contains(text, c.text) {
			t.Errorf("%s\nhas not: %s", text, c.text)
		}
	}
	for _, c := range []struct {
		own  []int
		text string
	}{
		{[]int{1, 2, 3}, "Every layer has structure of its own."}, {[]int{1, 0, 3}, "Every layer has structure of its own but lunch."},
		{[]int{0, 0, 3}, "Work alone has structure of its own."}, {[]int{0, 0, 0}, "No layer has structure of its own that links held out bear out."},
		{[]int{1, 1}, "Both layers have structure of their own."},
	} {
		if text := paragraph(sharedBy(three[:len(c.own)], [][]int{{0, 1}}, c.own...)); !strings.Contains(text, c.text) {
			t.Errorf("%s\nhas not: %s", text, c.text)
		}
	}
	many := make([]string, 12)
	all := make([]int, 12)
	for l := range many {
		many[l], all[l] = fmt.Sprint("l", l), l
	}
	if text := paragraph(sharedBy(many, [][]int{all, all[:8]}, make([]int, 12)...)); !strings.Contains(text, "Eight of the 12 layers share two directions (p < 0.005). L8, l9, l10 and l11 share one of them.") {
		t.Error(text)
	}
	two := sharedBy(three[:2], [][]int{{0, 1}}, 0, 0) // one hypothesis: the clearer layer decides
	two.sharing.Layers[1].P, two.sharing.Layers[1].Exceeded = .4, 79
	if text := paragraph(two); !strings.Contains(text, "share one direction (p < 0.005)") {
		t.Error(text)
	}
	worst := sharedBy(three, [][]int{{0, 1}}, 0, 0, 0)
	worst.sharing.Layers[0].P, worst.sharing.Layers[0].Exceeded = .01, 1
	if text := paragraph(worst); !strings.Contains(text, "share one direction (p = 0.01)") {
		t.Error(text)
	}
}

// No sentence stands that other figures would leave as it is, and each names the figures it is computed from.
func TestEverySentenceChanges(t *testing.T) {
	names := []string{"friends", "lunch", "work"}
	a, b := sharedBy(names, [][]int{{0, 1, 2}, {0, 1}}, 1, 0, 2), sharedBy(names, [][]int{{1, 2}}, 0, 2, 3)
	for i := range b.compared.Pairs {
		b.compared.Pairs[i].Z -= 7
	}
	b.sharing.Layers[1].Exceeded, b.sharing.Layers[1].P = 1, .01
	before, after := a.sentences(), b.sentences()
	if len(before) < 5 {
		t.Errorf("%d sentences", len(before))
	}
	for _, one := range before {
		if one.from == "" || !strings.HasSuffix(one.text, ".") {
			t.Errorf("%+v", one)
		}
		for _, other := range after {
			if one.text == other.text {
				t.Errorf("%q stands with other figures, too", one.text)
			}
		}
	}
	if list := (&shown{compared: a.compared}).sentences(); len(list) != 1 {
		t.Errorf("of links alone: %v", list)
	}
}

// It is said where the method cannot do what it should.
func TestWhereItCannotWork(t *testing.T) {
	s := sharedBy([]string{"friends", "lunch", "work"}, nil, 0, 0, 0)
	if list := s.cautions(); len(list) != 0 {
		t.Errorf("%v", list)
	}
	s.compared.Nodes, s.compared.Layers[0].Density, s.compared.Layers[1].Links, s.compared.Layers[2].Weighted, s.sharing.Featured = 50, .4, 40, true, true
	list := strings.Join(s.cautions(), "\n")
	for _, text := range []string{"There are 50 nodes", "linked in friends", "Lunch has less than 100 links", "Links of work have weights", "Nodes have features"} {
		if !strings.Contains(list, text) {
			t.Errorf("%s\nhas not: %s", list, text)
		}
	}
}
