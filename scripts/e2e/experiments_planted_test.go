package e2e

import (
	"slices"
	"testing"

	"cadem.example/scripts/e2e/xcpd"
)

// sheet opens a table of a report whose title begins so, and returns its first rows.
func (v *Visit) sheet(study, title string) (rows [][]string) {
	v.t.Helper()
	v.Read(&rows, "experiments.fold", study, title)
	return rows
}

// What is planted in a folder as XCP-D leaves it is found and named on the page, and its sheet of inclusion says who is left out.
func TestPlantedFolderOnThePage(t *testing.T) {
	folder := folderOf(t, xcpd.Folder(1, 40, true))
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-folder", folder)
		v.Until("see.there", "[data-study=contrast] [name=sessions]")
		answer := func(name, value string) {
			v.Read(nil, "hand.choose", "[data-study=contrast] [name="+name+"]", value)
			v.Until("see.chosen && see.value", "[data-study=contrast] [name="+name+"]", "[data-study=contrast] [name="+name+"]", value)
		}
		run := func(want string, settings ...[2]string) [][]string {
			for _, f := range settings {
				v.Enter("[data-study=contrast] [name="+f[0]+"]", f[1])
			}
			v.Push("[data-study=contrast] .primary")
			v.Until("experiments.reports", "contrast", want)
			return v.sheet("contrast", "Connections, the largest t first")
		}
		named := func(rows [][]string, k int, edge [2]int) {
			if !slices.Equal(rows[k][:2], []string{xcpd.Region(edge[0]), xcpd.Region(edge[1])}) {
				t.Errorf("row %d of %q, planted %v", k, rows[:4], edge)
			}
		}
		answer("sessions", "1")
		rows := run("22 subjects, by regression on age", [2]string{"number", "age"}, [2]string{"first", "rest"}, [2]string{"permutations", "99"})
		named(rows, 1, xcpd.WithAge)
		answer("condition", "group")
		rows = run("9 subjects against 12", [2]string{"number", ""}, [2]string{"first", "patient"}, [2]string{"second", "control"},
			[2]string{"covariates", "age,site"})
		if rows[1][0] == xcpd.Region(xcpd.InControls[0]) {
			rows[1], rows[2] = rows[2], rows[1]
		}
		named(rows, 1, xcpd.InPatients)
		named(rows, 2, xcpd.InControls)
		v.Want("[data-study=contrast] .report", "R2 of the groups on them: 0.", "Left out: 11 (without age, site), 07 (of another session than 1)",
			"Scans keep 36 to 180 frames, the fewest those of 05, patient")
		if rows = v.sheet("contrast", "Inclusion"); rows[1][0] != "01" || rows[1][3] != "180" || rows[1][6] != "39" {
			t.Errorf("%q", rows[:3])
		}
		v.Check()
	})
}
