package run

import (
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
)

// If layers share groups, new nodes land near their place in a training with them, nearer than their neighbours' mean and than chance; their
// groups are recognised.
func TestNewcomers(t *testing.T) {
	d, err := OpenExample("syn2", map[string]any{"nodes": 120}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSettings("refined", d)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"epochs": "20", "hidden": "16"} {
		if err := property.Set(s.Options, name, value); err != nil {
			t.Fatal(err)
		}
	}
	ways, nodes, err := Newcomers(d, s, precision.Single, 1, nil)
	if err != nil || nodes != 12 || len(ways) != 4 {
		t.Fatal(ways, nodes, err)
	}
	with, model, mean, random := ways[0], ways[1], ways[2], ways[3]
	if with.Nearest != 1 || with.Distance > 1e-6 { // rounding of the rotation
		t.Errorf("a training differs from itself: %+v", with)
	}
	if model.Distance >= mean.Distance || mean.Distance >= random.Distance || model.Nearest <= random.Nearest ||
		model.MacroF1["shared"] <= random.MacroF1["shared"] {
		t.Errorf("%+v", ways)
	}
}
