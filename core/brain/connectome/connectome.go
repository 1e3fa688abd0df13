package connectome

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/multiplex"
)

// A Connectome holds the data of one brain in one condition.
type Connectome struct {
	Name     string
	Regions  []string  // nil when they have no names
	FC       []float64 // M x M
	Skewness []float64 // of each region; nil when only FC was given
	Kurtosis []float64 // excess kurtosis of each region, likewise
	Co, Anti *Layer
	Layers   []*Layer // those of the graph: of the signs, or windows, that are chosen, and of structure
	Quality  Quality
	Steps    []string // what was done, in order
	Notes    []string // what is to be known about it
}

// Quality says how far a connectome can be trusted.
type Quality struct {
	Frames       int      `json:"frames"`             // 0 when only FC was given
	Seconds      float64  `json:"seconds"`            // 0 when the time between frames is not known
	Motion       *float64 `json:"motion"`             // mean framewise displacement in mm; nil when it is not known
	Moved        *float64 `json:"moved"`              // share of frames displaced by more than 0.5 mm
	Positive     float64  `json:"positive"`           // share of the pairs with r > 0
	Negative     float64  `json:"negative"`           // share of the pairs with r < 0
	Recorded     int      `json:"recorded,omitempty"` // frames before some were left out; 0 when none were
	Constant     int      `json:"constant"`           // regions that do not change
	CoIsolates   int      `json:"co_isolates"`        // before they are linked
	AntiIsolates int      `json:"anti_isolates"`
}

// M returns the number of regions.
func (c *Connectome) M() int { return int(math.Sqrt(float64(len(c.FC))) + 0.5) }

// R returns the correlation of regions i and j.
func (c *Connectome) R(i, j int) float64 { return c.FC[i*c.M()+j] }

// FromFC makes a connectome of a ready M x M matrix of functional connectivity, which is
// symmetric and finite; its diagonal is ignored. The error is a [*diag.Error].
func FromFC(name string, regions []string, fc []float64, o *Options) (*Connectome, error) {
	c := &Connectome{Name: name, Regions: regions, FC: slices.Clone(fc)}
	m := c.M()
	ErrShape.Unless(m*m == len(fc) && (regions == nil || len(regions) == m))
	if m < 2 {
		return nil, diag.At(name, 0, "regions", fmt.Sprint(m), "at least 2")
	}
	if regions != nil {
		if _, err := index(name, regions, nil); err != nil {
			return nil, err
		}
	}
	beyond := 0
	for i := range m {
		for j := range i {
			r, mirrored := fc[i*m+j], fc[j*m+i]
			where := region(regions, i) + " and " + region(regions, j)
			switch {
			case math.IsNaN(r) || math.IsInf(r, 0) || math.IsNaN(mirrored) || math.IsInf(mirrored, 0):
				return nil, diag.At(name, 0, where, fmt.Sprint(r, " and ", mirrored), "finite numbers")
			case !alike(r, mirrored, 1):
				return nil, diag.At(name, 0, where, fmt.Sprint(r, " and ", mirrored),
					"the same value in both directions")
			case math.Abs(r) > 1:
				beyond++
			}
			c.FC[j*m+i] = r // of two values that differ by rounding, one
		}
		c.FC[i*m+i] = 1
	}
	if beyond > 0 {
		c.note("%s beyond 1: these are no correlations but, it seems, Fisher's z. Shares of the strongest pairs mean the same.", figure.Count(beyond, "value"))
	}
	c.step("FC: as given; without a series there are no moments, and nodes have no features but themselves")
	c.split(o)
	return c, nil
}

// alike reports whether two values, in units of unit, are equal except for the digits of a text file.
func alike(a, b, unit float64) bool { return math.Abs(a-b) <= 1e-5*max(unit, math.Abs(a)) }

func (c *Connectome) step(format string, values ...any) {
	c.Steps = append(c.Steps, fmt.Sprintf(format, values...))
}

func (c *Connectome) note(format string, values ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, values...))
}

// split makes the two layers and counts.
func (c *Connectome) split(o *Options) {
	m := c.M()
	positive, negative := 0, 0
	for i := range m {
		for j := range i {
			switch r := c.FC[i*m+j]; {
			case r > 0:
				positive++
			case r < 0:
				negative++
			}
		}
	}
	pairs := float64(m) * float64(m-1) / 2
	q := &c.Quality
	q.Positive, q.Negative = float64(positive)/pairs, float64(negative)/pairs
	strength := make([]float64, m*m)
	Strength(strength, c.FC, m, 1)
	c.Co = NewLayer("co-activation", strength, m, o)
	Strength(strength, c.FC, m, -1)
	c.Anti = NewLayer("anti-activation", strength, m, o)
	c.Layers = o.chosen(c.Co, c.Anti)
	q.CoIsolates, q.AntiIsolates = len(c.Co.Isolates), len(c.Anti.Isolates)
	switch o.Threshold {
	case "absolute":
		c.step("layers: pairs with |r| > %v; the paper does not print its threshold", o.AbsoluteR)
	case "node":
		c.step("layers: of every node its strongest %v %% in each layer; the paper does not print its threshold", o.Keep)
	default:
		c.step("layers: the strongest %v %% of all pairs in each layer; the paper does not print its threshold", o.Keep)
	}
	if o.Windows != "" {
		return // whose layers are not these
	}
	if o.Isolates == "link" {
		linked := make([]string, len(c.Layers))
		for k, l := range c.Layers {
			linked[k] = fmt.Sprint(len(l.Added))
		}
		c.step("isolated nodes: %s linked to their strongest neighbour", strings.Join(linked, " and "))
	}
	if len(c.Layers) == 1 {
		c.step("signs: %s alone", c.Layers[0].Name)
	}
	c.lacking(o)
}

// lacking notes what the layers of the signs lack.
func (c *Connectome) lacking(o *Options) {
	for _, l := range c.Layers {
		sign := "positive"
		if strings.HasPrefix(l.Name, c.Anti.Name) {
			sign = "negative"
		}
		left := len(l.Isolates) - len(l.Added)
		switch {
		case len(l.Edges) == 0:
			c.note("The %s layer is empty: no %s pair is beyond the threshold.", l.Name, sign)
		case left > 0 && o.Isolates == "link":
			c.note("%s: no %s pair at all, isolated in the %s layer.", figure.Count(left, "node"), sign, l.Name)
		}
	}
}

// chosen returns those of two layers whose sign makes a layer.
func (o *Options) chosen(co, anti *Layer) []*Layer {
	switch {
	case o.Signs == "co" || o.Signs == "auto" && o.Windows != "":
		return []*Layer{co}
	case o.Signs == "anti":
		return []*Layer{anti}
	}
	return []*Layer{co, anti}
}

// structure adds the layer of a matrix of structure.
func (c *Connectome) structure(s *Structure, o *Options) {
	of := *o
	of.AbsoluteR = 0 // is about correlations
	name := strings.TrimSuffix(path.Base(clean(s.File)), ".gz")
	l := NewLayer(c.free(strings.TrimSuffix(name, path.Ext(name))), s.Values, c.M(), &of)
	c.Layers = append(c.Layers, l)
	c.step("structure: the strongest pairs of %s as of the others, or all where these are cut at a correlation: %d links, %d regions without any", s.File,
		len(l.Edges)+len(l.Added), len(l.Isolates)-len(l.Added))
}

// free returns the name of a layer, numbered if another one has it or the signs do.
func (c *Connectome) free(name string) string {
	free := name
	for n := 2; slices.Contains([]string{"co", "anti", c.Co.Name, c.Anti.Name}, free) ||
		slices.ContainsFunc(c.Layers, func(l *Layer) bool { return l.Name == free }); n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}

// Graph returns the multiplex graph: usually the layers "co-activation" and "anti-activation", with skewness
// and excess kurtosis as features, M x 2, or the identity if there is no series.
// A layer without edges is a [*diag.Error].
func (c *Connectome) Graph() (*multiplex.Graph, error) {
	m := c.M()
	for _, l := range c.Layers {
		switch {
		case len(l.Edges)+len(l.Added) > 0:
		case l != c.Co && l != c.Anti:
			return nil, diag.At(c.Name, 0, l.Name, "no edges",
				"at least one: without edges nothing propagates")
		default:
			return nil, diag.At(c.Name, 0, l.Name,
				fmt.Sprintf("no edges (of the pairs %.1f %% are positive, %.1f %% negative)",
					100*c.Quality.Positive, 100*c.Quality.Negative),
				"at least one pair of its sign beyond the threshold; where negative values were set to 0 there is no anti-activation, "+
					"and signs=co leaves its layer out")
		}
	}
	g := &multiplex.Graph{Name: c.Name, Nodes: c.Regions}
	x := multiplex.Identity(m)
	if c.Skewness != nil {
		both := make([]float64, 0, 2*m)
		for i := range m {
			both = append(both, c.Skewness[i], c.Kurtosis[i])
		}
		var err error
		if x, err = multiplex.DenseFeatures(m, 2, both); err != nil {
			return nil, err
		}
	}
	for _, l := range c.Layers {
		a, err := l.Adjacency(m)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: l.Name, Adjacency: a, Features: x})
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	return g, nil
}
