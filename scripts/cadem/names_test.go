package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/text/unicode/norm"

	"cadem.example/core/formats"
)

// The command composes letters: a layer and a node that are written in two ways are one each, and a layer is chosen in either.
func TestNamesAreComposed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.csv")
	text := "source,target,layer\nZoë,Bo,Büro\nBo,Cy,Küche\n"
	text += norm.NFD.String("Zoë,Cy,Büro\nZoë,Cy,Küche\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := command(t, "inspect", path, "-json", "-layers", norm.NFD.String("Küche")+",Büro")
	if err != nil {
		t.Fatal(err)
	}
	var d formats.Description
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Nodes != 3 || len(d.Layers) != 2 || d.Layers["Büro"].NNZ != 2 || d.Layers["Küche"].NNZ != 2 {
		t.Errorf("%d nodes, layers %v", d.Nodes, d.Layers)
	}
}
