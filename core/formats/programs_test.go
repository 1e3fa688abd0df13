package formats

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"cadem.example/core/base/frugal"
	"cadem.example/core/multiplex"
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

// distOf writes the lower triangle of a layer as R prints distances: without the first row and the last column.
func distOf(layer string) string {
	_, rows, _ := strings.Cut(lowerOf(layer, " ", false, true, false), "\n")
	return "     " + strings.Join(people[:len(people)-1], " ") + "\n" + rows
}

// wholeOf writes the rows of a layer, with names or without.
func wholeOf(layer string, names bool) string {
	text := ""
	for i, name := range people {
		var row []string
		if names {
			row = append(row, name)
		}
		for j := range people {
			row = append(row, fmt.Sprint(weightOf(layer, i, j)))
		}
		text += strings.Join(row, ";") + "\n"
	}
	return text
}

// upperOf writes the upper triangle of a layer.
func upperOf(layer, separator string, names, diagonal bool) string {
	var b strings.Builder
	for i := range people {
		var fields []string
		if names {
			fields = append(fields, people[i])
		}
		if diagonal {
			fields = append(fields, "0")
		}
		for j := i + 1; j < len(people); j++ {
			fields = append(fields, fmt.Sprint(weightOf(layer, i, j)))
		}
		if fields != nil {
			b.WriteString(strings.Join(fields, separator) + "\n")
		}
	}
	return b.String()
}

// adjacencyOf writes the links as adjacency_data of networkx does: each at both of its ends.
func adjacencyOf() string {
	nodes, near := "", make([]string, len(people))
	for k, name := range people {
		nodes += fmt.Sprintf(`,{"id":%q}`, name)
		for _, l := range keptLinks() {
			if l.a == k || l.b == k {
				near[k] += fmt.Sprintf(`,{"layer":%q,"weight":%d,"id":%q,"key":0}`, l.layer, l.weight, people[l.a+l.b-k])
			}
		}
		near[k] = "[" + strings.TrimPrefix(near[k], ",") + "]"
	}
	return `{"directed":false,"multigraph":true,"graph":[],"nodes":[` + nodes[1:] + `],"adjacency":[` + strings.Join(near, ",") + `]}`
}

// neo4jNodes writes the people as the importer of neo4j reads them.
func neo4jNodes() string {
	text := "personId:ID(Person),name,:LABEL\n"
	for k, name := range people {
		text += fmt.Sprintf("%d,%s,%c\n", k, name, 'a'+k%2)
	}
	return text
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
	keyed := `"` + strings.Join(people, `":{},"`) + `":{}`
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
		"upper":    two(func(l string) string { return upperOf(l, " ", true, false) }), "with 0": two(func(l string) string { return upperOf(l, ",", true, true) }),
		"bare, up":       two(func(l string) string { return upperOf(l, " ", false, true) }),
		"adjacency_data": {"a.json", adjacencyOf()},
		"neo4j": {"people.csv", neo4jNodes(), "rels.csv",
			asLines(":START_ID(Person),weight:float,:END_ID(Person),:TYPE\n", "FROM,WEIGHT,TO,LAYER\n", "")},
		"UTF-16LE, no mark": {"a.csv", utf16Of(table, binary.LittleEndian)[2:]}, "UTF-16BE, no mark": {"a.csv", utf16Of(table, binary.BigEndian)[2:]},
		"dist of R": two(distOf),
		"dashes": two(func(l string) string {
			return strings.ReplaceAll(";"+strings.Join(people, ";")+"\n"+wholeOf(l, true), ";0", ";-")
		}),
		"records": {"a.json", asLines("[", link, "]")},
		"JSON Graph": {"a.json", asLines(`{"graph":{"nodes":{`+keyed+`},"edges":[`,
			`{"source":"SOURCE","target":"TARGET","relation":"LAYER","metadata":{"weight":WEIGHT}}`, `]}}`)},
		"titled SIF": {"a.sif", asLines("source\tmetaedge\ttarget\tweight\n", "SOURCE\tLAYER\tTARGET\tWEIGHT\n", "")},
		"l n l n w":  {"a.txt", asLines("", "LAYER SOURCE LAYER TARGET WEIGHT\n", "")},
		"n l n w":    {"a.txt", asLines("", "SOURCE LAYER TARGET WEIGHT\n", "")},
		"bare":       two(func(l string) string { return lowerOf(l, " ", false, false, true) }),
		"wide":       {"a.csv", wide},
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
		checkKept(t, name, g)
		switch notes := strings.Join(r.Notes, " "); {
		case strings.HasPrefix(name, "UTF") && !strings.Contains(notes, " was read as UTF-16."),
			strings.HasPrefix(name, "Win") && !strings.Contains(notes, "Windows-1252, in which the byte 0xeb is ë."),
			files[0] == "play.csv" && name != "dashes" && !strings.Contains(notes, " triangle of a symmetric matrix of 12 rows"),
			name == "wide" && !strings.Contains(notes, `3 "work" as a layer`):
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// checkKept compares a graph with the links that every program writes.
func checkKept(t *testing.T, name string, g *multiplex.Graph) {
	t.Helper()
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
				if strings.HasPrefix(g.NodeName(0), "node") || strings.HasPrefix(name, "bare") {
					x, y = i, j
				}
				w := float64(weightOf(layer, i, j))
				if got := g.Layers[l].Adjacency.Dense()[12*x+y]; math.Abs(got-w) > 0 && !(name == "wide" && got == min(w, 1)) {
					t.Fatalf("%s, layer %s: %s and %s have weight %g, expected %g", name, layer, a, b, got, w)
				}
			}
		}
	}
}

// A triangle without names and without a diagonal has a node more than rows.
func TestStrictTriangle(t *testing.T) {
	lower, upper := lowerOf("work", " ", false, false, false), upperOf("work", "\t", false, false)
	g, r, err := openChoice([]File{fileOf("a.txt", lower), fileOf("b.txt", upper)}, Choice{})
	if err != nil || g.M() != 12 || strings.Count(strings.Join(r.Notes, " "), "12 rows, without its diagonal") != 2 ||
		g.Layers[0].Adjacency.Hash() != g.Layers[1].Adjacency.Hash() {
		t.Errorf("%v, %v, %v", err, g, r)
	}
}

// Symmetric matrices, and those without a diagonal, of so few nodes that they have the columns of a list are matrices, with titles or row numbers or without.
func TestFewNodes(t *testing.T) {
	for n := 3; n < 6; n++ {
		for _, form := range []string{"bare", "titled", "counted"} {
			text, rows := "", ""
			for i := range n {
				if text += fmt.Sprintf(",\"V%d\"", i+1); form == "counted" {
					rows += fmt.Sprintf("\"%d\",", i+1)
				}
				for j := range n { // each pair, some of an even number of nodes one way
					cell := "1,"
					if i == j || n%2 == 0 && i > j && (i+j)%3 == 0 {
						cell = "0,"
					}
					rows += cell
				}
				rows = strings.TrimSuffix(rows, ",") + "\n"
			}
			switch form {
			case "bare":
				text = rows
			case "titled":
				text = text[1:] + "\n" + rows
			default:
				text = "\"\"" + text + "\n" + rows
			}
			g, _, err := openChoice([]File{fileOf("play.csv", text), fileOf("work.csv", text)}, Choice{})
			if err != nil || g.M() != n || g.N() != 2 || g.Layers[0].Summary().Edges != n*(n-1)/2 {
				t.Errorf("%s of %d: %v, %v", form, n, err, g)
			}
		}
	}
}

// Commas between thousands are read where something shows that they are not decimal, and refused with advice elsewhere.
func TestThousands(t *testing.T) {
	ring := func(format string, values ...string) string {
		text := "origin,destination,carrier,tons\n"
		if strings.Contains(format, "\t") {
			text = strings.ReplaceAll(text, ",", "\t")
		}
		for k := range 24 {
			text += fmt.Sprintf(format, people[k%12], people[(k+1+k/12)%12], k/12, values[k%len(values)])
		}
		return text
	}
	const said = "a.csv: the commas of numbers in column 4 were read as separators of thousands."
	for name, c := range map[string]struct{ text, want string }{
		"quoted":     {ring("%s,%s,c%d,\"%s\"\n", "1,719", "983"), said},
		"tabs":       {ring("%s\t%s\tc%d\t%s\n", "1,719", "983"), said},
		"millions":   {ring("%s,%s,c%d,\"%s\"\n", "1,719", "2,001,719"), said},
		"points":     {ring("%s,%s,c%d,\"%s\"\n", "1,719.00", "3,104.50"), said},
		"with 0":     {ring("%s,%s,c%d,\"%s\"\n", "1,719", "0"), `a.csv:2: weight: found "1,719", expected a number whose comma is clear: 1719 if`},
		"unclear":    {ring("%s,%s,c%d,\"%s\"\n", "1,719", "1,983"), `a.csv:2: weight: found "1,719", expected a number whose comma is clear: 1719 if`},
		"large ones": {ring("%s,%s,c%d,\"%s\"\n", "1,719", "1983"), `a.csv:2: weight: found "1,719", expected a number whose comma is clear: 1719 if`},
	} {
		g, r, err := openChoice([]File{fileOf("a.csv", c.text)}, Choice{Columns: "source=origin,target=destination,layer=carrier,weight=tons"})
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if notes := strings.Join(r.Notes, " "); c.want != said || !strings.Contains(notes, said) || slices.Max(g.Layers[0].Adjacency.Value) < 1719 {
			t.Errorf("%s: %q, %v", name, notes, g.Layers[0].Adjacency.Value)
		}
	}
}

// Titles name the ends of links in the words of many fields.
func TestTitlesOfEnds(t *testing.T) {
	for _, titles := range []string{"O_zone,D_zone,mode,trips", "respondent,alter,tie,strength", ".tail,.head,rel,w", "TF,gene,tissue,importance",
		"citing_id,cited_id,kind,n", "presynaptic,postsynaptic,kind,synapses",
		"caller,callee,kind,calls", "x_id,y_id,relation,n"} {
		text := titles + "\n"
		for _, l := range keptLinks() {
			text += fmt.Sprintf("%d,%d,%s,%d\n", 1+l.a, 1+l.b, l.layer, l.weight)
		}
		if g, _, err := openChoice([]File{fileOf("a.csv", text)}, Choice{}); err != nil || g.M() != 12 || g.N() != 2 || g.Layers[0].Adjacency.Value == nil {
			t.Errorf("%s: %v, %v", titles, err, g)
		}
	}
	routes := ""
	for _, l := range keptLinks() {
		routes += fmt.Sprintf("%s,%s,%d,%s,%d,,0,CR2\n", l.layer, people[l.a], l.a, people[l.b], l.b)
	}
	const advice = "if each row of routes.dat is a link, say which columns are its ends"
	if _, _, err := openChoice([]File{fileOf("routes.dat", routes)}, Choice{}); err == nil || !strings.Contains(err.Error(), advice) {
		t.Errorf("routes: %v", err)
	}
	names := "name\ttype\tunits\n"
	for k := range 12 {
		names += fmt.Sprintf("E%02d\tEEG\tuV\n", k)
	}
	files := []File{fileOf("alpha.csv", upperOf("work", ",", false, true)), fileOf("beta.csv", upperOf("play", ",", false, true)), fileOf("channels.tsv", names)}
	if g, _, err := openChoice(files, Choice{}); err != nil || g.NodeName(3) != "E03" {
		t.Errorf("channels: %v", err)
	}
}

// A table beside matrices without names lists their nodes where a column counts its rows, and is no list of links.
func TestTablesOfRows(t *testing.T) {
	labels, places := "index,name,network\n", ""
	for k, name := range people {
		labels += fmt.Sprintf("%d,%s,%c\n", k+1, name, 'A'+k%2)
		places += fmt.Sprintf("%d\t%d\t.%d\t%s\n", k+1, 5*k, 10+k, name)
	}
	for file, text := range map[string]string{"labels.csv": labels, "places.locs": places} {
		files := []File{fileOf("play.csv", wholeOf("play", false)), fileOf("work.csv", wholeOf("work", false)), fileOf(file, text)}
		g, _, err := openChoice(files, Choice{})
		if err != nil || g.M() != 12 || g.N() != 2 || file == "labels.csv" && (g.NodeName(2) != people[2] || len(g.Labels) != 1) {
			t.Errorf("%s: %v, %v", file, err, g)
		}
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
		`{"nodes":[{"id":"a"}]}`:                                          `found no links or edges, expected a list of objects`,
		`{"nodes":[{"id":"a"}],"adjacency":[[],[{"id":"a"}]]}`:            `a.x: JSON: found "{\"id\":\"a\"}", expected an object with the id of a neighbour`,
		`{"nodes":[{"id":"a"}],"adjacency":[[{"id":"b"}]]}`:               `a.x: target: found "b", expected the id of a node of this file`,
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
		notes := ""
		if err == nil {
			notes = strings.Join(r.Notes, "\n")
		}
		if err != nil || g.N() != 2 || len(g.Labels) != 1 || !strings.Contains(notes, said) || strings.Contains(notes, "5 as nothing") {
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

// What a table may mean otherwise is said or asked: years are no weights and no layers, classes no weights, and so on.
func TestOtherMeanings(t *testing.T) {
	list := func(titles, row string) string {
		text := titles
		for k, l := range keptLinks() {
			text += strings.NewReplacer("SOURCE", people[l.a], "TARGET", people[l.b], "LAYER", l.layer, "WEIGHT", fmt.Sprint(l.weight),
				"YEAR", fmt.Sprint(2001+k%7), "SIGN", fmt.Sprint(1-2*(k%2)), "SCORE", fmt.Sprint(150+k),
				"POINT", fmt.Sprintf("%d.%03d", 1+k%7, 101+k), "CLASS", fmt.Sprint(k%3)).Replace(row)
		}
		return text
	}
	const head, row, points = "source,target,layer,weight\n", "SOURCE,TARGET,LAYER,WEIGHT\n", "source;target;layer;weight\n"
	names := ";" + strings.Join(people, ";") + "\n"
	coded := names
	for i, name := range people {
		coded += name
		for j := range people {
			answer := min(weightOf("play", i, j), 1)
			if i+j == len(people)+1 && i != j { // who was not asked
				answer = 9
			}
			coded += fmt.Sprintf(";%v", answer)
		}
		coded += "\n"
	}
	for name, c := range map[string]struct{ text, want, not string }{
		"years":           {list("", "SOURCE TARGET YEAR\n"), "-columns source,target,layer", "weight"},
		"years of layers": {list("", "SOURCE TARGET LAYER YEAR\n"), "3 as layer, 4 as time", "weight"},
		"year titles":     {list("source,target,2018,2019\n", "SOURCE,TARGET,SCORE,WEIGHT\n"), "-columns weight=2018,weight=2019", ""},
		"label":           {list("source,target,layer,label\n", "SOURCE,TARGET,LAYER,CLASS\n"), "a column is not used: label", "weight"},
		"label alone":     {list("source,target,label\n", "SOURCE,TARGET,CLASS\n"), "there is label (3 values)", "weight="},
		"signed":          {list("source,target,polarity\n", "SOURCE,TARGET,SIGN\n"), "signs make two: -columns weight=polarity", ""},
		"STRING": {list("protein1 protein2 fusion coexpression textmining combined_score\n", "SOURCE TARGET 0 SCORE SCORE SCORE\n"),
			"-columns weight=coexpression,weight=textmining", "weight=fusion"},
		"quotes": {list("'source','target','layer','weight'\n", "'SOURCE','TARGET','LAYER',WEIGHT\n"), "names in single quotes", ""},
		"total":  {list(head, row) + "Total,Total,play,99\n", `"Total" became`, ""},
		"dates":  {list(head, row) + "1-Mar,2.3E+05,play,2\n", `"1-Mar", "2.3E+05" became`, ""},
		"floats": {"source,target,layer\n1,2,a\n2,3,a\n3,4,a\n4,5,a\n1.0,2.0,b\n2.0,3.0,b\n3.0,4.0,b\n4.0,5.0,b\n",
			`nodes: found nearly all in two spellings, such as "1" and "1.0"`, ""},
		"points":   {list(points, "SOURCE;TARGET;LAYER;POINT\n"), "The points of all 24 weights were read as decimal", ""},
		"decimals": {list(points, "SOURCE;TARGET;LAYER;POINT\n") + "Anna;Emil;play;0.5\n", "the nodes are the 12", "decimal"},
		"codes":    {coded, "weights of 1 and numbers such as 9 alone", ""},
		"weights":  {names + wholeOf("play", true), "as a matrix", "stand for what is missing"},
	} {
		files := []File{fileOf("a.csv", c.text)}
		if strings.HasPrefix(c.text, ";") {
			files = append(files, fileOf("b.csv", names+wholeOf("work", true)))
		}
		_, r, err := openChoice(files, Choice{})
		said := fmt.Sprint(err)
		if err == nil {
			said = strings.Join(r.Notes, " ")
		}
		if !strings.Contains(said, c.want) || c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s: %q", name, said)
		}
	}
}
