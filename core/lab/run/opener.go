package run

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

// An Opener makes data sets of files that [formats] does not read as graphs. Its signs say which files may be its own; only
// these reach its functions, which look closer. Everything else is decided here, from names and beginnings.
type Opener struct {
	Of string // whose files they are: "one subject's brain"

	Magic     []string // beginnings of files
	Names     []string // parts of names of files, in small letters
	Columns   int      // at least so many columns of a table of text, whatever they hold,
	Fractions int      // or at least so many without a whole number other than 0 alone, and without words alone

	// Survey describes files before they are opened; nil: it does not. It returns nil for files that are something else.
	Survey func([]formats.File) (Survey, error)
	// Open makes the data set of files, with options by name, the rest being defaults. It returns nil for files that are
	// something else.
	Open func(files []formats.File, options map[string]any) (*Dataset, error)
	// Place completes a graph of other files whose nodes have numbers, and says in a sentence what it did; "" is nothing.
	Place func(*multiplex.Graph) (said string)
}

// A Survey describes files that are not open yet, as JSON for the dialog, and names the settings that they leave open.
type Survey interface{ Questions() []string }

var openers []*Opener

// Register adds an opener to those that are asked, in this order, before files are read as graphs. The main packages call it, before
// any file is opened.
func Register(o *Opener) { openers = append(openers, o) }

// SurveyFiles describes files that an opener knows. It returns nil for others.
func SurveyFiles(files []formats.File) (Survey, error) {
	for _, o := range openers {
		if o.Survey == nil || !o.claims(files) {
			continue
		}
		if s, err := o.Survey(files); s != nil || err != nil {
			return s, err
		}
	}
	return nil, nil
}

// openKnown makes the data set of files that an opener knows. It returns nil for others.
func openKnown(files []formats.File, options map[string]any) (*Dataset, error) {
	for _, o := range openers {
		if !o.claims(files) {
			continue
		}
		if d, err := o.Open(files, options); d != nil || err != nil {
			return d, err
		}
	}
	return nil, nil
}

// refuseOptions refuses options of openers for the files of a graph.
func refuseOptions(options map[string]any) error {
	of := ""
	for k, o := range openers {
		if k > 0 {
			of += " or "
		}
		of += o.Of
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		return diag.Option(name, name+" = "+property.Text(options[name])+" for files that are not those of "+of, "options of training and evaluation alone")
	}
	return nil
}

// place lets openers complete a graph whose nodes have numbers.
func place(g *multiplex.Graph, note func(string, ...any)) {
	for _, o := range openers {
		if len(g.Columns) > 0 && o.Place != nil {
			if said := o.Place(g); said != "" {
				note("%s", said)
			}
		}
	}
}

// claims reports whether one of the files has a sign of the opener.
func (o *Opener) claims(files []formats.File) bool {
	return slices.ContainsFunc(files, o.claimsOne)
}

func (o *Opener) claimsOne(f formats.File) bool {
	const beginning, mostPacked = 1 << 12, 16 << 20
	name, head := strings.ToLower(f.Name), string(f.Head(beginning))
	if strings.HasPrefix(head, "\x1f\x8b") && max(int64(len(f.Data)), f.Size) <= mostPacked {
		if unpacked, err := formats.Unpacked(f); err == nil {
			head = string(unpacked.Head(beginning))
		}
	}
	if slices.ContainsFunc(o.Names, func(part string) bool { return strings.Contains(name, part) }) ||
		slices.ContainsFunc(o.Magic, func(magic string) bool { return strings.HasPrefix(head, magic) }) {
		return true
	}
	columns, fractions := shape(head)
	return !strings.Contains(head, "\x00") && (columns >= o.Columns || fractions >= o.Fractions)
}

// shape counts the columns at the beginning of a table of text, and those that have a fraction in it or nothing but 0: the others hold
// ids, counts or words.
func shape(head string) (columns, fractions int) {
	const nothing, other, fraction = 0, 1, 2
	var holds []int
	for _, line := range strings.Split(strings.ReplaceAll(head, "\r", "\n"), "\n") {
		if line == "" || line[0] == '#' || line[0] == '%' {
			continue
		}
		for k, field := range fields(line) {
			if k == len(holds) {
				holds = append(holds, nothing)
			}
			field = strings.Replace(strings.Trim(field, ` "'`), ",", ".", 1)
			if v, err := strconv.ParseFloat(field, 64); err == nil && v != math.Trunc(v) {
				holds[k] = fraction
			} else if err == nil && v != 0 && !math.IsNaN(v) {
				holds[k] = max(holds[k], other)
			}
		}
	}
	for _, h := range holds {
		if h != other {
			fractions++
		}
	}
	return len(holds), fractions
}

// fields cuts a line of a table at tabs, semicolons, commas or spaces, whichever comes first in this list; commas inside of fields
// between spaces are those of numbers.
func fields(line string) []string {
	for _, separator := range []string{"\t", ";"} {
		if strings.Contains(line, separator) {
			return strings.Split(line, separator)
		}
	}
	if strings.Contains(line, ",") && (strings.Contains(line, ", ") || !strings.Contains(strings.TrimSpace(line), " ")) {
		return strings.Split(line, ",")
	}
	return strings.Fields(line)
}
