package formats

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// Titles, known and not, and what may stand in the columns below them.
var (
	drawnTitles = []string{"from", "to", "source", "target", "i", "j", "id", "node", "name", "layer", "type", "relation", "layer1", "layer2", "weight", "w",
		"value", "time", "Timestamp", "FromNodeId", "ToNodeId", "#", "", "0", "1", "2.5", "level_0", "level_1", "x", "class", "Zoe", "-", "a b", "é", "index"}
	drawnSigns = []string{"", "# ", "#", "% ", "-- ", "#,", "#\t", "## "}
	drawnCells = []func(*rand.Rand) string{
		func(r *rand.Rand) string { return fmt.Sprint(r.IntN(6)) },
		func(r *rand.Rand) string { return string(rune('a' + r.IntN(6))) },
		func(r *rand.Rand) string { return []string{"work", "lunch"}[r.IntN(2)] },
		func(r *rand.Rand) string { return fmt.Sprint(float64(r.IntN(40)) / 8) },
		func(r *rand.Rand) string { return fmt.Sprint(1289241911 + r.IntN(9999)) },
		func(r *rand.Rand) string { return []string{"", "NA", "#tag", "# x", "--", "%"}[r.IntN(6)] },
	}
)

// drawHeaded draws a list with a header, which may be a comment.
func drawHeaded(r *rand.Rand) string {
	separator := []string{" ", ",", ";", "\t"}[r.IntN(4)]
	cut := separator
	if r.IntN(8) == 0 {
		cut = " " // titles are cut otherwise than rows
	}
	n := 1 + r.IntN(6)
	titles := make([]string, max(1, n+r.IntN(4)/3-r.IntN(4)/3))
	for c := range titles {
		titles[c] = drawnTitles[r.IntN(len(drawnTitles))]
	}
	cells := make([]func(*rand.Rand) string, n)
	for c := range cells {
		cells[c] = drawnCells[r.IntN(2+r.IntN(len(drawnCells)-1))]
	}
	var b strings.Builder
	if r.IntN(5) == 0 {
		b.WriteString("# A list of links\n")
	}
	b.WriteString(drawnSigns[r.IntN(len(drawnSigns))] + strings.Join(titles, cut) + "\n")
	for range r.IntN(12) {
		fields := make([]string, n)
		for c := range fields {
			fields[c] = cells[c](r)
		}
		b.WriteString(strings.Join(fields, separator) + "\n")
	}
	return b.String()
}

// askEverything opens a list in every way that programs do.
func askEverything(t *testing.T, files ...File) {
	c, err := Read(files)
	if err != nil {
		if err.Error() == "" {
			t.Fatal("an error without words")
		}
		return
	}
	choices := []Choice{{}, {Mention: true}, {Columns: "source,target"}, {Columns: "source,target,layer"}, {Columns: "layer=type"}}
	if s, err := c.Survey(Choice{}, func() error { return nil }); err == nil && s.Ask != nil {
		for _, reading := range s.Ask.Readings {
			choices = append(choices, Choice{Columns: reading.Columns})
		}
	}
	for _, choice := range choices {
		c.Survey(choice, func() error { return nil })
		c.Describe(choice)
		if g, _, err := c.Graph(choice); err == nil {
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Whatever a header says and wherever it stands, a list is read, asked about or refused.
func TestDrawnHeaders(t *testing.T) {
	for seed := range uint64(1900) {
		text := drawHeaded(rand.New(rand.NewPCG(seed, 68)))
		func() {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("seed %d: %v\n%s", seed, e, text)
				}
			}()
			askEverything(t, File{Name: []string{"net.txt", "net.edges", "nodes.csv", "labels.csv"}[seed%4], Data: []byte(text)})
		}()
	}
}

func FuzzHeaders(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(drawHeaded(rand.New(rand.NewPCG(seed, 69))), "1 2 3\n")
	}
	f.Add("# from to type\n1 5 work\n1 9 work\n2 4 lunch\n", "net.txt;work;\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		askEverything(t, File{Name: "net.txt", Data: []byte(a)})
		askEverything(t, File{Name: "net.txt", Data: []byte(a)}, File{Name: "config.txt", Data: []byte(b)})
	})
}

// A header in a comment says what the same header says without the sign.
func TestHeaderInAComment(t *testing.T) {
	rows := [][]string{{"1", "5", "work", "2"}, {"1", "9", "work", "3"}, {"2", "4", "lunch", "4"}, {"5", "4", "lunch", "1"}}
	for _, separator := range []string{" ", ",", ";", "\t"} {
		for _, titles := range []string{"from to type weight", "Source Target Layer w", "u v relation value", "FromNodeId ToNodeId layer Timestamp"} {
			body := ""
			for _, row := range rows {
				body += strings.Join(row, separator) + "\n"
			}
			for _, sign := range []string{"# ", "#", "% ", "-- ", "# Links of an office\n## "} {
				head := strings.ReplaceAll(titles, " ", separator) + "\n"
				g, _, err := openChoice([]File{{Name: "net.txt", Data: []byte(head + body)}}, Choice{})
				h, _, failed := openChoice([]File{{Name: "net.txt", Data: []byte(sign + head + body)}}, Choice{})
				if !reflect.DeepEqual(g, h) || fmt.Sprint(err) != strings.ReplaceAll(fmt.Sprint(failed), ":2:", ":1:") {
					t.Errorf("%q, %q: %v, %v without the sign", sign, titles, failed, err)
				}
			}
		}
	}
}

// Rows that a column called # numbers have their header in that line, in lists and in tables of nodes.
func TestNumberSignColumn(t *testing.T) {
	for _, separator := range []string{",", ";", "\t"} {
		list := strings.ReplaceAll("# source target layer weight\n1 7 8 work 2\n2 8 9 work 3\n3 9 7 lunch 1\n4 7 8 lunch 4\n", " ", separator)
		team := strings.ReplaceAll("# id team\n9 7 red\n8 8 blue\n7 9 red\n", " ", separator)
		g, _, err := openChoice([]File{{Name: "edges.csv", Data: []byte(list)}, {Name: "team.csv", Data: []byte(team)}}, Choice{})
		if err != nil {
			t.Errorf("%q: %v", separator, err)
			continue
		}
		if g.M() != 3 || g.N() != 2 || g.Layers[1].Adjacency.NNZ() != 4 || len(g.Labels) != 1 || g.Labels[0].Name != "team" ||
			fmt.Sprint(g.Labels[0].ClassOf(0), g.Labels[0].ClassOf(1), g.Labels[0].ClassOf(2)) != "redbluered" {
			t.Errorf("%q: %d nodes, layers %v, labels %v", separator, g.M(), g.Layers, g.Labels)
		}
	}
}

// A comment has no more titles than it says: what it leaves without one is no column called #.
func TestCommentWithFewerTitles(t *testing.T) {
	for _, separator := range []string{" ", ",", ";", "\t"} {
		for _, sign := range []string{"#", "# ", "% "} {
			body := strings.ReplaceAll("1 5 2.5\n2 4 1.5\n3 1 2.25\n4 5 .5\n", " ", separator)
			plain := []File{{Name: "a.txt", Data: []byte(body)}, {Name: "b.txt", Data: []byte(body)}}
			head := sign + strings.ReplaceAll("from to\n", " ", separator)
			named := []File{{Name: "a.txt", Data: []byte(head + body)}, {Name: "b.txt", Data: []byte(head + body)}}
			g, _, err := openChoice(plain, Choice{})
			h, _, failed := openChoice(named, Choice{})
			if err != nil || failed != nil || !reflect.DeepEqual(g, h) {
				t.Errorf("%q, %q: %v, %v", separator, sign, err, failed)
			}
		}
	}
}
