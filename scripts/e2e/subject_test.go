package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem/scripts/e2e/drive"
)

// turnedAway opens files that cannot be used, and wants to be told why, with the data set that
// is open left as it is.
func (v *Visit) turnedAway(want string, files ...string) {
	v.t.Helper()
	run := v.State().Run
	v.Read(nil, `document.querySelector('#messages').replaceChildren()`)
	v.Give("#open-files", files...)
	v.Until(`document.querySelector('#messages').textContent && !document.querySelector('dialog.import')?.open`)
	v.Want("#messages", want)
	if v.State().Run != run {
		v.t.Errorf("%s: another run is open", files)
	}
}

// TestBadSubjects opens files of brains with mistakes.
func TestBadSubjects(t *testing.T) {
	const m, frames = 40, 60
	dir := t.TempDir()
	write := func(name string, line func(row int) string, rows int) string {
		text := ""
		for i := range rows {
			text += line(i) + "\n"
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	names := make([]string, m)
	for i := range names {
		names[i] = fmt.Sprint("r", i)
	}
	series := func(row int) string {
		if row == 0 {
			return strings.Join(names, ",")
		}
		cells := make([]string, m)
		for i := range cells {
			cells[i] = fmt.Sprintf("%.4f", math.Sin(float64(row*(i%5+1))/7)+0.3*math.Sin(float64(row*row+i*i))-float64(i%2)*math.Sin(float64(row)/3))
		}
		return strings.Join(cells, ",")
	}
	atlas := func(extra string) func(int) string {
		return func(row int) string {
			switch {
			case row == 0:
				return "name,network,x,y,z"
			case row > m:
				return extra + ",A,0,0,0"
			}
			return fmt.Sprintf("r%d,A,%d,%d,%d", row-1, row%7, row%5, row%3)
		}
	}
	good := write("good.csv", series, frames+1)
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, brain.Link())
		v.Until(untouch)
		v.turnedAway("nan.csv: region 0 (r0), frame 4: found NaN, expected finite numbers (1 frame of 60 hold others)", write("nan.csv", func(row int) string {
			if row == 5 {
				return "nan" + series(row)[strings.Index(series(row), ","):]
			}
			return series(row)
		}, frames+1))
		v.turnedAway("frames: found 3, expected at least 10", write("three.csv", series, 4))
		v.turnedAway("good.csv: regions: found 40 names against 41, missing: [\"other\"]", good, write("more.csv", atlas("other"), m+2))
		v.turnedAway("found the name \"r3\" of region 3 again, expected distinct names", good, write("twice.csv", atlas("r3"), m+2))
		v.turnedAway("fc.csv: anti-activation: found no edges (of the pairs 100.0 % are positive, 0.0 % negative)",
			write("fc.csv", func(int) string { return strings.Repeat("0.5,", m-1) + "0.5" }, m))
		v.Want("#data-summary", "120 nodes")
		v.Check()
	})
}

// TestRealSubject opens the real files that there are.
func TestRealSubject(t *testing.T) {
	data := filepath.Join("..", "..", "..", "shared", "data")
	for _, name := range []string{"cifti/s01_rest.ptseries.nii", "hcp/atlas/glasser360_parcels.csv", "cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii",
		"cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii", "hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat"} {
		if _, err := os.Stat(filepath.Join(data, name)); err != nil {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
	}
	at := func(name string) string {
		path, err := filepath.Abs(filepath.Join(data, name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		// A header that tells the time between frames leaves nothing to ask.
		v.Give("#open-files", at("cifti/s01_rest.ptseries.nii"), at("hcp/atlas/glasser360_parcels.csv"))
		v.Until(untouch)
		v.marked(36)
		v.Want("#data-summary", "360 nodes, 2 layers", "1195 frames of 0.72 s", "band-pass 0.008-0.08 Hz", "77.8 % positive, 22.2 % negative",
			"9 in co-activation, 8 in anti-activation")
		v.turnedAway("found a CIFTI-1 file", at("cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii"))
		v.turnedAway("no series and no functional connectivity", at("cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii"))
		v.Give("#open-files", at("hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat"))
		v.Until(asked)
		v.Want("dialog.import", "series of 94 regions x 1200 frames")
		v.Enter("#ask-tr", "0.72")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch)
		v.Want("#data-summary", "94 nodes, 2 layers", "1200 frames of 0.72 s, 864 s")
		v.Check()
	})
}
