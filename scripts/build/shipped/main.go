// Command shipped writes what the page ships of what the core computes:
//
//	go run ./scripts/build/shipped            the table of all options, presets, examples and experiments, as JSON
//	go run ./scripts/build/shipped -run town  a finished run, which the page draws before its engine has arrived
//	go run ./scripts/build/shipped -psi       what psi answers in six runs of the town
//	go run ./scripts/build/shipped -essay     the town, and what two presets find in it, for the essay
//	go run ./scripts/build/shipped -claims    what became of sentences of the paper in docs/reproduced.md and docs/length.md
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

// Limits of a run that ships with the page. Of many nodes the links and the way there would be larger than all else.
const (
	shippedLosses = 200 // points of the loss curves
	manyNodes     = 300
)

// shipped is the input of www/run/finished.js.
type shipped struct {
	Example    string         `json:"example"`
	Options    map[string]any `json:"options"`
	Evaluation map[string]any `json:"evaluation"`
	Preset     string         `json:"preset"`
	ModelSeed  uint64         `json:"model_seed"`
	DataSeed   uint64         `json:"data_seed"`
	EvalSeed   uint64         `json:"eval_seed"`
	Epochs     int            `json:"epochs"`
	Steps      int            `json:"steps"`
	Guessing   float64        `json:"guessing"`
	Hash       string         `json:"hash"`
	RankS      int            `json:"rank_S"`
	Embeddings []string       `json:"embeddings"`
	Nodes      []string       `json:"nodes"`
	Labels     []shippedLabel `json:"labels"`
	Places     string         `json:"places,omitempty"`
	Links      []string       `json:"links,omitempty"` // none of many nodes
	LossSteps  []int          `json:"loss_steps"`
	Losses     string         `json:"losses"`
	Frames     []shippedFrame `json:"frames"`
	Scores     any            `json:"scores"`
	Summary    run.Summary    `json:"summary"`
	Task       string         `json:"task"`
	Expect     string         `json:"expect"`
}

type shippedLabel struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
	Of      []int    `json:"of"`
}

type shippedFrame struct {
	Epoch int     `json:"epoch"`
	Step  int     `json:"step"`
	Bits  int     `json:"bits"`
	Scale float64 `json:"scale"`
	XY    string  `json:"xy"`
}

func init() { brain.Register() }

func main() {
	f := flag.NewFlagSet("shipped", flag.ExitOnError)
	name := f.String("run", "", "train an `EXAMPLE` with its default settings and write www/finished/EXAMPLE.json instead of the table")
	claims := f.Bool("claims", false, "write www/claims.json instead, of docs/reproduced.md and docs/length.md")
	psi := f.Bool("psi", false, "write www/psi.json instead, of runs of the town that differ in the causal loss")
	essay := f.Bool("essay", false, "write www/essay/runs.json instead, of runs of the town by two presets")
	if code, ok := console.ParseFlags(f, os.Args[1:], os.Stdout, os.Stderr); !ok {
		os.Exit(code)
	}
	root, err := builder.FindRoot(".")
	var found any
	file := ""
	switch {
	case err != nil:
	case *claims:
		file = claimsFile
		found, err = claimsOf(root)
	case *psi:
		file = psiFile
		found, err = trainPsi("town", 0, 0.5, 50)
	case *essay:
		file = essayFile
		found, err = essayOf(root)
	case *name == "":
		_, err = fmt.Printf("%s\n", experiments.NewCatalogue().JSON())
	default:
		file = filepath.Join("www", "finished", *name+".json")
		found, err = train(*name)
	}
	if err == nil && file != "" {
		err = write(filepath.Join(root, file), found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "shipped:", err)
		os.Exit(1)
	}
}

// write writes JSON to a file; of a text, itself.
func write(file string, found any) error {
	if text, ok := found.([]byte); ok {
		return console.WriteFile(file, text)
	}
	return console.Write(file, func(out io.Writer) error {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return e.Encode(found)
	})
}

func train(example string) (*shipped, error) {
	d, err := run.OpenExample(example, nil, run.UsualSeeds.Data)
	if err != nil {
		return nil, err
	}
	s, err := run.NewSettings("released", d)
	if err != nil {
		return nil, err
	}
	film, many := &film{}, d.Graph.M() >= manyNodes
	t, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
	if err != nil {
		return nil, err
	}
	if err := film.take(t); err != nil {
		return nil, err
	}
	r, err := run.Train(d, s, precision.Single, run.Watch{Each: func(r *run.Run) error {
		t := r.Trainer()
		n := t.Progress().Step
		if t.Done() || !many && n%s.CaDeM().InnerSteps == 0 && run.Kept(n/s.CaDeM().InnerSteps) {
			return film.take(t)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Scoring(), s.EvalSeed, nil)
	if err != nil {
		return nil, err
	}
	q := &shipped{Example: d.Name, Options: property.Values(s.CaDeM()), Evaluation: property.Values(&s.Evaluation), Preset: s.Level,
		ModelSeed: s.ModelSeed, DataSeed: run.UsualSeeds.Data, EvalSeed: s.EvalSeed, Epochs: r.Progress.Epoch, Steps: r.Progress.Step,
		Guessing: s.CaDeM().Guessing(d.Graph.N()), Hash: r.Hash,
		RankS: r.Trained.Rank, Nodes: d.Graph.Nodes,
		Labels: []shippedLabel{}, Frames: film.turned(), Scores: []evaluate.Score(scores), Summary: d.Summary(), Task: string(d.Task()), Expect: d.Expect}
	for _, e := range run.Tokens(r.Trained)[1:] {
		q.Embeddings = append(q.Embeddings, e.Name)
	}
	for _, l := range d.Graph.Labels {
		q.Labels = append(q.Labels, shippedLabel{l.Name, l.Classes, l.Of})
	}
	var losses []byte
	for i := 0; i < len(r.Losses); i += max(1, len(r.Losses)/shippedLosses) {
		q.LossSteps = append(q.LossSteps, i+1)
		for _, v := range r.Losses[i] {
			losses = binary.LittleEndian.AppendUint32(losses, math.Float32bits(float32(v)))
		}
	}
	q.Losses = base64.StdEncoding.EncodeToString(losses)
	if many {
		return q, nil
	}
	at, err := project.Draw(d.Graph, func() error { return nil })
	if err != nil {
		return nil, err
	}
	var places []byte
	for _, v := range at {
		places = binary.LittleEndian.AppendUint16(places, uint16(int16(math.Round(float64(v)*math.MaxInt16))))
	}
	q.Places = base64.StdEncoding.EncodeToString(places)
	for _, l := range d.Graph.Layers {
		var links []byte
		pairs, _ := l.Adjacency.Links(math.MaxInt)
		for _, i := range pairs {
			links = binary.LittleEndian.AppendUint16(links, uint16(i))
		}
		q.Links = append(q.Links, base64.StdEncoding.EncodeToString(links))
	}
	return q, nil
}

// A film keeps pictures of a run.
type film struct {
	frames []shippedFrame
	xy     []float32
	of     int // embeddings
}

func (f *film) take(t *cadem.Trainer) error {
	var first run.Film
	e := t.Embeddings(0)
	xy, _, err := first.Frame(e)
	now := t.Progress()
	f.frames, f.xy, f.of = append(f.frames, shippedFrame{Epoch: now.Epoch, Step: now.Step}), append(f.xy, xy...), 1+len(e.Private)
	return err
}

// turned rotates the pictures to the last one: that in 16 bits, the others in 8.
func (f *film) turned() []shippedFrame {
	last := len(f.frames) - 1
	size := len(f.xy) / len(f.frames)
	run.Turn(f.xy[:last*size], f.xy[last*size:], f.of)
	for k := range f.frames {
		bits := 8
		if k == last {
			bits = 16
		}
		f.frames[k].draw(f.xy[k*size:(k+1)*size], bits)
	}
	return f.frames
}

// draw writes coordinates as integers of that number of bits.
func (f *shippedFrame) draw(xy []float32, bits int) {
	largest := 0.0
	for _, v := range xy {
		largest = max(largest, math.Abs(float64(v)))
	}
	scale := largest / float64(int(1)<<(bits-1)-1)
	if scale == 0 {
		scale = 1
	}
	var raw []byte
	for _, v := range xy {
		q := int(math.Round(float64(v) / scale))
		if bits == 8 {
			raw = append(raw, byte(int8(q)))
		} else {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(int16(q)))
		}
	}
	f.Bits, f.Scale, f.XY = bits, scale, base64.StdEncoding.EncodeToString(raw)
}
