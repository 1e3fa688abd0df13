package connectome

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// A replica holds a series, its confounds and how testdata/clean.py cleans them.
type replica struct {
	Series    [][]float64    `json:"series"`
	Confounds string         `json:"confounds"`
	Cases     []*cleanedCase `json:"cases"`
}

type cleanedCase struct {
	TR        float64     `json:"tr"`
	Detrend   string      `json:"detrend"`
	Filter    string      `json:"filter"`
	Order     int         `json:"order"`
	Low       float64     `json:"low"`
	High      float64     `json:"high"`
	Confounds string      `json:"confounds"`
	Modern    bool        `json:"modern"`
	Alike     bool        `json:"alike"`
	FD        float64     `json:"fd"`
	DVARS     float64     `json:"dvars"`
	Marked    []int       `json:"marked,omitempty"`
	Want      [][]float64 `json:"want,omitempty"`
}

// clean returns the rows that [Clean] leaves.
func (r *replica) clean(t *testing.T, c *cleanedCase) [][]float64 {
	table, err := formats.ReadTable(formats.File{Name: "confounds.tsv", Data: []byte(r.Confounds)})
	if err != nil {
		t.Fatal(err)
	}
	confounds, err := newConfounds(table)
	if err != nil {
		t.Fatal(err)
	}
	confounds.Modern = c.Modern
	s := &Series{Name: "invented", Frames: len(r.Series[0]), TR: c.TR, Values: slices.Concat(r.Series...)}
	for _, m := range c.Marked {
		s.Marked = append(s.Marked, m == 1)
	}
	o := options()
	o.Detrend, o.Filter, o.Order, o.Low, o.High, o.Confounds, o.FD, o.DVARS = c.Detrend, c.Filter, c.Order, c.Low, c.High, c.Confounds, c.FD, c.DVARS
	if c.Alike != c.Modern { // otherwise what nobody says
		o.ConfoundFilter = map[bool]string{true: "on", false: "off"}[c.Alike]
	}
	x, _, _, err := Clean(s, confounds, o)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for i := range x.M() {
		rows = append(rows, x.Row(i))
	}
	return rows
}

// compare holds each case against what the replica left.
func (r *replica) compare(t *testing.T, within float64) {
	frames := map[int]bool{}
	for k, c := range r.Cases {
		got, worst := r.clean(t, c), 0.0
		if len(got) != len(c.Want) || len(got[0]) != len(c.Want[0]) {
			t.Fatalf("case %d: %d regions x %d frames, SciPy has %d x %d", k, len(got), len(got[0]), len(c.Want), len(c.Want[0]))
		}
		for i, row := range got {
			for j, v := range row {
				worst = max(worst, math.Abs(v-c.Want[i][j]))
			}
		}
		frames[len(got[0])] = true
		if !(worst <= within) {
			t.Errorf("case %d (%s, confounds %s, modern %v): %g apart from SciPy", k, c.Filter, c.Confounds, c.Modern, worst)
		}
	}
	if len(frames) < 3 {
		t.Errorf("no case leaves out frames: %v", frames)
	}
}

// What is left of a series is what plain NumPy and SciPy leave of it, in the order of the paper and in that of the field, with
// every strategy.
func TestCleaningIsThatOfSciPy(t *testing.T) {
	data, err := os.ReadFile("testdata/clean.json")
	if err != nil {
		t.Fatal(err)
	}
	var r replica
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	r.compare(t, 1e-6)
}

// So it is of a real subject, with two regions of it as confounds.
func TestRealCleaningIsThatOfSciPy(t *testing.T) {
	const python, frames = "/usr/bin/python3", 1195
	if exec.Command(python, "-c", "import scipy.signal").Run() != nil {
		t.Skip("there is no Python with SciPy here")
	}
	in, err := Open([]formats.File{shared(t, "hcp/rest/s03.npy")}, &Hints{Rows: "regions"})
	if err != nil || in.Series.Frames != frames {
		t.Fatal(err)
	}
	x := in.Series
	r := &replica{}
	for i := range 12 {
		r.Series = append(r.Series, x.Row(30*i))
	}
	lines := []string{"trans_x\tcsf\tframewise_displacement\tnon_steady_state_outlier00"}
	for j := range frames {
		moved := math.Abs(x.Row(100)[j]) / (1 + math.Abs(x.Row(5)[j]))
		lines = append(lines, fmt.Sprintf("%v\t%v\t%v\t%d", x.Row(7)[j], x.Row(200)[j], moved, min(1, max(0, 3-j))))
	}
	r.Confounds = strings.Join(lines, "\n") + "\n"
	paper := cleanedCase{TR: .72, Detrend: "on", Filter: "butterworth", Order: 5, Low: .008, High: .08, Confounds: "auto"}
	modern, exact, short := paper, paper, paper
	modern.Modern, modern.Alike, modern.FD = true, true, .9
	exact.Filter, exact.FD = "fft", 1.2
	short.Modern, short.Alike, short.Confounds = true, true, "scrubbing"
	r.Cases = []*cleanedCase{&paper, &modern, &exact, &short}
	given, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "testdata/clean.py", "-")
	c.Stdin, c.Stderr = bytes.NewReader(given), os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][][]float64
	if err = json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for k, c := range r.Cases {
		c.Want = want[k]
	}
	r.compare(t, 1e-6)
}
