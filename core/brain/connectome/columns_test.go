package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// A column that names the subject or time of all rows is not a signal, at any position and whatever its title's case, and
// its value is named.
func TestOneValueOfASubject(t *testing.T) {
	s, names := short(15, 60), namesOf(15)
	always := func(value string) func(int) string { return func(int) string { return value } }
	for title, value := range map[string]string{"subject": "100307", "Participant_ID": "7", "session": "1", "run": "2", "run number": "01", "Condition": "0",
		"group": "1", "subject_id": "sub-01", "ses": "retest"} {
		note := fmt.Sprintf("ts.csv: the column %q holds %s in every row and was left out.", title, value)
		column := under(title, always(value))
		otherwise := under(title, func(t int) string {
			if t == s.Frames-1 && value == "1" {
				return "1.0"
			}
			return value
		})
		for place, text := range map[string]string{
			"first":           lines(s, names, column, nothing),
			"last":            lines(s, names, nothing, column),
			"before a time":   lines(s, names, func(t int) []string { return append(column(t), under("Time", counter(0))(t)...) }, nothing),
			"behind a volume": lines(s, names, func(t int) []string { return append(under("volume", counter(1))(t), column(t)...) }, nothing),
			"as 1.0 at last":  lines(s, names, nothing, otherwise),
			"with a gap":      strings.Replace(lines(s, names, nothing, column), ","+value+"\n", ",n/a\n", 1),
		} {
			sameSeries(t, title+" "+place, []formats.File{file("ts.csv", text)}, s, names, note)
		}
	}
	// Regions may be called so, as long as they have signals.
	names[3], names[4] = "Sub", "Group1"
	sameSeries(t, "regions", []formats.File{file("ts.csv", lines(s, names, nothing, nothing))}, s, names, "")
	// A region may have a row of its own that names its group.
	header := []string{"region", "group"}
	for k := range 60 {
		header = append(header, fmt.Sprint("t", k))
	}
	text := lines(&Series{Frames: 15, Values: turned(s.Values, 15, 60)}, nil, func(i int) []string {
		return []string{fmt.Sprint("A", i*i), fmt.Sprint(i / 4)}
	}, nothing)
	in, err := Open([]formats.File{file("ts.csv", strings.Join(header, ",")+"\n"+text)}, nil)
	if err != nil || in.Series.M() != 15 || !slices.Equal(in.Series.Values, s.Values) ||
		!strings.Contains(strings.Join(in.Notes, ""), `"group" says something of the regions`) {
		t.Errorf("%+v, %v", in, err)
	}
}

// Rows of several subjects, sessions or runs are not series, nor are times that begin again: the error names the line and a remedy.
func TestSeveralRunsInOneFile(t *testing.T) {
	s, names := short(25, 60), namesOf(25)
	half := func(a, b string) func(int) string {
		return func(t int) string {
			if t < 30 {
				return a
			}
			return b
		}
	}
	group := func(title, a, b string) string {
		return fmt.Sprintf("ts.csv:32: the column %q: found %q after %q: rows of several subjects or runs in one file, expected those of one: "+
			"write the rows of each into a file of its own", title, b, a)
	}
	fall := func(column, a, b string) string {
		return fmt.Sprintf("%s: found %s after %s, as where a second run begins below the first, expected the frames of one run, in the order of time: "+
			"write each run into a file of its own", column, b, a)
	}
	seconds := func(t int) string { return fmt.Sprintf("%.2f", 0.72*float64(t%30)) }
	jitter := func(t int) string { return fmt.Sprintf("%.3f", 0.72*float64(t%30)+0.01*math.Sin(float64(t))) }
	again := func(t int) string { return fmt.Sprint(t % 30) }
	for want, text := range map[string]string{
		group("subject", "100307", "100408"):                              lines(s, names, under("subject", half("100307", "100408")), nothing),
		group("Subject_ID", "a", "b"):                                     lines(s, names, nothing, under("Subject_ID", half("a", "b"))),
		group("run", "1", "2"):                                            lines(s, names, under("run", half("1", "2")), under("time", again)),
		group("condition", "0", "1"):                                      lines(s, names, under("condition", half("0", "1")), nothing),
		group("session", "1", "retest"):                                   lines(s, names, under("session", half("1", "retest")), nothing),
		strings.Replace(group("participant", "1", "2"), ":32:", ":3:", 1): lines(s, names, under("participant", counter(1)), nothing),
		"ts.csv:32: " + fall(`the column "time (s)"`, "20.88", "0.00"):    lines(s, names, under("time (s)", seconds), nothing),
		"ts.csv:32: " + fall(`the column "Time"`, "20.880", jitter(30)):   "",
		"ts.csv:32: " + fall(`the column "seconds"`, "20.88", "0.00"):     lines(s, names, nothing, under("seconds", seconds)),
		"ts.csv:32: " + fall(`the column "frame"`, "29", "0"):             lines(s, names, under("frame", again), nothing),
		"ts.csv:32: " + fall(`the column "Unnamed: 0"`, "29", "0"):        lines(s, names, under("Unnamed: 0", again), nothing),
		"ts.csv:32: " + fall(`the column "nth"`, "29", "0"):               lines(s, names, nothing, under("nth", again)),
		"ts.csv:32: " + fall(`the column "scan"`, "vol_29", "vol_0"):      lines(s, names, under("scan", func(t int) string { return "vol_" + again(t) }), nothing),
		"ts.csv:31: " + fall("column 1", "29", "0"):                       lines(s, nil, under("", again), nothing),
	} {
		if text == "" { // times that are not even
			text = lines(s, names, under("Time", jitter), nothing)
			want = strings.Replace(want, "after 20.880", "after "+jitter(29), 1)
		}
		for way, open := range map[string]func([]formats.File, *Hints) (*Input, error){"Open": Open, "OpenIfBrain": OpenIfBrain} {
			if in, err := open([]formats.File{file("ts.csv", text)}, nil); err == nil || err.Error() != want {
				t.Errorf("%s: %v, %v\nwant\n%s", way, in != nil, err, want)
			}
		}
	}
	// Classes of nodes beside a few features are not subjects to a page that asks what a file is.
	few := short(8, 60)
	in, err := OpenIfBrain([]formats.File{file("nodes.csv", lines(few, namesOf(8), under("group", half("1", "2")), nothing))}, nil)
	if in != nil || err != nil {
		t.Errorf("%+v, %v", in, err)
	}
	in, err = OpenIfBrain([]formats.File{file("nodes.csv", lines(few, namesOf(8), func(t int) []string {
		return append(under("node", counter(1))(t), under("group", half("1", "2"))(t)...)
	}, nothing))}, nil)
	if in != nil || err != nil {
		t.Errorf("%+v, %v", in, err)
	}
	// An index that is in no order counts nothing, and its note does not say so.
	index := under("index", func(t int) string { return fmt.Sprint(7 * (t + 3) % 61) })
	sameSeries(t, "an index in no order", []formats.File{file("ts.csv", lines(s, names, index, nothing))}, s, names,
		`the column "index" was left out for its title.`)
}

// A matrix that is filled on one side of its diagonal is connectivity without directions, and a region whose row or column
// is bare has data in the other.
func TestOneTriangle(t *testing.T) {
	const m = 12
	names := namesOf(m)
	c, err := Compute(short(m, 60), nil, &Options{Filter: "none", Detrend: "off", Threshold: "strongest", Keep: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []string{"above", "below"} {
		for _, word := range []string{"0", "", "NaN", "0.0"} {
			for _, diagonal := range []bool{true, false} {
				for _, named := range []bool{true, false} {
					var b strings.Builder
					if named {
						b.WriteString("," + strings.Join(names, ",") + "\n")
					}
					for i := range m {
						var fields []string
						if named {
							fields = append(fields, names[i])
						}
						for j := range m {
							f := word
							if i == j && diagonal || i < j && side == "above" || i > j && side == "below" {
								f = fmt.Sprint(c.FC[i*m+j])
							}
							fields = append(fields, f)
						}
						b.WriteString(strings.Join(fields, ",") + "\n")
					}
					for way, open := range map[string]func([]formats.File, *Hints) (*Input, error){"Open": Open, "OpenIfBrain": OpenIfBrain} {
						what := fmt.Sprintf("%s, %q, diagonal %t, named %t, %s", side, word, diagonal, named, way)
						in, err := open([]formats.File{file("fc.csv", b.String())}, nil)
						if err != nil || in == nil || in.M() != m {
							t.Errorf("%s: %v, %v", what, in != nil, err)
							continue
						}
						for i := range m {
							for j := range m {
								if i != j && in.FC[i*m+j] != c.FC[i*m+j] {
									t.Fatalf("%s: %v at %d, %d", what, in.FC[i*m+j], i, j)
								}
							}
						}
						if want := fmt.Sprintf("[fc.csv: values stand %s the diagonal alone; they were mirrored to the other side.]", side); fmt.Sprint(in.Notes) != want {
							t.Errorf("%s: %q", what, in.Notes)
						}
					}
				}
			}
		}
	}
	// A region has data when others tell of it, and is left out when none does.
	fc := slices.Clone(c.FC)
	for j := range m {
		fc[3*m+j] = 0
		fc[7*m+j], fc[j*m+7] = math.NaN(), 0
	}
	in := &Input{FC: fc}
	if got := in.empty(); got[3] || !got[7] {
		t.Errorf("%v", got)
	}
}

// Decimal commas and words for what is missing are the same in series, confounds and tables of regions.
func TestOneParserOfNumbers(t *testing.T) {
	s, names := short(15, 60), namesOf(15)
	quoted := strings.NewReplacer(".", ",", ",", `","`, "\n", "\"\n\"").Replace(lines(s, nil, nothing, nothing))
	sameSeries(t, "decimal commas in quotes", []formats.File{file("ts.csv", strings.Join(names, ",")+"\n\""+strings.TrimSuffix(quoted, `"`))}, s, names, "")
	thousands := strings.ReplaceAll(lines(s, names, nothing, nothing), ",", "\t") + strings.Repeat("1,234\t", 14) + "0.5\n"
	if _, err := Open([]formats.File{file("ts.tsv", thousands)}, nil); err == nil ||
		!strings.Contains(err.Error(), `ts.tsv:62: column 1: found "1,234", expected a number`) {
		t.Errorf("%v", err)
	}
	for _, word := range []string{"n/a", "NA", "nan", "NULL", "None", "?", ""} {
		text := strings.Split(lines(s, names, nothing, nothing), "\n")
		for k := 1; k <= s.Frames; k++ {
			text[k] = word + text[k][strings.Index(text[k], ","):]
		}
		sameSeries(t, word, []formats.File{file("ts.csv", strings.Join(text, "\n"))}, &Series{Frames: 60, Values: s.Values[60:]}, names[1:],
			"1 region without data left out: region 1 ("+names[0]+").")
		in, err := Open([]formats.File{file("ts.csv", lines(s, names, nothing, nothing)),
			file("c.tsv", "trans_x\ttrans_y\n"+word+"\t1\n"+strings.Repeat("2\t3\n", 59))}, nil)
		if err != nil || in.Confounds.Columns[0][0] != 2 {
			t.Errorf("%q: %v", word, err)
		}
	}
	// Go parses these words as numbers, spreadsheets do not.
	for _, word := range []string{"0x1p4", "1_000"} {
		rows := strings.Split(lines(s, names, nothing, nothing), "\n")
		rows[1] = word + rows[1][strings.Index(rows[1], ","):]
		for where, files := range map[string][]formats.File{
			"ts.csv:2: column 1": {file("ts.csv", strings.Join(rows, "\n"))},
			"c.tsv:3: trans_x":   {file("c.tsv", "trans_x\n1\n"+word+"\n"+strings.Repeat("2\n", 58))},
			"regions.csv:2: x":   {file("regions.csv", "name,x,y,z\na,"+word+",1,2\nb,1,2,3\n")},
		} {
			if _, err := Open(files, nil); err == nil || !strings.HasPrefix(err.Error(), where+": found \""+word) {
				t.Errorf("%s, %s: %v", where, word, err)
			}
		}
	}
}
