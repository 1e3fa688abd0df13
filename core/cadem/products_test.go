//go:build !js

package cadem

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// choices returns the options that are one of some words.
func choices(o *Options) (list []property.Property) {
	for _, p := range property.Table(o) {
		if p.Kind == "choice" {
			list = append(list, p)
		}
	}
	return list
}

// combinations calls f with each increasing list of k numbers below n, which it may not keep.
func combinations(n, k int, f func(list []int)) {
	var extend func(list []int, from int)
	extend = func(list []int, from int) {
		if len(list) == k {
			f(list)
			return
		}
		for i := from; i < n; i++ {
			extend(append(list, i), i+1)
		}
	}
	extend(make([]int, 0, k), 0)
}

// covering returns rows with a value below levels[i] at each place i, such that any values at any k places occur together at
// least once. It repeatedly picks the random row with the most combinations that have not occurred.
func covering(levels []int, k int, src *rng.Stream) (rows [][]int) {
	const tries = 20
	type group [4]struct{ place, value int } // of k
	of := func(places, row []int) (g group) {
		for i, p := range places {
			g[i].place, g[i].value = p, row[p]
		}
		return g
	}
	missing := map[group]bool{}
	var order []group // in the order of taking
	combinations(len(levels), k, func(places []int) {
		row := make([]int, len(levels))
		for next := 0; next < k; {
			if g := of(places, row); !missing[g] {
				missing[g] = true
				order = append(order, g)
			}
			for next = 0; next < k; next++ { // counts up
				p := places[next]
				if row[p]++; row[p] < levels[p] {
					break
				}
				row[p] = 0
			}
		}
	})
	for _, first := range order {
		if !missing[first] {
			continue
		}
		var best []int
		most := 0
		for range tries {
			row := make([]int, len(levels))
			for i, n := range levels {
				row[i] = src.IntN(n)
			}
			for _, v := range first[:k] {
				row[v.place] = v.value
			}
			found := 0
			combinations(len(levels), k, func(places []int) {
				if missing[of(places, row)] {
					found++
				}
			})
			if found > most {
				best, most = row, found
			}
		}
		rows = append(rows, best)
		combinations(len(levels), k, func(places []int) { delete(missing, of(places, best)) })
	}
	return rows
}

// A run with choices of the options goes on from its checkpoint as if it had not been left, and its losses are finite: on each
// example with each choice, and on every sixth with any two together; on all with any four where CADEM_LONG is set.
func TestProductsOfChoices(t *testing.T) {
	sizes := map[string]any{"nodes": 60, "regions": 60, "frames": 60}
	for k, g := range examples.All() {
		together := 1
		if os.Getenv("CADEM_LONG") != "" {
			together = 4
		} else if k%6 == 0 && !testing.Short() {
			together = 2
		}
		t.Run(g.Name, func(t *testing.T) {
			data := g.Options()
			for _, name := range slices.Sorted(maps.Keys(sizes)) {
				if property.Has(data, name) {
					if err := property.Set(data, name, property.Text(sizes[name])); err != nil {
						t.Fatal(err)
					}
				}
			}
			drawn, err := g.Generator.Draw(data, 3)
			if err != nil {
				t.Fatal(err)
			}
			o := small()
			list := choices(&o)
			levels := make([]int, len(list))
			for i, p := range list {
				if p.Name == "split" && !drawn.Layers[0].Features.IsIdentity() {
					list[i].Choices = slices.DeleteFunc(slices.Clone(p.Choices), func(c string) bool { return c == "evidence" })
				}
				levels[i] = len(list[i].Choices)
			}
			for _, row := range covering(levels, together, rng.New(uint64(k), "choices")) {
				chosen := make([]string, len(row))
				for i, v := range row {
					chosen[i] = list[i].Name + "=" + strings.Replace(list[i].Choices[v], "#", "2", 1)
				}
				if err := product([]*multiplex.Graph{drawn}, chosen); err != nil {
					t.Errorf("%v: %v", chosen, err)
				}
			}
		})
	}
}

// product trains with some choices, with a checkpoint in the middle and without.
func product(graphs []*multiplex.Graph, choices []string) error {
	o := small()
	for _, c := range choices {
		name, value, _ := strings.Cut(c, "=")
		if err := property.Set(&o, name, value); err != nil {
			return err
		}
	}
	o.Epochs, o.InnerSteps, o.Hidden, o.Augmented = 2, 2, 8, 2
	whole, err := New(graphs, o, 1, precision.Single)
	if err != nil {
		return err
	}
	var kept []byte
	for !whole.Done() {
		if err := whole.Step(); err != nil { // also of a loss that is not finite
			return err
		}
		if whole.Progress().Step == 3 {
			kept = whole.Checkpoint()
		}
	}
	again, err := resume(graphs, kept)
	if err != nil {
		return err
	}
	for !again.Done() {
		if err := again.Step(); err != nil {
			return err
		}
	}
	if a, b := whole.Hash(), again.Hash(); a != b {
		return fmt.Errorf("hash %s, from the checkpoint %s", a, b)
	}
	return nil
}
