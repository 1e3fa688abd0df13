package text

import (
	"errors"
	"testing"

	"cadem.example/core/base/diag"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       Kind
	}{
		{"x", "1 1 2 1", Edges}, {"x", "# a\n1 1 2", Edges}, {"a_multiplex.txt", "1 x", Edges},
		{"x.csv", "layer,source,target", Edges}, {"x_layers.txt", "nodeID nodeLabel\n1 a", Layers}, {"x", "layerID layerLabel\n1 a", Layers},
		{"x_layers.txt", "1 a", Layers}, {"x_nodes.txt", "nodeID a\n1 2", Nodes}, {"x.txt", "nodeID a\n1 2", Nodes}, {"x.csv", "id,a\n1,2", Labels},
		{"labels.txt", "node group\n1 2", Labels}, {"dir.nodes/x.csv", "id,a\n1,2", Labels}, {"node_labels.csv", "id,a\n1,2", Labels}, {"x.tsv", "name\ta", Labels},
		{"x.txt", "hello world", ""}, {"x.txt", "hello world\nand nothing else\n", ""},
		{"x.txt", "1 2", Edges}, {"x.txt", "1 2 3 4 5 6", ""}, {"x.txt", "0.5 1", ""}, {"features.txt", "1 2", ""},
	} {
		got, _, err := kindOf(c.file, c.text)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s %q: %s, %v, want %s", c.file, c.text, got, err, c.want)
		}
		var bad *diag.Error
		if err != nil && (!errors.As(err, &bad) || bad.Line != 1) {
			t.Errorf("%s %q: %v, want line 1", c.file, c.text, err)
		}
	}
}
