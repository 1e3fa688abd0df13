package run_test

import (
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
)

// What is executed here is counted by TestEdgeListStaysAmongGraphs of the root, which runs this test with a profile.
func TestOpenEdgeList(t *testing.T) {
	d, err := run.OpenFiles([]formats.File{{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n2 2 3 1\n")}}, nil, nil)
	if err != nil || d.Graph.M() != 3 {
		t.Fatal(err)
	}
}
