package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/formats"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
	"cadem.example/scripts/cadem/console"
)

// output is the output of train -json.
type output struct {
	Data        string             `json:"data"`
	Method      string             `json:"method"`
	Reader      string             `json:"reader"`          // of the embedding combined
	Level       string             `json:"level,omitempty"` // of a method other than CaDeM
	Preset      string             `json:"preset"`
	Seed        uint64             `json:"seed"`
	DataSeed    uint64             `json:"data_seed"`
	CVSeed      uint64             `json:"cv_seed"`
	Precision   int                `json:"precision"`
	Steps       int                `json:"steps"`
	Seconds     float64            `json:"seconds"` // of training, without drawing data and scoring
	Losses      map[string]float64 `json:"losses"`  // by the names of the terms
	FirstLosses map[string]float64 `json:"first_losses"`
	RankS       int                `json:"rank_S"`
	Hash        string             `json:"hash"`
	Scores      []evaluate.Score   `json:"scores"`
	// Without are the scores of methods without training on files, in the place of embeddings.
	Without []evaluate.Score `json:"no_training,omitempty"`
	// Protocol says where scores come from: folds, or splits that the data have.
	Protocol string `json:"protocol,omitempty"`
	// Folds are the training and test nodes of each fold, or split, by number from 0, and the classes predicted from the embedding combined.
	Folds      []evaluate.Deal `json:"folds,omitempty"`
	Parameters int             `json:"parameters,omitempty"` // that were trained
	// Exchanged holds the answers of psi when common parts are exchanged, if CaDeM was trained.
	Exchanged *evaluate.LayerIntervention `json:"interventions,omitempty"`
	// Recommended is the preset that fits the data.
	Recommended cadem.Advice   `json:"recommended"`
	Explained   map[string]any `json:"explained,omitempty"`
	// Figures are results of a method other than CaDeM beside its embeddings.
	Figures map[string]float64 `json:"figures,omitempty"`
	Notes   []string           `json:"notes"`
	// Links are the scores of links that were held out, where trainings for them were asked for.
	Links []evaluate.Score `json:"links,omitempty"`

	terms []term   // the losses, as printed
	words []string // of the notes, those that are
}

// A term is one of the loss, at the first and at the last step.
type term struct {
	name        string
	first, last float64
}

// presetFlag names the presets.
var presetFlag = "`released`, " + strings.Join(cadem.Presets[1:len(cadem.Presets)], ", ") + " or " + study.Closed +
	": the authors' program, the paper's equations (printed), inputs without noise (refined), layers without features (evidence), the closed form"

var aboutTrain = "Train on an example or on files, score the embeddings beside untrained ones, and print the result.\n\n" +
	"The data are the name of an example (" + strings.Join(examples.Names(), ", ") + "; syn2:published for the data " +
	"behind the paper's numbers) or files: edge lists with their node and label files, .npz, .mat, .pkl, " +
	"tables, or the series of one subject's brain; \"cadem inspect FILE...\" says what they contain.\n\n" +
	"-set sets one option of the data, of training or of evaluation, and can be repeated. \"cadem options\" " +
	"describes all of them.\n\n" +
	"Ctrl-C stops the training and keeps it in a run file; \"cadem train -resume FILE\" continues with the " +
	"same bits. The page opens run files, too. " +
	"Of a preparation the finished parts are kept, from which the same command goes on."

func (p *program) train(args []string) error {
	f := p.flags("train", "-data NAME | -data FILE [FILE]... | -resume RUN", aboutTrain)
	var data, set list
	f.Var(&data, "data", "an example's `name`, or a file")
	method := f.String("method", train.NameOfCaDeM, "`cadem`, or one that it is compared with: \"cadem methods\" lists them")
	level := f.String("level", "", "settings of another method: `official`, or lite where it has smaller ones")
	preset := f.String("preset", "released", presetFlag)
	seed := f.Uint64("seed", run.UsualSeeds.Model, "seed of the model, `N`")
	dataSeed := f.Uint64("data-seed", run.UsualSeeds.Data, "seed of an example's data, `N`")
	cvSeed := f.Uint64("cv-seed", run.UsualSeeds.Eval, "seed of folds and K-means, `N`")
	bits := f.Int("precision", 32, "`bits` of the numbers, 32 or 64")
	f.Var(&set, "set", "an option, `name=value`")
	var choice formats.Choice
	f.choices(func(string) *formats.Choice { return &choice })
	out := f.String("out", "", "write the run to `run.zip`, to open in the page or to continue")
	embeddings := f.String("embeddings", "", "write the embeddings to `FILE`"+exportEndings())
	attention := f.String("attention", "", "beside -embeddings: how much the combiner looks at each embedding of a node, trained on the label set `NAME`")
	model := f.String("model", "", "write what was learned to `model.npz`, for \"cadem apply\" and NumPy")
	score := f.String("score", "", "`all`, sample:K to learn and cluster from K nodes, or none for embeddings alone; sample:5000 for more than 20,000 nodes")
	explain := f.String("explain", "", "what makes the place of `NODE` in S, by links to others")
	resume := f.String("resume", "", "continue the run in `run.zip`, and write it there unless -out names another file")
	recordings := f.Bool("recordings", false, "put the recordings of a brain in the run file, which else goes on with -resume RUN -data FILE...")
	splits := f.Int("links", 0, "train `N` more times, each without another 15 % of the links, and score how well these are told; it needs no labels")
	asJSON := f.Bool("json", false, "print one JSON object")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	names := append(data, rest...) // -data takes one value; further paths follow as arguments
	err = errors.Join(p.writes("-out", *out, ".zip", ".cadem"), p.writes("-model", *model, ".npz"),
		p.writesEmbeddings(*embeddings), p.apart(names...))
	if err != nil {
		return err
	}
	if err := f.atLeastOne("links", *splits); err != nil {
		return err
	}
	if usual := evaluate.Defaults(); *score != "" {
		if err := property.Set(&usual, "score", *score); err != nil {
			return err
		}
	}
	if *attention != "" && *embeddings == "" {
		return diag.Option("-attention", "it without -embeddings", "both: what it finds is written with the embeddings")
	}
	w := &work{out: *out, embeddings: *embeddings, attention: *attention, model: *model, json: *asJSON, splits: *splits, args: args}
	progress := p.begin("reading")
	defer progress.End()
	switch {
	case *resume != "":
		if len(rest) > 0 && len(data) == 0 {
			return misuse("train: found the argument %q, expected none beside -resume", rest[0])
		}
		said := append(slices.Clone(choiceNames), "method", "level", "preset", "seed", "data-seed", "cv-seed", "precision", "set", "recordings")
		if err := f.without("the run file says it", said...); err != nil {
			return err
		}
		if *out == "" {
			w.out = *resume
			err = p.writes("-resume", w.out)
		} else if console.CheckApart("-out", *out, *resume) == nil { // or else it takes the run's place
			err = p.reads(*resume)
		}
		if err != nil {
			return err
		}
		if w.job, err = p.resumed(*resume, names); err != nil {
			return err
		}
	case len(names) == 0:
		return misuse("train: found no -data, expected %s", wantData())
	case *bits != 32 && *bits != 64:
		return diag.Option("-precision", fmt.Sprint(*bits), "32 or 64")
	default:
		settings, err := set.pairs()
		if err != nil {
			return err
		}
		for k, nv := range settings {
			of, option, ok := strings.Cut(nv[0], ".")
			if ok && of != *method {
				return diag.Option(nv[0], "an option of "+of, "those of the method that is trained, "+*method)
			}
			if ok {
				settings[k][0] = option
			}
		}
		typed := strings.Join(names, " ")
		names, settings, published, err := shorthand(names, settings)
		if err != nil {
			return err
		}
		example := isExample(names)
		if example {
			err = f.without(names[0]+" is an example, not files", choiceNames...)
			if published && err == nil {
				err = f.without("there is one published instance", "data-seed")
			}
		} else {
			err = f.without("files are not drawn", "data-seed")
		}
		if err != nil {
			return err
		}
		if *method != train.NameOfCaDeM {
			err = f.without("the method "+*method+" has none", "preset")
		} else if err = f.without("CaDeM has presets", "level"); *preset == study.Closed {
			*method = study.Closed
		}
		if err != nil {
			return err
		}
		if w.job, err = p.newJob(names, settings, asked(choice), *method, *level, *preset, *dataSeed); err != nil {
			return err
		}
		w.typed, w.precision, w.whole = typed, precision.Bits(*bits), *recordings
		if w.data.Subject == nil {
			if err := f.without("the data are no recordings, and the run file holds them", "recordings"); err != nil {
				return err
			}
		}
		w.settings.ModelSeed, w.settings.EvalSeed = *seed, *cvSeed
		if *score != "" {
			w.settings.Evaluation.Score = *score
		}
		if err := w.idle(f, choice, settings); err != nil {
			return err
		}
	}
	progress.End()
	if *score != "" {
		w.settings.Evaluation.Score = *score
	}
	w.scored = w.settings.Evaluation.Score != "none"
	if name := w.settings.Method.Name; *model != "" && !w.settings.OfCaDeM() && name != train.Without[0] {
		return diag.Option("-model", "the method "+name, "CaDeM, whose encoders embed new nodes, or "+train.Without[0])
	}
	if w.explain = *explain != ""; w.explain {
		g := w.data.Graph
		if !w.settings.OfCaDeM() {
			name := w.settings.Method.Name
			return diag.Option("-explain", "the method "+name, "cadem, whose places are sums")
		}
		for w.node < g.M() && g.NodeName(w.node) != *explain {
			w.node++
		}
		if w.node == g.M() {
			return diag.Option("-explain", "no node "+*explain, "a node such as "+g.NodeName(0))
		}
	}
	return p.carryOut(w, progress)
}

// idle refuses what was given and changes nothing of a new run.
func (w *work) idle(f *flags, choice formats.Choice, options [][2]string) error {
	m, err := w.settings.Method, error(nil)
	if m.Unscaled {
		err = f.without("the method "+m.Name+" reads links alone, or makes the rows of features sum to 1 by itself", "raw")
	}
	if m.Fixed && err == nil {
		err = f.without("the method "+m.Name+" draws nothing", "seed")
	}
	if err == nil {
		err = idle(f.given(choiceNames...), chosen{choice, graphOf(w.files, w.spec.Options)})
	}
	switch {
	case err != nil:
		return err
	case len(w.data.Graph.Labels) == 0:
		return f.unscored("the data have no labels, so nothing is scored", nil)
	case w.settings.Evaluation.Score == "none" && w.attention == "":
		return f.unscored("nothing is scored", options)
	}
	return nil
}

// exportEndings lists the endings of files of embeddings: ".csv, .npz or .graphml".
func exportEndings() string {
	var endings []string
	for _, f := range export.Formats {
		endings = append(endings, "."+f.Name)
	}
	last := len(endings) - 1
	return strings.Join(endings[:last], ", ") + " or " + endings[last]
}

// writesEmbeddings notes a file of embeddings, in one of the formats that there are.
func (p *program) writesEmbeddings(name string) error {
	if _, err := export.Lookup(ending(name)); err != nil && name != "" {
		return err
	}
	return p.writes("-embeddings", name)
}

// ending returns the ending of a file's name, without the point.
func ending(name string) string { return strings.TrimPrefix(filepath.Ext(name), ".") }

// shorthand reads syn2:published as the example syn2 with the option instance=published; it
// tells, too, whether it is the published instance.
func shorthand(names []string, set [][2]string) ([]string, [][2]string, bool, error) {
	if name, instance, ok := strings.Cut(names[0], ":"); ok && len(names) == 1 && isExample([]string{name}) {
		if slices.ContainsFunc(set, func(nv [2]string) bool { return nv[0] == "instance" }) {
			return nil, nil, false, diag.Option("-set", "instance beside "+names[0], "one of the two")
		}
		names, set = []string{name}, append([][2]string{{"instance", instance}}, set...)
	}
	published := false
	for _, nv := range set {
		published = published || nv == [2]string{"instance", "published"}
	}
	return names, set, published, nil
}

// split sorts options into those of the data, which are those of the example's generator or, of
// files, those of a subject's brain, and the others, which are of the given structs.
func split(names []string, set [][2]string, of ...any) (own map[string]any, general [][2]string, err error) {
	own = map[string]any{}
	options := []any{&connectome.Hints{}, &connectome.Options{}}
	if isExample(names) {
		g, err := examples.Lookup(names[0])
		if err != nil {
			return nil, nil, err
		}
		options = []any{g.Options()}
	}
	ofData := property.Names(options...)
	for _, nv := range set {
		switch known := property.Names(append(options, of...)...); {
		case slices.Contains(ofData, nv[0]):
			own[nv[0]] = nv[1]
		case slices.Contains(known, nv[0]):
			general = append(general, nv)
		default:
			return nil, nil, property.Unknown(nv[0], "an unknown option", nv[0], known)
		}
	}
	return own, general, nil
}

// A work is a job and its output.
type work struct {
	*job
	out, embeddings string // files; "": none
	attention       string // the label set that the combiner is trained on for its weights; "": they are not written
	model           string // likewise
	explain         bool   // the place of a node
	node            int
	json, scored    bool
	splits          int // of links that are held out
	args            []string
}

// carryOut trains, scores, writes and prints.
func (p *program) carryOut(w *work, progress *console.Progress) error {
	for _, n := range w.data.Notes {
		fmt.Fprintln(p.stderr, console.Fill(n, "  "))
	}
	advice := cadem.Recommend([]*multiplex.Graph{w.data.Graph})
	if w.from == nil && w.settings.OfCaDeM() && advice.Preset != w.settings.Level {
		fmt.Fprintln(p.stderr, console.Fill(recommended(advice), "  "))
	}
	if o := w.settings.CaDeM(); w.settings.OfCaDeM() && o.Split == "off" && o.Trim == "off" && o.Features != "identity" &&
		w.data.Graph.Layers[0].Features.IsIdentity() {
		fmt.Fprintf(p.stderr, "Nodes have no features: they are made of the links, features = %s.\n", o.Features)
	}
	if w.scored && len(w.data.Graph.Labels) == 0 && w.splits == 0 {
		fmt.Fprintln(p.stderr, "The data have no labels: nothing is scored. With -links 5 held-out links are.")
	}
	if w.attention != "" {
		if _, err := run.LabelSet(w.data, w.attention); err != nil {
			return err
		}
	}
	began := time.Now()
	r, err := p.trainJob(w, progress)
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	s := w.settings
	progress.Begin("scoring")
	scores, deals := []evaluate.Score{}, []evaluate.Deal{}
	var without []evaluate.Score
	if w.scored && len(w.data.Graph.Labels) > 0 {
		in := w.data.Input(r.Scored, r.ScoredBefore)
		in.Deals = &deals
		of := ""
		in.Tell = func(embedding string) { of = embedding }
		tell := func(done, total int) error {
			progress.Tell(done, total, of)
			return p.interrupted()
		}
		scores, err = evaluate.Table(in, s.Scoring(), s.EvalSeed, tell)
		if err == nil && len(w.files) > 0 && s.Method.Family != train.Untrained {
			of = "no training"
			without, err = s.Without(w.data, w.precision, tell)
		}
	}
	progress.End()
	if errors.Is(err, errInterrupted) {
		p.over()
		return p.keepRun(w, r)
	}
	if err != nil {
		return err
	}
	o := &output{Data: w.typed, Method: s.Method.Name, Reader: s.Method.Fusion.Reader(), Preset: s.Level, Seed: s.ModelSeed,
		DataSeed: w.spec.DataSeed, CVSeed: s.EvalSeed, Precision: int(w.precision), Steps: r.Passes(), Seconds: seconds,
		Losses: run.Named(s.Method, r.Last), FirstLosses: run.Named(s.Method, r.First), RankS: r.Progress.Rank, Hash: r.Hash, Scores: scores, Without: without,
		Notes: append(w.data.Notes, r.Notes...), Figures: r.Figures, Recommended: advice}
	o.Protocol = w.data.Protocol(&s.Evaluation)
	if o.Folds, o.Parameters = deals, r.Parameters; !w.scored {
		o.Protocol = ""
	}
	if r.Probe != nil {
		o.Exchanged = r.Probe.Intervene(s.EvalSeed)
	}
	if !s.OfCaDeM() {
		o.Preset, o.Level, o.words = "", s.Level, r.Notes
	} else if s.CaDeM().Split == "evidence" {
		o.words = r.Notes
	}
	for i, name := range s.Method.Losses {
		if r.First != nil && s.HasTerm(name, w.data.Graph.F()) {
			o.terms = append(o.terms, term{name, r.First[i], r.Last[i]})
		}
	}
	if w.splits > 0 {
		progress.Begin("training without some of the links")
		var notes []string
		o.Links, notes, err = run.Links(w.data, s, w.precision, w.splits, links.Near, p.within(progress))
		progress.End()
		if err != nil && !errors.Is(err, errInterrupted) {
			return err
		}
		o.Notes, o.words = append(o.Notes, notes...), append(o.words, notes...)
	}
	if w.explain {
		var words string
		if o.Explained, words, err = w.explained(w.node); err != nil {
			return err
		}
		o.words = append(o.words, words)
	}
	p.over()
	lost := errors.Join(w.writeModel(scores), w.write(r, scores)) // what cannot be written is printed anyway
	return errors.Join(lost, p.answer(w.json, o, func() string { return runText(o) }))
}

// recommended returns the preset that fits data.
func recommended(a cadem.Advice) string {
	return fmt.Sprintf("Recommended for these data is -preset %s: %s.", a.Preset, a.Reason)
}

// writeModel writes the model to the file that was asked for.
func (w *work) writeModel(scores []evaluate.Score) error {
	if w.model == "" {
		return nil
	}
	model, err := run.Model(w.trainer, w.data, w.settings, scores, nil)
	if err != nil {
		return err
	}
	return console.Write(w.model, model.Write)
}

// write writes the run and its embeddings to the files that were asked for.
func (w *work) write(r *run.Result, scores []evaluate.Score) error {
	var lost []error
	if w.embeddings != "" {
		f, err := export.Lookup(ending(w.embeddings))
		list := r.Exported()
		if err == nil && w.attention != "" {
			var weights *evaluate.Embedding
			if weights, _, err = run.AttentionTo(w.data, r.Scored, w.attention, w.settings, nil); err == nil {
				list = append(list, *weights)
			}
		}
		if err == nil {
			err = console.Write(w.embeddings, func(out io.Writer) error {
				return run.Export(out, f, w.data, list, r.Axes(), w.precision == precision.Single)
			})
		}
		lost = append(lost, err)
	}
	if w.out != "" {
		lost = append(lost, w.writeRun(w.out, r, scores))
	}
	return errors.Join(lost...)
}

// runText is a run in words and tables.
func runText(o *output) string {
	settings := "preset " + o.Preset
	if o.Preset == "" {
		settings = fmt.Sprintf("method %s, level %s", o.Method, o.Level)
	}
	head := fmt.Sprintf("%s, %s, seeds: model %d, data %d, evaluation %d\n%d steps in %.2f s, hash %s",
		o.Data, settings, o.Seed, o.DataSeed, o.CVSeed, o.Steps, o.Seconds, o.Hash)
	if _, ok := o.Figures["rank_S"]; ok || o.Preset != "" {
		head += fmt.Sprintf(", rank of S %d", o.RankS)
	}
	head += "\n"
	if o.Exchanged != nil {
		head += fmt.Sprintf("With common parts exchanged, psi names the same layer in %.3f of all pairs of augmented graphs.\n", o.Exchanged.Invariance)
	}
	for _, s := range o.words {
		head += s + "\n"
	}
	text := console.Fill(head, "  ")
	if len(o.terms) > 0 {
		losses := [][]string{{"loss", "first step", "last step"}}
		for _, t := range o.terms {
			losses = append(losses, []string{t.name, fmt.Sprintf("%.4f", t.first), fmt.Sprintf("%.4f", t.last)})
		}
		text += console.Table(losses)
	}
	if len(o.Scores) > 0 {
		if o.Protocol != "" {
			text += console.Fill("Scores: "+o.Protocol+".\n", "  ")
		}
		scores := [][]string{{"embedding", "target", "metric", "score", "spread", "untrained", "standardised", "probe (of labels)"}}
		for k, s := range slices.Concat(o.Scores, o.Without) {
			row := []string{s.Embedding, s.Target, s.Metric}
			for _, v := range []float64{s.Value, s.FoldStd, s.Untrained, s.UntrainedStandardised, s.Probe} {
				row = append(row, fmt.Sprintf("%.3f", v))
			}
			if len(s.Folds) == 1 {
				row[4] = "-" // of one split
			}
			if k >= len(o.Scores) {
				row[0], row[5], row[6] = "no training: "+s.Embedding, "-", "-"
			}
			scores = append(scores, row)
		}
		text += console.Table(scores)
	}
	return text + linksText(o.Links)
}

// linksText is a table of the scores of held-out links, with intervals if there are several splits.
func linksText(scores []evaluate.Score) string {
	if len(scores) == 0 {
		return ""
	}
	table := [][]string{{"embedding", run.OfLinks, "score", "95 % interval", "untrained", "degrees alone"}}
	for _, s := range scores {
		interval := ""
		if c := links.Interval(s.Folds); c.Pairs > 1 {
			interval = fmt.Sprintf("%.3f to %.3f", c.Low, c.High)
		}
		table = append(table, []string{s.Embedding, evaluate.MetricOf(s.Metric).Label, fmt.Sprintf("%.3f", s.Value), interval,
			fmt.Sprintf("%.3f", s.Untrained), fmt.Sprintf("%.3f", *s.Trivial)})
	}
	return console.Table(table)
}
