// Package property reads what is to be known about a setting from the tags of the
// struct field that holds it: name, symbol, range, default and one plain sentence.
// Defaults, validation, the command line, the page's form, links and documentation
// all come from there, so a setting is added in one place:
//
//	type Options struct {
//		Noise float64 `name:"noise" symbol:"σ" min:"0" max:"10" default:"0.1" doc:"..."`
//	}
//
// Tags: name (required; "-" for a field that is not a setting), symbol, label, unit, group, min, max, default (required),
// printed, refined and evidence (the value of that preset where it differs), paper, choices
// (separated by |; a choice that ends in "#" takes a whole number from 1 to max there; "*" alone: any text),
// live ("true": may change during a run), doc (required).
// Fields are int, float64 or string, or an embedded struct of such.
package property

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cadem.example/core/base/diag"
)

// A Property describes one setting.
type Property struct {
	Name     string   `json:"name"`
	Symbol   string   `json:"symbol,omitempty"`
	Label    string   `json:"label"`
	Unit     string   `json:"unit,omitempty"`
	Group    string   `json:"group,omitempty"`
	Kind     string   `json:"kind"` // int, float, choice or text
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	Default  any      `json:"default"`
	Printed  any      `json:"printed,omitempty"`
	Refined  any      `json:"refined,omitempty"`
	Evidence any      `json:"evidence,omitempty"`
	// Paper is the paper's statement, and Program the authors' program if the paper is silent or differs.
	Paper   string   `json:"paper,omitempty"`
	Program string   `json:"program,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Live    bool     `json:"live,omitempty"`
	Doc     string   `json:"doc"`
	// Expected says in words which values the property takes.
	Expected string `json:"expected"`

	index []int
}

// of returns the field of settings that holds the property.
func (p *Property) of(settings any) reflect.Value {
	v := reflect.ValueOf(settings).Elem()
	for _, i := range p.index {
		v = v.Field(i)
	}
	return v
}

// Table returns the properties of a settings struct, given as a pointer, in order.
// It panics if a tag is missing or wrong: that is a mistake of the program.
func Table(settings any) []Property { return slices.Clone(tableOf(settings)) }

// tables lists the tables read so far. Reading tags takes a millisecond in a browser, and a short
// training asks for them some ten times.
var tables sync.Map // of []Property, by reflect.Type

func tableOf(settings any) []Property {
	t := reflect.TypeOf(settings).Elem()
	if table, ok := tables.Load(t); ok {
		return table.([]Property)
	}
	table := read(nil, t, nil)
	tables.Store(t, table)
	return table
}

// read appends the properties of t, which has that index in the settings, to the table.
func read(table []Property, t reflect.Type, at []int) []Property {
	for i := range t.NumField() {
		f, index := t.Field(i), append(append([]int(nil), at...), i)
		tag := func(key string) string { return f.Tag.Get(key) }
		if tag("name") == "-" {
			continue
		}
		if f.Anonymous {
			table = read(table, f.Type, index)
			continue
		}
		p := Property{Name: tag("name"), Symbol: tag("symbol"), Label: tag("label"), Unit: tag("unit"), Group: tag("group"),
			Paper: tag("paper"), Program: tag("program"), Live: tag("live") == "true", Doc: tag("doc"), index: index}
		if p.Label == "" {
			p.Label = strings.ReplaceAll(p.Name, "_", " ")
		}
		switch f.Type.Kind() {
		case reflect.Int:
			p.Kind = "int"
		case reflect.Float64:
			p.Kind = "float"
		case reflect.String:
			if p.Kind = "choice"; tag("choices") == "*" {
				p.Kind = "text"
			} else {
				p.Choices = strings.Split(tag("choices"), "|")
			}
		default:
			panic("property: field " + f.Name + " has a type without a form")
		}
		if p.Name == "" || p.Doc == "" {
			panic("property: field " + f.Name + " needs the tags name and doc")
		}
		p.Min, p.Max = p.bound(tag("min")), p.bound(tag("max"))
		p.Expected = p.expected()
		p.Default = p.constant(tag("default"))
		for _, preset := range [...]string{"printed", "refined", "evidence"} {
			if s, ok := f.Tag.Lookup(preset); ok {
				*p.preset(preset) = p.constant(s)
			}
		}
		table = append(table, p)
	}
	return table
}

func (p *Property) bound(s string) *float64 {
	if s == "" {
		return nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("property: " + p.Name + ": bound " + s)
	}
	return &v
}

func (p *Property) constant(s string) any {
	v, err := p.parse(s)
	if err != nil {
		panic("property: " + err.Error())
	}
	return v
}

func (p *Property) expected() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if p.Kind == "text" {
		return "a text"
	}
	if p.Kind == "choice" {
		k := "K (K a whole number >= 1)"
		if p.Max != nil {
			k = "K (K a whole number from 1 to " + number(*p.Max) + ")"
		}
		return "one of " + strings.ReplaceAll(strings.Join(p.Choices, ", "), "#", k)
	}
	s := "a number"
	if p.Kind == "int" {
		s = "a whole number"
	}
	switch {
	case p.Min != nil && p.Max != nil:
		s += " from " + number(*p.Min) + " to " + number(*p.Max)
	case p.Min != nil:
		s += " of at least " + number(*p.Min)
	case p.Max != nil:
		s += " of at most " + number(*p.Max)
	}
	return s
}

func (p *Property) parse(s string) (any, error) {
	bad := diag.Option(p.Name, strconv.Quote(s), p.Expected)
	switch p.Kind {
	case "int":
		// Accept 1e3 and 5.0, which forms and spreadsheets write for whole numbers.
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<52 || !p.inside(f) {
			return nil, bad
		}
		return int(f), nil
	case "float":
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || !p.inside(f) {
			return nil, bad
		}
		return f, nil
	}
	if p.Kind == "text" {
		return s, nil
	}
	for _, c := range p.Choices {
		if c == s {
			return s, nil
		}
		if stem, ok := strings.CutSuffix(c, "#"); ok && strings.HasPrefix(s, stem) {
			if n, err := strconv.Atoi(s[len(stem):]); err == nil && n >= 1 && p.inside(float64(n)) && strconv.Itoa(n) == s[len(stem):] {
				return s, nil
			}
		}
	}
	bad.Expected += Meant(s, p.Choices)
	return nil, bad
}

func (p *Property) inside(v float64) bool {
	return (p.Min == nil || v >= *p.Min) && (p.Max == nil || v <= *p.Max)
}

// Defaults sets every field to its default.
func Defaults(settings any) {
	for _, p := range tableOf(settings) {
		p.of(settings).Set(reflect.ValueOf(p.Default))
	}
}

// preset returns the field with the value of a preset, nil for one without values of its own.
func (p *Property) preset(name string) *any {
	switch name {
	case "printed":
		return &p.Printed
	case "refined":
		return &p.Refined
	case "evidence":
		return &p.Evidence
	}
	return nil
}

// Preset sets the fields that have a value for that preset, "printed", "refined" or "evidence", to it.
func Preset(settings any, name string) {
	for _, p := range tableOf(settings) {
		if value := p.preset(name); value != nil && *value != nil {
			p.of(settings).Set(reflect.ValueOf(*value))
		}
	}
}

// Has reports whether the settings have a property of that name.
func Has(settings any, name string) bool { return find(settings, name) != nil }

func find(settings any, name string) *Property {
	for k, list := 0, tableOf(settings); k < len(list); k++ {
		if list[k].Name == name {
			return &list[k]
		}
	}
	return nil
}

// Set parses value and stores it in the field of that name. On an error, a [*diag.Error],
// the field keeps its value.
func Set(settings any, name, value string) error {
	p := find(settings, name)
	if p == nil {
		return unknownOption(name, settings)
	}
	parsed, err := p.parse(value)
	if err != nil {
		return err
	}
	p.of(settings).Set(reflect.ValueOf(parsed))
	return nil
}

// SetLive sets an option that may change during a run to a number, as [Set] does. The error is a [*diag.Error], for any other option, too.
func SetLive(settings any, name string, value float64) error {
	if p := find(settings, name); p != nil && !p.Live {
		return diag.Option(name, "a change during the run", "a learning rate or a loss weight")
	}
	return Set(settings, name, Text(value))
}

// SetFirst sets an option in the first of several settings that has one of that name. The error, a [*diag.Error], is that of [Set],
// or lists the names where none has it.
func SetFirst(name, value string, settings ...any) error {
	for _, s := range settings {
		if Has(s, name) {
			return Set(s, name, value)
		}
	}
	return unknownOption(name, settings...)
}

// SetAll is [SetFirst] of decoded JSON, in order of the names. It stops at the first error.
func SetAll(values map[string]any, settings ...any) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := SetFirst(name, Text(values[name]), settings...); err != nil {
			return err
		}
	}
	return nil
}

func unknownOption(name string, settings ...any) error {
	return Unknown(name, "an unknown option", name, Names(settings...))
}

// Names returns the names of the properties of settings, in order.
func Names(settings ...any) []string {
	var list []string
	for _, s := range settings {
		for _, p := range tableOf(s) {
			list = append(list, p.Name)
		}
	}
	return list
}

// Text returns a value as [Set] reads it, from a Go or decoded JSON value.
func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}

// Values returns all values by name.
func Values(settings any) map[string]any {
	m := map[string]any{}
	for _, p := range tableOf(settings) {
		m[p.Name] = p.of(settings).Interface()
	}
	return m
}

// Check validates every field against its range; the error is a [*diag.Error].
func Check(settings any) error {
	for _, p := range tableOf(settings) {
		if _, err := p.parse(Text(p.of(settings).Interface())); err != nil {
			return err
		}
	}
	return nil
}
