package run

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

const regions = 24 // R0 to R23

// matrixOfRegions joins regions, with their names above and beside it or without.
func matrixOfRegions(named bool, seed int) string {
	var b strings.Builder
	if named {
		for i := range regions {
			fmt.Fprintf(&b, ",R%d", i)
		}
		b.WriteString("\n")
	}
	for i := range regions {
		if named {
			fmt.Fprintf(&b, "R%d", i)
		}
		for j := range regions {
			if j > 0 || named {
				b.WriteString(",")
			}
			b.WriteString([]string{"0", "1", "2"}[(i+j)*(seed+i*j)%3])
		}
		b.WriteString("\n")
	}
	return b.String()
}

func linksOfRegions(step int) string {
	var b strings.Builder
	b.WriteString("source,target\n")
	for i := range regions {
		fmt.Fprintf(&b, "R%d,R%d\nR%d,R%d\n", i, (i+1)%regions, i, (i*i+step)%regions)
	}
	return b.String()
}

func placeOf(i int) [3]float64 {
	return [3]float64{float64(i%8*10 - 35), float64(i*7%24*4 - 50), float64(i % 6 * 8)}
}

func networkOf(i int) string { return []string{"Vis", "Default", "Cont"}[i%3] }

func tableOfRegions() string {
	table := "name,network_label,x,y,z\n"
	for i := range regions {
		p := placeOf(i)
		table += fmt.Sprintf("R%d,%s,%g,%g,%g\n", i, networkOf(i), p[0], p[1], p[2])
	}
	return table
}

func csvFile(name, text string) formats.File { return formats.File{Name: name, Data: []byte(text)} }

// Layers of any kind beside a table of regions have places in a brain and networks, whether they name their nodes or not.
func TestPlacesOfAnyLayers(t *testing.T) {
	table := csvFile("regions.csv", tableOfRegions())
	for name, files := range map[string][]formats.File{
		"named matrices": {csvFile("a.csv", matrixOfRegions(true, 1)), csvFile("b.csv", matrixOfRegions(true, 2)), table},
		"bare matrices":  {csvFile("a.csv", matrixOfRegions(false, 1)), csvFile("b.csv", matrixOfRegions(false, 2)), table},
		"links":          {csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5)), table},
	} {
		d, err := OpenFiles(files, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g := d.Graph
		if g.M() != regions || g.Places == nil || len(g.Labels) != 1 || g.Labels[0].Name != "network" || d.Summary().Labels[0].Marks == nil {
			t.Errorf("%s: %d nodes, %d places, labels %v", name, g.M(), len(g.Places), g.Labels)
			continue
		}
		for i, node := range g.Nodes {
			var k int
			if _, err := fmt.Sscanf(node, "R%d", &k); err != nil || g.Places[i] != placeOf(k) || g.Labels[0].ClassOf(i) != networkOf(k) {
				t.Errorf("%s: node %s at %v, %s", name, node, g.Places[i], g.Labels[0].ClassOf(i))
			}
		}
		notes := strings.Join(d.Notes, "\n")
		for _, want := range []string{"were taken for places in a brain", "Their networks are those of the column network_label."} {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: no %q in\n%s", name, want, notes)
			}
		}
		if bare := name == "bare matrices"; bare != strings.Contains(notes, "their rows were taken in the order of the rows of regions.csv") {
			t.Errorf("%s: %s", name, notes)
		}
	}
}

// Numbers beyond a brain, on one side alone, or missing, place nothing.
func TestNoPlaces(t *testing.T) {
	for name, edit := range map[string][2]string{"far": {",-35,", ",-3500,"}, "missing": {"R5,Cont,15,", "R5,Cont,,"}, "one side": {",-", ","}} {
		table := strings.ReplaceAll(tableOfRegions(), edit[0], edit[1])
		d, err := OpenFiles([]formats.File{csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5)), csvFile("regions.csv", table)}, nil, nil)
		if err != nil || d.Graph.Places != nil || table == tableOfRegions() {
			t.Errorf("%s: places %v, %v", name, d != nil && d.Graph.Places != nil, err)
		}
	}
}

// tableWith gives nodes names and a column of their own beside their places.
func tableWith(node func(int) string, title string, of func(int) string) formats.File {
	table := "name," + title + ",x,y,z\n"
	for i := range regions {
		p := placeOf(i)
		table += fmt.Sprintf("%s,%s,%g,%g,%g\n", node(i), of(i), p[0], p[1], p[2])
	}
	return csvFile("regions.csv", table)
}

func called(i int) string { return fmt.Sprint("R", i) }

// Places in three dimensions are those of a brain where networks, hemispheres or names say so; a label set keeps the name that it has.
func TestPlacesOfABrain(t *testing.T) {
	sides := func(i int) string { return []string{"Left", "Right"}[i%2] }
	schaefer := func(i int) string { return fmt.Sprintf("%cH_%s_%d", "LR"[i%2], networkOf(i), i) }
	for name, c := range map[string]struct {
		table formats.File
		want  bool
		label string
	}{
		"a layout":    {tableWith(called, "role", networkOf), false, "role"},
		"communities": {tableWith(called, "community", networkOf), false, "community"},
		"hemispheres": {tableWith(called, "hemisphere", sides), true, "hemisphere"},
		"other sides": {tableWith(called, "hemisphere", networkOf), false, "hemisphere"},
		"names":       {tableWith(schaefer, "community", networkOf), true, "community"},
		"Yeo's":       {tableWith(called, "yeo7", networkOf), true, "network"},
	} {
		links := [2]string{linksOfRegions(2), linksOfRegions(5)}
		if name == "names" {
			for k := range links {
				for i := regions - 1; i >= 0; i-- {
					links[k] = strings.NewReplacer(called(i)+",", schaefer(i)+",", called(i)+"\n", schaefer(i)+"\n").Replace(links[k])
				}
			}
		}
		d, err := OpenFiles([]formats.File{csvFile("a.csv", links[0]), csvFile("b.csv", links[1]), c.table}, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g := d.Graph; (g.Places != nil) != c.want || len(g.Labels) != 1 || g.Labels[0].Name != c.label || len(g.Columns) != 3 {
			t.Errorf("%s: %d places, labels %v", name, len(g.Places), g.Labels)
		}
	}
	two := strings.Replace(strings.ReplaceAll(tableOfRegions(), ",x,", ",network,x,"), "network_label", "yeo7", 1)
	for i := range regions {
		two = strings.Replace(two, fmt.Sprintf("R%d,%s,", i, networkOf(i)), fmt.Sprintf("R%d,%s,N%d,", i, networkOf(i), i%2), 1)
	}
	d, err := OpenFiles([]formats.File{csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5)), csvFile("regions.csv", two)}, nil, nil)
	if err != nil || d.Graph.Places == nil || len(d.Graph.Labels) != 2 || d.Graph.Labels[0].Name != "yeo7" || d.Graph.Labels[1].Name != "network" {
		t.Errorf("two label sets: %v", err)
	}
}

// Runs that were kept before there were places have none, and their columns x, y and z are what they were.
func TestPlacesOfKeptRuns(t *testing.T) {
	specs, files := InMemory([]formats.File{csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5)),
		tableWith(called, "network", networkOf)})
	for reader, want := range map[int]string{3: "network x z", Reader: "network"} {
		d, err := files.Open(&DataSpec{Files: specs, Reader: reader})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, l := range d.Graph.Labels {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != want || (d.Graph.Places != nil) != (reader == Reader) {
			t.Errorf("reader %d: labels %s, %d places", reader, got, len(d.Graph.Places))
		}
	}
}

// Runs that were kept before what may be labels was asked about still open, with the features that they were trained on.
func TestFeaturesOfKeptRuns(t *testing.T) {
	table := "id,topic_a,topic_b,topic_c\n"
	for i := range regions {
		row := []int{0, 0, 0}
		row[i%3] = 1
		table += fmt.Sprintf("R%d,%d,%d,%d\n", i, row[0], row[1], row[2])
	}
	specs, files := InMemory([]formats.File{csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5)), csvFile("features.csv", table)})
	if d, err := files.Open(&DataSpec{Files: specs, Reader: 4}); err != nil || d.Graph.F() != 3 {
		t.Errorf("kept: %v", err)
	}
	if _, err := files.Open(&DataSpec{Files: specs, Reader: Reader}); err == nil || !strings.Contains(err.Error(), "features or labels") {
		t.Errorf("new: %v", err)
	}
}

// Features of the nodes of one matrix make no brain of it: what is missing is a second layer.
func TestOneMatrixAndFeatures(t *testing.T) {
	var features strings.Builder
	for i := range regions {
		for j := range 64 {
			fmt.Fprintf(&features, "%s%g", []string{"", ","}[min(j, 1)], float64((i*i+7*j)%31)/8-1.9)
		}
		features.WriteString("\n")
	}
	files := []formats.File{csvFile("links.csv", matrixOfRegions(false, 1)), csvFile("nodes.csv", features.String())}
	if _, err := OpenFiles(files, nil, nil); err == nil || !strings.Contains(err.Error(), "at least 2") {
		t.Errorf("links and features: %v", err)
	}
	if d, err := OpenFiles(files, nil, map[string]any{"tr": 2.0, "rows": "regions"}); err != nil || d.Subject == nil || d.Graph.N() != 3 {
		t.Errorf("told that they are a brain's: %v", err)
	}
}

// A table of nodes with nothing but measurements holds features, however many, and told where nodes lie none. Its numbers are no classes, but
// in runs of before.
func TestMeasurementsAreFeatures(t *testing.T) {
	table := func(titles string, columns int) formats.File {
		text := "id," + titles
		for c := len(strings.Split(titles, ",")); c < columns; c++ {
			text += fmt.Sprintf(",g%d", c)
		}
		for i := range regions {
			text += fmt.Sprintf("\nR%d", i)
			for c := range columns {
				text += fmt.Sprintf(",%g", float64((i*i+7*c)%17)/4)
			}
		}
		return csvFile("cells.csv", text+"\n")
	}
	lists := []formats.File{csvFile("a.csv", linksOfRegions(2)), csvFile("b.csv", linksOfRegions(5))}
	for _, c := range []struct {
		table    formats.File
		features int
	}{{table("g", 3), 3}, {table("g", 400), 400}, {table("g", 1), regions}, {table("lat,lon", 2), regions}} {
		d, err := OpenFiles(append(lists[:2:2], c.table), nil, nil)
		if err != nil || d.Graph.F() != c.features || len(d.Graph.Labels) > 0 {
			t.Errorf("expected %d features: %v, %+v", c.features, err, d)
		}
	}
	specs, files := InMemory(append(lists[:2:2], table("g", 3)))
	if d, err := files.Open(&DataSpec{Files: specs, Reader: 5}); err != nil || len(d.Graph.Labels) != 3 {
		t.Errorf("of before: %v", err)
	}
}
