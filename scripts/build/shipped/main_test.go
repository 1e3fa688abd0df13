package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// pictured returns the coordinates of S in a picture, node after node.
func pictured(t *testing.T, f shippedFrame, nodes int) *mat.Dense {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(f.XY)
	if err != nil || f.Bits != 16 {
		t.Fatalf("%d bits, %v", f.Bits, err)
	}
	x := mat.NewDense(nodes, 2, nil)
	for i := range nodes {
		for k := range 2 {
			x.Set(i, k, f.Scale*float64(int16(binary.LittleEndian.Uint16(raw[4*i+2*k:]))))
		}
	}
	return x
}

// The runs that ship with the page must equal this program's trainings. Of many nodes their first steps are compared, and all where CADEM_LONG is set.
func TestShippedRunsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("trains 7000 steps")
	}
	files, err := filepath.Glob("../../../www/finished/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want shipped
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			if len(want.Links) == 0 && os.Getenv("CADEM_LONG") == "" {
				begins(t, name, &want)
				return
			}
			got, err := train(name)
			if err != nil {
				t.Fatal(err)
			}
			if got.Hash != want.Hash || got.Losses != want.Losses || !slices.Equal(got.Frames, want.Frames) || !slices.Equal(got.Links, want.Links) {
				t.Errorf("hash %s, the file has %s: write it anew with `go run ./scripts/build/shipped -run %s`", got.Hash, want.Hash, name)
			}
			if name == "town" {
				wantExpected(t, got)
			}
		})
	}
}

// begins compares the first losses of a run with those of a training.
func begins(t *testing.T, name string, want *shipped) {
	t.Helper()
	d, err := run.OpenExample(name, nil, want.DataSeed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings(want.Preset, d)
	if err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = want.ModelSeed
	raw, err := base64.StdEncoding.DecodeString(want.Losses)
	if err != nil || len(want.LossSteps) < 100 || len(raw)%(4*len(want.LossSteps)) != 0 {
		t.Fatalf("%d bytes of losses for %d steps, %v", len(raw), len(want.LossSteps), err)
	}
	some, enough := want.LossSteps[:len(want.LossSteps)/8], errors.New("enough")
	var losses [][]float64
	if _, err = run.Train(d, s, precision.Single, run.Watch{Each: func(r *run.Run) error {
		if losses = r.Losses; len(losses) < some[len(some)-1] {
			return nil
		}
		return enough
	}}); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	width := len(raw) / len(want.LossSteps)
	for k, step := range some {
		var row []byte
		for _, v := range losses[step-1] {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(float32(v)))
		}
		if !bytes.Equal(row, raw[k*width:(k+1)*width]) {
			t.Fatalf("step %d has other losses than the file: write it anew with `go run ./scripts/build/shipped -run %s`", step, name)
		}
	}
}

// wantExpected compares the run of the town with the example's hint what to expect: visible groups, and scores.
func wantExpected(t *testing.T, got *shipped) {
	t.Helper()
	shared := got.Labels[0].Of
	seen := evaluate.KMeans(pictured(t, got.Frames[len(got.Frames)-1], len(shared)), 3, 10, rng.New(1, "clusters")).Labels
	if ari := evaluate.ARI(shared, seen); ari < 0.95 {
		t.Errorf("clusters of the last picture of S agree with the shared groups at an ARI of %.2f", ari)
	}
	for _, s := range got.Scores.([]evaluate.Score) {
		value, untrained := float64(s.Value), float64(s.Untrained)
		switch {
		case s.Metric != "ari":
		case s.Embedding == "common" && s.Target == "shared":
			if !(untrained < 0.045 && value > 0.975) {
				t.Errorf("the ARI of S with the shared groups goes from %.3f to %.3f, the page says from 0.04 to 0.98", untrained, value)
			}
		case s.Embedding != "common" && s.Target != "shared":
			if !(untrained < 0.2 && value < 0.2) {
				t.Errorf("%s has an ARI of %.3f, untrained %.3f, with %s; the page says below 0.2", s.Embedding, value, untrained, s.Target)
			}
		}
	}
}
