package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/imaging"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/cadem/console"
)

// inspectOutput is the output of inspect -json.
type inspectOutput struct {
	Files   []inspected       `json:"files"`
	Subject *inspectedSubject `json:"subject,omitempty"` // of the files of one subject's brain
	*formats.Description
	Recommended *cadem.Advice `json:"recommended,omitempty"` // which preset fits the graph
	Protocol    string        `json:"protocol,omitempty"`    // the splits of the data, by which they are scored
}

// inspectedSubject says what the files of one subject's brain are together.
type inspectedSubject struct {
	Regions int      `json:"regions"`
	Frames  int      `json:"frames"`            // 0 of functional connectivity
	TR      float64  `json:"tr"`                // 0 when it is not known
	Unclear bool     `json:"unclear,omitempty"` // whether rows are regions or frames is a guess
	Notes   []string `json:"notes"`
}

// inspected says what a file is.
type inspected struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`            // in words
	Holds string `json:"holds,omitempty"` // in words, of a brain's files and of text
	Next  string `json:"next,omitempty"`  // what opens it, where it is not for train
}

const aboutInspect = "Print the kind of every file and, for those of a graph, what they contain: variables, layers, " +
	"features, classes. Files of unknown kinds are listed, and the exit code is then 1."

// inspect describes the content of files and the graph they would make.
func (p *program) inspect(args []string) error {
	f := p.flags("inspect", "FILE...", aboutInspect)
	asJSON := f.Bool("json", false, "print one JSON object")
	var choice formats.Choice
	f.choices(func(string) *formats.Choice { return &choice })
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return misuse("inspect: found no files, expected at least one")
	}
	files, done, err := openFiles(names)
	defer done()
	if err != nil {
		return err
	}
	progress := p.begin("reading")
	defer progress.End()
	o := &inspectOutput{}
	var graph []formats.File
	var wrong []error
	for _, f := range files {
		one, kind, err := look(&f)
		if err == nil && kind.Use == formats.ForGraph {
			graph = append(graph, f)
		}
		o.Files, wrong = append(o.Files, one), append(wrong, err)
	}
	brain, err := o.subject(files)
	if err != nil {
		wrong = append(wrong, err)
	}
	if len(graph) > 0 && !brain {
		content, err := formats.Read(graph, choice.Columns)
		if err == nil {
			err = idle(f.given(choiceNames...), chosen{choice, func(c formats.Choice) string { return described(content, c) }})
			if err != nil {
				return err
			}
			o.kinds(content)
			err = o.describe(content, choice)
		}
		wrong = append(wrong, err)
	} else if err := f.without("the files are not those of a graph", choiceNames...); err != nil {
		return err
	}
	progress.End()
	if *asJSON {
		err = printJSON(p.stdout, o)
	} else {
		err = o.print(p.stdout)
	}
	return errors.Join(append(wrong, err)...)
}

// described is what a choice makes of a graph's description.
func described(content *formats.Content, c formats.Choice) string {
	o := &inspectOutput{}
	if o.describe(content, c) != nil {
		return ""
	}
	g := &o.Guess // which repeats what was said
	g.Binary, g.Mutual, g.Keep, g.Raw, g.Columns = false, false, 0, false, ""
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // it is printed so
	}
	return string(text)
}

func (o *inspectOutput) describe(content *formats.Content, c formats.Choice) (err error) {
	o.Description, err = content.Describe(c)
	return errors.Join(o.recommend(content, c), err)
}

// recommend returns the preset that fits the graph, if there is one, and how it is scored. The error is that of its splits.
func (o *inspectOutput) recommend(content *formats.Content, choice formats.Choice) error {
	g, _, err := content.Graph(choice)
	if err != nil {
		choice.Splits = []string{formats.NoSplits}
		if _, _, other := content.Graph(choice); other == nil {
			return err
		}
		if o.Description != nil { // which train and the page refuse in these words
			o.Notes = append(o.Notes, "No graph to train yet: "+err.Error())
		}
		return nil
	}
	if g.Check() == nil {
		advice := cadem.Recommend([]*multiplex.Graph{g})
		o.Recommended = &advice
	}
	if usual := evaluate.Defaults(); len(g.Labels) > 0 && len(g.Labels[0].Splits) > 0 {
		o.Protocol = evaluate.Protocol(&g.Labels[0], &usual)
	}
	return nil
}

// look finds out what a file is. One that nothing reads is an error, too.
func look(f *formats.File) (inspected, formats.FileKind, error) {
	file, ok := f.Reader.(*os.File)
	if !ok {
		panic("inspect: a file that was not opened") // openFiles does
	}
	head := make([]byte, formats.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return inspected{Name: f.Name}, formats.FileKind{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return inspected{Name: f.Name}, formats.FileKind{}, err
	}
	kind := formats.Identify(head[:n], f.Size)
	one := inspected{Name: f.Name, Kind: kind.Name}
	switch kind.Use {
	case formats.ForNothing:
		err = &diag.Error{File: f.Name, Found: kind.Name, Expected: kind.Remedy(f.Name)}
	case formats.ForBrain:
		var c *imaging.CIFTI
		if c, err = imaging.ReadCIFTI(*f); err == nil {
			one.Holds, one.Next = c.About(), brainUse[c.Type()]
		}
	case formats.ForSurface:
		var g *imaging.GIFTI
		if g, err = imaging.ReadGIFTI(*f); err == nil {
			one.Holds, one.Next = g.About(), "draw on it in the page's brain view"
		}
	default:
		err = nil
	}
	return one, kind, err
}

// subject says what files of one subject's brain are together, read as connectome and train read them; false if they are
// something else, or parts that say nothing by themselves.
func (o *inspectOutput) subject(files []formats.File) (bool, error) {
	has := func(kind string) bool {
		return slices.ContainsFunc(o.Files, func(one inspected) bool { return strings.Contains(one.Kind, "("+kind+":") })
	}
	cifti := false
	for _, one := range o.Files {
		cifti = cifti || strings.HasPrefix(one.Kind, "a CIFTI")
	}
	if cifti && !has("ptseries") && !has("pconn") && !(has("dtseries") && has("dlabel")) {
		return false, nil
	}
	var list []formats.File
	for _, f := range files {
		list = append(list, formats.File{Name: f.Name, At: f.Reader.(*os.File), Size: f.Size})
	}
	in, err := connectome.Survey(list)
	if in == nil {
		return err != nil, err
	}
	o.Subject = &inspectedSubject{Unclear: in.Unclear, Notes: append([]string{}, in.Notes...)}
	if s := in.Series; s != nil {
		o.Subject.Regions, o.Subject.Frames, o.Subject.TR = s.M(), s.Frames, s.TR
	} else {
		o.Subject.Regions = in.M()
	}
	for k := range o.Files {
		if one := &o.Files[k]; one.Holds == "" {
			one.Holds, one.Next = in.Uses[k].As, "open it with cadem connectome or cadem train"
		}
	}
	return true, in.Directed
}

// brainUse says what CIFTI files of a type are good for here.
var brainUse = map[string]string{
	"ptseries": "open it with cadem connectome or cadem train",
	"pconn":    "open it with cadem connectome or cadem train",
	"dtseries": "open it with cadem connectome, together with a .dlabel.nii",
	"dlabel":   "open it with cadem connectome, together with a .dtseries.nii",
}

// kinds says what text files were taken for.
func (o *inspectOutput) kinds(c *formats.Content) {
	for _, r := range c.Files() {
		for k := range o.Files {
			if one := &o.Files[k]; one.Name == r.Name && r.Kind != formats.Arrays && one.Holds == "" {
				one.Holds = string(r.Kind)
			}
		}
	}
}

func (o *inspectOutput) print(out io.Writer) error {
	var b bytes.Buffer
	for _, one := range o.Files {
		line := one.Name + ": " + one.Kind
		if one.Holds != "" {
			line += ", " + one.Holds
		}
		if one.Next != "" {
			line += "; " + one.Next
		}
		fmt.Fprintln(&b, console.Fill(line, "  "))
	}
	if o.Subject != nil {
		for _, note := range o.Subject.Notes {
			fmt.Fprintln(&b, console.Fill(note, "  "))
		}
	}
	if d := o.Description; d != nil && (d.Nodes > 0 || len(d.Variables) > 0) {
		b.WriteByte('\n')
		printDescription(&b, d)
	}
	if o.Protocol != "" {
		fmt.Fprintf(&b, "\n%s\n", console.Fill("Scores use "+o.Protocol+" (-splits none deals folds).", "  "))
	}
	if o.Recommended != nil {
		fmt.Fprintf(&b, "\n%s\n", console.Fill(recommended(*o.Recommended), "  "))
	}
	_, err := out.Write(b.Bytes())
	return err
}

// storedAs says how the links of a layer are stored.
var storedAs = map[formats.Direction]string{formats.BothWays: "both directions", formats.OneWay: "one direction", formats.Directed: "directed"}

func printDescription(b *bytes.Buffer, d *formats.Description) {
	if len(d.Variables) > 0 {
		rows := [][]string{{"variable", "kind", "shape", "type"}}
		for _, v := range d.Variables {
			rows = append(rows, []string{v.Name, string(v.Form), strings.Trim(fmt.Sprint(v.Shape), "[]"), v.Type})
		}
		b.WriteString(console.Table(rows))
	}
	if d.Nodes > 0 {
		fmt.Fprintf(b, "%d nodes\n", d.Nodes)
	}
	if len(d.Layers) > 0 {
		rows := [][]string{{"layer", "entries", "self loops", "symmetric", "as stored", "isolated", "largest degree", "hash"}}
		for _, name := range slices.Sorted(maps.Keys(d.Layers)) {
			l := d.Layers[name]
			rows = append(rows, []string{name, fmt.Sprint(l.NNZ), fmt.Sprint(l.SelfLoops), fmt.Sprint(l.Symmetric), storedAs[l.Stored],
				fmt.Sprint(l.Isolated), fmt.Sprint(l.MaxDegree), l.Hash})
		}
		b.WriteString(console.Table(rows))
		if slices.ContainsFunc(slices.Collect(maps.Values(d.Layers)), func(l formats.LayerCounts) bool { return !l.Symmetric }) {
			fmt.Fprintln(b, console.Fill("The graph that trains is symmetric: of the two weights of a pair the larger is kept, with -mutual the smaller.", "  "))
		}
	}
	if d.Features != nil {
		fmt.Fprintf(b, "features %s: %d x %d, %d of them not 0\n", d.Guess.Features, d.Features.Shape[0], d.Features.Shape[1], d.Features.NNZ)
	}
	if len(d.Classes) > 0 {
		line := "classes: " + strings.Trim(fmt.Sprint(d.Classes), "[]")
		if d.Missing > 0 {
			line += fmt.Sprintf("; %s without a label", figure.Count(d.Missing, "node"))
		}
		fmt.Fprintln(b, console.Fill(line, "  "))
	}
	for _, note := range d.Notes {
		fmt.Fprintln(b, console.Fill(note, "  "))
	}
}
