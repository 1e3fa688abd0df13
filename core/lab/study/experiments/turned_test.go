package experiments

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
)

// An effect is an estimate with its interval. Where none is stored, the two ends are the estimate.
type effect struct{ at, low, high float64 }

func (e effect) stored() bool         { return e.low < e.high }
func (e effect) less(o effect) effect { return effect{e.at - o.at, e.low - o.high, e.high - o.low} }
func (e effect) turned() effect       { return effect{-e.at, -e.high, -e.low} }

// beyond is the effect away from 0, as one that was not there would be if it were found after all.
func (e effect) beyond() effect { return effect{e.at + 1, e.low + 2, e.high + 2} }

var (
	printedNumber = regexp.MustCompile(`[-−+]?(?:\d+(?:\.\d+)?|\.\d+)`)
	sentenced     = regexp.MustCompile(`The paper says: (the (?:further )?losses [^.]+)\. This ([a-z ]+ here): (\S+) after ` +
		`(\d+) epochs(.*?trainings\))\. ?[*A-Z\n]`)
	ofReaders = regexp.MustCompile(`(layer from [a-zA-Z ]+, by a [a-z]+ probe) ([0-9.]+), [a-z ]+ [0-9.]+, difference ` +
		`(\S+ \(95 % interval \S+ to \S+),`)
	ofLengths = regexp.MustCompile(`\* (\S+), ([a-z ]+): after .*? After \d+ it is ([0-9.]+): ` +
		`the usual length ([0-9.]+), difference (\S+) \(95 % interval (\S+ to \S+), (\d+) trainings\), lower in (\d+) of`)
	interval   = regexp.MustCompile(`95 % interval (\S+ to [^\s,)]+)|\(-[0-9.]+, (\S+ to [^\s,)]+)\)`)
	ofTests    = regexp.MustCompile(`p = ([0-9., and]+)`)
	hasVerdict = regexp.MustCompile(`(?i)(?:\b|\*)(better than|better on|(?:tells? .*|reads? .*|it|is) better|worse|as (?:good|well) as|nearly as|no better|` +
		`adds? no(?:thing)?|hardly|helps?|needs? no training|does not work|do(?:es)? not (?:need|hold|match|rebuild)|do not rebuild|match(?:es)? (?:on|table|the)|` +
		`so does matching|slow(?:s|ed)? the|(?:not|none|no difference) .*decided?|(?:is|are|comes? out|stays?) empty|nearer|lowers|learns nothing|no reader|` +
		`neither (?:linear|teaches)|no figure|no embedding|keeps apart|tells no|fit none|untrained level|more than those)\b`)
)

// numbers are those of a cell or a sentence.
func numbers(text string) (list []float64) {
	for _, s := range printedNumber.FindAllString(text, -1) {
		v, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(s), 64)
		if err == nil {
			list = append(list, v)
		}
	}
	return list
}

// effectOf reads "A", "A (B)", "A to B", "A (B to C)".
func effectOf(cell string) (effect, bool) {
	v := numbers(cell)
	switch {
	case len(v) == 0:
		return effect{}, false
	case len(v) == 2 && strings.Contains(cell, " to "):
		return effect{(v[0] + v[1]) / 2, v[0], v[1]}, true
	case len(v) >= 3 && strings.Contains(cell, " to "):
		return effect{v[0], v[1], v[2]}, true
	}
	return effect{v[0], slices.Min(v), slices.Max(v)}, true
}

// A ledger has the effects that documents store, by document, heading, row and column.
type ledger map[string]effect

var isFigure = regexp.MustCompile(`^[-−+]?(\d*\.\d+|\d+)( |,|$)`)

// read takes the tables of a document, and the sentences on the losses.
func (l ledger) read(name, text string) {
	heading, columns := "", []string(nil)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			heading = head
		}
		if !strings.HasPrefix(line, "|") {
			columns = nil
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line[1:], "|"), "|")
		for k := range cells {
			cells[k] = strings.ReplaceAll(strings.TrimSpace(cells[k]), "`", "")
		}
		switch {
		case columns == nil:
			columns = cells
		case strings.HasPrefix(cells[0], "--"):
		default:
			l.row(name+"/"+heading, columns, cells)
		}
	}
	for _, m := range sentenced.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
		for _, r := range ofReaders.FindAllStringSubmatch(m[5], -1) {
			id := strings.Join([]string{name, "claims", m[1], m[3] + " " + m[4], r[1]}, "/")
			value, _ := effectOf(r[2])
			l[id+"/value"] = value
			l[id+"/difference"], _ = effectOf(strings.ReplaceAll(r[3], "95 % interval ", ""))
		}
	}
}

func (l ledger) row(at string, columns, cells []string) {
	k := 1
	for k < len(cells) && !isFigure.MatchString(cells[k]) {
		k++
	}
	if k == len(cells) {
		k = 1
	}
	id := at + "/" + strings.Join(slices.DeleteFunc(slices.Clone(cells[:k]), func(s string) bool { return s == "" }), " ")
	for ; k < min(len(cells), len(columns)); k++ {
		for _, sep := range []string{" / ", ", "} {
			if parts := strings.Split(cells[k], sep); len(parts) > 1 && !strings.Contains(cells[k], "(") {
				for n, part := range parts {
					if e, ok := effectOf(part); ok {
						l[fmt.Sprintf("%s/%s/%d", id, columns[k], n)] = e
					}
				}
			}
		}
		if e, ok := effectOf(cells[k]); ok {
			l[id+"/"+columns[k]] = e
		}
	}
	if d, ok := l[id+"/difference"]; ok && columns[0] == "table" { // of the board: what counts as a match lies within this
		wide := max(0.02, l[id+"/± paper"].at)
		l[id+"/difference"] = effect{d.at, d.at - wide, d.at + wide}
	}
}

// like are the effects whose name a pattern has.
func (l ledger) like(pattern string) (ids []string) {
	want := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `[^/]*`) + "$")
	for _, id := range slices.Sorted(maps.Keys(l)) {
		if want.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Documents whose tables are stored results, and those whose sentences are held to them.
var (
	storing = []string{"reproduced", "length", "refined", "evidence", "methods", "model", "large", "table6"}
	stating = []string{"README.md", "RATIONALE.md", "docs/length.md", "docs/refined.md", "docs/evidence.md", "docs/methods.md", "docs/model.md", "docs/large.md",
		"docs/table6.md", "www/index.html", "www/settings/form.ts", "docs/brains.md", "docs/command-line.md",
		"docs/scope.md", "docs/javascript.md", "docs/python.md"}
)

func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// stored reads a document with its lines joined, so that sentences are whole.
func stored(t *testing.T, name string) string {
	return strings.Join(strings.Fields(file(t, name)), " ")
}

func theLedger(t *testing.T) ledger {
	l := ledger{}
	for _, name := range storing {
		l.read(name, file(t, "docs/"+name+".md"))
	}
	return l
}

// A test is an effect, or how much one is above another, and what a sentence takes it to be.
type relation struct {
	id     string
	of     effect
	is     byte // <, > or ~
	margin float64
}

func (c *relation) holds(e effect) bool {
	switch c.is {
	case '<':
		return e.high < -c.margin
	case '>':
		return e.low > c.margin
	}
	if c.margin > 0 {
		return math.Abs(e.at) <= c.margin+1e-9
	}
	return e.low <= 0 && e.high >= 0
}

// A finding is a sentence with the effects that it rests on.
type finding struct {
	document, says string
	rests          []relation
	reason         string // of a sentence that says no result
}

var relationLine = regexp.MustCompile(`^(.+?) ([<>~]) (.+?)(?: within ([0-9.]+))?$`)

// findings reads testdata/findings.txt.
func findings(t *testing.T, l ledger) (list []*finding) {
	t.Helper()
	for line := range strings.Lines(file(t, "testdata/findings.txt")) {
		line = strings.TrimRight(line, "\n")
		rest, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case !indented:
			document, says, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("findings.txt: found %q, expected a document and what it says", line)
			}
			list = append(list, &finding{document: document, says: says})
		case strings.HasPrefix(rest, "no result: "):
			list[len(list)-1].reason = rest
		default:
			f := list[len(list)-1]
			f.rests = append(f.rests, relations(t, l, f, rest)...)
		}
	}
	return list
}

func relations(t *testing.T, l ledger, f *finding, line string) (list []relation) {
	t.Helper()
	m := relationLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("findings.txt: found %q, expected EFFECT < EFFECT, > or ~, perhaps within a margin", line)
	}
	margin, _ := strconv.ParseFloat(cmp.Or(m[4], "0"), 64)
	other, isNumber := effectOf(m[3])
	if ids := l.like(m[3]); len(ids) == 1 {
		other = l[ids[0]]
	} else if !isNumber || !isFigure.MatchString(m[3]) {
		t.Fatalf("findings.txt: no stored effect %q", m[3])
	}
	if m[1] == "intervals" || m[1] == "tests" { // of the sentence itself
		for k, e := range inside(f.says, m[1]) {
			list = append(list, relation{fmt.Sprint(m[1], k), e, m[2][0], margin})
		}
	}
	for _, id := range l.like(m[1]) {
		list = append(list, relation{id, l[id].less(other), m[2][0], margin})
	}
	if list == nil {
		t.Errorf("findings.txt: no stored effect %q", m[1])
	}
	return list
}

// inside are the intervals that a sentence has itself, or its p as effects: one that is not decided has 0 inside.
func inside(says, what string) (list []effect) {
	if what == "intervals" {
		for _, m := range interval.FindAllStringSubmatch(says, -1) {
			e, _ := effectOf(m[1] + m[2])
			list = append(list, e)
		}
		return list
	}
	for _, m := range ofTests.FindAllStringSubmatch(says, -1) {
		for _, p := range numbers(m[1]) {
			list = append(list, effect{p - 0.05, p - 0.05, p}) // above 0 where nothing is decided
		}
	}
	return list
}

// sentences of a text, without code, tables and pictures.
func sentences(name, text string) (list []string) {
	if path.Ext(name) == ".html" {
		for _, m := range regexp.MustCompile(`(?s)>(Measured .*?)</p>`).FindAllStringSubmatch(text, -1) {
			list = append(list, html.UnescapeString(strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], "")), " ")))
		}
		return list
	}
	if path.Ext(name) == ".ts" {
		text = regexp.MustCompile(`'\n *\+ '`).ReplaceAllString(text, "")
		for _, m := range regexp.MustCompile(`'((?:[^'\\\n]|\\.)*)'`).FindAllStringSubmatch(text, -1) {
			list = append(list, strings.SplitAfter(m[1], ". ")...)
		}
		return list
	}
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^(    .*|\|.*|!\[.*|#.*)$`).ReplaceAllString(text, "")
	end := regexp.MustCompile("[.:?!] ([A-Z*`\"\\[])")
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\n* ", "\n\n* "), "\n\n") {
		part = strings.Join(strings.Fields(part), " ")
		if sentenced.MatchString(part+" *") || ofLengths.MatchString(part) || strings.HasPrefix(part, "What the study says of") {
			continue // as a study wrote it; TestStoredVerdictsTurn and TestLengthsSayTheirRows hold two kinds
		}
		list = append(list, strings.Split(end.ReplaceAllString(part, ".\x00$1"), "\x00")...)
	}
	return list
}

// Every sentence of a document that passes a verdict rests on stored effects, which testdata/findings.txt names. It stands there while these bear it
// out, and it fails if the sign of any of them turns, or if one that was not there is found. So do sentences of the page that say what was measured,
// unless TestTextsSayWhatIsMeasured trains for them anew.
func TestSentencesRestOnEffects(t *testing.T) {
	const mostReasons = 40
	l := theLedger(t)
	list, reasons := findings(t, l), 0
	for _, f := range list {
		text := stored(t, f.document)
		if !strings.HasSuffix(f.document, ".md") {
			text = strings.Join(sentences(f.document, file(t, f.document)), " ")
		}
		if !strings.Contains(text, f.says) {
			t.Errorf("%s does not say %q", f.document, f.says)
		}
		if f.reason != "" {
			reasons++
		} else if f.rests == nil {
			t.Errorf("%s: %q rests on nothing", f.document, f.says)
		}
		for _, c := range f.rests {
			other := c.of.turned()
			if c.is == '~' {
				other = c.of.beyond()
			}
			if !c.holds(c.of) {
				t.Errorf("%s: %s does not bear out %q: %.3f (%.3f to %.3f)", f.document, c.id, f.says, c.of.at, c.of.low, c.of.high)
			}
			if c.holds(other) {
				t.Errorf("%s: %q would stand with %s turned", f.document, f.says, c.id)
			}
			if quoted := strings.Contains(f.says, "."); !c.of.stored() && !quoted && c.margin == 0 {
				t.Errorf("%s: %q passes a verdict on %s, which has no interval: say the figures", f.document, f.says, c.id)
			}
		}
	}
	if reasons > mostReasons {
		t.Errorf("%d sentences are said to have no result, expected at most %d", reasons, mostReasons)
	}
	measured := file(t, "core/lab/study/experiments/texts_test.go")
	for _, name := range stating {
		for _, s := range sentences(name, file(t, name)) {
			bound := slices.ContainsFunc(list, func(f *finding) bool {
				return f.document == name && (strings.Contains(s, f.says) || strings.Contains(f.says, s))
			})
			if path.Ext(name) == ".html" {
				bound = bound || regexp.MustCompile(`"index\.html", "[^"]+"`).MatchString(measured) && slices.ContainsFunc(
					regexp.MustCompile(`"index\.html", "([^"]+)"`).FindAllStringSubmatch(measured, -1), func(m []string) bool { return strings.Contains(s, m[1]) })
			} else if !hasVerdict.MatchString(codeOf.ReplaceAllString(s, "")) {
				continue
			}
			if !bound {
				t.Errorf("%s passes a verdict that rests on no effect of testdata/findings.txt: %s", name, s)
			}
		}
	}
}

var codeOf = regexp.MustCompile("`[^`]*`")

// pairings are the intervals of a stored sentence on the losses, by reader.
func pairings(text string, turned bool) (list []*study.Pairing) {
	for _, m := range ofReaders.FindAllStringSubmatch(text, -1) {
		e, _ := effectOf(strings.ReplaceAll(m[3], "95 % interval ", ""))
		if turned {
			e = e.turned()
		}
		p := &study.Pairing{}
		p.Pairs, p.Low, p.High = 10, e.low, e.high
		list = append(list, p)
	}
	return list
}

// Every stored verdict on the losses is what its intervals give. With the signs of the effects turned it is another one, or none of its readers is
// above 0: then nothing was found in either direction.
func TestStoredVerdictsTurn(t *testing.T) {
	found := sentenced.FindAllStringSubmatch(stored(t, "docs/length.md"), -1)
	if len(found) != 8 {
		t.Fatalf("%d sentences, expected 2 for each of two data sets and two lengths", len(found))
	}
	for _, m := range found {
		pairs := pairings(m[5], false)
		if len(pairs) != len(readers) {
			t.Fatalf("%d readers of %s", len(pairs), m[0])
		}
		if got := verdictOf(pairs); got != m[2] {
			t.Errorf("%s, %s after %s: the document says that it %s, its intervals that it %s", m[1], m[3], m[4], m[2], got)
		}
		if m[2] == holds && verdictOf(pairings(m[5], true)) == holds {
			t.Errorf("%s, %s after %s: it %s with the signs turned, too", m[1], m[3], m[4], m[2])
		}
	}
}

// The sentences of a longer training say what the rows below them do.
func TestLengthsSayTheirRows(t *testing.T) {
	l, heading, n := theLedger(t), "", 0
	for part := range strings.SplitSeq(strings.ReplaceAll(file(t, "docs/length.md"), "\n* ", "\n\n* "), "\n\n") {
		if head, ok := strings.CutPrefix(part, "### "); ok {
			heading = head
		}
		m := ofLengths.FindStringSubmatch(strings.Join(strings.Fields(part), " "))
		if m == nil {
			continue
		}
		n++
		id := "length/" + heading + "/" + m[2] + " classes from S and all P, by a linear probe/"
		for k, column := range map[int]string{3: "end", 4: "usual length", 5: "end less usual", 6: "95 % interval"} {
			if want, _ := effectOf(m[k]); l[id+column] != want {
				t.Errorf("%s, %s: the sentence has %s %s, the row %v", heading, m[2], column, m[k], l[id+column])
			}
		}
		trainings, lower := numbers(m[7])[0], numbers(m[8])[0]
		if e := l[id+"95 % interval"]; e.high < 0 && lower < trainings/2 || e.low > 0 && lower > trainings/2 {
			t.Errorf("%s, %s: lower in %g of %g, with %v", heading, m[2], lower, trainings, e)
		}
	}
	if n != 15 {
		t.Errorf("%d sentences, expected one for each of three choices of losses on five data sets", n)
	}
}

// countRows says how the rows of the board stand; turned exchanges the signs of all differences.
func countRows(text string, turned bool) string {
	of, rows := map[string]int{}, 0
	for line := range strings.Lines(text) {
		c := strings.Split(line, "|")
		if len(c) < 20 || c[1] == "table" || c[1] == "---" {
			continue
		}
		rows++
		status := c[14]
		if v := numbers(c[13]); len(v) == 1 && v[0] != 0 && status != "match" {
			if turned {
				v[0] = -v[0]
			}
			if status = "above"; v[0] < 0 {
				status = "below"
			}
		}
		of[status]++
	}
	return fmt.Sprintf("Of %d printed figures %d match, %d are above and %d below what is printed; %d were found with other settings, %d were not run, and of %d "+
		"there are no data.", rows, of["match"], of["above"], of["below"], of["other settings"], of["not run"], of["no data"])
}

// The stored board counts its rows, and README.md says what it counts.
func TestCountsOfTheBoard(t *testing.T) {
	board := stored(t, "docs/reproduced.md")
	m := regexp.MustCompile(`Of (\d+) printed figures (\d+) match.*? Of the \d+ that match, (\d+) are at chance.*? (\d+) are matched by untrained.*? ` +
		`Of the (\d+) that differ.*? and (\d+) are unknown\. (\d+) hypotheses`).FindStringSubmatch(board)
	if m == nil {
		t.Fatal("the board has no such sentences")
	}
	if want := countRows(file(t, "docs/reproduced.md"), false); !strings.Contains(board, want) {
		t.Errorf("the board does not say %q, as its rows do", want)
	}
	if other := countRows(file(t, "docs/reproduced.md"), true); strings.Contains(board, other) {
		t.Errorf("the board says %q with all differences turned, too", other)
	}
	text := stored(t, "README.md")
	for _, want := range []string{"Of " + m[1] + " printed figures " + m[2] + " match, " + m[3] + " of them at chance and " + m[4] +
		" more without training; " + m[5] + " differ", "holds " + m[7] + " hypotheses", m[6] + " that differ fit none"} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q, as the board does", want)
		}
	}
}
