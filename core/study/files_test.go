package study

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"cadem/core/evaluate"
	"cadem/core/formats"
)

// friends is a small multiplex graph with labels.
func friends() []formats.File {
	return []formats.File{
		{Name: "friends.edges", Data: []byte("layer,from,to\nlunch,a,b\nlunch,b,c\nlunch,a,c\nlunch,d,e\nlunch,e,f\nlunch,d,f\nlunch,c,d\nlunch,g,h\nlunch,h,a\nwork,a,b\nwork,b,c\nwork,c,d\nwork,d,e\nwork,e,f\nwork,f,g\nwork,g,h\nwork,h,d\n")},
		{Name: "labels.csv", Data: []byte("name,team\na,x\nb,x\nc,x\nd,y\ne,y\nf,y\ng,x\nh,y\n")},
	}
}

// Tasks on the same files read them once, and those on others do not take them for theirs.
func TestFilesAreReadOnce(t *testing.T) {
	specs, files := InMemory(friends())
	reads, read := 0, files.Read
	files.Read = func(f FileSpec) ([]byte, error) {
		reads++
		return read(f)
	}
	task := Task{Data: DataSpec{Files: specs}, Preset: "released", Options: map[string]any{"epochs": 2, "hidden": 4}}
	var hash [2]string
	for seed := range hash {
		task.ModelSeed = uint64(seed)
		r, err := task.Run(files, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if hash[seed] = r.Hash; r.Summary == nil || r.Summary.Nodes != 8 || r.Summary.Paper != "" {
			t.Errorf("summary %+v", r.Summary)
		}
	}
	if hash[0] == hash[1] || reads != len(specs) {
		t.Errorf("hashes %q, %d files read", hash, reads)
	}
	// The same name and size, but another link.
	other, same := friends(), task
	other[0].Data = bytes.Replace(other[0].Data, []byte("work,h,d"), []byte("work,h,c"), 1)
	task.Data.Files, files = InMemory(other)
	if task.Data.Files[0].Size != specs[0].Size || task.Key() == same.Key() {
		t.Errorf("%+v and %+v have one key", task.Data.Files, specs)
	}
	r, err := task.Run(files, nil, nil)
	if err != nil || r.Hash == hash[1] {
		t.Errorf("other contents give the same: %v, %v", r, err)
	}
}

func TestFilesThatAreGone(t *testing.T) {
	specs, _ := InMemory(friends())
	task := Task{Data: DataSpec{Files: specs}, Preset: "released"}
	if _, err := task.Run(nil, nil, nil); err == nil || !strings.Contains(err.Error(), "friends.edges") {
		t.Errorf("without contents: %v", err)
	}
	gone := errors.New("gone")
	if _, err := task.Run(&Files{Read: func(FileSpec) ([]byte, error) { return nil, gone }}, nil, nil); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

func TestTable6OnSmallFiles(t *testing.T) {
	specs, files := InMemory(friends())
	o := Order{Study: "table6", Seeds: 2, Files: specs, Options: map[string]any{"epochs": 3, "hidden": 4, "eval_epochs": 3, "folds": 2}}
	tasks, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, reports[0])
	for _, row := range reports[0].Rows {
		if probe := row.Method == "linear probe"; row.Ours != nil && probe == (row.Standardised != nil) || probe && row.Probe == nil {
			t.Errorf("%+v", row)
		}
	}
}

// Data without labels are refused before any training.
func TestTable6WithoutLabels(t *testing.T) {
	specs, files := InMemory(friends()[:1])
	tasks, err := Plan(Order{Study: "table6", Files: specs})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err = tasks[0].Run(files, nil, func(_, _ int) error { steps++; return nil })
	var e *evaluate.DataError
	if !errors.As(err, &e) || e.Where != "labels" || steps > 0 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}
