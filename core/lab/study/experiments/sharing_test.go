package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/figure"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// sharedBy returns results on layers: which of them carry each direction, and how many directions each has of its own.
func sharedBy(names []string, carriers [][]int, own ...int) *sharingReport {
	n := len(names)
	s := &sharingReport{dataset: "town", compared: &multiplex.Comparison{Nodes: 500}, sharing: &measure.Sharing{Alpha: .05}}
	for l, name := range names {
		s.compared.Layers = append(s.compared.Layers, multiplex.Extent{Name: name, Links: 1000 + l, Density: .01})
		layer := measure.LayerSharing{P: .9, Exceeded: 179, Permutations: 199, Own: make([]float64, own[l])}
		for _, of := range carriers {
			if slices.Contains(of, l) {
				layer = measure.LayerSharing{Passed: true, P: 1e-5, Permutations: 199, Own: layer.Own}
			}
		}
		s.sharing.Layers = append(s.sharing.Layers, layer)
		row := make([]float64, n)
		for k := range row {
			row[k] = 1
			for _, of := range carriers {
				if k != l && slices.Contains(of, l) && slices.Contains(of, k) {
					row[k] = 1e-6
				}
			}
		}
		s.sharing.Pairs = append(s.sharing.Pairs, row)
		for k := l + 1; k < n; k++ {
			s.compared.Pairs = append(s.compared.Pairs, multiplex.Overlap{A: l, B: k, Common: 30 + k, Jaccard: .1, Expected: 12.3, SD: 2, Z: 8 + float64(k)})
		}
	}
	for _, of := range carriers {
		share := make([]float64, n)
		for _, l := range of {
			share[l] = 1
		}
		s.sharing.Directions = append(s.sharing.Directions, measure.SharedDirection{Layers: of, Share: share, Strength: .5, ByLayer: share})
	}
	return s
}

// foretoldBy adds what links held out were told with: a score for each way, the same in all layers, and a little more in the second split.
func (s *sharingReport) foretoldBy(score map[string]float64, gain, other, apart float64) *sharingReport {
	var layers []int
	for l := range s.compared.Layers {
		layers = append(layers, l)
	}
	way := func(name string, v float64) measure.LinkScores {
		w := measure.LinkScores{Way: name, Layers: layers}
		for range layers {
			row := make([]float64, len(links.Columns))
			for c := range row {
				row[c] = v
			}
			row[links.FittedLoss] = 1 - v
			w.Scores = append(w.Scores, row)
		}
		return w
	}
	for split := range 2 {
		r := &measure.Result{}
		for _, name := range foretellers {
			v := score[name]
			if name == measure.ByAll {
				v += .001 * float64(split)
			}
			r.Links = append(r.Links, way(name, v))
		}
		for k, d := range measure.Widths[:3] {
			r.Links = append(r.Links, way(measure.ByFirst(d), score[measure.ByDegrees]+(score[measure.ByAll]-score[measure.ByDegrees])*float64(k+1)/3))
		}
		r.Links = append(r.Links, way(measure.WithoutP, .8), way(measure.WithOwn, .8+gain), way(measure.WithOthers, .8+other))
		s.held = append(s.held, r)
	}
	s.transfer = &measure.Result{Links: []measure.LinkScores{way(measure.ByShared, .7), way(measure.ByTail, .6+gain), way(measure.ByDegrees, .5+other)}}
	for k := range layers {
		s.transfer.Links[1].Scores[k][links.AUC] += .01 * float64(k)
	}
	var folds []float64
	for _, r := range s.held {
		folds = append(folds, r.LinkScore(measure.ByAll).Mean(links.FittedAUC)+gain+.0001*float64(len(folds)))
	}
	s.trained = []trainedWay{{"trained: evidence", &measure.Result{Scores: []evaluate.Score{
		{Embedding: run.Combined, Target: run.OfLinks, Metric: "auc", Folds: folds},
		{Embedding: run.Combined, Target: run.OfLinks, Metric: "auc_fitted", Folds: folds}}}}}
	row := []float64{apart}
	for range layers {
		row = append(row, 2*apart)
	}
	s.apart = &measure.Array{Shape: []int{1, len(row)}, Data: row}
	return s
}

func paragraph(s *sharingReport) string {
	var texts []string
	for _, one := range s.sentences() {
		texts = append(texts, one.text)
	}
	return strings.Join(texts, " ")
}

// Every form of the sentence on who shares what.
func TestWhoSharesWhat(t *testing.T) {
	three, five := []string{"friends", "lunch", "work"}, []string{"friends", "lunch", "work", "sport", "church"}
	for _, c := range []struct {
		s    *sharingReport
		text string
	}{
		{sharedBy(three, [][]int{{0, 1, 2}, {0, 1}}, 1, 0, 2), "Friends and lunch share two directions (p < 0.005). Work shares one of them."},
		{sharedBy(three, [][]int{{0, 1}}, 1, 0, 2), "Friends and lunch share one direction (p < 0.005). Work shares none of them."},
		{sharedBy(three, [][]int{{0, 1, 2}}, 1, 0, 2), "All three layers share one direction (p < 0.005)."},
		{sharedBy(three[:2], [][]int{{0, 1}, {0, 1}}, 1, 0), "Both layers share two directions (p < 0.005)."},
		{sharedBy(five, [][]int{{0, 1, 2, 3}, {0, 1}}, 1, 0, 2, 0, 0), "Friends and lunch share two directions (p < 0.005). Work and sport share one of them. " +
			"Church shares none of them."},
		{sharedBy(three, [][]int{{0, 1}, {1, 2}}, 1, 0, 2), "Friends and lunch share one direction (p < 0.005). Lunch and work share another direction (p < 0.005)."},
		{sharedBy(five, [][]int{{0, 1}, {2, 3}, {2, 3}}, 1, 0, 2, 0, 0), "Friends and lunch share one direction (p < 0.005). " +
			"Work and sport share two others (p < 0.005). Church shares none of them."},
		{sharedBy(three, [][]int{{0}, {}}, 1, 0, 2), "Friends carries one direction alone: the others tell of it, and none of them carries it (p < 0.005). " +
			"Another direction is carried by no layer for the larger part."},
		{sharedBy(three, nil, 1, 0, 2), "Nothing is shared that the test can see: the clearest layer is friends with p = 0.9, where 0.01667 is asked for."},
	} {
		if text := paragraph(c.s); !strings.Contains(text, c.text) {
			t.Errorf("%s\nhas not: %s", text, c.text)
		}
	}
	for _, c := range []struct {
		own  []int
		text string
	}{
		{[]int{1, 2, 3}, "Every layer has structure of its own."}, {[]int{1, 0, 3}, "Every layer has structure of its own but lunch."},
		{[]int{0, 0, 3}, "Work alone has structure of its own."}, {[]int{0, 0, 0}, "No layer has structure of its own that links held out bear out."},
		{[]int{1, 1}, "Both layers have structure of their own."},
	} {
		if text := paragraph(sharedBy(three[:len(c.own)], [][]int{{0, 1}}, c.own...)); !strings.Contains(text, c.text) {
			t.Errorf("%s\nhas not: %s", text, c.text)
		}
	}
	many := make([]string, 12)
	all := make([]int, 12)
	for l := range many {
		many[l], all[l] = fmt.Sprint("l", l), l
	}
	if text := paragraph(sharedBy(many, [][]int{all, all[:8]}, make([]int, 12)...)); !strings.Contains(text, "Eight of the 12 layers share two directions "+
		"(p < 0.005). L8, l9, l10 and l11 share one of them.") {
		t.Error(text)
	}
	two := sharedBy(three[:2], [][]int{{0, 1}}, 0, 0) // one hypothesis: the clearer layer decides
	two.sharing.Layers[1].P, two.sharing.Layers[1].Exceeded = .4, 79
	if text := paragraph(two); !strings.Contains(text, "share one direction (p < 0.005)") {
		t.Error(text)
	}
	worst := sharedBy(three, [][]int{{0, 1}}, 0, 0, 0)
	worst.sharing.Layers[0].P, worst.sharing.Layers[0].Exceeded = .01, 1
	if text := paragraph(worst); !strings.Contains(text, "share one direction (p = 0.01)") {
		t.Error(text)
	}
}

// Every sentence depends on figures, and names them.
func TestEverySentenceChanges(t *testing.T) {
	names := []string{"friends", "lunch", "work"}
	a, b := sharedBy(names, [][]int{{0, 1, 2}, {0, 1}}, 1, 0, 2), sharedBy(names, [][]int{{1, 2}}, 0, 2, 3)
	for i := range b.compared.Pairs {
		b.compared.Pairs[i].Z -= 7
	}
	b.sharing.Layers[1].Exceeded, b.sharing.Layers[1].P = 1, .01
	a.foretoldBy(map[string]float64{measure.ByAll: .9, measure.ByShared: .85, measure.ByTail: .87, measure.ByAlone: .7, measure.ByUnion: .8,
		measure.ByDegrees: .6}, .02, .001, .1)
	b.foretoldBy(map[string]float64{measure.ByAll: .7, measure.ByShared: .65, measure.ByTail: .67, measure.ByAlone: .9, measure.ByUnion: .8,
		measure.ByDegrees: .5}, .03, .002, .2)
	before, after := a.sentences(), b.sentences()
	for _, text := range []string{"tells links that were held out from pairs of like degrees with AUC 0.90", "less by 0.0", "+0.020 in its own layer",
		"those of work best (0.640) and of friends worst (0.620)", "the fitted AUC is 0.92", "training changes it by +0.01",
		"move S by 0.10 and P by 0.20 at most", "no more than d = 4"} {
		if !strings.Contains(paragraph(a), text) {
			t.Errorf("%s\nhas not: %s", paragraph(a), text)
		}
	}
	if text := paragraph(b); !strings.Contains(text, "Each layer alone tells more without any test: 0.900, by 0.1") {
		t.Error(text)
	}
	if len(before) < 12 {
		t.Errorf("%d sentences", len(before))
	}
	for _, one := range before {
		if one.from == "" || !strings.HasSuffix(one.text, ".") {
			t.Errorf("%+v", one)
		}
		for _, other := range after {
			if one.text == other.text {
				t.Errorf("%q stands with other figures, too", one.text)
			}
		}
	}
	const near = "Adamic-Adar"
	a.held = nil
	c := a.foretoldBy(map[string]float64{measure.ByAll: .7, near: .9, measure.ByUnion: .8}, .02, .001, .1)
	if text := paragraph(c); !strings.Contains(text, near+" tells more without any test") {
		t.Error(text)
	}
	c.held[1].LinkScore(near).Way = "" // kept from before there was such a way
	if text := paragraph(c); strings.Contains(text, near) || !strings.Contains(text, "Union of the layers tells more") {
		t.Error(text)
	}
	if list := (&sharingReport{compared: a.compared}).sentences(); len(list) != 1 {
		t.Errorf("of links alone: %v", list)
	}
}

// It is said where the method cannot do what it should.
func TestWhereItCannotWork(t *testing.T) {
	s := sharedBy([]string{"friends", "lunch", "work"}, nil, 0, 0, 0)
	if list := s.cautions(); len(list) != 0 {
		t.Errorf("%v", list)
	}
	s.held = []*measure.Result{{Refused: "layers: found none"}}
	s.compared.Nodes, s.compared.Layers[0].Density, s.compared.Layers[1].Links, s.compared.Layers[2].Weighted, s.sharing.Featured = 50, .4, 40, true, true
	list := strings.Join(s.cautions(), "\n")
	for _, text := range []string{"There are 50 nodes", "linked in friends", "Lunch has less than 100 links", "Links of work have weights",
		"Nodes have features", "No links are held out: layers: found none."} {
		if !strings.Contains(list, text) {
			t.Errorf("%s\nhas not: %s", list, text)
		}
	}
}

// The report on the first task of an order appears at once; it uses only links. Its tables are unfolded until there is more.
func TestLinksAtOnce(t *testing.T) {
	for _, s := range All() {
		if !s.AtOnce {
			continue
		}
		o := study.Order{Study: s.Name, Example: "social"}
		tasks, err := All().Plan(o)
		if err != nil || tasks[0].Measure[0].Kind != measure.Overlaps || tasks[0].Needs != nil {
			t.Fatalf("%s begins with %+v, %v", s.Name, tasks[0], err)
		}
		results, err := (&study.Scheduler{}).Run(tasks[:1])
		if err != nil {
			t.Fatal(err)
		}
		r := assembled(t, o, results)
		if r.Missing != len(tasks)-1 || !r.Sheets[0].Open || !r.Sheets[1].Open || len(r.Sheets[1].Lines[0]) != 6 || strings.Contains(r.Sheets[0].Title, "p is") {
			t.Errorf("%s: %d missing, %+v", s.Name, r.Missing, r.Sheets[:2])
		}
	}
	if sheet := sharedBy([]string{"a", "b"}, [][]int{{0, 1}}, 0, 0).layerSheet(); sheet.Open || !strings.Contains(sheet.Title, "p is") {
		t.Errorf("%+v", sheet)
	}
}

// On an example, the report has the example's own results: S of the split, better than chance, and the same whatever else is requested.
// Options that it does not have are refused.
func TestEvidenceOfAnExample(t *testing.T) {
	o := study.Order{Study: "evidence", Example: "social", Seeds: 2, Links: 2, Options: map[string]any{"permutations": 39, "epochs": 2}}
	tasks, err := All().Plan(o)
	if err != nil || len(tasks) != 8 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if r.Missing != 0 || len(r.Charts) != 2 || r.Charts[0].Sets == nil || !strings.Contains(r.Setting, "2 seeds") ||
		!strings.Contains(r.Setting, "preset evidence") || strings.Contains(r.Setting, "classified") {
		t.Errorf("%d missing, %d charts, %s", r.Missing, len(r.Charts), r.Setting)
	}
	full, _ := o.Check(All().Lookup(o.Study))
	p := planSharing(full)
	found := results[p.shares[0].Key()].Sharing
	if len(found.Directions) == 0 || !strings.Contains(r.Findings[0], " share") || !strings.Contains(r.Findings[0], "S with P tells links") {
		t.Errorf("%d directions; %s", len(found.Directions), r.Findings[0])
	}
	of := r.Sheets[2].Lines // of the shared directions
	for k, d := range found.Directions {
		if line := of[k+1]; line[1] != figure.Fixed(d.Strength, 3) || line[2] != figure.Fixed(d.Share[0], 2) && line[2] != figure.Fixed(d.Share[0], 2)+" carries" {
			t.Errorf("direction %d is %+v, its line %q", k, d, line)
		}
	}
	rows := map[string]bool{}
	for _, row := range r.Rows {
		rows[row.Method] = true
		if row.Method == measure.ByAll && row.Metric == "auc" {
			a, b := results[p.held[0].Key()].LinkScore(row.Method).Mean(links.AUC), results[p.held[1].Key()].LinkScore(row.Method).Mean(links.AUC)
			if a == b || math.Abs(*row.Ours-(a+b)/2) > 1e-12 || *row.Ours < .6 {
				t.Errorf("AUC %v, of the splits %v and %v", *row.Ours, a, b)
			}
		}
	}
	if !rows["trained: evidence"] || !rows[measure.ByDegrees] || results[p.trained[0].Key()].Scores[0].Folds == nil {
		t.Errorf("rows of %v", rows)
	}
	for want, o := range map[string]study.Order{
		"kmeans_runs": {Study: "evidence", Example: "social", Options: map[string]any{"kmeans_runs": 3}},
		"links":       {Study: "evidence", Example: "social", Links: -1},
		"data_seeds":  {Study: "evidence", Example: "social", DataSeeds: 2},
		"data":        {Study: "evidence"},
	} {
		if _, err := All().Plan(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
