package experiments

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
)

// points counts the regions that a map shows as more than dots: three projections have each once.
func points(c *chart.Chart) (n int) {
	for _, s := range c.Series {
		if s.Kind != chart.Dots {
			n += len(s.X)
		}
	}
	return n / 3
}

// The maps of a contrast are those of A, B, their difference and t beyond the corrected level, in each layer. Where no region is,
// that of t says so. Each opens as XML.
func TestMapsOfAContrast(t *testing.T) {
	for _, effect := range []float64{0, 5} {
		r := carriedOut(t, study.Order{Study: "contrast", Options: map[string]any{"subjects": 12, "regions": 60, "frames": 120, "effect": effect,
			"first": "rest", "second": "emotion", "permutations": 199, "beyond": 0}})
		table := r.Sheets[slices.IndexFunc(r.Sheets, func(s study.Sheet) bool { return strings.HasPrefix(s.Title, "Regions,") })].Lines
		at := func(name string) int { return slices.Index(table[0], name) }
		for _, layer := range []string{"co-activation", "anti-activation"} {
			want, found := map[string]int{"rest": 6, "emotion": 6, "rest - emotion": 6}, 0 // a tenth
			for _, line := range table[1:] {
				if p, err := strconv.ParseFloat(line[at("corrected")], 64); err != nil || p >= 0.05 || line[at("layer")] != layer {
					continue
				}
				found++
				if strings.HasPrefix(line[at("t")], "-") || strings.HasPrefix(line[at("t")], "−") {
					want["emotion above rest"]++
				} else {
					want["rest above emotion"]++
				}
			}
			if found == 0 {
				want["t of rest against emotion"] = 0
			}
			if effect > 0 != (found > 0) {
				t.Errorf("effect %v: %d regions in %s", effect, found, layer)
			}
			got := map[string]int{}
			for k := range r.Charts {
				if title, ok := strings.CutSuffix(r.Charts[k].Title, ", "+layer); ok {
					got[title] = points(&r.Charts[k])
				}
				if strings.HasPrefix(r.Charts[k].Title, "t of") && !strings.HasPrefix(r.Charts[k].Text, "No region has a corrected p below 0.05: all") {
					t.Errorf("a map without a region says %q", r.Charts[k].Text)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("effect %v, %s: maps %v, by the table %v", effect, layer, got, want)
			}
		}
		for k := range r.Charts {
			d := xml.NewDecoder(strings.NewReader(r.Charts[k].SVG()))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", r.Charts[k].Name, err)
				}
			}
		}
	}
}

// The connections whose q is below .05 are drawn in the brain, in each of three projections, with a scale of t that holds all of them.
func TestConnectionsInTheBrain(t *testing.T) {
	r := carriedOut(t, study.Order{Study: "contrast", Options: map[string]any{"subjects": 12, "regions": 60, "frames": 120, "effect": 5, "first": "rest",
		"second": "emotion", "permutations": 199, "beyond": 3}})
	table := r.Sheets[slices.IndexFunc(r.Sheets, func(s study.Sheet) bool { return strings.HasPrefix(s.Title, "Connections, the largest") })].Lines
	at := func(name string) int { return slices.Index(table[0], name) }
	want, least, most := 0, math.Inf(1), 0.0
	for _, line := range table[1:] {
		size, err := strconv.ParseFloat(strings.TrimLeft(line[at("t")], "-−"), 64)
		if q, bad := strconv.ParseFloat(line[at("q")], 64); bad == nil && err == nil && q < .05 {
			want, least, most = want+1, min(least, size), max(most, size)
		}
	}
	k := slices.IndexFunc(r.Charts, func(c chart.Chart) bool { return c.Title == "Connections, rest against emotion" })
	if want == 0 || k < 0 {
		t.Fatalf("%d connections, picture %d of %d", want, k, len(r.Charts))
	}
	drawn, said := 0, ""
	for _, s := range r.Charts[k].Series {
		if s.Kind == chart.Links {
			drawn += len(s.X)
			said += s.Name + "\n"
		}
	}
	if drawn != 3*2*want || !strings.HasPrefix(r.Charts[k].Text, fmt.Sprint(want)) || !strings.Contains(said, fmt.Sprintf("%.1f", most)) {
		t.Errorf("%d ends of %d connections with |t| from %g to %g are drawn: %s%s", drawn, want, least, most, said, r.Charts[k].Text)
	}
}

// plantedCohort draws 30 subjects with an edge that grows with age, and one that half of them have.
func plantedCohort() (scans []collection.Scan, specs []run.FileSpec, contents *run.Files) {
	var files []formats.File
	for k := range 30 {
		s := rng.New(7, fmt.Sprint("planted ", k))
		var b strings.Builder
		b.WriteString("A,B,C,D,E,F\n")
		age, ill := 20+2*k, k%2 == 0
		r := float64(k) / 32
		for range 120 {
			x := make([]float64, 6)
			for i := range x {
				x[i] = s.Norm()
			}
			x[1] = r*x[0] + math.Sqrt(1-r*r)*x[1]
			if ill {
				x[4] = .6*x[3] + .8*x[4]
			}
			fmt.Fprintf(&b, "%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", x[0], x[1], x[2], x[3], x[4], x[5])
		}
		name := fmt.Sprintf("s%d.csv", k)
		files = append(files, formats.File{Name: name, Data: []byte(b.String())})
		scans = append(scans, collection.Scan{Subject: fmt.Sprint("s", k), Condition: map[bool]string{true: "ill", false: "well"}[ill], File: name,
			Facts: map[string]string{"age": fmt.Sprint(age), "site": string("XYZ"[k*7%3]), "clinic": []string{"south", "north", "west"}[k%2*(1+k%3%2)]}})
	}
	specs, contents = run.InMemory(files)
	return scans, specs, contents
}

// An edge that grows with age is found and named, beside sites of three names that are taken out; of two groups, an edge that only one has. Nothing
// else is below the corrected level.
func TestPlantedConnections(t *testing.T) {
	scans, specs, contents := plantedCohort()
	for _, c := range []struct {
		options   map[string]any
		edge, way string
		t, sites  string
	}{
		{map[string]any{"number": "age", "covariates": "site"}, "A B", "rises with age", "partial r", "Taken out (Freedman and Lane): site. R2 of age on them: 0.0"},
		{map[string]any{"first": "ill", "second": "well"}, "D E", "ill above well", "d", ""},
	} {
		one := scans
		if c.options["number"] != nil { // in one condition
			one = slices.Clone(scans)
			for k := range one {
				one[k].Condition = "rest"
			}
		}
		o := study.Order{Study: "contrast", Cohort: one, Files: specs, Options: map[string]any{"permutations": 499, "beyond": 3, "filter": "none"}}
		maps.Copy(o.Options, c.options)
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		found, err := tasks[0].Run(contents, nil)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := All().Assemble(o, study.Results{found.Key: found})
		if err != nil {
			t.Fatal(err)
		}
		r := reports[0]
		table := r.Sheets[slices.IndexFunc(r.Sheets, func(s study.Sheet) bool { return strings.HasPrefix(s.Title, "Connections, the largest t first") })].Lines
		at := func(name string) int { return slices.Index(table[0], name) }
		if len(table) != 16 || table[1][0]+" "+table[1][1] != c.edge || at(c.t) < 0 || table[1][at("component")] == "" {
			t.Errorf("%v: %q", c.options, table)
		}
		for k, line := range table[1:] {
			if p, err := strconv.ParseFloat(line[at("corrected")], 64); err != nil || p < .05 != (k == 0) {
				t.Errorf("%v: connection %d has p %s", c.options, k, line[at("corrected")])
			}
		}
		said := strings.Join(r.Findings, "\n")
		for _, want := range []string{"Connections one by one, 15 of them: 1 ", "and 1 with a p below 0.05 after correction", c.sites} {
			if !strings.Contains(said, want) {
				t.Errorf("%v: %q lacks %q", c.options, said, want)
			}
		}
		if sheet := r.Sheets[slices.IndexFunc(r.Sheets, func(s study.Sheet) bool { return strings.HasPrefix(s.Title, "Components") })].Lines; sheet[1][1] != c.way {
			t.Errorf("%v: %q", c.options, sheet)
		}
	}
}

// A clinic that all of one group, and nobody else, are from is refused by its name.
func TestClinicOfAGroup(t *testing.T) {
	scans, specs, contents := plantedCohort()
	o := study.Order{Study: "contrast", Cohort: scans, Files: specs, Options: map[string]any{"covariates": "age,site,clinic", "filter": "none"}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = "covariates: found clinic=south, which gives the groups, or the number, exactly"
	if _, err := tasks[0].Run(contents, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a clinic of one group: %v, expected %s", err, want)
	}
}
