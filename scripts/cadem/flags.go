package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"cadem/core/formats"
	"cadem/core/property"
	"cadem/scripts/cadem/console"
)

// flags are those of one command.
type flags struct {
	*flag.FlagSet
	p         *program
	arguments string // as help shows them
	about     string
}

// flags begins the description of a command: its arguments, and what it does.
func (p *program) flags(name, arguments, about string) *flags {
	f := &flags{flag.NewFlagSet(name, flag.ContinueOnError), p, arguments, about}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse reads flags wherever they stand and returns the other arguments. Asked for help it
// prints it and returns errHelp.
func (f *flags) parse(args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err == flag.ErrHelp {
			f.help(f.p.stdout)
			return nil, errHelp
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

// refuse lists the flags that there are when one is unknown.
func (f *flags) refuse(err error) error {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !ok {
		return misuse("%s: %w", f.Name(), err)
	}
	var names []string
	f.VisitAll(func(one *flag.Flag) { names = append(names, "-"+one.Name) })
	return misuse("%s: %w", f.Name(), property.Unknown(name, "an unknown flag", name, names))
}

// given returns those of the names that are flags which were given.
func (f *flags) given(names ...string) []string {
	var found []string
	f.Visit(func(one *flag.Flag) {
		if slices.Contains(names, one.Name) {
			found = append(found, one.Name)
		}
	})
	return found
}

// without refuses flags that say nothing about what was asked for.
func (f *flags) without(why string, names ...string) error {
	for _, name := range f.given(names...) {
		return &property.Error{Field: "-" + name, Found: "a flag without effect", Expected: "none: " + why}
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
			return nil, &property.Error{Field: "-set", Found: fmt.Sprintf("%q", s), Expected: "name=value"}
		}
		if slices.ContainsFunc(all, func(other [2]string) bool { return other[0] == name }) {
			return nil, &property.Error{Field: "-set", Found: name + " twice", Expected: "it once"}
		}
		all = append(all, [2]string{name, value})
	}
	return all, nil
}

// choiceNames are the flags that choiceFlags adds.
var choiceNames = []string{"layers", "features", "labels", "binary", "mutual", "raw"}

// choiceFlags adds the flags that say what of files is used; the function returns the
// choice, nil when everything is left to a guess.
func choiceFlags(f *flags) func() *formats.Choice {
	layers := f.String("layers", "", "of files: the layers, `A,B`")
	labels := f.String("labels", "", "of files: the labels, `Y,Z`, or none")
	choice := &formats.Choice{}
	f.StringVar(&choice.Features, "features", "", "of files: the features, `X`, or none")
	f.BoolVar(&choice.Binary, "binary", false, "of files: every edge weighs 1")
	f.BoolVar(&choice.Mutual, "mutual", false, "of files: leave out links in one direction")
	f.BoolVar(&choice.Raw, "raw", false, "of files: leave features as they are; otherwise their rows are made to sum to 1")
	return func() *formats.Choice {
		choice.Layers, choice.Labels = splitNames(*layers), splitNames(*labels)
		if choice.IsZero() {
			return nil
		}
		return choice
	}
}

// splitNames takes names apart at commas.
func splitNames(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
