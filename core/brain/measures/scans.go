package measures

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/subject"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// prepareScans makes a graph of every scan of the data and keeps what later tasks need of it, a row a scan.
// The encoders are linear, so Z is all they see of a graph.
func prepareScans(r *measure.Result, spec *run.DataSpec, s *run.Settings, files *run.Files, yield pause.Yield) error {
	source, err := openScans(spec, files)
	if err != nil {
		return err
	}
	list := &measure.Items{}
	err = list.Read(spec.Scans, func() { r.Arrays = nil }, func(scan *run.Scan) error {
		c, err := source.connectome(scan)
		if err != nil {
			return err
		}
		if a := r.Array(measure.ArrayMoments); a != nil && a.Shape[1] != 2*c.M() {
			return diag.At(scan.Name, 0, "regions", fmt.Sprint(c.M()),
				fmt.Sprintf("%d, as %s has", a.Shape[1]/2, spec.Scans[0].Name))
		}
		if scan.Covariates != nil {
			motion := -1.0
			if m := c.Quality.Motion; m != nil {
				motion = *m
			}
			r.Row(measure.ArrayNumbers, append(slices.Clone(scan.Covariates), motion))
		}
		return addScan(r, scan, c, s.CaDeM().Propagation)
	}, yield)
	r.Groups(list)
	r.Notes = append(r.Notes, source.notes...)
	return err
}

// WindowOptions say how long windows of recordings are, where scans are such.
type WindowOptions struct {
	Window int `name:"window" min:"10" max:"2000" default:"120" group:"layers" doc:"Frames of a window. A recording is cut into nine, the first five and the last four, and needs as many frames as all of them: 1,080 by default, of 240 frames windows of 26."`
}

// Graph makes the graph of a scan.
func (s *scanner) Graph(scan *run.Scan) (*multiplex.Graph, error) {
	c, err := s.connectome(scan)
	if err != nil {
		return nil, err
	}
	return graphOf(scan, c)
}

// Said are the notes.
func (s *scanner) Said() []string { return s.notes }

// graphOf returns the graph of a scan.
func graphOf(scan *run.Scan, c *connectome.Connectome) (*multiplex.Graph, error) {
	if c.Skewness == nil {
		return nil, diag.At(scan.Name, 0, "file", "functional connectivity",
			"a series: skewness and kurtosis of the regions are the features of its graph")
	}
	g, err := c.Graph()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", scan.Name, err)
	}
	return g, nil
}

// scan adds the rows of one scan.
func addScan(r *measure.Result, scan *run.Scan, c *connectome.Connectome, propagation string) error {
	g, err := graphOf(scan, c)
	if err != nil {
		return err
	}
	var z []float64
	for l := range g.Layers {
		x, err := measure.Propagated(g, l, propagation)
		if err != nil {
			return err
		}
		for _, v := range x.RawMatrix().Data {
			z = append(z, float64(float32(v))) // as training has it
		}
	}
	moments := make([]float64, 0, 2*c.M())
	for _, v := range append(slices.Clone(c.Skewness), c.Kurtosis...) {
		moments = append(moments, shortened(v))
	}
	q := &c.Quality
	motion := -1.0
	if q.Motion != nil {
		motion = shortened(*q.Motion)
	}
	r.Row(measure.ArrayZ, z)
	r.Row(measure.ArrayMoments, moments)
	r.Row(measure.ArrayFC, hashed(c.FC, c.M()))
	r.Row(measure.ArrayQuality, []float64{float64(q.Frames), q.Seconds, motion, shortened(q.Negative), float64(q.CoIsolates), float64(q.AntiIsolates),
		float64(q.Constant)})
	r.Row(measure.ArrayRegions, []float64{numberOf(c.Regions)})
	return nil
}

// shortened rounds to four digits after the point: numbers that travel as text and that only
// classifiers read.
func shortened(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// numberOf returns a number that distinguishes lists of names, 0 for none.
func numberOf(names []string) float64 {
	if names == nil {
		return 0
	}
	h := fnv.New64a()
	for _, s := range names {
		h.Write([]byte(strings.ToLower(s) + "\n"))
	}
	return float64(h.Sum64() >> 12) // what a float64 holds
}

// hashedPairs is the number of sums that [hashed] keeps of a scan.
const hashedPairs = 4096

// hashed returns the upper triangle of an M x M matrix, unchanged up to hashedPairs pairs,
// otherwise added up with random signs in as many entries (feature hashing, Weinberger and others
// 2009): inner products of two such vectors are, in the mean, those of the triangles, and a ridge
// regression needs nothing but inner products. All pairs of a cohort would fill the memory.
func hashed(fc []float64, m int) []float64 {
	pairs := m * (m - 1) / 2
	x := make([]float64, min(pairs, hashedPairs))
	p := 0
	for i := range m {
		for _, r := range fc[i*m+i+1 : (i+1)*m] {
			at := p
			if pairs > len(x) {
				h := mixed(uint64(p))
				at = int(h % hashedPairs)
				if h>>63 == 1 {
					r = -r
				}
			}
			x[at] += r
			p++
		}
	}
	for k, v := range x {
		x[k] = shortened(v)
	}
	return x
}

// mixed scatters a number over 64 bits (the finaliser of SplitMix64, Steele and others 2014).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A scanner makes connectomes of scans, drawn or from files.
type scanner struct {
	settings *connectome.Settings
	cohort   *cohort.Cohort // nil for files
	files    *run.Files
	specs    map[string]run.FileSpec // of the scans, read when it is a scan's turn: all of them may be more than there is memory for
	shared   []formats.File          // that belong to all scans
	opened   string                  // the scan's files that input holds
	input    *connectome.Input
	notes    []string
	band     string // the note about the filter of all scans; "": they are filtered
	banded   string // the first of them, and how it is

	regions []string // of the first scan, whose order the others follow; nil when they have no names
	first   string   // that file
	seen    []recorded
	without []string // regions without data in one of the scans, which are left out of all
}

// ScanOptions reads the options of the data of scans: how graphs are made of them and, if they are drawn, their cohort.
// The error, a [*diag.Error], is that of options out of range.
func ScanOptions(spec *run.DataSpec) (*connectome.Settings, *cohort.Options, error) {
	settings, drawn := connectome.DefaultSettings(), &cohort.Options{}
	property.Defaults(drawn)
	for _, name := range slices.Sorted(maps.Keys(spec.Options)) {
		set := settings.Set
		if spec.Example != "" && property.Has(drawn, name) {
			set = func(name, value string) error { return property.Set(drawn, name, value) }
		}
		if err := set(name, property.Text(spec.Options[name])); err != nil {
			return nil, nil, err
		}
	}
	if o := &settings.Steps; o.Windows != "" || o.Signs != "auto" {
		return nil, nil, diag.Option("windows, signs", fmt.Sprintf("%q and %s for many scans", o.Windows, o.Signs),
			"the usual values: experiments on scans have two layers each; open the files of one subject alone for others")
	}
	return settings, drawn, nil
}

func openScans(spec *run.DataSpec, files *run.Files) (*scanner, error) {
	settings, drawn, err := ScanOptions(spec)
	if err != nil {
		return nil, err
	}
	s := &scanner{settings: settings, files: files, specs: map[string]run.FileSpec{}}
	if spec.Example != "" {
		for k := range spec.Scans { // a subject's series does not depend on how many there are
			drawn.Subjects = max(drawn.Subjects, spec.Scans[k].Subject+1)
		}
		s.cohort, err = cohort.New(drawn, spec.DataSeed)
		return s, err
	}
	of := map[string]bool{}
	for k := range spec.Scans {
		scan := &spec.Scans[k]
		for _, name := range collection.Names(scan.Runs()) {
			of[name] = true
		}
		for name := range strings.SplitSeq(scan.Without, "\t") {
			if name != "" && !slices.Contains(s.without, name) {
				s.without = append(s.without, name)
			}
		}
	}
	if len(s.without) > 0 {
		s.note("Without data in a scan, and left out of all: " + strings.Join(s.without, ", ") + ".")
	}
	var shared []run.FileSpec
	for _, f := range spec.Files {
		if s.specs[f.Name] = f; !of[f.Name] {
			shared = append(shared, f)
		}
	}
	s.shared, err = files.Contents(shared)
	return s, err
}

// openScan makes the data set of the last of some scans, which has to be like those before it.
func openScan(spec *run.DataSpec, files *run.Files) (*run.Dataset, error) {
	s, err := openScans(spec, files)
	if err != nil {
		return nil, err
	}
	var c *connectome.Connectome
	err = (&measure.Items{}).Read(spec.Scans, func() {}, func(scan *run.Scan) (err error) {
		c, err = s.connectome(scan)
		return err
	}, func(int, int) error { return nil })
	if err != nil {
		return nil, err
	}
	return subject.DatasetOf(s.input, c, s.notes)
}

// connectome makes the connectome of a scan.
func (s *scanner) connectome(scan *run.Scan) (*connectome.Connectome, error) {
	whole, err := s.open(scan)
	if err != nil {
		return nil, err
	}
	in, o := *whole, s.settings.Steps
	if in.Series != nil {
		if err := s.bandPass(scan, whole, &o); err != nil {
			return nil, err
		}
		if scan.Frames > 0 {
			in.More = nil
			from := scan.From
			if from < 0 {
				from += in.Series.Frames
			}
			if least := max(scan.Of, scan.Frames); in.Series.Frames < least || from < 0 || from+scan.Frames > in.Series.Frames {
				want := fmt.Sprintf("at least %d, of which %d from frame %d on", least, scan.Frames, scan.From)
				if fit := in.Series.Frames * scan.Frames / least; fit >= connectome.LeastFrames {
					want += fmt.Sprintf(", or shorter windows: window=%d", fit)
				}
				return nil, diag.At(scan.Name, 0, "frames", fmt.Sprint(in.Series.Frames), want)
			}
			if in.Confounds != nil {
				if in.Confounds.Frames != in.Series.Frames {
					return nil, diag.At(in.Confounds.File, 0, "frames", fmt.Sprint(in.Confounds.Frames),
						fmt.Sprintf("%d, as many as the series of %s has", in.Series.Frames, scan.Name))
				}
				in.Confounds = in.Confounds.Window(from, scan.Frames)
			}
			in.Series = in.Series.Window(from, scan.Frames)
		}
	}
	for _, text := range in.Regional { // of all scans alike
		s.note(text)
	}
	in.Regional = nil
	c, err := in.Compute(&o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", scan.Name, err)
	}
	for _, text := range c.Notes {
		s.note(scan.Name + ": " + text)
	}
	return c, nil
}

// bandPass settles whether a scan is filtered. It refuses scans of which some are and others are not: their conditions would differ
// by that alone.
func (s *scanner) bandPass(scan *run.Scan, whole *connectome.Input, o *connectome.Options) error {
	filter := o.Filter
	for k, in := range append([]*connectome.Input{whole}, whole.More...) {
		r, note, how := scan.Runs()[k], "", "is band-passed"
		switch {
		case filter == "none" || in.Series == nil:
			continue
		case o.Again == "off" && r.Filtered != "":
			note, how = measure.Filtered, "was filtered before ("+r.Filtered+")"
		case in.Series.TR == 0:
			note, how = measure.NoBandPass, "has no time between frames ("+cmp.Or(r.Untimed, "no file says it")+")"
		}
		if s.banded == "" {
			s.band, s.banded = note, r.File+", which "+how
		}
		if note != s.band {
			return diag.At(r.File, 0, "band-pass", "a recording that "+how+", beside "+s.banded,
				"the same for all scans: RepetitionTime in seconds in a JSON file of each, tr for all, "+
					"filter_again=on to filter those that were filtered, or filter=none")
		}
		if note != "" {
			o.Filter = "none"
			s.note(note)
		}
	}
	return nil
}

func (s *scanner) note(text string) {
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// open draws or reads the series of a scan, once for all windows of it that follow each other.
func (s *scanner) open(scan *run.Scan) (*connectome.Input, error) {
	key := fmt.Sprint(scan.Runs(), "\n", scan.Subject, scan.Condition)
	if s.input != nil && s.opened == key {
		return s.input, nil
	}
	if s.cohort != nil {
		s.opened, s.input = key, &connectome.Input{Series: s.cohort.Series(scan.Subject, scan.Condition)}
		return s.input, nil
	}
	var whole *connectome.Input
	for _, r := range scan.Runs() {
		in, err := s.openRun(scan.Name, &r)
		if err == nil {
			err = s.align(in, r.File)
		}
		if err == nil {
			err = s.apart(in.Series, r.File, scan.Group)
		}
		if err == measure.ErrAgain {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", scan.Name, err)
		}
		if whole == nil {
			whole = in
		} else {
			whole.More = append(whole.More, in)
		}
	}
	s.opened, s.input = key, whole
	return whole, nil
}

// A recorded series is known by its frames.
type recorded struct {
	file   string
	group  int
	frames []float64 // a number of each, sorted
}

// apart refuses a recording that holds another one of its subject, or is held by it: joined they count twice, and compared they are
// alike by that.
func (s *scanner) apart(x *connectome.Series, file string, group int) error {
	if x == nil || slices.ContainsFunc(s.seen, func(r recorded) bool { return r.file == file }) {
		return nil
	}
	own := recorded{file, group, nil}
	for t := range x.Frames {
		sum, still := uint64(0), true
		for at := t; at < len(x.Values); at += x.Frames {
			sum = mixed(sum ^ math.Float64bits(x.Values[at]))
			still = still && x.Values[at] == x.Values[t]
		}
		if !still {
			own.frames = append(own.frames, float64(sum>>12)) // what a float64 holds
		}
	}
	slices.Sort(own.frames)
	for _, r := range s.seen {
		shared := 0
		for _, v := range r.frames {
			if r.group != group {
				break
			}
			if _, there := slices.BinarySearch(own.frames, v); there {
				shared++
			}
		}
		if shared >= connectome.LeastFrames && 2*shared > min(len(own.frames), len(r.frames)) {
			return diag.At(file, 0, "frames", fmt.Sprintf("%d that %s has, too", shared, r.file),
				"recordings of a subject that do not hold each other: leave one of them out")
		}
	}
	s.seen = append(s.seen, own)
	return nil
}

// openRun reads one recording, with what is known about it.
func (s *scanner) openRun(scan string, r *collection.Run) (*connectome.Input, error) {
	list := slices.Clone(s.shared)
	of := map[string]formats.File{}
	for _, name := range collection.Names([]collection.Run{*r}) {
		spec, ok := s.specs[name]
		if !ok {
			return nil, diag.At(name, 0, "", "no such file", "the file of "+scan)
		}
		read, err := s.files.Contents([]run.FileSpec{spec})
		if err != nil {
			return nil, err
		}
		of[name] = read[0]
		if name == r.File || name == r.Confounds {
			list = append(list, read[0])
		}
	}
	s.settings.Files.Without = s.without
	in, err := connectome.Open(list, &s.settings.Files)
	if err != nil {
		return nil, err
	}
	return in, in.About(r, of)
}

// align leaves the regions without data in one scan out of all, and brings what is left into the order of the first scan by
// name.
func (s *scanner) align(in *connectome.Input, file string) error {
	known := len(s.without)
	for _, name := range in.Without {
		if !slices.Contains(s.without, name) {
			s.without = append(s.without, name)
		}
	}
	if len(s.without) > known {
		s.note(fmt.Sprintf("%s: without data, and left out of all scans: %s.", file, strings.Join(s.without[known:], ", ")))
		if s.first != "" {
			s.regions, s.first, s.opened, s.seen = nil, "", "", nil
			return measure.ErrAgain
		}
	}
	in.LeaveOut(s.without)
	if s.first == "" {
		s.first, s.regions = file, in.Names()
		return nil
	}
	return in.Align(s.regions, s.first)
}
