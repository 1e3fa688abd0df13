package evidence

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
)

// Found summarises a split.
type Found struct {
	Level float64   `json:"level"` // a layer passes whose p is not above it
	Least float64   `json:"least"` // smaller p are extrapolated: no permutation reached what was observed
	P     []float64 `json:"p"`     // of every layer: how often layers that share nothing would explain it as well
	Own   []int     `json:"own"`   // directions of every layer's own
	// Share is the share, from 0 to 1, of every layer in each shared direction. A layer carries a direction if it is above a half.
	Share [][]float64 `json:"share"`
}

// Found returns what was found with the usual options.
func (r *Result) Found() *Found {
	n, o := len(r.Trials), Defaults()
	f := &Found{Level: o.level() / float64(n), Least: 1 / float64(1+o.permutations(n)), Share: r.Profile.Share}
	for l, t := range r.Trials {
		f.P, f.Own = append(f.P, t.P), append(f.Own, r.Own[l].F.Cols)
	}
	return f
}

// Weighed is Found without the directions that explain no held-out link, which weigh 0 in S.
func (r *Result) Weighed() *Found {
	f, rank := r.Found(), 0
	for rank < len(r.W) && r.W[rank] > 0 { // they do not increase
		rank++
	}
	f.Share = slices.Clone(f.Share)
	for l := range f.Share {
		f.Share[l] = f.Share[l][:rank]
	}
	return f
}

// Bound returns the p of a layer as it is reported, at least Least: beyond every permutation the tail is extrapolated, and only ranks layers.
func (f *Found) Bound(layer int) float64 { return max(f.P[layer], f.Least) }

// Rank returns how many directions are shared.
func (f *Found) Rank() int { return len(f.Share[0]) }

// Passed reports whether other layers explain a layer. Of two layers, one explained layer is enough.
func (f *Found) Passed(layer int) bool {
	return f.P[layer] <= f.Level || len(f.P) == 2 && slices.Min(f.P) <= f.Level
}

// carriers returns the layers that carry a direction.
func (f *Found) carriers(direction int, names []string) (list []string) {
	for l, share := range f.Share {
		if share[direction] > .5 {
			list = append(list, names[l])
		}
	}
	return list
}

// Notes says it in sentences, for layers of these names.
func (f *Found) Notes(names []string) (notes []string) {
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	passed := 0
	for l, p := range f.P {
		chance := "p = " + figure.Fixed(f.Bound(l), 3)
		if p < f.Least {
			chance = "p < " + figure.Fixed(f.Bound(l), 3)
		}
		switch {
		case p <= f.Level:
			say("layer %s is explained by other layers: %s", names[l], chance)
		case f.Passed(l):
			say("layer %s explains the other one", names[l])
		default:
			say("layer %s is not explained by other layers more than by chance: %s, where at most %s is asked for", names[l], chance, figure.Fixed(f.Level, 3))
		}
		if f.Passed(l) {
			passed++
		}
	}
	switch rank := f.Rank(); {
	case passed == 0:
		say("the layers share nothing that their links can show: the consensus is 0. They may share less than so few links tell")
	case rank == 0:
		say("no direction that the layers share is certain enough to be kept: the consensus is 0")
	default:
		say("the layers share %s", figure.Count(rank, "direction"))
	}
	var sets []string
	count := map[string]int{}
	for k := range f.Rank() {
		set := "no layer by itself"
		if of := f.carriers(k, names); of != nil {
			if set = named(of); len(of) == 1 {
				set += " alone for the larger part, and by others for less"
			}
		}
		if count[set]++; count[set] == 1 {
			sets = append(sets, set)
		}
	}
	for _, set := range sets {
		say("%s %s: %s", figure.Count(count[set], "shared direction"), figure.Plural(count[set], "is carried by", "are carried by"), set)
	}
	for l, own := range f.Own {
		if own == 0 {
			say("layer %s has no direction of its own that explains links held out: its private part is 0", names[l])
		} else {
			say("layer %s has %s of its own", names[l], figure.Count(own, "direction"))
		}
	}
	return notes
}

// named names layers: "layers friends, work and lunch".
func named(layers []string) string {
	last := len(layers) - 1
	if last == 0 {
		return "layer " + layers[0]
	}
	return "layers " + strings.Join(layers[:last], ", ") + " and " + layers[last]
}

// Numbers lists the split for a checkpoint; [FoundOf] reads it. Its length is at most [Room].
func (f *Found) Numbers() []float64 {
	list := append([]float64{f.Level, f.Least, float64(f.Rank())}, f.P...)
	for _, own := range f.Own {
		list = append(list, float64(own))
	}
	for _, share := range f.Share {
		list = append(list, share...)
	}
	return list
}

// Room returns the largest number of values of a split of this number of layers and nodes.
func Room(layers, nodes int) int {
	return 3 + layers*(2+Options{}.functions(layers, nodes)+beyond)
}

// FoundOf returns the split of some layers that numbers describe; false if they describe none.
func FoundOf(x []float64, layers int) (*Found, bool) {
	if len(x) < 3+2*layers {
		return nil, false
	}
	f, rank := &Found{Level: x[0], Least: x[1], P: x[3 : 3+layers]}, int(x[2])
	own, shares := x[3+layers:3+2*layers], x[3+2*layers:]
	if rank < 0 || rank > len(shares)/layers {
		return nil, false
	}
	for l := range layers {
		f.Own, f.Share = append(f.Own, int(own[l])), append(f.Share, shares[l*rank:(l+1)*rank])
	}
	return f, true
}
