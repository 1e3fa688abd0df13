package cohort

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cadem.example/core/base/rng"
)

// A Writer is given the files of a folder, one after the other; names have slashes.
type Writer func(name string, text string) error

// BIDS writes the cohort as a BIDS folder of derivatives: for every subject and task the series of the regions with its
// confounds, a table of the regions, one of the participants, and JSON files with the time of a frame. Groups, ages and motion
// are invented, too, and do not affect the series. The error is that of write.
func (c *Cohort) BIDS(write Writer) error {
	o := &c.Options
	atlas := fmt.Sprintf("Synthetic%dParcels", o.Regions)
	people := "participant_id\tgroup\tage\tsex\n"
	for subject := range o.Subjects {
		age, sex := Person(c.seed, subject)
		people += fmt.Sprintf("%s\t%s\t%d\t%s\n", label(subject), []string{"control", "patient"}[subject%2], age, sex)
	}
	regions := "index\tlabel\tnetwork_label\tx\ty\tz\n"
	for i, name := range c.Atlas.Names {
		p := c.Atlas.Centroids[i]
		regions += fmt.Sprintf("%d\t%s\t%s\t%.1f\t%.1f\t%.1f\n", i+1, name, networkNames[c.Atlas.Network[i]], p[0], p[1], p[2])
	}
	for _, f := range [][2]string{
		{"dataset_description.json", `{"Name": "an invented cohort: no number of it comes from a brain", "BIDSVersion": "1.9.0", "DatasetType": "derivative",` +
			` "GeneratedBy": [{"Name": "cadem"}]}` + "\n"},
		{"participants.tsv", people},
		{"participants.json", `{"group": {"Description": "drawn; the series of both groups are alike"}, "age": {"Units": "years"}}` + "\n"},
		{"atlases/atlas-" + atlas + "/atlas-" + atlas + "_dseg.tsv", regions},
	} {
		if err := write(f[0], f[1]); err != nil {
			return err
		}
	}
	for k, condition := range Conditions {
		task := strings.ReplaceAll(condition, " ", "")
		if err := write("task-"+task+"_timeseries.json", fmt.Sprintf("{\"RepetitionTime\": %v}\n", o.TR)); err != nil {
			return err
		}
		for subject := range o.Subjects {
			stem := fmt.Sprintf("%s/func/%s_task-%s_", label(subject), label(subject), task)
			if err := write(stem+"seg-"+atlas+"_timeseries.tsv", c.table(subject, k)); err != nil {
				return err
			}
			if err := write(stem+"desc-confounds_timeseries.tsv", c.confounds(subject, k)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Person draws the age in years and the sex, F or M, of a subject of a cohort with a seed, from 0 on. They do not affect the series.
func Person(seed uint64, subject int) (age int, sex string) {
	s := rng.New(seed, fmt.Sprintf("cohort/participant %d", subject+1))
	return 20 + s.IntN(41), []string{"F", "M"}[s.IntN(2)]
}

func label(subject int) string { return fmt.Sprintf("sub-%03d", subject+1) }

// table is the series of a subject as text, a row a frame.
func (c *Cohort) table(subject, condition int) string {
	s := c.Series(subject, condition)
	b := []byte(strings.Join(s.Regions, "\t") + "\n")
	for t := range s.Frames {
		for i := range s.M() {
			if i > 0 {
				b = append(b, '\t')
			}
			b = strconv.AppendFloat(b, s.Row(i)[t], 'f', 2, 64)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// confounds draws motion that wanders, with a few jerks, and its consequences.
func (c *Cohort) confounds(subject, condition int) string {
	s := rng.New(c.seed, fmt.Sprintf("cohort/motion of %s in %s", label(subject), Conditions[condition]))
	var b strings.Builder
	b.WriteString("trans_x\ttrans_y\ttrans_z\trot_x\trot_y\trot_z\tcsf\twhite_matter\tframewise_displacement\tstd_dvars\n")
	var at [6]float64
	const radius = 50 // mm, of a head
	for t := range c.Options.Frames {
		fd := 0.0
		jerk := 1.0
		if s.Float64() < 0.02 {
			jerk = 20
		}
		for k := range at {
			step := float64(0.01 * float64(jerk*s.Norm()))
			if k >= 3 {
				step /= radius
				fd += float64(radius * math.Abs(step))
			} else {
				fd += math.Abs(step)
			}
			at[k] += step
			fmt.Fprintf(&b, "%.5f\t", at[k])
		}
		fmt.Fprintf(&b, "%.3f\t%.3f\t", s.Norm(), s.Norm())
		if t == 0 {
			b.WriteString("n/a\tn/a\n")
		} else {
			fmt.Fprintf(&b, "%.4f\t%.3f\n", fd, 1+float64(fd/2))
		}
	}
	return b.String()
}
