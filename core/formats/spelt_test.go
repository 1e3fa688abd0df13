package formats

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/multiplex"
)

// A drawnTable is a list of links with titles, the first two of which are those of the ends.
type drawnTable struct {
	titles []string
	rows   [][]string
}

// A written is one way to write a table.
type written struct {
	separator, end, mark string
	quoted               bool
	columns, rows        []int // their order; nil: as drawn
	titles               []string
}

// drawTable draws links of two to four kinds among words or numbers, with weights and a column that is not used.
func drawTable(r *rand.Rand) drawnTable {
	t := drawnTable{titles: []string{"source", "target", "layer", "weight", "note"}}
	n, words, first := 5+r.IntN(20), r.IntN(2) == 0, r.IntN(2)
	seen := map[[3]int]bool{}
	for range 60 {
		at := [3]int{r.IntN(n), r.IntN(n), r.IntN(2 + r.IntN(3))}
		if at[0] == at[1] || seen[at] || seen[[3]int{at[1], at[0], at[2]}] {
			continue
		}
		seen[at] = true
		row := []string{fmt.Sprint(at[0] + first), fmt.Sprint(at[1] + first), []string{"work", "lunch", "mail", "at home"}[at[2]], fmt.Sprint(1 + r.IntN(30)), "x"}
		if words {
			row[0], row[1] = "n."+row[0], "n."+row[1]
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// write writes a table in a written.
func (t *drawnTable) write(s *written) string {
	columns, titles := s.columns, s.titles
	if columns == nil {
		columns = []int{0, 1, 2, 3, 4}
	}
	if titles == nil {
		titles = t.titles
	}
	var b strings.Builder
	b.WriteString(s.mark)
	line := func(row []string) {
		for k, c := range columns {
			if k > 0 {
				b.WriteString(s.separator)
			}
			if s.quoted {
				fmt.Fprintf(&b, "%q", row[c])
			} else {
				b.WriteString(row[c])
			}
		}
		b.WriteString(s.end)
	}
	line(titles)
	for k := range t.rows {
		if s.rows != nil {
			k = s.rows[k]
		}
		line(t.rows[k])
	}
	return b.String()
}

// Neither the order of columns and rows, nor the separator, quotes, line ends, a byte order mark or other titles with a choice of
// columns change the graph.
func TestSpellingsOfATable(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 72))
		table := drawTable(r)
		plain := written{separator: ",", end: "\n"}
		want, _, err := openChoice([]File{fileOf("net.csv", table.write(&plain))}, Choice{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		renamed := []string{"Herkunft", "Ziel", "Art der Kante", "Anzahl", "Notiz"}
		for what, s := range map[string]written{
			"columns":    {separator: ",", end: "\n", columns: r.Perm(5)},
			"rows":       {separator: ",", end: "\n", rows: r.Perm(len(table.rows))},
			"semicolons": {separator: ";", end: "\n"},
			"tabs":       {separator: "\t", end: "\n"},
			"blanks":     {separator: " ", end: "\n", quoted: true},
			"quotes":     {separator: ",", end: "\n", quoted: true},
			"CRLF":       {separator: ",", end: "\r\n"},
			"CR":         {separator: ";", end: "\r"},
			"BOM":        {separator: ",", end: "\r\n", mark: "\ufeff"},
			"titles":     {separator: ";", end: "\n", titles: renamed, columns: r.Perm(5), rows: r.Perm(len(table.rows))},
			"roles":      {separator: ",", end: "\n", titles: renamed},
		} {
			choice := map[string]string{"titles": "source=Herkunft,target=Ziel,layer=Art der Kante,weight=Anzahl", "roles": "source,target,layer,weight,-"}[what]
			text := table.write(&s)
			g, _, err := openColumns(fileOf("net.csv", text), choice)
			if err != nil || !reflect.DeepEqual(g, want) {
				t.Errorf("seed %d: other %s: %v\n%s", seed, what, err, text)
			}
		}
	}
}

// openColumns opens a file by a choice of columns, as programs do.
func openColumns(f File, columns string) (*multiplex.Graph, *Report, error) {
	c, err := Read([]File{f}, columns)
	if err != nil {
		return nil, nil, err
	}
	return c.Graph(Choice{Columns: columns})
}

// The ends of links are found by the titles of either end, whatever else a list has and wherever they stand.
func TestEndsByTitles(t *testing.T) {
	pairs := [][2]string{{"Gene_A", "Gene_B"}, {"person1", "person2"}, {"from_stop", "to_stop"}, {"SourceName", "TargetName"}, {"origin", "dest"},
		{"reporter_iso", "partner_iso"}, {"sender", "recipient"}, {"head", "tail"}}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 73))
		table := drawTable(r)
		if !strings.HasPrefix(table.rows[0][0], "n.") || len(table.rows) < 20 {
			continue
		}
		plain := written{separator: ",", end: "\n"}
		want, _, err := openChoice([]File{fileOf("net.csv", table.write(&plain))}, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		p := pairs[r.IntN(len(pairs))]
		s := written{separator: ",", end: "\n", titles: []string{p[0], p[1], "kind", "weight", "note"}, columns: r.Perm(5), rows: r.Perm(len(table.rows))}
		if at := slices.Index(s.columns, 1); at < slices.Index(s.columns, 0) { // of a pair the first is the source
			k := slices.Index(s.columns, 0)
			s.columns[at], s.columns[k] = 0, 1
		}
		text := table.write(&s)
		g, report, err := openChoice([]File{fileOf("net.csv", text)}, Choice{})
		if err != nil || !reflect.DeepEqual(g, want) || !strings.Contains(strings.Join(report.Notes, " "), `"kind" as layer: `) {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

// FuzzTables opens drawn tables in drawn spellings with bytes changed: no panic, and memory in proportion.
func FuzzTables(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, []byte{byte(seed), 0, 9})
	}
	f.Fuzz(func(t *testing.T, seed uint64, change []byte) {
		r := rand.New(rand.NewPCG(seed, 74))
		table := drawTable(r)
		s := written{separator: []string{",", ";", "\t", " ", "|"}[r.IntN(5)], end: []string{"\n", "\r\n", "\r"}[r.IntN(3)], quoted: r.IntN(2) == 0,
			columns: r.Perm(5)}
		text := []byte(table.write(&s))
		for k := 0; k+2 < len(change); k += 3 {
			text[(int(change[k])<<8+int(change[k+1]))%len(text)] = change[k+2]
		}
		frugal.Check(t, len(text), func() { askEverything(t, File{Name: "net.csv", Data: text}) })
	})
}

// Several columns of weights make a layer each, wherever they stand.
func TestWeightsOfManyColumns(t *testing.T) {
	const n, first, second = 400, 300, 399
	var b strings.Builder
	b.WriteString("source,target")
	for k := range n {
		fmt.Fprintf(&b, ",c%d", k)
	}
	for i := range 12 {
		fmt.Fprintf(&b, "\nn%d,n%d", i, (i+1)%12)
		for k := range n {
			fmt.Fprintf(&b, ",%d", map[int]int{first: 3, second: i % 2}[k])
		}
	}
	g, _, err := openColumns(fileOf("net.csv", b.String()), "weight=c300,weight=c399")
	if err != nil || g.N() != 2 || g.Layers[0].Name != "c300" || g.Layers[0].Summary().Edges != 12 || g.Layers[1].Summary().Edges != 6 ||
		g.Layers[0].Adjacency.Value[0] != 3 {
		t.Errorf("%v, %v", g, err)
	}
}
