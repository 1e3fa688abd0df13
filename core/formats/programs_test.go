package formats

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"cadem.example/core/base/frugal"
)

// A kept is a link of the graph that every program here writes: a multiplex of two layers, with names beyond ASCII.
type kept struct {
	a, b   int
	layer  string
	weight int
}

var people = []string{"Zoë", "José", "Anna", "Bert", "Carl", "Dora", "Emil", "Fritz", "Gerd", "Hans", "Ina", "Jan"}

func keptLinks() (all []kept) {
	for i := range people {
		all = append(all, kept{i, (i + 1) % 12, "work", 1 + i}, kept{i, (i + 3) % 12, "play", 13 - i})
	}
	return all
}

// asLines writes each link by a format of source, target, layer and weight.
func asLines(head, format, tail string) string {
	var b strings.Builder
	b.WriteString(head)
	for k, l := range keptLinks() {
		line := strings.NewReplacer("SOURCE", people[l.a], "TARGET", people[l.b], "FROM", fmt.Sprint(l.a), "TO", fmt.Sprint(l.b),
			"LAYER", l.layer, "WEIGHT", fmt.Sprint(l.weight)).Replace(format)
		if k > 0 && strings.HasPrefix(format, "{") {
			b.WriteByte(',')
		}
		b.WriteString(line)
	}
	return b.String() + tail
}

// utf16Of encodes text.
func utf16Of(text string, order binary.ByteOrder) string {
	b := make([]byte, 2)
	order.PutUint16(b, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, 0, 0)
		order.PutUint16(b[len(b)-2:], unit)
	}
	return string(b)
}

// latin encodes text whose characters are bytes.
func latin(text string) string {
	var b []byte
	for _, r := range text {
		b = append(b, byte(r))
	}
	return string(b)
}

// weightOf returns the weight of a pair in a layer, 0 without a link.
func weightOf(layer string, i, j int) int {
	for _, l := range keptLinks() {
		if l.layer == layer && (l.a == i && l.b == j || l.a == j && l.b == i) {
			return l.weight
		}
	}
	return 0
}

// lowerOf writes the lower triangle of a layer.
func lowerOf(layer, separator string, head, names, diagonal bool) string {
	var b strings.Builder
	if head {
		b.WriteString(strings.Join(people, separator) + "\n")
	}
	for i := range people {
		var fields []string
		if names {
			fields = append(fields, people[i])
		}
		for j := range i {
			fields = append(fields, fmt.Sprint(weightOf(layer, i, j)))
		}
		if diagonal {
			fields = append(fields, "0")
		}
		if fields != nil {
			b.WriteString(strings.Join(fields, separator) + "\n")
		}
	}
	return b.String()
}

// workbookOf writes sheets of cells as Excel does, with shared texts or texts in their cells.
func workbookOf(t *testing.T, shared bool, sheets map[string][][]string, order ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	put := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list, relations, texts strings.Builder
	n := 0
	for k, name := range order {
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, k+1, k+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="t" Target="worksheets/sheet%d.xml"/>`, k+1, k+1)
		var b strings.Builder
		for i, row := range sheets[name] {
			fmt.Fprintf(&b, `<row r="%d">`, i+3) // two rows above are empty
			for c, cell := range row {
				at := fmt.Sprintf("%c%d", 'B'+c, i+3)
				switch {
				case cell == "":
				case strings.Trim(cell, "0123456789.") == "":
					fmt.Fprintf(&b, `<c r="%s"><f>1+1</f><v>%s</v></c>`, at, cell)
				case shared:
					fmt.Fprintf(&b, `<c r="%s" t="s"><v>%d</v></c>`, at, n)
					fmt.Fprintf(&texts, `<si><r><t>%s</t></r><r><t>%s</t></r><rPh><t>no</t></rPh></si>`, cell[:1], cell[1:])
					n++
				default:
					fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, cell)
				}
			}
			b.WriteString(`</row>`)
		}
		put(fmt.Sprintf("xl/worksheets/sheet%d.xml", k+1), `<worksheet><sheetData>`+b.String()+`<row r="900"/></sheetData></worksheet>`)
	}
	put("[Content_Types].xml", `<Types/>`)
	put("xl/workbook.xml", `<workbook xmlns:r="r"><sheets>`+list.String()+`</sheets></workbook>`)
	put("xl/_rels/workbook.xml.rels", `<Relationships>`+relations.String()+`</Relationships>`)
	put("xl/sharedStrings.xml", `<sst>`+texts.String()+`</sst>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// sheetsOf returns the layers as lists of links and as matrices.
func sheetsOf() (lists, matrices map[string][][]string) {
	lists, matrices = map[string][][]string{}, map[string][][]string{}
	for _, layer := range []string{"play", "work"} {
		lists[layer] = [][]string{{"source", "target", "weight"}}
		matrices[layer] = [][]string{append([]string{""}, people...)}
		for _, l := range keptLinks() {
			if l.layer == layer {
				lists[layer] = append(lists[layer], []string{people[l.a], people[l.b], fmt.Sprint(l.weight)})
			}
		}
		for i, name := range people {
			row := []string{name}
			for j := range people {
				row = append(row, fmt.Sprint(weightOf(layer, i, j)))
			}
			matrices[layer] = append(matrices[layer], row)
		}
	}
	return lists, matrices
}

// One graph has the same nodes, layers and weights in every encoding and format.
func TestOneGraphOfManyPrograms(t *testing.T) {
	table := asLines("source,target,layer,weight\n", "SOURCE,TARGET,LAYER,WEIGHT\n", "")
	nodes := ""
	for k, name := range people {
		nodes += fmt.Sprintf(`,{"id":%q,"group":"%c"}`, name, 'a'+k%2)
	}
	nodes = nodes[1:]
	byPlace := strings.ReplaceAll(nodes, `"id"`, `"name"`)
	link := `{"source":"SOURCE","target":"TARGET","layer":"LAYER","weight":WEIGHT}`
	wide := asLines("", "SOURCE,TARGET,LAYER\n", "")
	wide = "from,to,work,play\n" + strings.ReplaceAll(strings.ReplaceAll(wide, ",work\n", ",1,0\n"), ",play\n", ",,1\n")
	lists, matrices := sheetsOf()
	book := func(shared bool, sheets map[string][][]string) string {
		return string(workbookOf(t, shared, sheets, "work", "play"))
	}
	two := func(of func(layer string) string) []string {
		return []string{"play.csv", of("play"), "work.csv", of("work")}
	}
	for name, files := range map[string][]string{
		"plain":    {"a.csv", table},
		"UTF-16LE": {"a.csv", utf16Of(table, binary.LittleEndian)}, "UTF-16BE": {"a.csv", utf16Of(table, binary.BigEndian)},
		"UTF-16 with tabs": {"a.txt", utf16Of(strings.ReplaceAll(strings.ReplaceAll(table, ",", "\t"), "\n", "\r\n"), binary.LittleEndian)},
		"Windows-1252":     {"a.csv", latin(table)},
		"links":            {"a.json", asLines(`{"directed":false,"graph":{},"nodes":[`+nodes+`],"links":[`, link, `]}`)},
		"edges before":     {"a.json", asLines(`{"edges":[`, link, `],"nodes":[`+nodes+`]}`)},
		"one list": {"a.json", asLines(
			`{"elements":[`+strings.NewReplacer(`{`, `{"data":{`, `}`, `}}`).Replace(nodes)+`,`, `{"data":`+link+`,"position":{"x":1}}`, `]}`)},
		"D3 by place":  {"a.json", asLines(`{"nodes":[`+byPlace+`],"links":[`, `{"source":FROM,"target":TO,"layer":"LAYER","weight":WEIGHT}`, `]}`)},
		"dictionaries": {"a.edgelist", asLines("", "SOURCE TARGET {'weight': WEIGHT, 'layer': 'LAYER'}\n", "")},
		"and commas":   {"a.csv", asLines("", "SOURCE,TARGET,{'weight': np.float64(WEIGHT.0), 'layer': 'LAYER'}\n", "")},
		"and quotes":   {"a.csv", asLines("", "SOURCE,TARGET,\"{\"\"layer\"\": \"\"LAYER\"\", \"\"weight\"\": WEIGHT}\"\n", "")},
		"workbook":     {"net.xlsx", book(false, lists)}, "shared texts": {"net.xlsx", book(true, lists)},
		"matrices": {"net.xlsx", book(true, matrices)},
		"triangle": two(func(l string) string { return lowerOf(l, " ", true, true, false) }),
		"a corner": two(func(l string) string { return "," + lowerOf(l, ",", true, true, true) }),
		"no head":  two(func(l string) string { return lowerOf(l, "\t", false, true, true) }),
		"PHYLIP":   two(func(l string) string { return "12\n" + lowerOf(l, "\t", false, true, false) }),
		"bare":     two(func(l string) string { return lowerOf(l, " ", false, false, true) }),
		"wide":     {"a.csv", wide},
	} {
		var list []File
		for k := 0; k < len(files); k += 2 {
			list = append(list, fileOf(files[k], files[k+1]))
		}
		g, r, err := openChoice(list, Choice{})
		if err != nil || g.M() != 12 || g.N() != 2 {
			t.Errorf("%s: %v, %v", name, err, g)
			continue
		}
		at := map[string]int{}
		for i := range 12 {
			at[g.NodeName(i)] = i
		}
		for l, layer := range []string{"play", "work"} {
			if g.Layers[l].Name != layer {
				t.Errorf("%s: layers %q", name, g.LayerNames())
			}
			for i, a := range people {
				for j, b := range people {
					x, y := at[a], at[b]
					if strings.HasPrefix(g.NodeName(0), "node") || name == "bare" {
						x, y = i, j
					}
					w := float64(weightOf(layer, i, j))
					if got := g.Layers[l].Adjacency.Dense()[12*x+y]; math.Abs(got-w) > 0 && !(name == "wide" && got == min(w, 1)) {
						t.Fatalf("%s, layer %s: %s and %s have weight %g, expected %g", name, layer, a, b, got, w)
					}
				}
			}
		}
		switch notes := strings.Join(r.Notes, " "); {
		case strings.HasPrefix(name, "UTF") && !strings.Contains(notes, " was read as UTF-16."),
			strings.HasPrefix(name, "Win") && !strings.Contains(notes, "Windows-1252, in which the byte 0xeb is ë."),
			files[0] == "play.csv" && !strings.Contains(notes, "lower triangle of a symmetric matrix of 12 rows"),
			name == "wide" && !strings.Contains(notes, `3 "work" as a layer`):
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// A triangle without names and without a diagonal has a node more than rows.
func TestStrictTriangle(t *testing.T) {
	lower := lowerOf("work", " ", false, false, false)
	g, r, err := openChoice([]File{fileOf("a.txt", lower), fileOf("b.txt", lower)}, Choice{})
	if err != nil || g.M() != 12 || !strings.Contains(strings.Join(r.Notes, " "), "12 rows, without its diagonal") {
		t.Errorf("%v, %v, %v", err, g, r)
	}
}

// What is wrong in a graph in JSON or in a workbook is said, and little memory taken.
func TestBadProgramFiles(t *testing.T) {
	sheet := func(row string) string {
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		for name, text := range map[string]string{"[Content_Types].xml": "<a/>", "xl/workbook.xml": `<a><sheet name="s" id="1"/></a>`,
			"xl/_rels/workbook.xml.rels": `<a><b Id="1" Target="s.xml"/></a>`, "xl/s.xml": "<a>" + row + "</a>"} {
			w, err := z.Create(name)
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return file.String()
	}
	many := strings.Repeat("<row><c r='A1'><v>1</v></c><c r='XFD1'><v>1</v></c></row>", 400)
	for content, want := range map[string]string{
		`{"nodes":[{"id":"a"}],"links":[{"source":"a","target":"b"}]}`:    `a.x: target: found "b", expected the id of a node of this file`,
		`{"nodes":[{"id":"a"},{"id":"a"}],"links":[]}`:                    `a.x: node: found "a" again, expected an id for one node only`,
		`{"nodes":[{"id":"a"}],"links":[{"source":"a"}]}`:                 `a.x: edge 1: found "{\"source\":\"a\"}", expected an object with source and target`,
		`{"nodes":[{"id":"a"}],"links":[1]}`:                              `expected`,
		`{"nodes":[{"id":"a"}]}`:                                          `found no links or edges, expected GraphML`,
		`{"nodes":[{"id":"a"}],"links":`:                                  `a.x: json: byte 30: found the end`,
		sheet("<c r='A1'><v>1</v></c>"):                                   `a.x: xl/s.xml: found a cell outside of rows`,
		sheet("<row r='2'/><row r='1'/>"):                                 `a.x: xl/s.xml: found row 1, expected rows in order`,
		sheet("<row><c r='ZZZZ1'><v>1</v></c></row>"):                     `a.x: cell: found ZZZZ1, expected a column from A to XFD`,
		sheet("<row><c r='A1' t='s'><v>7</v></c></row>"):                  `a.x: A1: found shared text 7, expected one that the workbook holds`,
		sheet("<row r='1048576'/>"):                                       `a.x: found a workbook without a sheet that holds anything`,
		sheet("<row><c r='A1'><v>1</v></c>"):                              `a.x: xl/s.xml line 1: found`,
		sheet(many):                                                       `to keep of`,
		strings.ReplaceAll(sheet("<row/>"), "xl/workbook", "xl/WORKBOOK"): `a.x: found an Office file (.xlsx, .docx, .pptx), expected a .csv file of each table`,
	} {
		var err error
		took := frugal.Allocated(func() { _, _, err = openChoice([]File{fileOf("a.x", content)}, Choice{}) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, expected %s", content, err, want)
		}
		if took > 400<<20 {
			t.Errorf("%.60q: %d bytes taken", content, took)
		}
	}
}

// A first line of numbers is a header where it can be no link, and otherwise said; nodes that are numbered in two ways are said, too.
func TestNumberedColumns(t *testing.T) {
	ring := func(head string, from, step int) string {
		for i := range 12 {
			head += fmt.Sprintf("%d,%d\n", i+from, (i+step)%12+from)
		}
		return head
	}
	far := strings.ReplaceAll(ring("", 20, 1), "\n", ",a\n") + strings.ReplaceAll(ring("", 20, 3), "\n", ",b\n")
	for k, c := range []struct {
		files []string
		nodes int
		note  string
	}{
		{[]string{"a.csv", "0,1,2\n" + far}, 12, "a.csv: line 1 only numbers the columns and was read as a header, not as data."},
		{[]string{"a.csv", "0,1,2\n" + strings.NewReplacer("20", "p", "21", "q").Replace(far)}, 12, "line 1 only numbers the columns"},
		{[]string{"work.csv", ring("0,1\n", 0, 1), "play.csv", ring("0,1\n", 0, 3)}, 12,
			"work.csv: line 1, 0,1, was read as a link; if it numbers the columns, as pandas writes it, say -columns source=0,target=1."},
		{[]string{"work.csv", ring("0,1\n", 30, 1), "play.csv", ring("0,1\n", 30, 3)}, 12, "work.csv: line 1 only numbers the columns"},
		{[]string{"work.txt", strings.ReplaceAll("0,1\n"+ring("", 30, 1), ",", " "), "play.txt", ring("", 30, 3)}, 14, ""},
		{[]string{"work.csv", ring("", 1, 1), "play.csv", ring("", 0, 3)}, 13,
			"The nodes of play are numbered from 0 to 11 and those of work from 1 to 12: if these are the same nodes, number them alike."},
	} {
		var list []File
		for k := 0; k < len(c.files); k += 2 {
			list = append(list, fileOf(c.files[k], c.files[k+1]))
		}
		g, r, err := openChoice(list, Choice{})
		if err != nil || g.M() != c.nodes || !strings.Contains(strings.Join(r.Notes, "\n"), c.note) {
			t.Errorf("%d: %v, %v, %v", k, err, g, r)
		}
	}
	two := []File{fileOf("work.csv", ring("0,1\n", 0, 1)), fileOf("play.csv", ring("0,1\n", 0, 3))}
	c, err := Read(two, "source=0,target=1")
	if err == nil {
		if g, _, bad := c.Graph(Choice{Columns: "source=0,target=1"}); bad != nil || g.Layers[0].Summary().Edges != 12 {
			t.Errorf("by their titles: %v", bad)
		}
	} else {
		t.Error(err)
	}
	for from, want := range []string{`"0", expected ids among the 12 nodes of work.csv; ` +
		`the nodes of work.csv are numbered from 1 and these from 0: number both alike`,
		`"12", expected ids among the 12 nodes of work.csv; ` +
			`the nodes of work.csv are numbered from 0 and these from 1: number both alike`} {
		features := "id,a,b\n"
		for i := range 12 {
			features += fmt.Sprintf("%d,%g,.5\n", i+from, float64(i)+.25)
		}
		_, _, err := openChoice([]File{fileOf("work.csv", ring("", 1-from, 1)), fileOf("play.csv", ring("", 1-from, 3)), fileOf("features.csv", features)}, Choice{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

// Contacts as SocioPatterns publishes them have times, and the classes of those who meet; people who are listed beside keep theirs.
func TestContacts(t *testing.T) {
	for name, write := range map[string]string{"blanks": "%d %d %d %s %s\n", "tabs": "%d\t%d\t%d\t%s\t%s\n", "people": "%d\t%d\t%d\n"} {
		var files []File
		for day := range 2 {
			at := 31220
			text := ""
			for k := range 60 {
				i, j := (k*7+day)%12, (k*7+day+1+k%4)%12
				at += 20 * (k % 3)
				row := []any{at, 100 + i, 100 + j, "class" + string(rune('A'+i%3)), "class" + string(rune('A'+j%3))}
				text += fmt.Sprintf(write, row[:strings.Count(write, "%")]...)
			}
			files = append(files, fileOf(fmt.Sprintf("day%d.csv", day+1), text))
		}
		said := "day1.csv: columns 4 and 5 say the class of the ends of links and were taken as labels."
		if name == "people" {
			said = "columns were taken 1 as time, 2 as source, 3 as target."
			list := ""
			for i := range 13 { // one of them met nobody
				list += fmt.Sprintf("%d\tclass%c\tx%d\n", 100+i, 'A'+i%3, i)
			}
			files = append(files, fileOf("metadata_2013.txt", list))
		}
		g, r, err := openChoice(files, Choice{})
		if err != nil || g.N() != 2 || len(g.Labels) != 1 || !strings.Contains(strings.Join(r.Notes, "\n"), said) {
			t.Errorf("%s: %v, %v", name, err, r)
			continue
		}
		for i := range g.M() {
			id := 0
			fmt.Sscan(strings.TrimPrefix(g.NodeName(i), "node "), &id)
			if want := "class" + string(rune('A'+(id-100)%3)); g.Labels[0].ClassOf(i) != want {
				t.Errorf("%s: node %s is of %s, expected %s", name, g.NodeName(i), g.Labels[0].ClassOf(i), want)
			}
		}
	}
}
