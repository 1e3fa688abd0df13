package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
)

// A sheet is a student's submission: findings in words, and the runs behind them.
type sheet struct {
	Sheet   int    `json:"sheet"` // version of the file
	Student string `json:"student"`
	Found   []struct {
		Title    string `json:"title"`
		Expected string `json:"expected"`
		Sentence string `json:"sentence"`
	} `json:"found"`
	Runs []sheetRun `json:"runs"`
	why  string     // it is wrong
}

// A sheetRun is a run as the page keeps it, with the scores that the sheet claims.
type sheetRun struct {
	run.Record
	Scores []claimed `json:"scores"`
}

type claimed struct {
	Embedding string   `json:"embedding"`
	Target    string   `json:"target"`
	Metric    string   `json:"metric"`
	Value     *float64 `json:"value"`
}

const (
	sheetVersion = 1
	sameScore    = 1e-6 // between a score and the same written as text
	sameRounded  = 0.005 + sameScore
	largestSheet = 16 << 20
	mostRuns     = 50
	mostWork     = 4 // times that of the usual settings; exercises double one of them
)

// studentSeed is the model seed of a student's number, as the page computes it.
func studentSeed(number string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(number)) // never fails
	return uint64(h.Sum32()%1_000_000 + 1)
}

const aboutVerify = "Train the runs of answer sheets again and mark the sheets: every run has to end with " +
	"the fingerprint and with all of the scores that its sheet claims, from the seed of the student's number. " +
	"The table goes to standard output as CSV, line by line as sheets are marked: the runs are right, or the " +
	"sheet is wrong and why. Two sheets of one number are named beside each other, and each is marked by its " +
	"own runs. What a student found stands there as the student's own words. Nobody has checked these, but " +
	"that the numbers in them are those of the runs."

// verify marks answer sheets.
func (p *program) verify(args []string) error {
	f := p.flags("verify", "SHEET...", aboutVerify)
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return misuse("verify: found no sheets, expected at least one file from the last page of the exercises")
	}
	progress := p.begin("marking")
	defer progress.End()
	sheets, owners := make([]*sheet, len(names)), map[string][]string{}
	for i, name := range names {
		s := readSheet(name)
		sheets[i], owners[s.Student] = s, append(owners[s.Student], filepath.Base(name))
	}
	owners[""] = nil // without a number nobody has it
	out := csv.NewWriter(p.stdout)
	write := func(line ...string) error {
		for k := range line {
			line[k] = export.Cell(line[k])
		}
		return out.WriteAll([][]string{line}) // at once, as the next one may take long
	}
	err = write("sheet", "student", "findings", "runs", "mark", "why", "sheets of this number",
		"in the student's own words")
	m := &marker{known: map[string]*marked{}, within: func(int, int) error { return p.interrupted() }}
	for i, s := range sheets {
		name, mark, same, words := filepath.Base(names[i]), "runs right", "", []string{}
		progress.Tell(i, len(names), name)
		if s.why == "" {
			s.why = m.mark(s)
		}
		if err := errors.Join(err, p.interrupted()); err != nil {
			return err
		}
		if s.why != "" {
			mark = "wrong"
		}
		if of := owners[s.Student]; len(of) > 1 {
			same = strings.Join(of, ", ")
		}
		for _, f := range s.Found {
			words = append(words, f.Title+": "+f.Sentence)
		}
		err = write(name, s.Student, fmt.Sprint(len(s.Found)), fmt.Sprint(len(s.Runs)), mark, s.why,
			same, strings.Join(words, "\n"))
	}
	return err
}

// readSheet reads a sheet, and says what is wrong with the file.
func readSheet(name string) (s *sheet) {
	s = &sheet{}
	info, err := statFile(name)
	var text []byte
	if err == nil && info.Size() <= largestSheet {
		text, err = os.ReadFile(name)
	}
	switch {
	case err != nil:
		s.why = err.Error()
	case json.Unmarshal(text, s) != nil || s.Sheet != sheetVersion:
		s = &sheet{why: fmt.Sprintf("no answer sheet of version %d", sheetVersion)}
	case len(s.Runs) == 0:
		s.why = "it has no run"
	case len(s.Runs) > mostRuns:
		s.why = fmt.Sprintf("it has %d runs, expected %d at most: the exercises have fewer", len(s.Runs), mostRuns)
	case s.Student == "":
		s.why = "it has no student's number, so its runs may be anybody's"
	case len(s.Found) == 0:
		s.why = "it has no finding"
	}
	return s
}

// A marker trains runs, each once, however many sheets have it.
type marker struct {
	known  map[string]*marked
	within pause.Yield
}

type marked struct {
	hash    string
	scores  []claimed
	numbers []float64 // that sentences about the run may have
	err     error
}

// mark says what is wrong with a sheet, nothing if it is right.
func (m *marker) mark(s *sheet) (why string) {
	var wrong []string
	var numbers []float64
	for i := range s.Runs {
		r := &s.Runs[i]
		at := fmt.Sprintf("run %d", i+1)
		if seed := studentSeed(s.Student); r.ModelSeed != seed {
			wrong = append(wrong, fmt.Sprintf("%s: model seed %d, expected %d, that of the student's number", at, r.ModelSeed, seed))
			continue
		}
		got := m.train(r)
		numbers = append(numbers, got.numbers...)
		switch {
		case got.err != nil:
			wrong = append(wrong, fmt.Sprintf("%s: %v", at, got.err))
		case got.hash != r.Hash:
			wrong = append(wrong, fmt.Sprintf("%s: fingerprint %s, found %s", at, r.Hash, got.hash))
		default:
			wrong = append(wrong, differing(at, r.Scores, got.scores)...)
		}
	}
	for k, f := range s.Found {
		if strings.TrimSpace(f.Sentence) == "" {
			wrong = append(wrong, fmt.Sprintf("finding %d: it says nothing", k+1))
		}
		text := strings.ReplaceAll(f.Sentence, "less than 0.01", "")
		for _, number := range decimals.FindAllString(text, -1) {
			v, err := strconv.ParseFloat(number, 64)
			near := func(x float64) bool { return math.Abs(math.Abs(x)-v) <= sameRounded }
			if err != nil || !slices.ContainsFunc(numbers, near) {
				wrong = append(wrong, fmt.Sprintf("finding %d: no run has the number %s", k+1, number))
			}
		}
	}
	return strings.Join(wrong, "; ")
}

// decimals are the numbers that sentences take from scores and losses; others are shares in per cent,
// and counts.
var decimals = regexp.MustCompile(`\d+\.\d+`)

// differing lists claimed scores that are not those that were found, and says how many are missing.
func differing(at string, list, found []claimed) (wrong []string) {
	for _, c := range list {
		name := fmt.Sprintf("%s of %s in %s", c.Metric, c.Target, c.Embedding)
		same := func(f claimed) bool {
			return f.Embedding == c.Embedding && f.Target == c.Target && f.Metric == c.Metric
		}
		k := slices.IndexFunc(found, same)
		switch {
		case k < 0:
			wrong = append(wrong, fmt.Sprintf("%s: no score %s", at, name))
		case !agree(c.Value, *found[k].Value):
			claim := "empty"
			if c.Value != nil {
				claim = fmt.Sprint(*c.Value)
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s is %s, found %g", at, name, claim, *found[k].Value))
		}
	}
	if n := len(found) - len(list); n > 0 || len(found) == 0 {
		wrong = append(wrong, fmt.Sprintf("%s: %d scores, found %d", at, len(list), len(found)))
	}
	return wrong
}

// agree reports whether a claim is the score that was found; what could not be scored is nil.
func agree(claim *float64, found float64) bool {
	if claim == nil || math.IsNaN(found) {
		return claim == nil && math.IsNaN(found)
	}
	return math.Abs(found-*claim) <= sameScore
}

// train trains a run as its record says.
func (m *marker) train(r *sheetRun) *marked {
	key, err := json.Marshal([]any{r.Data, r.Options, r.Evaluation, r.Preset, r.Method, r.Level, r.ModelSeed, r.EvalSeed})
	if err != nil {
		return &marked{err: err}
	}
	if known := m.known[string(key)]; known != nil {
		return known
	}
	got := &marked{}
	m.known[string(key)] = got
	d, s, err := usualWork(&r.Record)
	var result *run.Result
	if err == nil {
		result, err = run.Train(d, s, precision.Single, run.Watch{Within: m.within})
	}
	if err != nil {
		got.err = err
		return got
	}
	got.hash, got.numbers = result.Hash, slices.Concat(result.First, result.Last)
	scores, err := run.Score(d, result.Scored, result.ScoredBefore, s.Evaluation, s.EvalSeed, m.within)
	got.err = err
	for _, q := range scores {
		got.scores = append(got.scores, claimed{q.Embedding, q.Target, q.Metric, &q.Value})
		got.numbers = append(got.numbers, q.Value, q.Untrained, q.Probe, q.UntrainedProbe)
	}
	return got
}

// usualWork opens the data and the settings of a run, unless it would take much longer than the exercises.
func usualWork(r *run.Record) (*run.Dataset, *run.Settings, error) {
	g, err := examples.Lookup(r.Data.Example)
	if r.Data.Example == "" {
		err = errors.New("it is not about an example, so it cannot be trained again")
	} else if r.Method != "" && r.Method != train.NameOfCaDeM {
		err = fmt.Errorf("it trains %s, expected CaDeM", r.Method)
	}
	if err != nil {
		return nil, nil, err
	}
	usual, own := g.Options(), g.Options()
	if err = property.SetAll(r.Data.Options, own); err == nil {
		err = limited(own, usual, 1)
	}
	if err != nil {
		return nil, nil, err
	}
	d, err := run.OpenExample(r.Data.Example, r.Data.Options, r.Data.DataSeed)
	if err != nil {
		return nil, nil, err
	}
	s, err := r.Settings(d)
	if err != nil {
		return nil, nil, err
	}
	of, err := run.NewSettings(s.Level, d)
	if err == nil {
		err = limited(s.Options, of.Options, mostWork)
	}
	if err == nil {
		err = limited(&s.Evaluation, &of.Evaluation, mostWork)
	}
	return d, s, err
}

// limited refuses options whose whole numbers, which are sizes and counts, make more than so many times
// the usual work.
func limited(options, usual any, most float64) error {
	before, times := property.Values(usual), 1.0
	for name, v := range property.Values(options) {
		n, whole := v.(int)
		if m, ok := before[name].(int); whole && ok && n > m {
			if times *= float64(n) / float64(max(m, 1)); times > most {
				little := fmt.Sprintf("%d as usual, or little more: the work would be too much", m)
				return diag.Option(name, fmt.Sprint(n), little)
			}
		}
	}
	return nil
}
