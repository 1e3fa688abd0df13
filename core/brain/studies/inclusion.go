package studies

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// A kept scan is what a study used of one; below 0: not known.
type kept struct {
	scan               *run.Scan
	frames, of, motion float64
}

// keptOf reads rows of [measures.ArrayScans].
func keptOf(scans []run.Scan, rows *measure.Array) (list []kept) {
	for k := range scans {
		v := rows.Row(k)
		list = append(list, kept{&scans[k], v[2], v[3], v[4]})
	}
	return list
}

// included adds the sheet that every study of brains has: each recording with what is used of it, or why nothing is. Parcels are
// the regions that all scans have; 0: as many as the beginning of a file names.
func included(r *study.Report, o *study.Order, used []kept, parcels int,
	without []collection.Left) {
	if len(used) == 0 { // no results yet
		return
	}
	sheet := study.Sheet{Title: "Inclusion: what is used of every scan, and why not", File: "inclusion"}
	sheet.Lines = [][]string{{"subject", "scan", "recording",
		"frames", "of", "mean displacement", "parcels", "left out"}}
	add := func(subject, title, recording string, regions int, why string, own []kept) {
		line, all := []string{subject, title, recording, "", "", "", "", why}, [3]float64{}
		for _, u := range own { // the windows of a recording, or one
			all[0], all[1], all[2] = all[0]+u.frames, all[1]+u.of, all[2]+u.motion/float64(len(own))
		}
		for k, v := range all {
			if len(own) > 0 && v > 0 {
				line[3+k] = figure.Short(v)
			}
		}
		if len(own) > 0 && regions > 0 {
			line[6] = fmt.Sprint(regions)
		}
		sheet.Lines = append(sheet.Lines, line)
	}
	lacked := 0
	if all := (&collection.Cohort{Scans: o.Cohort}).Without(); all != "" {
		lacked = 1 + strings.Count(all, "\t")
	}
	for i := range o.Cohort {
		s := &o.Cohort[i]
		var own []kept
		for _, u := range used {
			if u.scan.File == s.File {
				own = append(own, u)
			}
		}
		why, recording := "", path.Base(s.File)
		if len(own) == 0 {
			why = "not asked for"
		}
		for _, l := range without {
			if l.Subject == s.Subject && len(own) == 0 {
				why = l.Why
			}
		}
		if len(s.More) > 0 {
			recording += fmt.Sprintf(" and %d more", len(s.More))
		}
		regions := parcels
		if regions == 0 && s.Regions > 0 {
			regions = s.Regions - lacked
		}
		add(s.Subject, titleOf(s), recording, regions, why, own)
	}
	for _, l := range o.Left {
		add(l.Subject, l.Recordings, "", 0, l.Why, nil)
		if slices.ContainsFunc(o.Cohort, func(s collection.Scan) bool { return s.Subject == l.Subject }) {
			continue
		}
		if k := len(without) - 1; k >= 0 && without[k].Subject == l.Subject {
			without = without[:k] // the last reason is that of what would have been used
		}
		without = append(without, l)
	}
	if !o.OfFiles() {
		for _, u := range used {
			add(u.scan.Name, "", "", parcels, "", []kept{u})
		}
	}
	r.Sheets = append(r.Sheets, sheet)
	if text := ""; without != nil {
		for k, l := range without {
			text += []string{", ", ""}[max(0, 1-k)] + l.Subject + " (" + l.Why + ")"
		}
		r.Find("Left out: %s.", text)
	}
}

// short says which scans keep the fewest frames.
func short(r *study.Report, used []kept) {
	order := func(a, b kept) int { return cmp.Compare(a.frames, b.frames) }
	least, most := slices.MinFunc(used, order), slices.MaxFunc(used, order)
	if least.frames < most.frames {
		r.Find("Scans keep %.0f to %.0f frames, the fewest those of %s: the fewer, the less is "+
			"certain of a connection.", least.frames, most.frames, least.scan.Name)
	}
}
