package main

import (
	"fmt"
	"io"
	"os"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/formats"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
	"cadem.example/scripts/cadem/console"
)

const aboutApply = "Embed nodes that a model has not seen, by their links to nodes that it knows and by their features, and say which classes its " +
	"classifier gives them. Nothing is trained, and known nodes stay where they are.\n\n" +
	"The model is a file that \"cadem train -model FILE\" wrote. The data are files with the layers of the training by their names, which join new " +
	"nodes to known ones. With -embeddings all nodes of the data are written, and the label set \"new\" tells which are."

// mostReasons is the number reported for each place.
const mostReasons = 3

// apply embeds new nodes.
func (p *program) apply(args []string) error {
	f := p.flags("apply", "MODEL -data FILE [FILE]...", aboutApply)
	var data list
	f.Var(&data, "data", "a `file` of the data")
	var choice formats.Choice
	f.choices(func(string) *formats.Choice { return &choice })
	embeddings := f.String("embeddings", "", "write the embeddings to `FILE`"+exportEndings())
	asJSON := f.Bool("json", false, "print one JSON object")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) == 0 || len(data)+len(rest) < 2 {
		return misuse("apply: found %d files, expected a model and -data with the files of a graph", len(data)+len(rest))
	}
	names := append(data, rest[1:]...)
	if err := p.writesEmbeddings(*embeddings); err != nil {
		return err
	}
	j, err := p.named(names, nil, asked(choice), run.UsualSeeds.Data)
	if err != nil {
		return err
	}
	err = f.without("nothing is scored", "splits")
	if err == nil {
		err = idle(f.given(choiceNames...), chosen{choice, graphOf(j.files, nil)})
	}
	if err != nil {
		return err
	}
	file, err := p.modelFile(rest[0])
	if err != nil {
		return err
	}
	model, err := frozen.Read(rest[0], file)
	if err != nil {
		return err
	}
	a, err := run.Apply(model, j.data, func(int, int) error { return p.interrupted() })
	if err != nil {
		return err
	}
	if *embeddings != "" {
		format, err := export.Lookup(ending(*embeddings))
		if err == nil {
			err = console.Write(*embeddings, func(out io.Writer) error {
				return run.Export(out, format, a.Data, run.WithCommon(a.Scored[1:], a.Embedded), run.Axes(a.Embedded), false)
			})
		}
		if err != nil {
			return err
		}
	}
	return p.printApplied(a, *asJSON)
}

// modelFile reads the file of a model.
func (p *program) modelFile(name string) ([]byte, error) {
	info, err := statFile(name)
	if err == nil {
		err = p.reads(name)
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > formats.MaxFile {
		return nil, &diag.Error{File: name, Found: fmt.Sprint(info.Size(), " bytes"), Expected: "a model"}
	}
	return os.ReadFile(name)
}

func (p *program) printApplied(a *run.Application, asJSON bool) error {
	g := a.Data.Graph
	if asJSON {
		type node struct {
			Node    string            `json:"node"`
			Links   int               `json:"links"`
			Classes map[string]string `json:"classes"`
			S       []float64         `json:"S,omitempty"`
			R       []float64         `json:"R,omitempty"` // of all layers together, in its place
			From    []share           `json:"from"`        // what most of S comes from
		}
		list := []node{}
		for k, i := range a.New {
			n := node{Node: g.NodeName(i), Classes: map[string]string{}, From: []share{}, S: a.Embedded.Consensus.RawRowView(i)}
			for _, l := range a.Nodes[k].Links {
				n.Links += len(l)
			}
			if a.Scored[1].Name == train.Fused {
				n.S, n.R = nil, n.S
			}
			for _, t := range a.Because(k, mostReasons) {
				n.From = append(n.From, share{a.KnownName(t.Node), a.LayerName(t.Layer), t.Share})
			}
			for t, q := range a.Predicted {
				n.Classes[q.Target] = g.Labels[len(g.Labels)-len(a.Predicted)+t].ClassOf(i)
			}
			list = append(list, n)
		}
		return printJSON(p.stdout, map[string]any{"new": list, "known": a.Found.Known, "unknown_neighbours": a.Unknown, "without_links": a.Apart,
			"predicted": append([]run.Prediction{}, a.Predicted...), "notes": a.Notes})
	}
	text := ""
	for _, n := range a.Notes {
		text += console.Fill(n, "  ") + "\n"
	}
	for t, q := range a.Predicted {
		labels := &g.Labels[len(g.Labels)-len(a.Predicted)+t]
		score := "this classifier was not scored"
		if q.Score > 0 {
			score = fmt.Sprintf("macro-F1 of this classifier in the folds of the run: %.3f", q.Score)
		}
		table := [][]string{{"node", "class"}}
		for _, i := range a.New {
			table = append(table, []string{g.NodeName(i), labels.ClassOf(i)})
		}
		text += fmt.Sprintf("%s; %s\n", q.Target, score) + console.Table(table)
	}
	_, err := io.WriteString(p.stdout, text)
	return err
}
