package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
)

// A Series holds the signals of M regions at T frames.
type Series struct {
	Name    string
	Regions []string  // M names; nil when they are not known
	Frames  int       // T
	TR      float64   // seconds from one frame to the next; 0 when it is not known
	Values  []float64 // M x T, row-major: a row for each region
}

// M returns the number of regions.
func (s *Series) M() int {
	if s.Frames == 0 {
		return 0
	}
	return len(s.Values) / s.Frames
}

// Row returns the signal of region i.
func (s *Series) Row(i int) []float64 { return s.Values[i*s.Frames : (i+1)*s.Frames] }

// region names region i for a message.
func region(regions []string, i int) string {
	if regions != nil {
		return fmt.Sprintf("region %d (%s)", i, regions[i])
	}
	return fmt.Sprintf("region %d", i)
}

// Check tells whether the series can be worked on: at least two regions and [LeastFrames]
// frames, finite values, distinct names. The error is a [*diag.Error].
func (s *Series) Check() error {
	bad := func(where, found, expected string) error {
		return &diag.Error{File: s.Name, Where: where, Found: found, Expected: expected}
	}
	m := s.M()
	if len(s.Values) != m*s.Frames {
		panic(ErrShape)
	}
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
		if _, err := index(s.Name, s.Regions); err != nil {
			return err
		}
	}
	for i := range m {
		for t, v := range s.Row(i) {
			if math.Abs(v) > mostValue && !math.IsInf(v, 0) {
				return bad(fmt.Sprintf("%s, frame %d", region(s.Regions, i), t), fmt.Sprint(v), fmt.Sprintf("numbers up to %g", mostValue))
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return bad(fmt.Sprintf("%s, frame %d", region(s.Regions, i), t), fmt.Sprint(v), s.finite())
			}
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
	if from < 0 || n < 0 || from+n > s.Frames {
		panic(ErrShape)
	}
	c := &Series{Name: s.Name, Regions: s.Regions, Frames: n, TR: s.TR, Values: make([]float64, 0, s.M()*n)}
	for i := range s.M() {
		c.Values = append(c.Values, s.Row(i)[from:from+n]...)
	}
	return c
}

// Match returns the series with its regions in the order of a list of names. Names are
// compared without regard to case and to the ending "_ROI". A region that is missing on
// either side is a [*diag.Error]; so are names that the series does not have, unless it has as
// many regions as the list, whose order is then taken for its own.
func (s *Series) Match(regions []string) (*Series, error) {
	if s.Regions == nil {
		if s.M() != len(regions) {
			return nil, &diag.Error{File: s.Name, Where: "regions", Found: fmt.Sprintf("%d without names", s.M()),
				Expected: fmt.Sprintf("%d, as in the table of regions", len(regions))}
		}
		named := *s
		named.Regions = regions
		return &named, nil
	}
	order, err := match(s.Name, s.Regions, regions)
	if err != nil {
		return nil, err
	}
	sorted := &Series{Name: s.Name, Regions: regions, Frames: s.Frames, TR: s.TR, Values: make([]float64, 0, len(s.Values))}
	for _, i := range order {
		sorted.Values = append(sorted.Values, s.Row(i)...)
	}
	return sorted, nil
}

// match returns for each name of want its place in have.
func match(file string, have, want []string) ([]int, error) {
	at, err := index(file, have)
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
		return nil, &diag.Error{File: file, Where: "regions", Found: found, Expected: "the names of the table of regions, in any order"}
	}
	return order, nil
}

// some lists a few names.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%q and %d more", names[:most], len(names)-most)
	}
	return fmt.Sprintf("%q", names)
}

// index returns the place of each name as it is compared.
func index(file string, names []string) (map[string]int, error) {
	at := make(map[string]int, len(names))
	for i, name := range names {
		key := plain(name)
		if key == "" {
			return nil, &diag.Error{File: file, Where: fmt.Sprintf("region %d", i), Found: "no name", Expected: "one"}
		}
		if j, again := at[key]; again {
			return nil, &diag.Error{File: file, Where: fmt.Sprintf("region %d", i), Found: fmt.Sprintf("the name %q of region %d again", name, j),
				Expected: "distinct names"}
		}
		at[key] = i
	}
	return at, nil
}

// plain returns a name as it is compared.
func plain(name string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), "_roi")
}
