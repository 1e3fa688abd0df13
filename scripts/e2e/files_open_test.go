package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// firm are the files of a small invented graph.
var firm = []string{"testdata/firm_multiplex.edges", "testdata/firm_layers.txt", "testdata/firm_nodes.txt", "testdata/firm_labels.csv"}

// layerTable reads the card of the open data: name, edges and isolated nodes of
// every layer.
func (v *Visit) layerTable() [][3]string {
	v.t.Helper()
	var rows [][3]string
	v.Read(&rows, "data.table")
	return rows
}

// legend reads the classes that the pictures are coloured by, with their counts.
func (v *Visit) legend() map[string]string {
	v.t.Helper()
	var m map[string]string
	v.Read(&m, "embeddings.legendTitles")
	return m
}

// colourBy chooses what the colours of the pictures show, once the pictures offer it.
func (v *Visit) colourBy(value string) {
	v.t.Helper()
	v.Until("embeddings.offers", value)
	v.Read(nil, "embeddings.colourBy", value)
}

// TestOwnFiles opens files, trains on them, and finds them again after a visit.
func TestOwnFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", firm...)
		v.Until("lab.untouched")
		v.Until("data.layers", 3)
		v.Want("#data-summary", "firm", "20 nodes, 3 layers", "58 arcs of layer mail were made 47 undirected edges")
		if got, want := v.layerTable(), [][3]string{{"lunch", "50", "0"}, {"mail", "47", "0"}, {"chat", "44", "1"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.colourBy("labels:team")
		v.Until("embeddings.groups", 4)
		if got := v.legend(); got["red"] != "6 nodes" || got["missing"] != "3 nodes" {
			t.Errorf("legend %v, expected 6 red and 3 missing", got)
		}
		v.Enter("#options-epochs", "20")
		v.Until("lab.untouched")
		st := v.Finish()
		c := Course{Files: firm, Options: map[string]any{"epochs": 20}}
		want := c.Train(t)
		if st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Until("scores.rated")
		v.wantScores(c, want) // which leaves missing labels out

		v.Push("#export-npz")
		sameNPZ(t, download(t, v, "*.npz"), byName(want.Trained))
		v.Push("#export-csv")
		if table := string(download(t, v, "*.csv")); !strings.Contains(table, "Ada") || strings.Count(table, "\n") != 1+20 {
			t.Errorf("the table of the embeddings begins %.200q", table)
		}

		v.Load("")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		v.Until("data.layers", 3)
		if again := v.State(); again.Hash != st.Hash {
			t.Errorf("after another visit: %+v", again)
		}
		v.Check()
	})
}

// TestAUCS opens the employees of a department: 61 people and five kinds of ties.
func TestAUCS(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := filepath.Join(root(t), "..", "shared", "data", "small", "aucs")
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("the AUCS data are not there: %v", err)
		}
		var files []string
		for _, name := range []string{"CS-Aarhus_multiplex.edges", "CS-Aarhus_layers.txt", "CS-Aarhus_nodes.txt", "labels.csv"} {
			files = append(files, filepath.Join(dir, name))
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", files...)
		v.Until("lab.untouched")
		v.Until("data.layers", 5)
		v.Want("#data-summary", "61 nodes, 5 layers", "6 nodes without")
		if got, want := v.layerTable(),
			[][3]string{{"lunch", "193", "1"}, {"facebook", "124", "29"}, {"coauthor", "21", "36"}, {"leisure", "88", "14"},
				{"work", "194", "1"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.colourBy("labels:group")
		v.Until("embeddings.groups", 11)
		if got := v.legend(); got["G2"] != "12 nodes" || got["G2/G3"] != "1 nodes" && got["G2/G3"] != "1 node" || got["missing"] != "6 nodes" {
			t.Errorf("legend %v, expected 12 of G2, 1 of G2/G3, 6 missing", got)
		}
		v.Enter("#options-epochs", "20")
		v.Enter("#evaluation-eval_epochs", "10")
		v.Until("lab.untouched")
		v.Push("#play")
		v.Until("lab.finished")
		c := Course{Files: files, Options: map[string]any{"epochs": 20, "eval_epochs": 10}}
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}

		// Clusters of the common embedding, compared with the groups.
		v.colourBy("clusters:common")
		v.Until("embeddings.legend", "cluster 1")
		n := 0
		for name, title := range v.legend() {
			count, err := strconv.Atoi(strings.Fields(title)[0])
			if err != nil || !strings.HasPrefix(name, "cluster") {
				t.Errorf("legend: %s: %s", name, title)
			}
			n += count
		}
		if n != 61 {
			t.Errorf("%d nodes in clusters, expected 61", n)
		}
		v.Want("#embeddings-view", "Agreement of these clusters with the labels, ARI: group")
		v.Check()
	})
}

// TestEveryFileIsAnswered opens files that are empty, cut off, packed in each other or of no kind that is known. Each is answered by
// a message that names it or by the dialog, and the open data stay.
func TestEveryFileIsAnswered(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		pack := func(members ...string) string { // names and contents in turn; a name that ends in / is a folder
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for i := 0; i < len(members); i += 2 {
				w, err := z.Create(members[i])
				if err == nil && !strings.HasSuffix(members[i], "/") {
					_, err = w.Write([]byte(members[i+1]))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		good := pack("a.edges", goodEdges)
		dir := t.TempDir()
		v := OpenReady(t, engine, Small.Link())
		before := v.State()
		for name, content := range map[string]string{
			"nothing.zip": pack(), "folders.zip": pack("a/", "", "a/b/", ""), "hidden.zip": pack(".a", "x", "__MACOSX/b", "x"), "inside.zip": pack("b.zip", good),
			"zeros.zip": pack("a.edges", "", "b.edges", ""), "half.zip": good[:len(good)/2], "end.zip": good[len(good)/2:], "magic.zip": "PK\x03\x04",
			"last.zip":      "PK\x05\x06",
			"nothing.edges": "", "blank.csv": "\n\n\n", "heads.csv": "source,target\n", "zero.bin": strings.Repeat("\x00", 1000), "magic.npy": "\x93NUMPY",
			"magic.gz": "\x1f\x8b\x08",
			"none.pkl": "\x80\x04}.", "cut.pkl": "\x80\x04]q\x00", "none.mat": "MATLAB 5.0 MAT-file", "none.graphml": "<graphml/>",
			"cut.graphml": "<graphml><graph><node id='1'", "nothing.cadem": "", "other.cadem": good,
		} {
			p := filepath.Join(dir, name)
			if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			v.Give("#open-files", p)
			said := "#files-problem"
			if strings.HasSuffix(name, ".cadem") {
				said = "#messages" // it is imported as a run
			}
			v.Until("see.shows || importing.open", said, strings.TrimSuffix(name, ".gz"))
			v.Read(nil, "importing.cancel")
			v.Until("importing.closed && lab.paused")
			if now := v.State(); now != before {
				t.Errorf("%s: afterwards %+v, before %+v", name, now, before)
			}
			t.Log(v.Text(said))
		}
		v.Check()
	})
}

// A realSet is one of the paper's data sets as its files lie beside the repository.
type realSet struct {
	files  []string
	unused []string // what the dialog would take for a layer
	target string
	limit  time.Duration // on two cores that do nothing else
}

var realSets = map[string]realSet{
	"ACM":      {[]string{"acm/ACM3025.mat"}, []string{"PMP", "PTP"}, "label", 120 * time.Second},
	"IMDB":     {[]string{"imdb/mdm.npz", "imdb/mam.npz", "imdb/feature.npz", "imdb/labels.npy"}, nil, "labels", 120 * time.Second},
	"Freebase": {[]string{"freebase/mam.npz", "freebase/mdm.npz", "freebase/mwm.npz", "freebase/labels.npy"}, nil, "labels", 240 * time.Second},
}

// TestRealData opens data sets of the paper, trains them with the published settings, scores
// them, and makes table VI of them; the scores lie within the bands that were measured with
// the authors' program. It takes minutes, so it runs only on the sets that CADEM_REAL
// names, as in CADEM_REAL=ACM,IMDB,Freebase; it prints times and memory (resident, with what the browser's processes share), and with
// CADEM_REAL_LIMITS=1 also holds them to the limits.
func TestRealData(t *testing.T) {
	names := os.Getenv("CADEM_REAL")
	if names == "" {
		t.Skip("real data take minutes: name the sets in CADEM_REAL, as in CADEM_REAL=ACM,IMDB,Freebase")
	}
	for _, name := range strings.Split(names, ",") {
		set, ok := realSets[name]
		if !ok {
			t.Fatalf("CADEM_REAL: found %q, expected ACM, IMDB or Freebase", name)
		}
		t.Run(name, func(t *testing.T) { Each(t, func(t *testing.T, engine string) { set.run(t, engine, name) }) })
	}
}

func (set *realSet) run(t *testing.T, engine, name string) {
	if engine != "chromium" {
		t.Skip("minutes of work, whose memory is measured in Chromium alone")
	}
	shared := filepath.Join(root(t), "..", "shared")
	var files []string
	for _, f := range set.files {
		path := filepath.Join(shared, "data", f)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the data of %s are not there: %v", name, err)
		}
		files = append(files, path)
	}
	v := OpenReady(t, engine, Small.Link())
	until := func(condition string, arg ...any) {
		t.Helper()
		v.must(v.Await(20*time.Minute, condition, arg...))
	}
	var worked time.Duration // before what is measured
	usage := func() drive.Usage {
		t.Helper()
		u, err := v.Usage()
		v.must(err)
		return u
	}
	most := v.watchMemory()
	held := func(what string, began time.Time) {
		t.Helper()
		took, u := time.Since(began), usage()
		u.Most = most()
		t.Logf("%s, %s: %.1f s, of processors %.1f s; the page's process holds %d MB, at most %d so far", name, what, took.Seconds(), (u.CPU - worked).Seconds(),
			u.Now>>20, u.Most>>20)
		if os.Getenv("CADEM_REAL_LIMITS") != "" && (took > set.limit || u.Most > 600<<20) {
			t.Errorf("%s: found %.1f s and %d MB, expected at most %s and 600 MB", what, took.Seconds(), u.Most>>20, set.limit)
		}
	}

	began := time.Now()
	worked = usage().CPU
	v.Give("#open-files", files...)
	until("importing.open")
	for _, part := range set.unused {
		v.use(part, "")
	}
	v.Push("#import-open")
	until("importing.closed && lab.untouched")
	held("opened", began)
	v.Want("#data-summary", "features of "+name+" in the paper")
	v.Push("#play")
	until("lab.ended")
	held("opened and trained", began)
	until("lab.finished")
	held("opened, trained and scored on the page", began)

	began, worked = time.Now(), usage().CPU
	v.Push("[data-study=table6] .primary")
	until("experiments.reported", "table6")
	held("table VI", began)
	lines := v.lines("table6")
	for _, line := range lines {
		t.Log(strings.Join(line, " | "))
	}
	var findings []string
	v.Read(&findings, "see.texts", "[data-study=table6] .report li")
	t.Log(strings.Join(findings, "\n"))
	set.checkBands(t, filepath.Join(shared, "golden", "published", "measured.json"), name, lines)
	v.Check()
}

// checkBands compares scores of a report with those measured with the authors' program.
func (set *realSet) checkBands(t *testing.T, measured, name string, lines [][]string) {
	t.Helper()
	bands := measuredBands(t, measured, name)
	for _, metric := range []string{"macro", "micro"} {
		at := cells(t, lines, set.target, metric+"_f1", "")
		for _, c := range []struct {
			of    string
			found float64
		}{{"trained combined", at("combined", "here")}, {"untrained combined", at("combined", "untrained")}, {"trained S", at("common", "here")},
			{"untrained S", at("common", "untrained")}} {
			b := bands[c.of+" "+metric]
			t.Logf("%s %s-F1: %.3f, measured from %.3f to %.3f", c.of, metric, c.found, b[0], b[1])
			if !(c.found >= b[0] && c.found <= b[1]) {
				t.Errorf("%s %s-F1: found %.3f, expected %.3f to %.3f", c.of, metric, c.found, b[0], b[1])
			}
		}
	}
}

// cells returns a function that looks a figure of CaDeM up in the lines of a report.
func cells(t *testing.T, lines [][]string, target, metric, variant string) func(embedding, column string) float64 {
	place := map[string]int{}
	for k, title := range lines[0] {
		place[title] = k
	}
	return func(embedding, column string) float64 {
		for _, l := range lines[1:] {
			if l[place["method"]] == "CaDeM" && l[place["embedding"]] == embedding && l[place["target"]] == target && l[place["metric"]] == metric &&
				l[place["variant"]] == variant {
				x, err := strconv.ParseFloat(l[place[column]], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
		}
		t.Fatalf("no row of %s, %s, %s", embedding, target, metric)
		return 0
	}
}

// measuredBands returns, for scores of a data set, where those of the authors' program lay:
// from the lowest of its trainings to the highest, and two of the largest deviations between
// folds further on both sides.
func measuredBands(t *testing.T, path, name string) map[string][2]float64 {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the measured scores are not there: %v", err)
	}
	var measured struct {
		Real struct {
			Runs []struct {
				Set    string
				Scores map[string]struct {
					Macro, Micro float64
					MacroSD      float64 `json:"macro_sd"`
					MicroSD      float64 `json:"micro_sd"`
				}
			}
		}
	}
	if err := json.Unmarshal(data, &measured); err != nil {
		t.Fatal(err)
	}
	low, high, spread := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, r := range measured.Real.Runs {
		if r.Set != strings.ToLower(name) {
			continue
		}
		for of, s := range r.Scores {
			for metric, x := range map[string][2]float64{"macro": {s.Macro, s.MacroSD}, "micro": {s.Micro, s.MicroSD}} {
				key := fmt.Sprintf("%s %s", of, metric)
				if _, ok := low[key]; !ok {
					low[key], high[key] = math.Inf(1), math.Inf(-1)
				}
				low[key], high[key], spread[key] = min(low[key], x[0]), max(high[key], x[0]), max(spread[key], x[1])
			}
		}
	}
	bands := map[string][2]float64{}
	for key := range low {
		bands[key] = [2]float64{low[key] - 2*spread[key], high[key] + 2*spread[key]}
	}
	return bands
}
