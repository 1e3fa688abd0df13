package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/study"
	"cadem/core/synth"
)

// output is what train prints with -json.
type output struct {
	Data        string           `json:"data"`
	Preset      string           `json:"preset"`
	Seed        uint64           `json:"seed"`
	DataSeed    uint64           `json:"data_seed"`
	CVSeed      uint64           `json:"cv_seed"`
	Precision   int              `json:"precision"`
	Steps       int              `json:"steps"`
	Seconds     float64          `json:"seconds"` // of training, without drawing data and scoring
	Losses      cadem.Losses     `json:"losses"`
	FirstLosses cadem.Losses     `json:"first_losses"`
	RankS       int              `json:"rank_S"`
	Hash        string           `json:"hash"`
	Scores      []evaluate.Score `json:"scores"`
	Notes       []string         `json:"notes"`
}

func train(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	var data, set list
	f.Var(&data, "data", "")
	preset := f.String("preset", "released", "")
	seed := f.Uint64("seed", study.UsualSeeds.Model, "")
	dataSeed := f.Uint64("data-seed", study.UsualSeeds.Data, "")
	cvSeed := f.Uint64("cv-seed", study.UsualSeeds.Eval, "")
	precision := f.Int("precision", 32, "")
	f.Var(&set, "set", "")
	out := f.String("out", "", "")
	choose := choiceFlags(f)
	embeddings := f.String("embeddings", "", "")
	asJSON := f.Bool("json", false, "")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	ending := strings.TrimPrefix(filepath.Ext(*embeddings), ".")
	if *embeddings != "" {
		if err := study.CheckExport(ending); err != nil {
			return err
		}
	}
	choice := choose()
	names := append(data, rest...) // -data takes one value; further paths follow as arguments
	if len(names) == 0 {
		return fmt.Errorf("train: found no -data, expected syn1, syn2, syn3, syn4, cohort, social or files")
	}
	if *precision != 32 && *precision != 64 {
		return &property.Error{Field: "precision", Found: fmt.Sprint(*precision), Expected: "32 or 64"}
	}
	typed := strings.Join(names, " ")
	names, set = shorthand(names, set)
	own, general, err := split(names, set)
	if err != nil {
		return err
	}
	d, files, err := open(names, own, choice, *dataSeed)
	if err != nil {
		return err
	}
	s, err := study.NewSettings(*preset, d)
	if err != nil {
		return err
	}
	s.ModelSeed, s.EvalSeed = *seed, *cvSeed
	for _, nv := range general {
		if err := s.Set(nv[0], nv[1]); err != nil {
			return err
		}
	}
	if err := s.Check(); err != nil {
		return err
	}
	for _, n := range d.Notes {
		fmt.Fprintln(stderr, n)
	}
	began := time.Now()
	tell := progress(stderr)
	var checkpoint []byte
	r, err := study.Train(d, s, cadem.Precision(*precision), func(t cadem.Trainer) error {
		if t.Done() && *out != "" {
			checkpoint = t.Checkpoint()
		}
		return tell(t)
	})
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	scores, err := study.Score(d, r.Trained, r.Untrained, s.Evaluation, s.EvalSeed, nil)
	if err != nil {
		return err
	}
	o := &output{Data: typed, Preset: s.Preset, Seed: s.ModelSeed, DataSeed: *dataSeed, CVSeed: s.EvalSeed, Precision: *precision,
		Steps: r.Progress.Step, Seconds: seconds, Losses: r.Progress.Losses, FirstLosses: r.Progress.First, RankS: r.Trained.Rank, Hash: r.Hash,
		Scores: scores, Notes: append(d.Notes, r.Notes...)}
	if *embeddings != "" {
		var b bytes.Buffer
		if err := study.Export(&b, ending, d, r.Trained, *precision == 32); err != nil {
			return err
		}
		if err := writeFile(*embeddings, b.Bytes()); err != nil {
			return err
		}
	}
	if *out != "" {
		if err := writeRun(*out, d, files, own, choice, s, o, r, checkpoint); err != nil {
			return err
		}
	}
	if *asJSON {
		return printJSON(stdout, o)
	}
	return printRun(stdout, o)
}

// splitNames takes names apart at commas.
func splitNames(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// shorthand reads syn2:published as the example syn2 with the option instance=published.
func shorthand(names []string, set list) ([]string, list) {
	name, instance, ok := strings.Cut(names[0], ":")
	if _, err := synth.Lookup(name); !ok || err != nil || len(names) > 1 {
		return names, set
	}
	return []string{name}, append(list{"instance=" + instance}, set...)
}

// split sorts name=value pairs into options of the data, which are those of the example's
// generator or, of files, those of a subject's brain, and the others.
func split(names []string, set []string) (own map[string]any, general [][2]string, err error) {
	own = map[string]any{}
	ofData := connectome.HasSetting
	if len(names) == 1 {
		if g, err := synth.Lookup(names[0]); err == nil {
			ofData = func(name string) bool { return property.Has(g.Options(), name) }
		}
	}
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, nil, &property.Error{Field: "-set", Found: fmt.Sprintf("%q", s), Expected: "name=value"}
		}
		if ofData(name) {
			own[name] = value
		} else {
			general = append(general, [2]string{name, value})
		}
	}
	return own, general, nil
}

// progress tells on standard error, once a second, how far a training is.
func progress(stderr io.Writer) func(cadem.Trainer) error {
	last := time.Now()
	return func(t cadem.Trainer) error {
		if time.Since(last) < time.Second {
			return nil
		}
		last = time.Now()
		p := t.Progress()
		_, err := fmt.Fprintf(stderr, "step %d of %d: loss %.4f\n", p.Step, p.Steps, p.Losses.Total)
		return err
	}
}

func printRun(out io.Writer, o *output) error {
	fmt.Fprintf(out, "%s, preset %s, seeds: model %d, data %d, evaluation %d\n", o.Data, o.Preset, o.Seed, o.DataSeed, o.CVSeed)
	fmt.Fprintf(out, "%d steps in %.2f s, hash %s, rank of S %d\n", o.Steps, o.Seconds, o.Hash, o.RankS)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "loss\tfirst step\tlast step")
	fmt.Fprintf(w, "matching\t%.4f\t%.4f\n", o.FirstLosses.Matching, o.Losses.Matching)
	fmt.Fprintf(w, "selfsupervised\t%.4f\t%.4f\n", o.FirstLosses.SelfSupervised, o.Losses.SelfSupervised)
	fmt.Fprintf(w, "causal\t%.4f\t%.4f\n", o.FirstLosses.Causal, o.Losses.Causal)
	fmt.Fprintf(w, "total\t%.4f\t%.4f\n\n", o.FirstLosses.Total, o.Losses.Total)
	fmt.Fprintln(w, "embedding\ttarget\tmetric\tscore\tspread\tuntrained\tstandardised\tprobe")
	for _, s := range o.Scores {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", s.Embedding, s.Target, s.Metric, s.Value, s.FoldStd, s.Untrained, s.UntrainedStandardised, s.Probe)
	}
	return w.Flush()
}

// writeFile writes a file whole or not at all.
func writeFile(name string, data []byte) error {
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return err
	}
	return os.Rename(part, name)
}
