package run

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/json"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/train"
)

// A method's own fusion is read alone; other embeddings go through the combiner together.
func TestTokensOfMethods(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(2, 1, []float64{3, 4})
	for fusion, want := range map[train.Fusion][]*mat.Dense{train.Combiner: {x, y}, train.Own: {y}} {
		list := Scored(&train.Method{Fusion: fusion}, []train.Embedding{{Name: "layer_1", X: x}, {Name: train.Fused, X: y}})
		if len(list) != 3 || list[0].Name != "combined" || len(list[0].Tokens) != len(want) || list[2].Name != train.Fused {
			t.Fatalf("%s: %v", fusion, list)
		}
		for k := range want {
			if list[0].Tokens[k] != want[k] {
				t.Errorf("%s: token %d of combined is another one", fusion, k)
			}
		}
	}
}

// A method is trained and scored on the terms of CaDeM, with the evaluation that the data
// recommend, and stops on request.
func TestTrainMethod(t *testing.T) {
	d, err := OpenExample("syn1", map[string]any{"nodes": 40}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := MethodSettings("random", "", d)
	if err != nil {
		t.Fatal(err)
	}
	ofCaDeM, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if s.Evaluation != ofCaDeM.Evaluation || s.Level != train.Official {
		t.Errorf("evaluation %+v at level %s, of CaDeM %+v", s.Evaluation, s.Level, ofCaDeM.Evaluation)
	}
	if err := s.Set("eval_epochs", "2"); err != nil {
		t.Fatal(err)
	}
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Score(d, r.Scored, r.ScoredBefore, s.Evaluation, 1, nil)
	if err != nil || len(scores) != 4*4*2 || scores[0].Value != scores[0].Untrained {
		t.Errorf("%d scores, %v", len(scores), err)
	}
	enough := errors.New("enough")
	steps := 0
	_, err = Train(d, s, precision.Single, Watch{Within: func(done, total int) error {
		if steps++; done == total {
			return enough
		}
		return nil
	}})
	if err != enough || steps < 3 {
		t.Errorf("stopped after %d calls: %v", steps, err)
	}
}

// CaDeM has presets and not the settings of other methods: a record with such a name is refused, whoever wrote it.
func TestCaDeMIsNoOtherMethod(t *testing.T) {
	const want = "method: found cadem, expected one that CaDeM is compared with"
	if _, err := MethodSettings("cadem", "", &Dataset{}); err == nil || err.Error() != want {
		t.Errorf("settings: %v", err)
	}
	a, _ := exportedRun(t)
	var s map[string]any
	if err := json.Unmarshal(a.Run, &s); err != nil {
		t.Fatal(err)
	}
	record := sound(t)
	put(record, "method", "cadem")
	s["record"] = record
	var err error
	if a.Run, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack(a); err == nil || err.Error() != want {
		t.Errorf("a run: %v", err)
	}
}

// A training never tells of more than there is, or of less than before, though the last step of a round goes on after it has counted.
func TestProgressOfMethod(t *testing.T) {
	d, err := OpenExample("syn1", map[string]any{"nodes": 200}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := MethodSettings("mcgc", "lite", d)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"steps": "2", "rounds": "2", "eval_epochs": "2"} {
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	last := 0
	_, err = Train(d, s, precision.Single, Watch{Within: func(done, total int) error {
		if done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// All embeddings that are read together have a width, or as much less as their number and the heads of the combiner ask for.
func TestWidthOfAllEmbeddings(t *testing.T) {
	for _, c := range []struct {
		method             string
		width, layers, dim int
	}{{train.NameOfCaDeM, 32, 3, 8}, {train.NameOfCaDeM, 30, 3, 4}, {"closed", 40, 4, 8}, {"dgi", 36, 3, 12}, {"dgi", 5, 3, 4}, {"hdmi", 30, 3, 30},
		{"netmf", 7, 2, 7}} {
		m, err := train.Lookup(c.method)
		if err != nil {
			t.Fatal(err)
		}
		s, err := SettingsOf(m, "", &Dataset{})
		if err == nil {
			err = s.Fit(c.width, c.layers)
		}
		if err == nil {
			err = s.Check()
		}
		if got := property.Values(s.Options)["dim"]; err != nil || got != c.dim || s.Width != c.width {
			t.Errorf("%s of %d layers, width %d: %v columns each, expected %d; %v", c.method, c.layers, c.width, got, c.dim, err)
		}
	}
}
