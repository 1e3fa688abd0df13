package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/scripts/cadem/console"
)

// flags are the flags of one command.
type flags struct {
	*flag.FlagSet
	p         *program
	arguments string // as help shows them
	about     string
	seen      map[string]bool // flags that may not come again
	repeated  error           // that one did
}

// flags begins the description of a command: its arguments, and its purpose.
func (p *program) flags(name, arguments, about string) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), p: p, arguments: arguments, about: about, seen: map[string]bool{}}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse reads flags wherever they stand and returns the other arguments. Asked for help it
// prints it and returns errHelp. A flag that comes again is refused, unless it is a list.
func (f *flags) parse(args []string) ([]string, error) {
	f.VisitAll(func(one *flag.Flag) {
		if _, ok := one.Value.(*list); !ok {
			one.Value = &once{one.Value, one.Name, f}
		}
	})
	var rest []string
	for {
		if err := f.Parse(args); err == flag.ErrHelp {
			f.help(f.p.stdout)
			return nil, errHelp
		} else if f.repeated != nil {
			return nil, f.repeated
		} else if err != nil {
			return nil, f.refuse(err)
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		if n := len(args) - f.NArg(); n > 0 && args[n-1] == "--" {
			return append(rest, f.Args()...), nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}

// nothing parses the arguments of a command that takes none but flags.
func (f *flags) nothing(args []string) error {
	rest, err := f.parse(args)
	if err == nil && len(rest) > 0 {
		err = misuse("%s: found the argument %q, expected none", f.Name(), rest[0])
	}
	return err
}

// refuse lists the existing flags when one is unknown.
func (f *flags) refuse(err error) error {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !ok {
		return misuse("%s: %w", f.Name(), err)
	}
	var names []string
	f.VisitAll(func(one *flag.Flag) { names = append(names, "-"+one.Name) })
	return misuse("%s: %w", f.Name(), property.Unknown(name, "an unknown flag", name, names))
}

// given returns the names among these that are flags which were given.
func (f *flags) given(names ...string) []string {
	var found []string
	f.Visit(func(one *flag.Flag) {
		if slices.Contains(names, one.Name) {
			found = append(found, one.Name)
		}
	})
	return found
}

// atLeastOne refuses a number below 1 that was given.
func (f *flags) atLeastOne(name string, n int) error {
	if len(f.given(name)) > 0 && n < 1 {
		return diag.Option("-"+name, fmt.Sprint(n), "a number of at least 1")
	}
	return nil
}

// without refuses flags that say nothing about what was asked for.
func (f *flags) without(why string, names ...string) error {
	for _, name := range f.given(names...) {
		return diag.Option("-"+name, "a flag without effect", "none: "+why)
	}
	return nil
}

// help describes the command and its flags.
func (f *flags) help(out io.Writer) {
	head := "usage: cadem " + f.Name()
	if f.arguments != "" {
		head += " " + f.arguments
	}
	flags := ""
	f.VisitAll(func(one *flag.Flag) {
		value, text := flag.UnquoteUsage(one)
		line := "  -" + one.Name
		if value != "" {
			line += " " + value
		}
		if one.DefValue != "" && one.DefValue != "false" && one.DefValue != "0" {
			text += " (" + one.DefValue + ")"
		}
		if len(line) > 21 {
			line += "\n" + strings.Repeat(" ", 23)
		}
		flags += console.Fill(fmt.Sprintf("%-22s %s", line, text), strings.Repeat(" ", 23)) + "\n"
	})
	if flags != "" {
		head += " [flag]..."
	}
	fmt.Fprintf(out, "%s\n\n%s\n", console.Fill(head, "  "), console.Fill(f.about, ""))
	if flags != "" {
		fmt.Fprintf(out, "\n%s", flags)
	}
}

// A once is a flag that comes once.
type once struct {
	flag.Value
	name string
	of   *flags
}

func (o *once) Set(s string) error {
	if o.of.seen[o.name] {
		o.of.repeated = diag.Option("-"+o.name, "it twice", "it once")
		return o.of.repeated
	}
	o.of.seen[o.name] = true
	return o.Value.Set(s)
}

// IsBoolFlag reports to the flag package whether the flag may stand without a value.
func (o *once) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// allow lets flags come again.
func (f *flags) allow(names ...string) {
	for _, name := range names {
		delete(f.seen, name)
	}
}

// list is a flag that may come several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// pairs takes the values of -set apart. A name stands there once.
func (l list) pairs() ([][2]string, error) {
	var all [][2]string
	for _, s := range l {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, diag.Option("-set", fmt.Sprintf("%q", s), "name=value")
		}
		if slices.ContainsFunc(all, func(other [2]string) bool { return other[0] == name }) {
			return nil, diag.Option("-set", name+" twice", "it once")
		}
		all = append(all, [2]string{name, value})
	}
	return all, nil
}

// A choiceFlag says what of files is used, in a field of their choice.
type choiceFlag struct {
	name, usage string
	at          func(c *formats.Choice) any
}

var choiceFlags = []choiceFlag{
	{"layers", "of files: the layers, `A,B`", func(c *formats.Choice) any { return &c.Layers }},
	{"features", "of files: the features, `X`, or none", func(c *formats.Choice) any { return &c.Features }},
	{"labels", "of files: the labels, `Y,Z`, or none", func(c *formats.Choice) any { return &c.Labels }},
	{"splits", "of files: what says which nodes train, choose and test, `A,B`, or none to deal folds",
		func(c *formats.Choice) any { return &c.Splits }},
	{"columns", "of edge lists: what each column is, `source,target,weight` (layer, time or - for others); " +
		"with a header layer=NAME, weight=NAME", func(c *formats.Choice) any { return &c.Columns }},
	{"binary", "of files: every edge weighs 1", func(c *formats.Choice) any { return &c.Binary }},
	{"mutual", "of files: keep only links in both directions", func(c *formats.Choice) any { return &c.Mutual }},
	{"keep", "of files: the share of all pairs, in `%`, that each layer with weights keeps, the strongest",
		func(c *formats.Choice) any { return &c.Keep }},
	{"raw", "of files: keep features as they are; otherwise each row is scaled to sum to 1",
		func(c *formats.Choice) any { return &c.Raw }},
}

var choiceNames = func() (names []string) {
	for _, q := range choiceFlags {
		names = append(names, q.name)
	}
	return names
}()

// set gives the answer to a choice. One that is no number or no truth gives none, and an error.
func (q *choiceFlag) set(c *formats.Choice, s string) (err error) {
	switch value := q.at(c).(type) {
	case *[]string:
		*value = splitNames(s)
	case *string:
		*value = s
	case *float64:
		*value, err = strconv.ParseFloat(s, 64)
	case *bool:
		*value, err = strconv.ParseBool(s)
	}
	return err
}

// choices adds the flags that say what of files is used, of those that at gives as a flag is read.
func (f *flags) choices(at func(name string) *formats.Choice) {
	for _, q := range choiceFlags {
		add := f.Func
		if _, yes := q.at(&formats.Choice{}).(*bool); yes {
			add = f.BoolFunc
		}
		add(q.name, q.usage, func(s string) error { return q.set(at(q.name), s) })
	}
}

// asked returns a choice, nil when everything is left to a guess.
func asked(c formats.Choice) *formats.Choice {
	if c.IsZero() && c.Splits == nil {
		return nil
	}
	return &c
}

// splitNames takes names apart at commas.
func splitNames(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
