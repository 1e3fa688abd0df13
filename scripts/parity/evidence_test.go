package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// leaves calls visit with every number and truth value below x: its path without indices, and a setter.
func leaves(x any, at string, set func(any), visit func(at string, x any, set func(any))) {
	switch x := x.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			leaves(x[key], at+"/"+key, func(v any) { x[key] = v }, visit)
		}
	case []any:
		for i := range x {
			leaves(x[i], at, func(v any) { x[i] = v }, visit)
		}
	case float64, bool:
		visit(at, x, set)
	}
}

// Any change of an expected number of the split shows: the first of each name is altered in turn.
func TestAlteredSplit(t *testing.T) {
	// Inputs of a stage, and values that are not compared.
	beside := []string{"/expect/gate/layers/sources/source", "/expect/probability/layers/pairs", "/gumbel/values/x", "/strata/degrees", "/strata/least",
		"/expect/gate/layers/own_eigenvectors", "/expect/probability/layers/rows", "/gumbel/mean", "/gumbel/sd", "/joint_diagonaliser/off"}
	for _, name := range []string{"case4", "tables"} {
		data, err := os.ReadFile("testdata/evidence/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var whole map[string]any
		if err := json.Unmarshal(data, &whole); err != nil {
			t.Fatal(err)
		}
		met := map[string]bool{}
		leaves(whole, "", nil, func(at string, x any, set func(any)) {
			if met[at] || name == "case4" && !strings.HasPrefix(at, "/expect/") {
				return
			}
			met[at] = true
			altered := any(false)
			switch x := x.(type) {
			case float64:
				altered = x + 1e-4*(1+math.Abs(x))
			case bool:
				altered = !x
			}
			set(altered)
			data, err := json.Marshal(whole)
			set(x)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Check(fstest.MapFS{"case.json": {Data: data}})
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(beside, at) == !r.Pass {
				t.Errorf("%s%s was %v and is %v: pass is %v", name, at, x, altered, r.Pass)
			}
		})
		if len(met) < 10 {
			t.Errorf("%s: only %s are altered", name, fmt.Sprint(slices.Sorted(maps.Keys(met))))
		}
	}
}
