package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cadem/core/formats/export"
	"cadem/core/precision"
	"cadem/core/run"
	"cadem/scripts/cadem/console"
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
)

// studentSeed is the model seed of a student's number, as the page computes it.
func studentSeed(number string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(number)) // never fails
	return uint64(h.Sum32()%1_000_000 + 1)
}

const aboutVerify = "Train the runs of answer sheets again and mark the sheets: every run has to end with the fingerprint and the scores that its sheet " +
	"claims, from the seed of the student's number, which one sheet alone has. The table goes to standard output as CSV: a sheet is right, or wrong and why."

// verify marks answer sheets.
func (p *program) verify(args []string) error {
	f := p.flags("verify", "SHEET...", aboutVerify)
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return misuse("verify: found no sheets, expected at least one file from the last page of the lessons")
	}
	progress := console.NewProgress(p.stderr)
	defer progress.End()
	progress.Begin("marking")
	out := csv.NewWriter(p.stdout)
	lines := [][]string{{"sheet", "student", "findings", "runs", "mark", "why"}}
	m, owners := &marker{known: map[string]*marked{}}, map[string]string{}
	for i, name := range names {
		if err := p.interrupted(); err != nil {
			return err
		}
		progress.Tell(i, len(names), filepath.Base(name))
		s, why := readSheet(name)
		if why == "" {
			why = m.mark(s)
		}
		if first, twice := owners[s.Student]; twice && why == "" {
			why = "the student's number is that of " + first + ", too"
		} else if s.Student != "" && !twice {
			owners[s.Student] = filepath.Base(name)
		}
		mark := "right"
		if why != "" {
			mark = "wrong"
		}
		line := []string{filepath.Base(name), s.Student, strconv.Itoa(len(s.Found)), strconv.Itoa(len(s.Runs)), mark, why}
		for k := range line {
			line[k] = export.Cell(line[k])
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

// readSheet reads a sheet; why says what is wrong with the file.
func readSheet(name string) (s *sheet, why string) {
	s = &sheet{}
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		return s, err.Error()
	case json.Unmarshal(text, s) != nil || s.Sheet != sheetVersion:
		return &sheet{}, fmt.Sprintf("no answer sheet of version %d", sheetVersion)
	case len(s.Runs) == 0:
		return s, "it has no run"
	case s.Student == "":
		return s, "it has no student's number, so its runs may be anybody's"
	}
	return s, ""
}

// A marker trains runs, each once, however many sheets have it.
type marker struct{ known map[string]*marked }

type marked struct {
	hash   string
	scores []claimed
	err    error
}

// mark says what is wrong with a sheet, nothing if it is right.
func (m *marker) mark(s *sheet) (why string) {
	var wrong []string
	for i := range s.Runs {
		r := &s.Runs[i]
		at := fmt.Sprintf("run %d", i+1)
		if seed := studentSeed(s.Student); r.ModelSeed != seed {
			wrong = append(wrong, fmt.Sprintf("%s: model seed %d, expected %d, that of the student's number", at, r.ModelSeed, seed))
			continue
		}
		got := m.train(r)
		switch {
		case got.err != nil:
			wrong = append(wrong, fmt.Sprintf("%s: %v", at, got.err))
		case got.hash != r.Hash:
			wrong = append(wrong, fmt.Sprintf("%s: fingerprint %s, found %s", at, r.Hash, got.hash))
		default:
			wrong = append(wrong, differing(at, r.Scores, got.scores)...)
		}
	}
	return strings.Join(wrong, "; ")
}

// differing lists claimed scores that are not those that were found.
func differing(at string, list, found []claimed) (wrong []string) {
	for _, c := range list {
		if c.Value == nil {
			continue
		}
		there := false
		for _, f := range found {
			if f.Embedding != c.Embedding || f.Target != c.Target || f.Metric != c.Metric || f.Value == nil {
				continue
			}
			if there = true; math.Abs(*f.Value-*c.Value) > sameScore {
				wrong = append(wrong, fmt.Sprintf("%s: %s of %s in %s is %g, found %g", at, c.Metric, c.Target, c.Embedding, *c.Value, *f.Value))
			}
		}
		if !there {
			wrong = append(wrong, fmt.Sprintf("%s: no score %s of %s in %s", at, c.Metric, c.Target, c.Embedding))
		}
	}
	return wrong
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
	got.hash, got.scores, got.err = retrain(&r.Record)
	m.known[string(key)] = got
	return got
}

func retrain(r *run.Record) (hash string, list []claimed, err error) {
	if r.Data.Example == "" {
		return "", nil, fmt.Errorf("it is not about an example, so it cannot be trained again")
	}
	d, err := run.OpenExample(r.Data.Example, r.Data.Options, r.Data.DataSeed)
	if err != nil {
		return "", nil, err
	}
	s, err := r.Settings(d)
	if err != nil {
		return "", nil, err
	}
	result, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		return "", nil, err
	}
	scores, err := run.Score(d, result.Scored, result.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
	if err != nil {
		return "", nil, err
	}
	for _, q := range scores {
		v := float64(q.Value)
		list = append(list, claimed{q.Embedding, q.Target, q.Metric, &v})
	}
	return result.Hash, list, nil
}
