package experiments

import (
	"errors"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/base/json"
	"cadem.example/core/lab/study"
)

// FuzzPlan reads any text as an order. It is refused with a reason, or planned as tasks, each with a key of its own and an
// estimate of its work.
func FuzzPlan(f *testing.F) {
	for _, order := range []string{
		`{"study":"gamma","seeds":1}`, `{"study":"table2","methods":"random","seeds":2}`, `{"study":"table1","data_seeds":2,"eval_seed":7}`,
		`{"study":"table6","files":[{"name":"a.edges","size":4,"sum":"0"}],"choice":{"layers":["a"]}}`,
		`{"study":"sweep","example":"syn2","options":{"epochs":"1,2"}}`,
		`{"study":"table5","cohort":[{"subject":"a","condition":"r","file":"x"}],"files":[{"name":"x","size":1,"sum":"1"}]}`,
		`{"study":"table6","sets":[{"name":"A","files":[{"name":"a","size":1,"sum":"1"}]}]}`,
		`{"study":"table6","sets":[{"name":"A","files":[{"name":"a","size":555555555555555551,"sum":"1"}]}]}`,
		`{"study":"gamma","options":{"epochs":-1,"nodes":1e9,"unknown":{}}}`,
	} {
		f.Add(order)
	}
	all := All()
	f.Fuzz(func(t *testing.T, text string) {
		var o study.Order
		if json.Unmarshal([]byte(text), &o) != nil {
			return
		}
		if o.Study == "all" || max(o.Seeds, 1)*max(o.DataSeeds, 1) > 20 && o.Seeds <= 100 && o.DataSeeds <= 100 {
			return // as many tasks as it says
		}
		var tasks []study.Task
		var err error
		frugal.Check(t, len(text), func() { tasks, err = all.Plan(o) })
		var bad *diag.Error
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("%T: %v", err, err)
		}
		seen := map[string]bool{}
		for i := range tasks {
			if key := tasks[i].Key(); seen[key] {
				t.Fatalf("%s is planned twice", tasks[i].Name)
			} else {
				seen[key] = true
			}
			if n := tasks[i].Bytes(); n <= 0 {
				t.Fatalf("%s takes %d bytes", tasks[i].Name, n)
			}
		}
	})
}
