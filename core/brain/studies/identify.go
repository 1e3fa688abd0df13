package studies

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/measures"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
)

// Windows of the identification of subjects: the first ones of a recording are in one fold, the
// last ones in the other.
const (
	firstWindows = 5
	lastWindows  = 4
)

// identify is a function because its text is made when the program runs: see [All].
func identify() study.Study {
	return study.Study{
		Name: "identify", Title: "Whose brain it is, from a short window", Seeds: 1, DataSeeds: 1, Classifies: true,
		Shows: "Whose brain a short window of rest shows.",
		Learn: "Whether embeddings tell people apart, and what plain connections tell.",
		Text: fmt.Sprintf("The resting series of every subject is cut into windows: the first %d and the "+
			"last %d of a recording, which has to have as many frames as all of them. Each is cleaned by "+
			"itself and made a graph of its own. One half is trained on and the other tested, then the other way round. No window "+
			"overlaps another. Between the halves lies what is left of the recording. Of a subject with several recordings the first windows are of the first "+
			"one and the last windows of the last one. ", firstWindows, lastWindows) +
			"Look at the row of functional connectivity first: on recordings of real people it is known to tell them apart. Windows so short hold " +
			"little of what is slow. A band-pass, which is applied where the time between frames is known, may therefore cost much. The sum over the regions " +
			"leaves four numbers of a brain, as shared encoders see two features a region. What training adds stands beside the untrained score. The " +
			"paper has no such table.",
		Needs: study.NeedCohort, Offers: []string{"variability", "tr", "keep"},
		Own:        func() any { return &measures.WindowOptions{} },
		Without:    []string{"nested_select"}, // the training half is one group, which has no inner folds
		CheckScans: checkPeople,
		Plan:       func(o *study.Order) []study.Task { return experiments.ScanTasks(o, planIdentify(o)) },
		Assemble: func(o *study.Order, results study.Results, r *study.Report) {
			s := experiments.OverScans(r, results)
			s.Plans, s.Classes, s.Dataset, s.Target = planIdentify(o), people(o), whose(o, "subjects"), "subject"
			used, n := describe(s), windowOf(o)
			if included(r, o, used, 0, nil); used != nil {
				r.Find("Windows of %d frames, %d of a recording: %d frames of it are needed.",
					n, firstWindows+lastWindows, n*(firstWindows+lastWindows))
			}
			halves(o, r)
			s.Scores()
			s.Chart("identify", "Macro-F1 of the subject, "+s.Dataset)
		},
	}
}

// people names the subjects.
func people(o *study.Order) []string {
	var names []string
	if o.OfFiles() {
		for _, s := range o.Cohort {
			names = sorting.Add(names, s.Subject)
		}
		return names
	}
	for subject := range subjectsOf(o, usualPeople) {
		names = append(names, fmt.Sprintf("synthetic subject %d", subject+1))
	}
	return names
}

// A synthetic recording, and how many of them: as those of the HCP that people try it with.
const (
	usualPeople    = 30
	recordedFrames = 1195
)

// windowOf is how many frames a window has.
func windowOf(o *study.Order) int {
	w := &measures.WindowOptions{}
	ownOptions(o, w)
	return w.Window
}

func planIdentify(o *study.Order) []*experiments.ScanPlan {
	windowFrames, kind := windowOf(o), ofScans
	kind.Own = &measures.WindowOptions{}
	var scans []run.Scan
	without := (&collection.Cohort{Scans: o.Cohort}).Without()
	for k, name := range people(o) {
		for w := range firstWindows + lastWindows {
			s := run.Scan{Name: fmt.Sprintf("%s, window %d", name, w+1), Class: k, Subject: k, From: w * windowFrames, Frames: windowFrames,
				Of: (firstWindows + lastWindows) * windowFrames}
			if w >= firstWindows {
				s.Group, s.From = 1, (w-firstWindows-lastWindows)*windowFrames
			}
			if o.OfFiles() {
				of, first := recorded(o.Cohort, name, s.Group), recorded(o.Cohort, name, 0)
				if of != first || recorded(o.Cohort, name, 1) != first {
					s.Of = 0 // windows of two recordings share nothing
				}
				s = s.OfCohort(of)
				s.Subject, s.Without, s.More = 0, without, nil
			}
			scans = append(scans, s)
		}
	}
	var data map[string]any
	if !o.OfFiles() {
		data = map[string]any{"frames": recordedFrames}
	}
	return planSeeds(o, kind, scans, data)
}

// recorded returns the recording of a subject that the windows of a half are of: the first, or the last, of rest where there is one.
func recorded(scans []collection.Scan, subject string, half int) (of *collection.Scan) {
	const rest = "rest"
	for k := range scans {
		s := &scans[k]
		if s.Subject == subject && (of == nil || half == 1 && (s.Condition == rest || of.Condition != rest) || s.Condition == rest && of.Condition != rest) {
			of = s
		}
	}
	return of
}

// halves says which recordings the windows of subjects with several are of.
func halves(o *study.Order, r *study.Report) {
	at := map[string][]string{}
	for _, name := range people(o) {
		if o.OfFiles() {
			if first, last := recorded(o.Cohort, name, 0), recorded(o.Cohort, name, 1); first != last {
				text := fmt.Sprintf("first windows of %s, last windows of %s", titleOf(first), titleOf(last))
				at[text] = append(at[text], name)
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(at)) {
		r.Find("Several recordings of %s: %s.", study.Plural(len(at[text]), "subject"), text)
	}
}

// titleOf is the condition and the part of a recording.
func titleOf(s *collection.Scan) string {
	_, title, _ := strings.Cut(s.Title(), ", ")
	return cmp.Or(title, s.File)
}

// checkPeople refuses recordings that the study cannot use.
func checkPeople(scans []collection.Scan) error {
	if err := checkSeries(scans); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, s := range scans {
		seen[s.Subject] = true
	}
	if len(seen) < 2 {
		return &diag.Error{Where: "subjects", Found: fmt.Sprint(len(seen)), Expected: "at least 2 to tell apart"}
	}
	return nil
}
