// Package xcpd invents folders as XCP-D leaves them, with effects that tests look for.
package xcpd

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
)

// Edges that are planted, by the names of their regions: in patients, in controls, and more with age.
var (
	InPatients = [2]int{0, 1}
	InControls = [2]int{4, 9}
	WithAge    = [2]int{20, 33}
)

// Subjects of a folder. The third has a parcel without data, the fifth a short scan, the seventh no first session; the group of the ninth and the age of
// the eleventh are n/a.
const Subjects = 24

// Empty is the parcel without data.
const Empty = 36

// Region names a parcel.
func Region(i int) string {
	return []string{"LH", "RH"}[i%2] + "_" + networks[i/2%7] + "_" + fmt.Sprint(i/14+1)
}

var networks = []string{"Vis", "SomMot", "DorsAttn", "SalVentAttn", "Limbic", "Cont", "Default"}

// Person says of whom a scan is.
func Person(i int) (group string, age int) {
	return []string{"patient", "control"}[i%2], 20 + 2*(i*7%Subjects)
}

// Folder returns the files: two sessions, each with two runs of rest, both once more in one file, and a task, of that many parcels. Without effects nothing is
// planted.
func Folder(seed uint64, parcels int, effects bool) (files []formats.File) {
	add := func(name, text string) { files = append(files, formats.File{Name: name, Data: []byte(text)}) }
	add("dataset_description.json", `{"Name": "XCP-D", "BIDSVersion": "1.9.0", "DatasetType": "derivative",
"GeneratedBy": [{"Name": "xcp_d", "Version": "0.10.0"}]}`)
	people, table := "participant_id\tgroup\tage\tsex\tsite\n", "index\tlabel\tnetwork_label\tx\ty\tz\n"
	for i := range parcels {
		table += fmt.Sprintf("%d\t%s\t%s\t%d\t%d\t%d\n", i+1, Region(i), networks[i/2%7], (2*(i%2)-1)*(10+i%50), i*13%140-90, i*29%110-40)
	}
	add("atlases/atlas-4S156Parcels/atlas-4S156Parcels_dseg.tsv", table)
	for _, task := range []string{"rest", "emotion"} {
		add("task-"+task+"_timeseries.json", `{"RepetitionTime": 2,
"SoftwareFilters": {"Bandpass filter": {"High-pass cutoff (Hz)": 0.01, "Low-pass cutoff (Hz)": 0.1}}}`)
	}
	for i := range Subjects {
		group, age := Person(i)
		people += strings.ReplaceAll(fmt.Sprintf("sub-%02d\t%s\t%d\t%s\t%s\n", i+1, []string{group, "n/a"}[b2i(i == 8)], age*b2i(i != 10), "FM"[i/3%2:i/3%2+1],
			string("ABC"[i/2%3])), "\t0\t", "\tn/a\t")
		for session := 1; session <= 2; session++ {
			if i == 6 && session == 1 {
				continue
			}
			stem := fmt.Sprintf("sub-%02d/ses-%d/func/sub-%02[1]d_ses-%[2]d_", i+1, session)
			var joined []string
			for _, part := range []string{"task-rest_run-1", "task-rest_run-2", "task-emotion"} {
				frames, short := 90, i == 4 && session == 1
				if short {
					frames = 36
				}
				if short && part == "task-rest_run-2" {
					continue
				}
				s := rng.New(seed, fmt.Sprint("planted ", i, session, part))
				rows := make([]string, frames)
				for t := range rows {
					rows[t] = frame(s, parcels, i, effects, i == 2 && session == 1 && part == "task-rest_run-1")
				}
				if part != "task-emotion" {
					joined = append(joined, rows...)
				}
				add(stem+part+tail, header(parcels)+strings.Join(rows, ""))
				add(stem+part+"_motion.tsv", "trans_x\tframewise_displacement\n0\tn/a\n"+strings.Repeat(fmt.Sprintf("0.01\t%.3f\n", .1+.2*math.Abs(s.Norm())), frames-1))
			}
			if len(joined) > 90 {
				add(stem+"task-rest"+tail, header(parcels)+strings.Join(joined, ""))
			}
		}
	}
	add("participants.tsv", people)
	return files
}

const tail = "_space-fsLR_seg-4S156Parcels_stat-mean_timeseries.tsv"

func b2i(b bool) int { return map[bool]int{true: 1}[b] }

func header(parcels int) string {
	var names []string
	for i := range parcels {
		names = append(names, Region(i))
	}
	return strings.Join(names, "\t") + "\n"
}

// frame draws one of a subject.
func frame(s *rng.Stream, parcels, subject int, effects, empty bool) string {
	x, text := make([]float64, parcels), make([]string, parcels)
	for i := range x {
		x[i] = s.Norm()
	}
	group, age := Person(subject)
	for _, p := range []struct {
		edge [2]int
		r    float64
	}{{InPatients, .7 * float64(b2i(group == "patient"))}, {InControls, .7 * float64(b2i(group == "control"))}, {WithAge, .9 * float64(age-20) / 46}} {
		if effects {
			x[p.edge[1]] = p.r*x[p.edge[0]] + math.Sqrt(1-p.r*p.r)*x[p.edge[1]]
		}
	}
	for i, v := range x {
		if text[i] = fmt.Sprintf("%.3f", v); empty && i == Empty {
			text[i] = "n/a"
		}
	}
	return strings.Join(text, "\t") + "\n"
}
