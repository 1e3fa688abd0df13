package studies

import (
	"fmt"
	"slices"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/measures"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
)

// offered are the options of scans that studies of two conditions ask for.
var offered = []string{"subjects", "effect", "tr", "confounds", "fd", "frames_left", "keep", "crop"}

var ofScans = experiments.ScanKind{Name: "scans", Prepare: measures.Scans, Known: measure.Baselines, Methods: measure.Combined,
	Scores: measure.Conditions, Example: run.CohortData}

// describe says what the scans are like, and lists what is known of each.
func describe(s *experiments.ScanReport) (used []kept) {
	sheet := study.Sheet{Title: "Scans", Lines: [][]string{append([]string{"scan"}, measure.Qualities...)}}
	frames := make([][]float64, len(s.Classes))
	quality := make([][]float64, len(measure.Qualities))
	groups, prepared, notes := map[int]bool{}, 0, []string(nil)
	for at, p := range s.Plans {
		i := 0
		for k := range p.Prepare {
			t := s.Results[p.Prepare[k].Key()]
			n := len(p.Prepare[k].Data.Scans)
			if t == nil {
				i += n
				continue
			}
			a := t.Array(measure.ArrayQuality)
			for row := range n {
				scan, values := &p.Scans[i+row], a.Row(row)
				prepared++
				groups[scan.Group] = true
				frames[scan.Class] = append(frames[scan.Class], values[0])
				line := []string{scan.Name}
				for q, v := range values {
					if v >= 0 {
						quality[q] = append(quality[q], v)
						line = append(line, figure.Short(v))
					} else {
						line = append(line, "")
					}
				}
				if at == 0 {
					sheet.Lines = append(sheet.Lines, line)
					used = append(used, kept{scan, values[0], -1, values[2]})
				}
			}
			i += n
			for _, note := range t.Notes {
				if at == 0 {
					notes = sorting.Add(notes, note)
				}
			}
		}
	}
	if prepared == 0 {
		return nil
	}
	s.Sheets = append(s.Sheets, sheet)
	s.Folds("scan", prepared, len(groups))
	mean := func(name string) *float64 { return study.Average(quality[slices.Index(measure.Qualities, name)]) }
	s.Find("In the mean %.1f %% of all pairs are negative; %.1f regions are isolated in the co-activation layer and %.1f in the anti-activation "+
		"layer before they are linked.", 100**mean("negative"), *mean("co_isolates"), *mean("anti_isolates"))
	if m := mean("motion"); m != nil {
		s.Find("Mean framewise displacement: %.2f mm.", *m)
	}
	all := slices.Concat(frames...)
	shortest, longest := slices.Min(all), slices.Max(all)
	if shortest == longest {
		s.Find("All scans have %.0f frames: their length tells nothing.", shortest)
	} else {
		of := ""
		for k, name := range s.Classes {
			if len(frames[k]) > 0 && len(s.Classes) <= 10 {
				of += fmt.Sprintf(" %s %.0f,", name, *study.Average(frames[k]))
			}
		}
		s.Find("Scans differ in length, from %.0f to %.0f frames (means:%s all %.0f). Moments depend on it, so that the length of a run can tell "+
			"its condition without the brain; the row length shows how far. The option crop=%.0f makes them equal.", shortest, longest, of, *study.Average(all),
			shortest)
	}
	for _, note := range []string{measure.NoBandPass, measure.Filtered} {
		if k := slices.Index(notes, note); k >= 0 {
			s.Find("%s", note)
			notes = slices.Delete(notes, k, k+1)
		}
	}
	listNotes(s.Report, notes)
	return used
}

// ownOptions sets the options that an order has of a measurement's own, and returns them as its task takes them. A value that does not fit is left out:
// the task refuses it.
func ownOptions(o *study.Order, own any) map[string]string {
	property.Defaults(own)
	texts := o.Texts(func(name string) bool { return property.Has(own, name) })
	for name, text := range texts {
		_ = property.Set(own, name, text)
	}
	return texts
}

// cohortOptions returns the settings of the synthetic cohort that an order asks for.
func cohortOptions(o *study.Order) *cohort.Options {
	c := &cohort.Options{}
	ownOptions(o, c)
	return c
}

// subjectsOf returns the number of synthetic subjects that an order asks for, or the usual one.
func subjectsOf(o *study.Order, usual int) int {
	if _, asked := o.Options["subjects"]; asked {
		return cohortOptions(o).Subjects
	}
	return usual
}

// whose names the data of an order.
func whose(o *study.Order, what string) string {
	if o.OfFiles() {
		return "own " + what
	}
	return "synthetic " + what
}

// listNotes adds a sheet of what is to be known about the scans.
func listNotes(r *study.Report, notes []string) {
	if len(notes) > 0 {
		lines := sorting.Map(notes, func(note string) []string { return []string{note} })
		r.Sheets = append(r.Sheets, study.Sheet{Title: "Notes", Lines: slices.Insert(lines, 0, []string{"note"})})
	}
}

// placesOf returns the places of regions, and their networks by number; nil where they are not known.
func placesOf(found *measure.Result) (places [][3]float64, networks []int) {
	if a := found.Array("places"); a != nil {
		for i := range a.Shape[0] {
			places = append(places, [3]float64(a.Data[3*i:]))
		}
	}
	if a := found.Array("network"); a != nil {
		networks = sorting.Map(a.Data, func(v float64) int { return int(v) })
	}
	return places, networks
}

// planSeeds plans a study of the same scans for every seed of the data.
func planSeeds(o *study.Order, kind experiments.ScanKind, scans []run.Scan, data map[string]any) (plans []*experiments.ScanPlan) {
	for seed := range o.DataSeeds {
		plans = append(plans, experiments.PlanScans(o, kind, scans, data, seed))
	}
	return plans
}

// A selection is the scans of files that a study uses, in groups that folds and permutations keep together, and the subjects that it leaves out.
type selection struct {
	scans   []run.Scan
	groups  []string // in order of their numbers
	without []collection.Left
}

// take adds a scan of a group, which has its class, covariates and weight; or it leaves the subject out where there is a reason.
func (l *selection) take(o *study.Order, of *collection.Scan, scan run.Scan, group, why string) {
	if why != "" {
		l.without = sorting.Add(l.without, collection.Left{Subject: of.Subject, Why: why})
		return
	}
	l.groups = sorting.Add(l.groups, group)
	scan.Name, scan.Group = of.Title(), slices.Index(l.groups, group)
	scan.Without = (&collection.Cohort{Scans: o.Cohort}).Without()
	l.scans = append(l.scans, scan.OfCohort(of))
}
