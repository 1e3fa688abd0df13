package study

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// A Scope says what the methods of a study have to embed.
type Scope string

const (
	Nodes  Scope = "nodes"  // of one graph
	Graphs Scope = "graphs" // each as a whole
)

// cademName is the name of CaDeM in the table of methods. Its rows are in every study.
const cademName = "cadem"

// fits reports whether a method can be in a study of that scope, whatever its data hold.
func (s Scope) fits(m *train.Method) bool {
	other := train.Graphs
	if s == Graphs {
		other = train.OneGraph
	}
	return !slices.Contains(m.Needs, other)
}

// checkMethods reads the names of methods and the level, and fills them in.
func (o *Order) checkMethods(s *Study) error {
	asked := o.Methods != "" && o.Methods != cademName
	if s.Methods == "" {
		if asked && o.Study != "all" {
			return diag.Option("methods", fmt.Sprintf("%s for %s", o.Methods, s.Name), "cadem alone: the experiment compares no methods")
		}
		if o.Level != "" && o.Study != "all" {
			return diag.Option("level", fmt.Sprintf("%s for %s", o.Level, s.Name), "none: the experiment compares no methods")
		}
		o.Methods, o.Level = cademName, ""
		return nil
	}
	switch o.Level {
	case "":
		o.Level = train.Official
	case train.Official, train.Lite:
	default:
		return diag.Option("level", fmt.Sprintf("%q", o.Level), train.Official+" or "+train.Lite)
	}
	var able, all []string
	for _, m := range train.Methods() {
		all = append(all, m.Name)
		if s.Methods.fits(&m) {
			able = append(able, m.Name)
		}
	}
	names := []string{cademName} // all are held against it
	switch {
	case o.Methods == "all":
		names = able
	case asked:
		for _, name := range strings.Split(o.Methods, ",") {
			switch {
			case !slices.Contains(all, name):
				return property.Unknown("methods", fmt.Sprintf("%q", name), name, append(all, "all"))
			case !slices.Contains(able, name):
				return diag.Option("methods", fmt.Sprintf("%s for %s, which embeds %s", name, s.Name, s.Methods), "one of "+strings.Join(able, ", "))
			case name != cademName && slices.Contains(names, name):
				return diag.Option("methods", name+" is listed twice", "")
			case name != cademName:
				names = append(names, name)
			}
		}
	}
	if len(names) > 1 && strings.Contains(o.Preset, ",") {
		return diag.Option("preset", o.Preset+" beside methods", "one preset, which all of them are held against")
	}
	o.Methods = strings.Join(names, ",")
	return nil
}

// Compared returns the methods of an order that was checked, without CaDeM.
func (o *Order) Compared() []*train.Method {
	var list []*train.Method
	for _, name := range strings.Split(o.Methods, ",") {
		if name == cademName {
			continue
		}
		m, err := train.Lookup(name)
		if err != nil {
			panic(err) // checkMethods knows it
		}
		list = append(list, m)
	}
	return list
}

// Own takes the name of an option of a method apart, "dgi.dim"; false for one without a method.
func Own(name string) (method, option string, ok bool) {
	if method, option, ok = strings.Cut(name, "."); method == cademName {
		return "", option, false
	}
	return method, option, ok
}

// checkOwn checks the options of an order that are a method's own.
func (o *Order) checkOwn(s *Study) error {
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		method, option, ok := Own(name)
		if !ok {
			continue
		}
		m, err := train.Lookup(method)
		if err != nil {
			return err
		}
		if !slices.Contains(strings.Split(o.Methods, ","), method) {
			return diag.Option(name, "an option of "+method+", which is not compared", "those of "+o.Methods+"; -methods names others")
		}
		var all []string
		for _, p := range property.Names(m.Options()) {
			all = append(all, method+"."+p)
		}
		if !slices.Contains(all, name) {
			return property.Unknown(name, "an unknown option of "+method, name, all)
		}
		values := []string{property.Text(o.Options[name])}
		if s.Searches != nil {
			values = strings.Split(values[0], ",")
		}
		for _, v := range values {
			err := property.Set(m.Options(), option, v)
			if e := (*diag.Error)(nil); errors.As(err, &e) {
				e.Where = name
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// OwnOptions returns the options of an order that are those of a method, by their names there.
func (o *Order) OwnOptions(method string) map[string]any {
	own := map[string]any{}
	for name, v := range o.Options {
		if m, option, ok := Own(name); ok && m == method {
			own[option] = v
		}
	}
	return own
}

// With describes what a task of CaDeM's does with a method in its place: on the same data, at the level of the order, and
// with the same options of evaluation. Those of training are CaDeM's own, except for what the order names with the method before it.
func (o *Order) With(m *train.Method, t Task) Task {
	t.Name += ", " + m.Name
	t.Preset, t.Method, t.Level = "", m.Name, m.Nearest(o.Level).Name
	t.EvalSeed = o.SeedOf(run.UsualSeeds.Eval, t.Measure...)
	if m.Fixed {
		t.ModelSeed = 0
	}
	of := map[string]any{}
	for name, v := range t.Options {
		if property.Has(&evaluate.Options{}, name) {
			of[name] = v
		}
	}
	if property.Text(t.Options["streams"]) == "authors" {
		of["fold_deal"] = "published" // the same folds
	}
	maps.Copy(of, o.OwnOptions(m.Name))
	t.Options = of
	return t
}

// Opened are the data of a task of the kind [TrainMethod].
type Opened struct {
	Data   *run.Dataset       // nil for those of scans
	Graphs []*multiplex.Graph // of the scans, or those of a collection
	Said   []string           // what making them did, in sentences
}

// Open reads or draws the data of a task of the kind [TrainMethod].
func (t *Task) Open(files *run.Files, yield pause.Yield) (o *Opened, err error) {
	o = &Opened{}
	if len(t.Data.Scans) == 0 {
		o.Data, err = files.Open(&t.Data)
		return o, err
	}
	m, _, err := t.ofScans()
	if err == nil {
		o.Graphs, o.Said, err = m.Graphs(&t.Data, files, yield)
	}
	return o, err
}

// RunMethod is [Task.Run] of a task of the kind [TrainMethod], whose data are open. It needs no other measurement than of what that gives, and no
// reader, so that a program which calls it alone links no other, nor what distinguishes keys: the caller says which key the task has.
func (t *Task) RunMethod(key string, o *Opened, yield pause.Yield) (*measure.Result, error) {
	if t.Kind() != TrainMethod {
		return nil, diag.Option("method", "none", "one that CaDeM is compared with")
	}
	if o.Data == nil {
		m, s, err := t.ofScans()
		if err != nil {
			return nil, err
		}
		r := &measure.Result{Key: key, Name: t.Name}
		return whole(r, r.Refuse(m.EmbedGraphs(r, t.Data.Scans, o.Graphs, o.Said, s, t.now, yield)))
	}
	s, err := t.settingsOf(o.Data)
	if err != nil {
		return nil, err
	}
	r := t.result(key, o.Data)
	return t.unlabelled(r, measure.EmbedGraph(r, t.Measure, o.Data, s, t.now, yield))
}

// whole returns a result, or why it is not all there.
func whole(r *measure.Result, err error) (*measure.Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// result is one that begins, of a graph.
func (t *Task) result(key string, d *run.Dataset) *measure.Result {
	r := &measure.Result{Key: key, Name: t.Name}
	if t.Data.Example == "" {
		summary := d.Summary()
		r.Summary = &summary
	}
	return r
}

// now is the time of the clock.
func (t *Task) now() float64 {
	if t.Clock == nil {
		return 0
	}
	return t.Clock()
}
