package e2e

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/brain/cohort"
	"cadem.example/core/formats/npy"
	"cadem.example/scripts/e2e/drive"
)

// sphere writes a mesh of rings around an axis as GIFTI, and returns its number of vertices.
func sphere(t *testing.T, file string) int {
	t.Helper()
	const rings, around = 8, 12
	var places, triangles strings.Builder
	for i := range rings {
		for j := range around {
			a, b := math.Pi*(float64(i)+0.5)/rings, 2*math.Pi*float64(j)/around
			fmt.Fprintf(&places, "%.3f %.3f %.3f\n", 60*math.Sin(a)*math.Cos(b), 60*math.Sin(a)*math.Sin(b), 60*math.Cos(a))
			if k, next := around*i+j, around*i+(j+1)%around; i+1 < rings {
				fmt.Fprintf(&triangles, "%d %d %d %d %d %d\n", k, next, k+around, next, next+around, k+around)
			}
		}
	}
	part := func(intent, kind string, n int, text string) string {
		return fmt.Sprintf(`<DataArray Intent="NIFTI_INTENT_%s" DataType="NIFTI_TYPE_%s" ArrayIndexingOrder="RowMajorOrder" Dimensionality="2" `+
			`Dim0="%d" Dim1="3" Encoding="ASCII" Endian="LittleEndian"><Data>%s</Data></DataArray>`, intent, kind, n, text)
	}
	text := `<?xml version="1.0"?><GIFTI Version="1.0" NumberOfDataArrays="2">` + part("POINTSET", "FLOAT32", rings*around, places.String()) +
		part("TRIANGLE", "INT32", 2*(rings-1)*around, triangles.String()) + "</GIFTI>"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return rings * around
}

// TestSurface puts the regions of a made-up brain on a made-up surface, and turns it.
func TestSurface(t *testing.T) {
	dir := t.TempDir()
	mesh, table, short := filepath.Join(dir, "ball.surf.gii"), filepath.Join(dir, "ball.csv"), filepath.Join(dir, "short.csv")
	n := sphere(t, mesh)
	numbers := ""
	for i := range n {
		numbers += fmt.Sprintf("%d\n", i+1) // no region more than once
	}
	for file, text := range map[string]string{table: numbers, short: "1\n2\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Each(t, func(t *testing.T, engine string) {
		var args []string
		if engine == "chromium" {
			args = []string{"--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist"} // WebGL without a graphics card
		}
		v := Open(t, engine, NewSite(t), drive.Options{Args: args}, brain.Link())
		v.Until("lab.untouched")
		v.Reveal("#brain")
		v.marked(12)
		v.Read(nil, "brain.openSurface")
		v.Give("#surface-files", mesh, short)
		v.Until("see.says", "#surface [role=alert]", "short.csv: rows: found 2, expected 96")
		v.Give("#surface-files", mesh, table)
		var can bool
		v.Read(&can, "brain.canDraw")
		if !can {
			v.Until("see.says", ".surface", "no WebGL 2")
			v.Check()
			return
		}
		v.Until("see.wider", ".surface canvas", 300)
		v.Want(".surface", "numbers count the regions", "Coloured are the marked regions")
		Axe(t, v.Browser)
		// The pointer names regions; arrow keys and buttons turn the surface under it. Without a view, WebKit leaves out of
		// offsetY how far the page is scrolled.
		under := func() string {
			t.Helper()
			v.Until("lab.drawn")
			var s string
			v.Read(&s, "brain.pointAtSurface")
			return s
		}
		left := under()
		if !strings.HasPrefix(left, "synthetic ") || !strings.Contains(left, "co-activation: ") {
			t.Errorf("in the middle lies %q", left)
		}
		v.Read(nil, "hand.press", ".surface button", "Right")
		if right := under(); right == left || right == "" {
			t.Errorf("from the right lies %q, from the left %q", right, left)
		}
		v.Read(nil, "brain.turnLeft")
		if again := under(); again != left {
			t.Errorf("turned by keys it is %q, expected %q", again, left)
		}
		v.Read(nil, "hand.chooseIn", ".surface select", 1, "length")
		v.Want(".surface", "and more, full colour")
		v.surfaceToKeep()
		v.Check()
	})
}

// surfaceToKeep saves the surface: from both sides, with a colour bar, for print with 300 dots an inch and as SVG.
func (v *Visit) surfaceToKeep() {
	v.t.Helper()
	v.Push("[aria-label='Save the surface as PNG']")
	b := download(v.t, v, "cadem-surface.png")
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil || picture.Bounds().Dx() != 2350 || !bytes.Contains(b[:60], []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01")) {
		v.t.Fatalf("the picture for print: %v, %d bytes", err, len(b))
	}
	colours := func(x0, y0, x1, y1 int) int {
		seen := map[color.Color]bool{}
		for y := y0; y < y1; y += 4 {
			for x := x0; x < x1; x += 4 {
				seen[picture.At(x, y)] = true
			}
		}
		return len(seen)
	}
	// The views stand side by side, each of some colours; the bar below has as many as the scale has shades.
	if l, m := colours(75, 150, 1100, 1200), colours(1250, 150, 2300, 1200); l < 20 || m < 20 {
		v.t.Errorf("%d colours in the view from the side, %d in that from the middle", l, m)
	}
	if n := colours(75, 1270, 2300, 1340); n < 20 {
		v.t.Errorf("%d colours in the bar", n)
	}
	v.Push("[aria-label='Save the surface as SVG']")
	svg := string(download(v.t, v, "cadem-surface.svg"))
	for text, times := range map[string]int{"<svg xmlns=": 1, `href="data:image/png;base64,`: 2, ", lateral": 1, ", medial": 1, "length, co-activation: ": 1} {
		if strings.Count(svg, text) != times {
			v.t.Errorf("the SVG has %q %d times, expected %d", text, strings.Count(svg, text), times)
		}
	}
}

// TestSurfaceWithSeries opens a series with the table of its regions and their surface, all at once: the surface is there by itself.
func TestSurfaceWithSeries(t *testing.T) {
	c, err := cohort.New(&cohort.Options{Subjects: 2, Regions: 60, Frames: 120, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	n := sphere(t, at("lh.surf.gii"))
	names, keys, series, regions := "", "", "", "name,network,x,y,z\n"
	for i := range 60 {
		region := fmt.Sprintf("L_area%d", i)
		regions += fmt.Sprintf("%s,N%d,%d,%d,%d\n", region, i%3, -i, i, 60-i)
		names += fmt.Sprintf(`<Label Key="%d">area%d</Label>`, i+1, i) // FreeSurfer's labels leave the hemisphere to the name of the file
		series += region
		for _, v := range c.Series(0, 0).Row(i) {
			series += fmt.Sprintf(",%.4f", v)
		}
		series += "\n"
	}
	for v := range n {
		keys += fmt.Sprint(v%59+1, " ")
	}
	labels := fmt.Sprintf(`<?xml version="1.0"?><GIFTI Version="1.0" NumberOfDataArrays="1"><LabelTable>%s</LabelTable><DataArray Intent="NIFTI_INTENT_LABEL" `+
		`DataType="NIFTI_TYPE_INT32" ArrayIndexingOrder="RowMajorOrder" Dimensionality="1" Dim0="%d" Encoding="ASCII" Endian="LittleEndian"><Data>%s</Data>`+
		`</DataArray></GIFTI>`, names, n, keys)
	for name, text := range map[string]string{"lh.label.gii": labels, "series.csv": series, "regions.csv": regions} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", at("lh.surf.gii"), at("series.csv"), at("lh.label.gii"), at("regions.csv"))
		v.Until("see.there", "dialog.import #ask-tr")
		v.Enter("dialog.import #ask-tr", "0.72")
		v.Push("#import-open")
		v.Until("see.opened", "#surface")
		v.Until("see.says || see.says", ".surface", `Without a vertex on the surface: "region 60 (L_area59)"`, ".surface", "no WebGL 2")
		v.Check()
	})
}

// TestSeveralSubjects opens the series of two subjects together: either one of them is trained on, or the experiments are about both.
func TestSeveralSubjects(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c, err := cohort.New(&cohort.Options{Subjects: 2, Regions: 60, Frames: 120, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var paths []string
		for subject := range 2 {
			s := c.Series(subject, 0)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), s.Frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, filepath.Join(dir, fmt.Sprintf("sub-0%d_task-rest.npy", subject+1)))
			if err := os.WriteFile(paths[subject], b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", paths...)
		v.Until("see.there", "dialog.import #import-first")
		v.Want("dialog.import", "Series of 2 subjects", "Train on sub-01_task-rest.npy", "Compare them in Experiments")
		v.Push("#import-first")
		v.Until("importing.open")
		v.Enter("#ask-tr", "0.72")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched && data.says", "60 nodes")

		v.Give("#open-files", paths...)
		v.Push("#import-all")
		v.Until("importing.closed && see.some || data.refused", "[data-study]", "2 files of 2 subjects")
		t.Log(v.Text("#files-problem"))
		v.Check()
	})
}

// TestDropAgain drops other files while those before are still being chosen among, and right after that was given up.
func TestDropAgain(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		type files [][2]string
		var rings files
		for k, name := range map[int]string{1: "ring_one.csv", 2: "ring_two.csv"} {
			text := "from,to\n"
			for i := range 6 {
				text += fmt.Sprintf("%d,%d\n", i, (i+k)%6)
			}
			rings = append(rings, [2]string{name, text})
		}
		v.Read(nil, "data.drop", []files{rings, {{"a.edges", goodEdges}}})
		v.Until("importing.closed && data.says && lab.paused", "3 nodes")
		v.Read(nil, "data.drop", []files{{{"table.csv", "a,b\n1,2\n3,4\n"}, {"other.csv", "c,d\n1,2\n3,4\n"}}})
		v.Until("see.opened || data.refused", "dialog.import")
		v.Read(nil, "importing.cancelAndDrop", files{{"b.edges", goodEdges + "1 1 4 1\n"}})
		v.Until("importing.closed && data.says && lab.paused", "4 nodes")
		v.Check()
	})
}
