package experiments

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/braintest"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
)

// A folder of invented files, with the answers to what they leave open, and the need that they meet.
type folder struct {
	name   string
	files  []formats.File
	choose map[string]string
	needs  study.Need
}

// folders are invented ones of every kind that an order may be about.
func folders(t *testing.T) []folder {
	t.Helper()
	var cleaned, raw, listed []formats.File
	var table strings.Builder
	table.WriteString("subject,condition,file\n")
	for _, f := range braintest.Derivatives(t) {
		cleaned = append(cleaned, f)
		stem, isSeries := strings.CutSuffix(f.Name, "_space-fsLR_seg-Gordon_stat-mean_timeseries.tsv")
		if isSeries { // and a table that marks frames
			rows := "framewise_displacement\n" + strings.Repeat("0\n", 80) + strings.Repeat("1\n", 10)
			cleaned = append(cleaned, formats.File{Name: stem + "_outliers.tsv", Data: []byte(rows)})
		}
		if isSeries && strings.Contains(f.Name, "run-1") {
			name := strings.ReplaceAll(f.Name, "/", " ")
			table.WriteString(f.Name[:5] + "," + f.Name[6:11] + "," + name + "\n")
			listed = append(listed, formats.File{Name: name, Data: f.Data})
		}
		if strings.Contains(f.Name, "atlas-Gordon_") {
			listed = append(listed, f)
		}
		// The same before it was cleaned: with confounds.
		f.Name = strings.NewReplacer("_motion.tsv", "_desc-confounds_timeseries.tsv", "_stat-mean", "").Replace(f.Name)
		raw = append(raw, f)
	}
	listed = append(listed, formats.File{Name: "scans.csv", Data: []byte(table.String())})
	graphs := runtest.Collection(t)
	gordon := func(more ...string) map[string]string {
		choose := map[string]string{"atlas": "Gordon"}
		for i := 0; i < len(more); i += 2 {
			choose[more[i]] = more[i+1]
		}
		return choose
	}
	return []folder{
		{"cleaned by XCP-D", cleaned, nil, study.NeedCohort},
		{"joined", cleaned, gordon("sessions", "join"), study.NeedCohort},
		{"apart", cleaned, gordon("sessions", "apart", "runs", "apart"), study.NeedCohort},
		{"two groups", cleaned, gordon("condition", "group"), study.NeedCohort},
		{"by fMRIPrep", raw, gordon(), study.NeedCohort},
		{"a table of series", listed, nil, study.NeedCohort},
		{"a table of graphs", graphs, nil, study.NeedGraphs},
		{"folders of graphs", graphs[:len(graphs)-1], nil, study.NeedGraphs},
		{"one graph", runtest.Friends(), nil, study.NeedGraph},
	}
}

// order is one for a study of the folder, in brief, and what its files hold.
func (f *folder) order(t *testing.T, s *study.Study) (study.Order, *run.Files) {
	t.Helper()
	o := study.Order{Study: s.Name, Seeds: 1, Options: map[string]any{"permutations": 19, "folds": 2, "eval_folds": 2}}
	specs, contents := run.InMemory(f.files)
	o.Files = specs
	if f.needs != study.NeedGraph {
		found, err := connectome.FindScans(f.files, f.choose)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for _, name := range found.Files() {
			used[name] = true
		}
		o.Files, o.Cohort = nil, found.Scans
		for _, spec := range specs {
			if used[spec.Name] {
				o.Files = append(o.Files, spec)
			}
		}
	}
	if f.needs == study.NeedGraphs {
		o.Choice = &formats.Choice{Features: "features"} // which may be labels
	}
	o.Options = tinyFor(o)
	return o, contents
}

// What any study writes of any folder that it takes is read again: its order by the schema of stored experiments, and its
// results to the same report.
func TestWhatStudiesWriteIsRead(t *testing.T) {
	written := map[string]bool{} // studies
	for _, f := range folders(t) {
		for _, s := range All() {
			if s.Needs != f.needs {
				continue
			}
			o, files := f.order(t, &s)
			tasks, err := All().Plan(o)
			if err != nil {
				t.Errorf("%s, %s: %v", f.name, s.Name, err)
				continue
			}
			text, err := json.Marshal(map[string]any{"run": "study:" + s.Name, "kind": "study", "name": s.Name, "created": "2025-01-31T12:00:00Z",
				"updated": "2025-01-31T12:00:00.123Z", "order": o, "state": "finished", "tasks": len(tasks), "finished": len(tasks), "seconds": 0.5,
				"timed": 1, "workers": 2})
			var again struct{ Order study.Order }
			if err = errors.Join(err, run.CheckStored(text, nil), json.Unmarshal(text, &again)); err != nil {
				t.Errorf("%s, %s: the order: %v", f.name, s.Name, err)
				continue
			}
			results, err := (&study.Scheduler{Files: files}).Run(tasks)
			var refused *diag.Error
			if errors.As(err, &refused) {
				t.Logf("%s, %s: %v", f.name, s.Name, err)
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			kept := study.Results{}
			for key, r := range results {
				if _, err := json.Marshal(r); err != nil {
					t.Errorf("%s, %s: the result %s: %v", f.name, s.Name, r.Name, err)
				} else {
					kept[key] = through(t, r)
				}
			}
			first, err := All().Assemble(o, results)
			second, bad := All().Assemble(again.Order, kept)
			before, worse := json.Marshal(first)
			after, worst := json.Marshal(second)
			if err := errors.Join(err, bad, worse, worst); err != nil || string(before) != string(after) {
				t.Errorf("%s, %s: another report of what is read: %v", f.name, s.Name, err)
			}
			written[s.Name] = true
		}
	}
	for _, s := range All() {
		if s.Needs != study.NeedNothing && s.Name != "identify" && !written[s.Name] { // whose recordings are longer
			t.Errorf("%s is about no folder", s.Name)
		}
	}
}
