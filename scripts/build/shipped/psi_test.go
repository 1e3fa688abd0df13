package main

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// The runs whose psi the essay and the Lab ask are this program's.
func TestShippedPsiIsTrue(t *testing.T) {
	b, err := os.ReadFile("../../../" + psiFile)
	if err != nil {
		t.Fatal(err)
	}
	var want psiRuns
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	betas := []float64{0, 0.5, 50}
	if testing.Short() {
		betas = betas[2:]
	}
	got, err := trainPsi(want.Example, betas...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Runs {
		i := slices.IndexFunc(want.Runs, func(w psiRun) bool { return w.Beta == r.Beta && w.Own == r.Own })
		one, _ := json.Marshal(r)
		other, _ := json.Marshal(want.Runs[max(0, i)])
		if i < 0 || string(one) != string(other) {
			t.Errorf("beta %v, own pairs %v: %s differs: write it anew with `go run ./scripts/build/shipped -psi`", r.Beta, r.Own, psiFile)
		}
	}
}
