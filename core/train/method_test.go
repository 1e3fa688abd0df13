package train_test

import (
	"errors"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// A program without what trains a method, or without what prepares inputs, says which by one error. Such a program is this test.
func TestUnregistered(t *testing.T) {
	describes := &train.Method{Name: "described"}
	_, err := train.Start(describes, &train.Setup{})
	check := func(what string, err error) {
		t.Helper()
		var e *diag.Unregistered
		if !errors.As(err, &e) || !strings.Contains(e.Error(), what) {
			t.Errorf("%v, expected one of nothing registered for %s", err, what)
		}
	}
	check("the method described", err)
	if train.Methods()[0].Name != train.NameOfCaDeM || train.Methods()[0].Trains() == nil {
		t.Error("every program describes CaDeM first, and trains it when it is registered")
	}
	ring, err := multiplex.FromEdges(4, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	l := multiplex.Layer{Adjacency: ring, Features: multiplex.Identity(4)}
	g := &multiplex.Graph{Layers: []multiplex.Layer{l, l}}
	for option, value := range map[string]string{"split": "evidence", "trim": "noise", "features": "spectral:2"} {
		o := cadem.Released()
		o.Dim = 2
		if err := property.Set(&o, option, value); err != nil {
			t.Fatal(err)
		}
		_, err := cadem.New([]*multiplex.Graph{g}, o, 1, precision.Single)
		check("inputs that are trimmed or split", err)
	}
}
