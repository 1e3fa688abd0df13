package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/connectome"
	"cadem.example/scripts/cadem/console"
)

// connectomeOutput is the output of connectome -json.
type connectomeOutput struct {
	Regions  int                        `json:"regions"`
	Frames   int                        `json:"frames"` // 0 when functional connectivity was given
	TR       *float64                   `json:"tr"`     // seconds; null when it is not known
	Pairs    shares                     `json:"pairs"`
	R        [][3]float64               `json:"r"` // i, j and their correlation
	Skewness []float64                  `json:"skewness"`
	Kurtosis []float64                  `json:"excess_kurtosis"`
	Layers   map[string]connectomeLayer `json:"layers"` // those of the graph: "co" and "anti", and windows and matrices of structure by their names
	Quality  connectome.Quality         `json:"quality"`
	Steps    []string                   `json:"steps"`
	Notes    []string                   `json:"notes"`

	order []string // of Layers
}

// shares of all pairs of regions.
type shares struct {
	Positive float64 `json:"positive"`
	Negative float64 `json:"negative"`
}

type connectomeLayer struct {
	Edges          int      `json:"edges"` // beyond the threshold, before isolated nodes are linked
	IsolatedBefore int      `json:"isolated_before"`
	AddedLinks     [][2]int `json:"added_links"` // of isolated nodes: the node and its neighbour
}

const aboutConnectome = "Make the co- and anti-activation layers of one subject from a series (CIFTI-2 .ptseries.nii, or " +
	".dtseries.nii with .dlabel.nii; CSV, TSV, NPY, MAT) or from a matrix of functional connectivity " +
	"(.pconn.nii or similar), and list the steps. A table of confounds, a table of regions, and a list of " +
	"their names may be given with it, and a matrix of structure between the same regions, which makes a third layer."

// connectome makes the layers of one subject.
func (p *program) connectome(args []string) error {
	f := p.flags("connectome", "FILE...", aboutConnectome)
	s := connectome.DefaultSettings()
	f.StringVar(&s.Files.Variable, "variable", "", "for a file with several matrices: the `name` of the one to use")
	raw := f.Bool("raw", false, "take the series as it is: no detrending, no filter, no confounds")
	pairs := f.String("pairs", "", "print the correlations of the regions `i:j,i:j,...`")
	var set list
	f.Var(&set, "set", "an option of a step, `name=value`")
	f.Func("tr", "time between frames in `seconds`, if the file does not contain it", func(v string) error { return set.Set("tr=" + v) })
	f.Func("rows", "what the rows of a matrix are: `regions` or frames", func(v string) error { return set.Set("rows=" + v) })
	asJSON := f.Bool("json", false, "print one JSON object")
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	settings, err := set.pairs()
	if err != nil {
		return err
	}
	if *raw {
		s.Steps.Raw()
	}
	for _, nv := range settings {
		if err := s.Set(nv[0], nv[1]); err != nil {
			return err
		}
	}
	progress := p.begin("reading")
	defer progress.End()
	files, done, err := openFiles(names)
	defer done()
	if err != nil {
		return err
	}
	in, err := connectome.Open(files, &s.Files)
	if err != nil {
		return err
	}
	if in.Series == nil {
		for _, nv := range settings {
			if connectome.OfSeries(nv[0]) {
				return diag.Option(nv[0], "an option without effect", "none: functional connectivity was given, not a series")
			}
		}
		if err := f.without("functional connectivity was given, not a series", "raw"); err != nil {
			return err
		}
	}
	progress.Begin("computing")
	c, err := in.Compute(&s.Steps)
	if err != nil {
		return err
	}
	out := &connectomeOutput{Regions: c.M(), Frames: c.Quality.Frames, Pairs: shares{c.Quality.Positive, c.Quality.Negative}, R: [][3]float64{},
		Skewness: append([]float64{}, c.Skewness...), Kurtosis: append([]float64{}, c.Kurtosis...), Quality: c.Quality, Steps: c.Steps,
		Notes: append([]string{}, c.Notes...), Layers: map[string]connectomeLayer{}}
	for _, l := range c.Layers {
		name := l.Name
		switch l {
		case c.Co:
			name = "co"
		case c.Anti:
			name = "anti"
		}
		out.Layers[name], out.order = summary(l), append(out.order, name)
	}
	if in.Series != nil && in.Series.TR > 0 {
		out.TR = &in.Series.TR
	}
	if *pairs != "" {
		if out.R, err = correlations(c, *pairs); err != nil {
			return err
		}
	}
	progress.End()
	if *asJSON {
		return printJSON(p.stdout, out)
	}
	return printConnectome(p.stdout, out)
}

func summary(l *connectome.Layer) connectomeLayer {
	return connectomeLayer{len(l.Edges), len(l.Isolates), append([][2]int{}, l.Added...)}
}

// correlations returns the correlations of the pairs i:j,i:j,...
func correlations(c *connectome.Connectome, pairs string) ([][3]float64, error) {
	r := [][3]float64{}
	for pair := range strings.SplitSeq(pairs, ",") {
		first, second, _ := strings.Cut(strings.TrimSpace(pair), ":")
		i, wrong := strconv.Atoi(first)
		j, alsoWrong := strconv.Atoi(second)
		if wrong != nil || alsoWrong != nil || min(i, j) < 0 || max(i, j) >= c.M() {
			return nil, diag.Option("-pairs", strconv.Quote(pair), fmt.Sprintf("i:j,i:j,... with regions from 0 to %d", c.M()-1))
		}
		r = append(r, [3]float64{float64(i), float64(j), c.R(i, j)})
	}
	return r, nil
}

func printConnectome(out io.Writer, o *connectomeOutput) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d regions", o.Regions)
	if o.Frames > 0 {
		fmt.Fprintf(&b, ", %d frames", o.Frames)
	}
	if o.TR != nil {
		fmt.Fprintf(&b, " of %v s", *o.TR)
	}
	fmt.Fprintf(&b, "\npairs: %.1f %% positive, %.1f %% negative\n", 100*o.Pairs.Positive, 100*o.Pairs.Negative)
	if o.Quality.Motion != nil {
		fmt.Fprintf(&b, "motion: %.2f mm a frame, %.1f %% of frames beyond 0.5 mm\n", *o.Quality.Motion, 100**o.Quality.Moved)
	}
	for _, name := range o.order {
		l, title := o.Layers[name], name
		if name == "co" || name == "anti" {
			title += "-activation"
		}
		fmt.Fprintf(&b, "%s: %d edges, %d isolated nodes, %d of them linked\n", title, l.Edges, l.IsolatedBefore, len(l.AddedLinks))
	}
	for _, r := range o.R {
		fmt.Fprintf(&b, "r(%.0f, %.0f) = %.6f\n", r[0], r[1], r[2])
	}
	for _, line := range append([]string{""}, append(o.Steps, o.Notes...)...) {
		b.WriteString(console.Fill(line, "  ") + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
