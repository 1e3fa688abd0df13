package experiments

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
)

// A trial is a choice of options that differ from the usual ones, by their names in an order.
type trial map[string]any

// An axis is an option with several values.
type axis struct {
	name   string
	values []string
}

// A space is the search space of trials of a method.
type space struct {
	o    *study.Order
	m    *train.Method
	axes []axis              // options with several values in the order, by name
	own  int                 // of these, the method's own; the others are of the data or of evaluation
	free []property.Property // numbers of the method that an order leaves open, except for those that say how long it trains

	prefix string // of the method's own options in an order
	usual  map[string]any
}

// length reports whether an option sets how long a method trains or when it stops.
func length(name string) bool {
	return slices.ContainsFunc([]string{"epoch", "patience", "steps", "outer", "inner", "tolerance", "iterations", "batch"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// spaceOf returns the space of a method. If its usual settings do not fit together there is nothing to draw, and the check of its tasks says why.
func spaceOf(o *study.Order, m *train.Method) *space {
	s := &space{o: o, m: m}
	if m.Name != train.NameOfCaDeM {
		s.prefix = m.Name + "."
	}
	task := s.task(nil, 0, 0, measure.Spec{Kind: measure.Combined})
	settings, err := task.Usual()
	if err == nil {
		s.usual = property.Values(settings.Options)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		values := strings.Split(property.Text(o.Options[name]), ",")
		method, _, isOwn := study.Own(name)
		isOwn = isOwn && method == m.Name || !isOwn && s.prefix == "" && !shared(o, name)
		if len(values) > 1 && (isOwn || shared(o, name)) {
			s.axes = append(s.axes, axis{name, values})
			if isOwn {
				s.own++
			}
		}
	}
	for _, p := range property.Table(m.Options()) {
		if p.Name == "dim" && o.Width > 0 || o.Options[s.prefix+p.Name] != nil || length(p.Name) {
			continue
		}
		if (p.Kind == "int" || p.Kind == "float") && number(s.usual[p.Name]) > 0 {
			s.free = append(s.free, p)
		}
	}
	return s
}

// shared reports whether an option without a method's name belongs to the data or to the evaluation, and so to every method.
func shared(o *study.Order, name string) bool {
	if g, err := examples.Lookup(o.Example); err == nil && !o.OfFiles() && property.Has(g.Options(), name) {
		return true
	}
	_, _, own := study.Own(name)
	return !own && property.Has(&evaluate.Options{}, name) && !property.Has(&cadem.Options{}, name)
}

// spacesOf returns the spaces of all methods of an order, CaDeM first.
func spacesOf(o *study.Order) []*space {
	m, err := train.Lookup(train.NameOfCaDeM)
	if err != nil {
		panic(err) // every program describes it
	}
	list := []*space{spaceOf(o, m)}
	for _, m := range o.Compared() {
		list = append(list, spaceOf(o, m))
	}
	return list
}

// at returns the order with the options of a trial, and without lists of values.
func (s *space) at(t trial) *study.Order {
	part := *s.o
	part.Options = map[string]any{}
	for name, v := range s.o.Options {
		if !strings.Contains(property.Text(v), ",") {
			part.Options[name] = v
		}
	}
	maps.Copy(part.Options, t)
	return &part
}

// task measures a trial for a pair of seeds.
func (s *space) task(t trial, model, data int, specs ...measure.Spec) study.Task {
	part := s.at(t)
	if s.prefix == "" {
		return part.TaskOn(nil, model, data, specs...)
	}
	if s.m.Fixed {
		model = 0
	}
	return part.With(s.m, part.TaskOn(nil, model, data, specs...))
}

// grid returns every combination of the listed values, the last axis fastest; one trial of the usual settings where none are listed.
func (s *space) grid() []trial {
	grid := []trial{{}}
	for _, a := range s.axes {
		var next []trial
		for _, t := range grid {
			for _, v := range a.values {
				one := maps.Clone(t)
				one[a.name] = v
				next = append(next, one)
			}
		}
		grid = next
	}
	return grid
}

// draws adds trials to a list until there are n, or no more are found: values of the listed ones, and, where none of the method's own are listed, numbers about
// the usual ones.
func (s *space) draws(list []trial, n int, src *rng.Stream) []trial {
	free := s.free
	if s.own > 0 {
		free = nil // requested by the order
	}
	for tries := 0; len(list) < n && tries < 20*n && len(free)+len(s.axes) > 0; tries++ {
		one := trial{}
		for _, a := range s.axes {
			one[a.name] = a.values[src.IntN(len(a.values))]
		}
		for i := range free {
			one[s.prefix+free[i].Name] = draw(&free[i], number(s.usual[free[i].Name]), src)
		}
		other := false
		for name, v := range one {
			usual, own := s.usual[strings.TrimPrefix(name, s.prefix)]
			other = other || !own || property.Text(v) != property.Text(usual)
		}
		task := s.task(one, 0, 0, measure.Spec{Kind: measure.Combined})
		if other && task.Check() == nil && !slices.ContainsFunc(list, func(t trial) bool { return maps.Equal(t, one) }) {
			list = append(list, one)
		}
	}
	return list
}

// drawnWithin is by how much drawn numbers are larger or smaller than the usual ones, at most.
const drawnWithin = 4

func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// draw draws a number about the usual one: whole numbers of it times a power of two, others from the logarithmic uniform distribution.
func draw(p *property.Property, usual float64, src *rng.Stream) any {
	factor := float64(int(1)<<src.IntN(5)) / drawnWithin
	if p.Kind == "float" {
		factor = kernel.Exp(float64((2*src.Float64() - 1) * kernel.Log(drawnWithin)))
	}
	x := usual * factor
	if p.Min != nil {
		x = max(x, *p.Min)
	}
	if p.Max != nil {
		x = min(x, *p.Max)
	}
	if p.Kind == "int" {
		return int(max(1, x))
	}
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		panic(err) // it was written so
	}
	return x
}

// words writes a trial as -set takes it, "" for the usual settings.
func (t trial) words() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		list = append(list, name+"="+property.Text(t[name]))
	}
	return strings.Join(list, " ")
}
