package experiments

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// ofCollection returns the order about a collection, and its files.
func ofCollection(t *testing.T, files []formats.File) (study.Order, *run.Files) {
	t.Helper()
	found, err := connectome.FindScans(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	specs, contents := run.InMemory(files[:len(files)-1]) // no task needs the table
	return study.Order{Study: "collection", Files: specs, Cohort: found.Scans, Options: map[string]any{"epochs": 20}}, contents
}

// invented names data of a reader's own in an order, where its study needs some.
func invented(t *testing.T, needs study.Need, o *study.Order) (files *run.Files) {
	t.Helper()
	switch needs {
	case study.NeedGraph:
		o.Files, files = run.InMemory(runtest.Friends())
	case study.NeedGraphs:
		var own study.Order
		own, files = ofCollection(t, runtest.Collection(t))
		o.Files, o.Cohort = own.Files, own.Cohort
	}
	return files
}

// The features of hubs identify graphs of different sizes, with encoders of all graphs and of each; their sizes do not.
func TestCollection(t *testing.T) {
	o, files := ofCollection(t, runtest.Collection(t))
	r := assembled(t, o, resultsOf(t, o, files))
	if text := strings.Join(r.Findings, "\n"); !strings.HasPrefix(text, "20 graphs of 2 classes; folds hold out whole ones of 10 groups. Chance is 0.500") {
		t.Errorf("findings %s", text)
	}
	for _, variant := range EncoderVariants {
		if row := figureOf(r, t, "combined", variant); *row.Ours < 0.8 {
			t.Errorf("combined with %s scores %.3f", variant, *row.Ours)
		}
	}
	if row := figureOf(r, t, "size", ""); *row.Ours > 0.8 {
		t.Errorf("the sizes score %.3f", *row.Ours)
	}
	if n := len(r.Sheets[0].Lines); n != 21 || strings.Join(r.Sheets[0].Lines[0], " ") != "graph class nodes links of layer 1 links of layer 2" {
		t.Errorf("a sheet of %d lines, the first %q", n, r.Sheets[0].Lines[0])
	}
}

// A graph that does not fit the others, or a file that is none, is named by its file.
func TestCollectionRefused(t *testing.T) {
	for want, change := range map[string]func(files []formats.File){
		"unlike/3.npz: features: found 8, expected 3, as in": func(files []formats.File) {
			files[13].Data = []byte("1 1 2 1\n1 2 3 1\n2 1 2 1\n2 3 4 1\n1 5 6 1\n2 7 8 1\n")
		},
		"alike/0.npz": func(files []formats.File) { files[0].Data = files[0].Data[:300] },
		"alike/1.npz: layers: found 3, expected 2": func(files []formats.File) {
			files[1].Data = []byte("layer source target\n1 1 2\n2 2 3\n3 1 3\n")
		},
	} {
		list := runtest.Collection(t)
		change(list)
		o, files := ofCollection(t, list)
		tasks, err := All().Plan(o)
		if err == nil {
			_, err = (&study.Scheduler{Files: files}).Run(tasks)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v, want %s", err, want)
		}
	}
	o, _ := ofCollection(t, runtest.Collection(t))
	o.Study = "table5"
	if _, err := All().Plan(o); err == nil || !strings.Contains(err.Error(), "the experiment collection is about graphs") {
		t.Errorf("table5 takes graphs: %v", err)
	}
}

// Methods embed all graphs of a collection with one set of weights, and are held against CaDeM in the same folds; what is said of
// CaDeM stays.
func TestMethodsOnACollection(t *testing.T) {
	o, files := ofCollection(t, runtest.Collection(t))
	o.Options = map[string]any{"epochs": 5, "eval_epochs": 200}
	alone := assembled(t, o, resultsOf(t, o, files))
	o.Methods = "random,pca,graph2vec"
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	ticks := 0.0
	results, err := (&study.Scheduler{Files: files, Workers: 1, Clock: func() float64 { ticks++; return ticks }}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	r := assembled(t, o, results)
	for _, name := range []string{"Random encoder", "Principal components", "graph2vec"} {
		row := r.RowOf(name, "class", "macro_f1", "")
		if row == nil || row.Dataset != "own graphs" || row.Trainings != 1 || row.Paper != nil || row.Seconds == nil || *row.Seconds != 1 {
			t.Errorf("%s: %+v", name, row)
		}
	}
	random, components := r.RowOf("Random encoder", "class", "macro_f1", ""), r.RowOf("Principal components", "class", "macro_f1", "")
	if *random.Parameters != 2*256*(3+8) || *components.Ours < 0.8 {
		t.Errorf("%g parameters of random encoders; principal components score %.3f", *random.Parameters, *components.Ours)
	}
	own := r.RowOf("CaDeM", "class", "macro_f1", EncoderVariants[0])
	settings := cadem.Released()
	encoders := func(features int) float64 { return float64(2 * 2 * settings.Hidden * (features + settings.Dim)) }
	// Dropped features move no weight, and beside the encoders of two layers stand the heads.
	if own.Parameters == nil || *own.Parameters < encoders(1) || *own.Parameters > encoders(3) || own.Seconds == nil || *own.Seconds != 1 {
		t.Errorf("CaDeM's %s parameters take %s", study.Number(own.Parameters), study.Number(own.Seconds))
	}
	if len(r.Held) != 1 || len(r.Held[0].Lines) != 4 || r.Held[0].Lines[2][3] != study.Signed(*own.Ours-*components.Ours) {
		t.Errorf("differences %v, of principal components %.3f from %.3f", r.Held, *components.Ours, *own.Ours)
	}
	said := strings.Join(r.Findings, "\n")
	for _, want := range []string{strings.Join(alone.Findings, "\n"), "Macro-F1 on class: of 6 pairs of methods, ", "between CaDeM and 3 other methods"} {
		if !strings.Contains(said, want) {
			t.Errorf("no sentence with %q in %s", want, said)
		}
	}
	if *own.Ours != *alone.RowOf("CaDeM", "class", "macro_f1", EncoderVariants[0]).Ours {
		t.Error("CaDeM has another figure beside other methods")
	}
}

// Methods that cannot take the graphs of a collection say what they need, which graph lacks it and which methods do without; others go on.
func TestMethodsThatCannotTakeACollection(t *testing.T) {
	var files []formats.File
	table := "graph,class,file\n"
	for i := range 8 {
		text := "layer,from,to\nnear,a,b\nnear,b,c\nnear,c,d\n"
		if i != 5 {
			text += "friends,a,c\nfriends,b,d\nfriends,a,d\n"
		} else {
			text += "friends,a,a\nfriends,d,d\n" // nothing but links of nodes to themselves
		}
		name := fmt.Sprintf("%d.edges", i)
		files = append(files, formats.File{Name: name, Data: []byte(text)})
		table += fmt.Sprintf("graph %d,%c,%s\n", i, 'x'+rune(i%2), name)
	}
	o, contents := ofCollection(t, append(files, formats.File{Name: "graphs.csv", Data: []byte(table)}))
	o.Methods, o.Level, o.Options = "closed,dgi,random,features", train.Lite, map[string]any{"epochs": 1, "eval_epochs": 2}
	r := assembled(t, o, resultsOf(t, o, contents))
	said := strings.Join(r.Findings, "\n")
	for _, want := range []string{
		"Raw features was not run: data: found nodes without features, expected features of the nodes, which features needs; " +
			"methods that do without: cadem, closed, ",
		"DGI was not run: data: found layer friends of graph 5 without edges between nodes, expected edges in every layer, which dgi needs; " +
			"methods that do without: cadem, closed, graph2vec, untrained, random",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no sentence with %q in %s", want, said)
		}
	}
	for name, has := range map[string]bool{"Closed form": true, "Random encoder": true, "DGI": false, "Raw features": false} {
		if row := r.RowOf(name, "class", "macro_f1", ""); has != (row != nil) {
			t.Errorf("%s: %+v", name, row)
		}
	}
	o.Methods = "deepwalk"
	want := "methods: found deepwalk for collection, which embeds graphs, expected one of cadem, "
	if _, err := All().Plan(o); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a method of one graph: %v, expected %s", err, want)
	}
}

// Both versions of MVGRL have a row, each with its own figure, whether the paper prints one or not.
func TestBothVersionsOfMVGRL(t *testing.T) {
	own, _ := ofCollection(t, runtest.Collection(t))
	for target, o := range map[string]study.Order{"class": own, "condition": {Study: "table5", Options: map[string]any{"subjects": 2}}} {
		o.Methods = "mvgrl,mvgrl-graph"
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results := study.Results{}
		for i := range tasks {
			if value := map[string]float64{"mvgrl": 0.4, "mvgrl-graph": 0.7}[tasks[i].Method]; value > 0 || tasks[i].Measure[0].Kind == measure.Conditions {
				r := scoring(&tasks[i], value)
				r.Scores[0].Target = "class"
				results[r.Key] = r
			}
		}
		r := assembled(t, o, results)
		for name, want := range map[string]float64{"MVGRL": 0.4, "MVGRL (graphs)": 0.7} {
			row := r.RowOf(name, target, "macro_f1", "")
			if printed := name != "MVGRL" && target == "condition"; row == nil || *row.Ours != want || printed != (row.Paper != nil) {
				t.Errorf("%s on %s: %+v", name, target, row)
			}
		}
		if len(r.Held) != 1 || len(r.Held[0].Lines) != 3 {
			t.Errorf("%s: held against each other %v", target, r.Held)
		}
	}
}
