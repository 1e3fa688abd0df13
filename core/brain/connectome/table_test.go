package connectome

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// short returns series of values of five digits, as programs write them.
func short(m, n int) *Series {
	s := smooth(m, n)
	for k, v := range s.Values {
		s.Values[k] = math.Round(v*1e5)/1e5 + 1e-5
		s.Values[k], _ = strconv.ParseFloat(strconv.FormatFloat(s.Values[k], 'f', 5, 64), 64)
	}
	return s
}

func namesOf(m int) []string {
	names := make([]string, m)
	for i := range names {
		names[i] = fmt.Sprintf("%cH_%s_%d", "LR"[i%2], []string{"Vis", "SomMot", "Cont", "Default"}[i/2%4], 1+i/8)
	}
	return names
}

// lines writes a series, a line for each frame; before and after give what stands beside the values, line -1 being the
// header.
func lines(s *Series, header []string, before, after func(t int) []string) string {
	var b strings.Builder
	write := func(fields ...[]string) { b.WriteString(strings.Join(slices.Concat(fields...), ",") + "\n") }
	if header != nil {
		write(before(-1), header, after(-1))
	}
	for t := range s.Frames {
		var fields []string
		for i := range s.M() {
			fields = append(fields, strconv.FormatFloat(s.Row(i)[t], 'f', 5, 64))
		}
		write(before(t), fields, after(t))
	}
	return b.String()
}

func nothing(int) []string { return nil }

// under returns fields by a function, below a title.
func under(title string, field func(t int) string) func(t int) []string {
	return func(t int) []string {
		if t < 0 {
			return []string{title}
		}
		return []string{field(t)}
	}
}

func counter(from int) func(t int) string {
	return func(t int) string { return strconv.Itoa(from + t) }
}

// sameSeries compares what was read with what was written, however the files are opened.
func sameSeries(t *testing.T, what string, files []formats.File, s *Series, names []string, note string) {
	t.Helper()
	for way, open := range map[string]func([]formats.File, *Hints) (*Input, error){"Open": Open, "OpenIfBrain": OpenIfBrain} {
		in, err := open(files, nil)
		switch {
		case err != nil || in == nil || in.Series == nil:
			t.Errorf("%s, %s: %+v, %v", what, way, in, err)
		case !slices.Equal(in.Series.Values, s.Values) || in.Series.Frames != s.Frames:
			t.Errorf("%s, %s: %d x %d", what, way, in.Series.M(), in.Series.Frames)
		case !slices.Equal(in.Series.Regions, names):
			t.Errorf("%s, %s: regions %q", what, way, in.Series.Regions)
		case !strings.Contains(strings.Join(in.Notes, "\n"), note):
			t.Errorf("%s, %s: %q, without %s", what, way, in.Notes, note)
		}
	}
}

// Rows and columns that number others are not signals, and words that name frames turn nothing, however many regions and
// frames there are.
func TestWhatIsNoSignal(t *testing.T) {
	for _, size := range [][2]int{{40, 120}, {15, 60}, {90, 30}} {
		s, names := short(size[0], size[1]), namesOf(size[0])
		codes := make([]string, s.M())
		counted := make([]string, s.M())
		for i := range codes {
			codes[i], counted[i] = strconv.Itoa(2001+i+90*(i/3)), strconv.Itoa(i)
		}
		frames := func(format string) func(t int) string { return func(t int) string { return fmt.Sprintf(format, t) } }
		for what, c := range map[string]struct {
			header        []string
			before, after func(t int) []string
			names         []string
			note          string
		}{
			"header 0, 1, ...":         {counted, nothing, nothing, nil, "line 1, 0 to"},
			"the same beside an index": {counted, under("", counter(0)), nothing, nil, "line 1, 0 to"},
			"header of codes":          {codes, nothing, nothing, codes, ", was read as a header, not as data"},
			"Volume":                   {names, under("Volume", counter(1)), nothing, names, `"Volume" only numbers the rows and was left out`},
			"TR from 0":                {names, under("TR", counter(0)), nothing, names, `"TR" only numbers the rows and was left out`},
			"time in seconds": {names, under("time (s)", func(t int) string { return fmt.Sprintf("%.2f", 0.72*float64(t)) }), nothing, names,
				"only numbers the rows and was left out"},
			"scan, the same throughout": {names, under("scan", func(int) string { return "1" }), nothing, names, `"scan" holds 1 in every row`},
			"Unnamed: 0":                {names, under("Unnamed: 0", counter(0)), nothing, names, "only numbers the rows and was left out"},
			"no title":                  {names, under("", counter(0)), nothing, names, "column 1 only numbers the rows and was left out"},
			"a title of its own":        {names, under("nth", counter(1)), nothing, names, `"nth" only numbers the rows and was left out`},
			"no header at all":          {nil, under("", counter(1)), nothing, nil, "column 1 only numbers the rows and was left out"},
			"seconds without a header": {nil, under("", func(t int) string { return fmt.Sprintf("%.1f", 2*float64(t)) }), nothing, nil,
				"column 1 only numbers the rows and was left out"},
			"vol_0000":                       {names, under("scan", frames("vol_%04d")), nothing, names, "name frames"},
			"vol_0000 under a region's name": {names, under("region", frames("vol_%04d")), nothing, names, "name frames"},
			"frame1":                         {names, under("", frames("frame%d")), nothing, names, "name frames"},
			"TR-12":                          {names, under("name", frames("TR-%d")), nothing, names, "name frames"},
			"scan 3":                         {names, under("", frames("scan %d")), nothing, names, "name frames"},
			"times of the day": {names, under("", func(t int) string { return fmt.Sprintf("10:%02d:%02d.50", t/60, t%60) }), nothing, names,
				"name frames"},
			"words with running numbers": {names, under("", frames("x%03d")), nothing, names, "because a header is taken to name regions"},
			"as 3dROIstats has it": {names, func(t int) []string {
				if t < 0 {
					return []string{"File", "Sub-brick"}
				}
				return []string{"rest+orig", fmt.Sprintf("%d[?]", t)}
			}, nothing, names, `1 column of words left out: "File"`},
			"a column of words": {names, nothing, under("session", func(int) string { return "baseline" }), names,
				`the column "session" holds baseline in every row and was left out`},
			"a column of empty fields": {names, nothing, under("", func(int) string { return "" }), names, ""},
		} {
			text := lines(s, c.header, c.before, c.after)
			what := fmt.Sprintf("%d x %d, %s", size[0], size[1], what)
			sameSeries(t, what, []formats.File{file("ts.csv", text)}, s, c.names, c.note)
		}
		sameSeries(t, "names in a comment", []formats.File{file("ts.1D", "# roi.py\n# "+strings.Join(names, ",")+"\n"+lines(s, nil, nothing, nothing))}, s, names, "")
		sameSeries(t, "a comment of AFNI", []formats.File{file("ts.1D", "# <matrix\n# ColumnLabels = \""+strings.Join(names, " ; ")+"\"\n# >\n"+
			strings.ReplaceAll(lines(s, nil, nothing, nothing), ",", " ")+"# </matrix>\n")}, s, names, "")
		sameSeries(t, "a comment that says little", []formats.File{file("ts.1D", "# made by hand\n"+lines(s, nil, nothing, nothing))}, s, nil, "")
	}
}

// Names of rows are those of regions where a header counts frames or names them.
func TestRowsThatAreRegions(t *testing.T) {
	s, names := short(12, 60), namesOf(12)
	for what, title := range map[string]func(t int) string{"counted": strconv.Itoa, "named": func(t int) string { return fmt.Sprint("frame_", t) },
		"as R has it": func(t int) string { return fmt.Sprint("V", t+1) }, "running": func(t int) string { return fmt.Sprint("x", t+1) }} {
		header := []string{"roi"}
		for t := range s.Frames {
			header = append(header, title(t))
		}
		sameSeries(t, what, []formats.File{file("ts.csv", written(s.Values, 12, 60, names, header))}, s, names, "")
	}
	// The table of regions decides before anything else does.
	regions := "name,network\n"
	for _, name := range names {
		regions += name + ",A\n"
	}
	odd := make([]string, 60)
	for k := range odd {
		odd[k] = fmt.Sprintf("word%cx%d", 'a'+k%7, k*k)
	}
	in, err := Open([]formats.File{file("ts.csv", written(s.Values, 12, 60, names, append([]string{""}, odd...))), file("regions.csv", regions)}, nil)
	if err != nil || in.Series.M() != 12 || in.Series.Frames != 60 {
		t.Errorf("%+v, %v", in, err)
	}
}

// A series is the same whichever program wrote it: separators, line ends, quotes, a mark of the byte order, the name of
// the file and row counters change nothing.
func TestSeriesHoweverWritten(t *testing.T) {
	s, names := short(15, 60), namesOf(15)
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(n int) bool { return random.IntN(n) == 0 }
	for k := range 300 {
		before, after, header := nothing, nothing, names
		switch random.IntN(4) {
		case 0:
			before = under([]string{"Volume", "", "Unnamed: 0", "index", "Time", "frame"}[random.IntN(6)], counter(random.IntN(2)))
		case 1:
			before = under([]string{"", "scan", "id"}[random.IntN(3)], func(t int) string { return fmt.Sprintf("vol_%03d", t) })
		}
		if pick(4) {
			after = under("site", func(int) string { return "A1x" })
		}
		text := lines(s, header, before, after)
		if pick(3) {
			text = strings.ReplaceAll(text, names[3], `"`+names[3]+`"`)
		}
		separator := []string{",", ";", "\t", ", "}[random.IntN(4)]
		text = strings.ReplaceAll(text, ",", separator)
		if separator == ";" && pick(2) {
			text = strings.ReplaceAll(text, ".", ",")
		}
		if pick(3) {
			text = "# of a program\n# 15 regions\n" + text
		}
		text = strings.ReplaceAll(text, "\n", []string{"\n", "\r\n", "\r"}[random.IntN(3)])
		if pick(3) {
			text = "\ufeff" + text
		}
		if pick(3) {
			text = strings.TrimRight(text, "\r\n")
		}
		name := []string{"ts.csv", "ts.tsv", "ts.txt", "100001.1D", "sub-01_task-motion_timeseries.tsv", "edges.dat", "x"}[random.IntN(7)]
		sameSeries(t, fmt.Sprintf("%d: %s %.60q", k, name, text), []formats.File{file(name, text)}, s, names, "")
		if t.Failed() {
			return
		}
	}
}

// A table with the same names on both sides is connectivity, in any order of columns. It is refused if its directions
// differ, unless their mean is asked for.
func TestDirectedConnectivity(t *testing.T) {
	m, names := 12, namesOf(12)
	x := noise(m, m, 5).Values
	for k, v := range x {
		x[k] = math.Round(v*1e4) / 1e5
	}
	for i := range m {
		x[i*m+i] = 1
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(m)
	turned, header := make([]float64, 0, m*m), []string{"Node"}
	for _, j := range order {
		header = append(header, names[j])
	}
	for i := range m {
		for _, j := range order {
			turned = append(turned, x[i*m+j])
		}
	}
	pair := fmt.Sprintf("region 1 (%s) and region 2 (%s): found %v in line 2 and %v in line 3: connectivity that is not symmetric", names[0], names[1], x[1], x[m])
	for what, f := range map[string]formats.File{
		"names":            file("gppi.csv", written(x, m, m, names, append([]string{"Node"}, names...))),
		"columns turned":   file("gppi.csv", written(turned, m, m, names, header)),
		"a diagonal alone": file("gppi.csv", written(x, m, m, nil, names)),
	} {
		for _, open := range []func([]formats.File, *Hints) (*Input, error){Open, OpenIfBrain} {
			if _, err := open([]formats.File{f}, nil); err == nil || !strings.HasPrefix(err.Error(), "gppi.csv:2: "+pair) ||
				!strings.Contains(err.Error(), "directions=mean") || !strings.Contains(err.Error(), "-mutual") {
				t.Errorf("%s: %v", what, err)
			}
			in, err := open([]formats.File{f}, &Hints{Directions: "mean"})
			if err != nil || in.FC[1] != (x[1]+x[m])/2 || in.FC[m] != in.FC[1] || !slices.Equal(in.Regions, names) || len(in.Notes) == 0 {
				t.Errorf("%s, the mean: %+v, %v", what, in, err)
			}
		}
	}
}
