package connectome

import (
	"path"
	"slices"
	"strings"
)

// A recording is what the name of a file as BIDS has it says: sub-01_task-rest_run-1_bold.tsv.
type recording struct {
	entities map[string]string // "sub": "01"; nil when it is no such name
	suffix   string            // the last word: "bold"
}

// recordingOf reads the name of a file, folders before it or not.
func recordingOf(name string) (r recording) {
	base, _, _ := strings.Cut(path.Base(clean(name)), ".")
	for word := range strings.SplitSeq(base, "_") {
		key, value, ok := strings.Cut(word, "-")
		if !ok {
			r.suffix = word
			continue
		}
		if r.entities == nil {
			r.entities = map[string]string{}
		}
		r.entities[key] = value
		r.suffix = ""
	}
	if r.entities["sub"] == "" {
		r.entities = nil
	}
	return r
}

// recorded are the entities of BIDS that tell recordings apart; others tell what became of one.
var recorded = []string{"sub", "ses", "task", "acq", "ce", "rec", "dir", "run", "echo", "part"}

// isOf tells whether a file of confounds is about the recording of a series: they agree in every entity, but that
// confounds of several echoes name none.
func (r recording) isOf(series recording) bool {
	for _, key := range recorded {
		own := r.entities[key]
		if own != series.entities[key] && (own != "" || key != "echo" && key != "part") {
			return false
		}
	}
	return true
}

// isConfounds tells whether a name says that a file holds confounds, whatever the task is called.
func (r recording) isConfounds() bool {
	says := func(s string) bool { return strings.Contains(s, "confound") || strings.Contains(s, "regressor") }
	suffix := strings.ToLower(r.suffix)
	return says(strings.ToLower(r.entities["desc"])) || says(suffix) || suffix == "motion"
}

// confoundsByHeader tells by its header whether a table holds confounds.
func confoundsByHeader(header []string) bool {
	for _, column := range []string{"trans_x", displacement, "white_matter"} {
		if slices.Contains(header, column) {
			return true
		}
	}
	return false
}

// confoundsByName tells by its name whether a table holds confounds.
func confoundsByName(name string) bool {
	if r := recordingOf(name); r.entities != nil {
		return r.isConfounds()
	}
	base, _, _ := strings.Cut(strings.ToLower(path.Base(clean(name))), ".")
	words := strings.FieldsFunc(base, func(r rune) bool { return r < 'a' || r > 'z' })
	for k, w := range words { // of motion the last word speaks: motion_rest may be a task
		if strings.Contains(w, "confound") || strings.Contains(w, "regressor") || strings.HasPrefix(w, "motion") && k == len(words)-1 {
			return true
		}
	}
	return false
}
