package cadem

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/synth/examples"
)

// choices returns every product of the options that are one of some words, as name=value.
func choices(o *Options) [][]string {
	products := [][]string{nil}
	for _, p := range property.Table(o) {
		if p.Kind != "choice" {
			continue
		}
		var longer [][]string
		for _, product := range products {
			for _, c := range p.Choices {
				c = strings.Replace(c, "#", "2", 1)
				longer = append(longer, append(slices.Clone(product), p.Name+"="+c))
			}
		}
		products = longer
	}
	return products
}

// A run with any product of the options on every example goes on from its checkpoint as if it had not been left, and
// its losses are finite. These are some of the products, others on each example, and many more where CADEM_LONG is set.
func TestProductsOfChoices(t *testing.T) {
	every := 6353
	if os.Getenv("CADEM_LONG") != "" {
		every = 37
	}
	sizes := map[string]any{"nodes": 60, "regions": 60, "frames": 60}
	for k, g := range examples.All() {
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
			products := choices(&o)
			for i := k; i < len(products); i += every {
				if err := product([]*multiplex.Graph{drawn}, products[i]); err != nil {
					t.Errorf("%v: %v", products[i], err)
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
	whole, err := New(graphs, o, 1, Single)
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
