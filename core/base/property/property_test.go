package property

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
)

type limits struct {
	Noise float64 `name:"noise" min:"0" default:"0.1" printed:"0.5" doc:"How much."`
}

type settings struct {
	Size int `name:"size" symbol:"d" min:"1" max:"64" default:"8" doc:"How many."`
	limits
	Mode string `name:"mode" choices:"all|sampled:#" max:"20" default:"all" doc:"Which."`
}

func Example() {
	var s settings
	Defaults(&s)
	fmt.Println(s.Size, s.Noise, s.Mode)
	fmt.Println(Set(&s, "size", "65"))
	// Output:
	// 8 0.1 all
	// size: found "65", expected a whole number from 1 to 64
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		name, value string
		ok          bool
	}{
		{"size", "1", true}, {"size", "64", true}, {"size", "1e1", true}, {"size", "0", false}, {"size", "8.5", false}, {"size", "eight", false}, {"size", "", false},
		{"noise", "0", true}, {"noise", "-1e-9", false}, {"noise", "NaN", false}, {"noise", "Inf", false}, {"noise", "1e400", false},
		{"mode", "all", true}, {"mode", "sampled:12", true}, {"mode", "sampled:20", true}, {"mode", "sampled:21", false}, {"mode", "sampled:0", false},
		{"mode", "sampled:", false}, {"mode", "sampled:+1", false}, {"mode", "some", false},
		{"other", "1", false},
	} {
		var s settings
		Defaults(&s)
		before := s
		err := Set(&s, c.name, c.value)
		var e *diag.Error
		if (err == nil) != c.ok || (err != nil && (!errors.As(err, &e) || e.Where != c.name || s != before)) {
			t.Errorf("%s=%q: %v, %+v", c.name, c.value, err, s)
		}
	}
}

func TestExpected(t *testing.T) {
	want := map[string]string{
		"size":  "a whole number from 1 to 64",
		"noise": "a number of at least 0",
		"mode":  "one of all, sampled:K (K a whole number from 1 to 20)",
	}
	for _, p := range Table(&settings{}) {
		if got := p.Expected; got != want[p.Name] {
			t.Errorf("%s: %q, want %q", p.Name, got, want[p.Name])
		}
	}
}

func TestCheckFindsWhatSetWouldRefuse(t *testing.T) {
	var s settings
	Defaults(&s)
	if err := Check(&s); err != nil {
		t.Fatal(err)
	}
	s.Size = 0
	if err := Check(&s); err == nil {
		t.Error("a size of 0 passed")
	}
	Defaults(&s)
	Preset(&s, "printed")
	if s.Noise != 0.5 || s.Size != 8 {
		t.Errorf("printed values: %+v", s)
	}
}

// The paper's statement and the authors' program are separate, and go to the page under names of their own.
func TestPaperAndProgram(t *testing.T) {
	var o struct {
		Steps int     `name:"steps" min:"1" max:"9" default:"1" program:"5" doc:"Steps."`
		Rate  float64 `name:"rate" min:"0" max:"1" default:"0.1" paper:"0.1" doc:"A rate."`
	}
	steps, rate := Table(&o)[0], Table(&o)[1]
	if steps.Program != "5" || steps.Paper != "" || rate.Paper != "0.1" || rate.Program != "" {
		t.Errorf("%+v and %+v", steps, rate)
	}
	b, err := json.Marshal(&steps)
	if err != nil || !strings.Contains(string(b), `"program":"5"`) || strings.Contains(string(b), `"paper"`) {
		t.Errorf("%s, %v", b, err)
	}
}
