package experiments

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

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
