package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"cadem/core/formats"
	"cadem/core/property"
	"cadem/core/study"
)

// studyOutput is what study prints with -json.
type studyOutput struct {
	Study   string      `json:"study"`
	Rows    []study.Row `json:"rows"`
	Seconds float64     `json:"seconds"`
}

func runStudy(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("study", flag.ContinueOnError)
	var o study.Order
	f.IntVar(&o.Seeds, "seeds", 0, "")
	f.IntVar(&o.DataSeeds, "data-seeds", 0, "")
	f.StringVar(&o.Preset, "preset", "released", "")
	data := f.String("data", "", "")
	choose := choiceFlags(f)
	var set list
	f.Var(&set, "set", "")
	asJSON := f.Bool("json", false, "")
	out := f.String("out", "", "")
	cache := f.String("cache", "", "")
	workers := f.Int("workers", 0, "")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return fmt.Errorf("study: found no name, expected one of %s", strings.Join(studyNames(), ", "))
	}
	o.Study, o.Options = rest[0], map[string]any{}
	files, err := orderData(&o, *data, rest[1:], choose(), stderr)
	if err != nil {
		return err
	}
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return &property.Error{Field: "-set", Found: fmt.Sprintf("%q", s), Expected: "name=value"}
		}
		o.Options[name] = value
	}
	tasks, err := study.Plan(o)
	if err != nil {
		return err
	}
	began := time.Now()
	s := &study.Scheduler{Workers: *workers, Files: files, Progress: studyProgress(stderr, len(tasks), began)}
	if *cache != "" {
		if err := os.MkdirAll(*cache, 0o755); err != nil {
			return err
		}
		s.Stored = func(key string) *study.TaskResult { return stored(*cache, key, stderr) }
		s.Finished = func(r *study.TaskResult) error { return keep(*cache, r) }
	}
	results, err := s.Run(tasks)
	if err != nil {
		return err
	}
	reports, err := study.Assemble(o, results)
	if err != nil {
		return err
	}
	if *out != "" {
		note := "Made by: cadem study " + strings.Join(args, " ")
		if err := writeFile(*out, []byte(study.HTML(reports, note))); err != nil {
			return err
		}
	}
	if *asJSON {
		o := studyOutput{Study: o.Study, Rows: []study.Row{}, Seconds: time.Since(began).Seconds()}
		for _, r := range reports {
			o.Rows = append(o.Rows, r.Rows...)
		}
		return printJSON(stdout, &o)
	}
	for _, r := range reports {
		if err := printReport(stdout, r); err != nil {
			return err
		}
	}
	return nil
}

// orderData sets what a study is about: drawn, published or synthetic data, or files, those of
// -data between commas and the paths that follow the name.
func orderData(o *study.Order, data string, more []string, choice *formats.Choice, stderr io.Writer) (*study.Files, error) {
	if len(more) == 0 && choice == nil && (data == "" || data == "drawn" || data == "published" || data == "synthetic") {
		o.Data = data
		return nil, nil
	}
	for _, s := range study.Studies() {
		if s.Name == o.Study && s.Needs == study.NeedCohort {
			return cohortData(o, append(splitNames(data), more...), stderr)
		}
	}
	files, err := readFiles(append(splitNames(data), more...))
	if err != nil {
		return nil, err
	}
	specs, contents := study.InMemory(files)
	o.Files, o.Choice = specs, choice
	return contents, nil
}

func studyNames() []string {
	var names []string
	for _, s := range study.Studies() {
		names = append(names, s.Name)
	}
	return append(names, "all")
}

// studyProgress tells every five seconds how far a study is.
func studyProgress(stderr io.Writer, tasks int, began time.Time) func(done, total int) error {
	last := began
	return func(done, total int) error {
		if time.Since(last) < 5*time.Second {
			return nil
		}
		last = time.Now()
		_, err := fmt.Fprintf(stderr, "%d of %d tasks, %.0f s\n", tasks*done/total, tasks, time.Since(began).Seconds())
		return err
	}
}

// stored reads the result of a task that an earlier run kept; nil when there is none.
func stored(dir, key string, stderr io.Writer) *study.TaskResult {
	data, err := os.ReadFile(filepath.Join(dir, key+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r := &study.TaskResult{}
	if err == nil {
		err = json.Unmarshal(data, r)
	}
	if err != nil || r.Key != key {
		fmt.Fprintf(stderr, "%s.json cannot be used and is computed anew\n", key)
		return nil
	}
	return r
}

func keep(dir string, r *study.TaskResult) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, r.Key+".json"), data)
}

func printReport(out io.Writer, r *study.Report) error {
	fmt.Fprintf(out, "%s\n%s\n\n%s\n\n", r.Title, r.Setting, r.Text)
	for _, s := range r.Findings {
		fmt.Fprintf(out, "* %s\n", s)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	for _, line := range r.Lines(3) {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	fmt.Fprintln(w)
	return w.Flush()
}
