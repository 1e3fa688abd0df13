package braintest

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
)

// Atlases of [Derivatives], with the regions that each has.
var Atlases = map[string]int{"4S156Parcels": 60, "Gordon": 40}

// Empty is the region of [Derivatives] without a value in one recording, by its atlas.
var Empty = map[string]string{"4S156Parcels": "4S156Parcels_8", "Gordon": "Gordon_8"}

// Derivatives returns a folder as XCP-D leaves it: six subjects with two sessions, two runs of rest and one of a task, which sub-2
// lacks, each for two atlases; a region that is n/a in one run, and facts about people that are n/a.
func Derivatives(t testing.TB) (files []formats.File) {
	t.Helper()
	o := &cohort.Options{}
	property.Defaults(o)
	o.Subjects, o.Regions, o.Frames, o.TR = 6, 60, 90, 2
	add := func(name, text string) { files = append(files, formats.File{Name: name, Data: []byte(text)}) }
	add("dataset_description.json", `{"Name": "invented", "BIDSVersion": "1.9.0", "DatasetType": "derivative"}`)
	people := "participant_id\tgroup\tage\n"
	for subject := range o.Subjects {
		people += fmt.Sprintf("sub-%d\t%s\t%s\n", subject+1, []string{"case", "control"}[subject/3], []string{"31", "n/a", "45", "28", "39", "52"}[subject])
	}
	add("participants.tsv", strings.Replace(people, "sub-6\tcontrol", "sub-6\tn/a", 1))
	for _, task := range []string{"rest", "emotion"} {
		add("task-"+task+"_bold.json", `{"RepetitionTime": 2}`)
	}
	c, err := cohort.New(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	for atlas, m := range Atlases {
		table := "index\tlabel\tnetwork_label\tx\ty\tz\n"
		for i := range m {
			p := c.Atlas.Centroids[i]
			table += fmt.Sprintf("%d\t%s_%d\t%s\t%g\t%g\t%g\n", i+1, atlas, i+1, c.Atlas.Networks[c.Atlas.Network[i]], p[0], p[1], p[2])
		}
		add("atlases/atlas-"+atlas+"/atlas-"+atlas+"_dseg.tsv", table)
	}
	for session := range 2 {
		for run, part := range []string{"task-rest_run-1", "task-rest_run-2", "task-emotion"} {
			if c, err = cohort.New(o, uint64(10*session+run)); err != nil {
				t.Fatal(err)
			}
			for subject := range o.Subjects {
				if subject == 1 && run == 2 {
					continue
				}
				stem := fmt.Sprintf("sub-%d/ses-%d/func/sub-%[1]d_ses-%[2]d_%s", subject+1, session+1, part)
				s := c.Series(subject, run/2)
				for atlas, m := range Atlases {
					empty := -1
					if subject == 2 && session == 0 && run == 0 {
						empty = 7
					}
					add(stem+"_space-fsLR_seg-"+atlas+"_stat-mean_timeseries.tsv", tableOf(s, atlas, m, empty))
				}
				add(stem+"_motion.tsv", "trans_x\tframewise_displacement\n0\tn/a\n"+strings.Repeat("0.01\t0.1\n", o.Frames-1))
			}
		}
	}
	return files
}

// tableOf writes the first m regions of a series, one of them without any value.
func tableOf(s *connectome.Series, atlas string, m, empty int) string {
	var b strings.Builder
	for i := range m {
		fmt.Fprintf(&b, "%s%s_%d", []string{"", "\t"}[min(i, 1)], atlas, i+1)
	}
	b.WriteString("\n")
	for t := range s.Frames {
		for i := range m {
			b.WriteString([]string{"", "\t"}[min(i, 1)])
			if i == empty {
				b.WriteString("n/a")
			} else {
				fmt.Fprintf(&b, "%.2f", s.Row(i)[t])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
