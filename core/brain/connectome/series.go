package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats"
)

// A Series holds the signals of M regions at T frames.
type Series struct {
	Name    string
	Regions []string  // M names; nil when they are not known
	Frames  int       // T
	TR      float64   // seconds from one frame to the next; 0 when it is not known
	Values  []float64 // M x T, row-major: a row for each region
	Marked  []bool    // frames to be left out; nil: none

	lines    []int  // of the regions or of the frames in a text; nil when it was none
	byRegion bool   // those of the regions
	gone     []bool // frames that are not in the file, whose values are filled in; nil: none
	recorded int    // frames of the recording that a window is of; 0 of a whole one
}

// M returns the number of regions.
func (s *Series) M() int {
	if s.Frames == 0 {
		return 0
	}
	return len(s.Values) / s.Frames
}

// Row returns the signal of region i, one value a frame. It is not a copy.
func (s *Series) Row(i int) []float64 { return s.Values[i*s.Frames : (i+1)*s.Frames] }

// line returns the line of a value; 0 when it is not known.
func (s *Series) line(i, t int) int {
	switch {
	case s.lines == nil:
		return 0
	case s.byRegion:
		return s.lines[i]
	}
	return s.lines[t]
}

// region names region i for a message, where the first is region 1.
func region(regions []string, i int) string {
	if regions != nil {
		return fmt.Sprintf("region %d (%s)", i+1, regions[i])
	}
	return fmt.Sprintf("region %d", i+1)
}

// Check reports whether the series can be worked on: at least two regions and [LeastFrames]
// frames, finite values, distinct names. The error is a [*diag.Error].
func (s *Series) Check() error {
	bad := func(where, found, expected string) error {
		return diag.At(s.Name, 0, where, found, expected)
	}
	m := s.M()
	ErrShape.Unless(len(s.Values) == m*s.Frames)
	switch {
	case m < 2:
		return bad("regions", fmt.Sprint(m), "at least 2")
	case s.Frames < LeastFrames:
		return bad("frames", fmt.Sprint(s.Frames), fmt.Sprintf("at least %d: fewer say nothing about a correlation", LeastFrames))
	case math.IsNaN(s.TR) || math.IsInf(s.TR, 0) || s.TR < 0:
		return bad("tr", fmt.Sprint(s.TR), "seconds > 0")
	}
	if s.Regions != nil {
		if len(s.Regions) != m {
			return bad("region names", fmt.Sprint(len(s.Regions)), fmt.Sprintf("%d, one a region", m))
		}
		var lines []int
		if s.byRegion {
			lines = s.lines
		}
		if _, err := index(s.Name, s.Regions, lines); err != nil {
			return err
		}
	}
	for i := range m {
		for t, v := range s.Row(i) {
			expected := ""
			switch {
			case isNoNumber(v):
				expected = s.finite()
			case math.Abs(v) > mostValue:
				expected = fmt.Sprintf("numbers up to %g", mostValue)
			default:
				continue
			}
			return diag.At(s.Name, s.line(i, t), fmt.Sprintf("%s, frame %d", region(s.Regions, i), t+1), fmt.Sprint(v),
				expected)
		}
	}
	return nil
}

// mostValue is the largest value of a series: its square can be added up.
const mostValue = 1e100

// finite says what is expected instead of values that are not finite, and how far they go: frames may be cut out where only
// some hold such values.
func (s *Series) finite() string {
	frames, regions := 0, []string{}
	for i := range s.M() {
		if slices.ContainsFunc(s.Row(i), isNoNumber) {
			regions = append(regions, region(s.Regions, i))
		}
	}
	for t := range s.Frames {
		for i := range s.M() {
			if isNoNumber(s.Row(i)[t]) {
				frames++
				break
			}
		}
	}
	if frames == s.Frames {
		return fmt.Sprintf("finite numbers (%s of %d hold others in one frame or another: %s): leave such regions out, or fill them in, before",
			figure.Count(len(regions), "region"), s.M(), some(regions))
	}
	return fmt.Sprintf("finite numbers (%s of %d hold others): cut such frames out, or fill them in, before", figure.Count(frames, "frame"), s.Frames)
}

func isNoNumber(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Crop returns the first n frames. It panics if there are fewer.
func (s *Series) Crop(n int) *Series { return s.Window(0, n) }

// Window returns n frames from the given one on. It panics if they are not there.
func (s *Series) Window(from, n int) *Series {
	ErrShape.Unless(from >= 0 && n >= 0 && from+n <= s.Frames)
	c := &Series{Name: s.Name, Regions: s.Regions, Frames: n, TR: s.TR, Values: make([]float64, 0, s.M()*n)}
	for i := range s.M() {
		c.Values = append(c.Values, s.Row(i)[from:from+n]...)
	}
	if s.Marked != nil {
		c.Marked = s.Marked[from : from+n]
	}
	if s.gone != nil {
		c.gone = s.gone[from : from+n]
	}
	c.recorded = max(s.Frames, s.recorded)
	if c.lines, c.byRegion = s.lines, s.byRegion; c.lines != nil && !c.byRegion {
		c.lines = c.lines[from : from+n]
	}
	return c
}

// pick returns some regions in an order, with their names.
func (s *Series) pick(order []int, names []string) *Series {
	p := &Series{Name: s.Name, Regions: names, Frames: s.Frames, TR: s.TR, Marked: s.Marked, Values: make([]float64, 0, len(order)*s.Frames),
		byRegion: s.byRegion, gone: s.gone, recorded: s.recorded}
	if p.lines = s.lines; s.byRegion {
		p.lines = picked(s.lines, order)
	}
	for _, i := range order {
		p.Values = append(p.Values, s.Row(i)...)
	}
	return p
}

// match returns for each name of want its place in have. Names are compared without regard to case and to the ending "_ROI"; one that
// is missing on either side is a [*diag.Error].
func match(file string, have, want []string) ([]int, error) {
	at, err := index(file, have, nil)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(want))
	used := make([]bool, len(have))
	var missing, extra []string
	for k, name := range want {
		i, ok := at[plain(name)]
		if !ok {
			missing = append(missing, name)
			continue
		}
		order[k], used[i] = i, true
	}
	for i, name := range have {
		if !used[i] {
			extra = append(extra, name)
		}
	}
	if len(missing)+len(extra) > 0 {
		found := fmt.Sprintf("%d names against %d", len(have), len(want))
		if len(extra) > 0 {
			found += ", unknown: " + some(extra)
		}
		if len(missing) > 0 {
			found += ", missing: " + some(missing)
		}
		return nil, diag.At(file, 0, "regions", found, "the names of the table of regions, in any order")
	}
	return order, nil
}

// some lists a few names.
func some(names []string) string { return formats.List(names, 3) }

// index returns the position of each name in its compared form. Lines are those that hold the names, if known.
func index(file string, names []string, lines []int) (map[string]int, error) {
	at := make(map[string]int, len(names))
	for i, name := range names {
		err := diag.At(file, 0, region(nil, i), "no name", "one")
		key := plain(name)
		j, again := at[key]
		if lines != nil {
			err.Line = lines[i]
		}
		if again {
			err.Found, err.Expected = fmt.Sprintf("the name %q of %s again", name, region(nil, j)), "distinct names"
			if lines != nil {
				err.Found = fmt.Sprintf("the name %q of %s in line %d again", name, region(nil, j), lines[j])
			}
		}
		if key == "" || again {
			return nil, err
		}
		at[key] = i
	}
	return at, nil
}

// plainly returns the compared forms of names.
func plainly(names []string) map[string]bool {
	of := map[string]bool{}
	for _, s := range names {
		of[plain(s)] = true
	}
	return of
}

// picked returns some entries of a list, in an order; nil of a list that is not there.
func picked[T any](list []T, order []int) (some []T) {
	for _, i := range order {
		if list != nil {
			some = append(some, list[i])
		}
	}
	return some
}

// plain returns the form of a name used for comparison.
func plain(name string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), "_roi")
}
