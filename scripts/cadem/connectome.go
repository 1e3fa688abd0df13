package main

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cadem/core/connectome"
	"cadem/core/property"
)

// connectomeOutput is what connectome prints with -json.
type connectomeOutput struct {
	Regions  int                        `json:"regions"`
	Frames   int                        `json:"frames"` // 0 when functional connectivity was given
	TR       *float64                   `json:"tr"`     // seconds; null when it is not known
	Pairs    shares                     `json:"pairs"`
	R        [][3]float64               `json:"r"` // i, j and their correlation
	Skewness []float64                  `json:"skewness"`
	Kurtosis []float64                  `json:"excess_kurtosis"`
	Layers   map[string]connectomeLayer `json:"layers"` // "co" and "anti"
	Quality  connectome.Quality         `json:"quality"`
	Steps    []string                   `json:"steps"`
	Notes    []string                   `json:"notes"`
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

// runConnectome makes the layers of one subject.
func runConnectome(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("connectome", flag.ContinueOnError)
	s := connectome.DefaultSettings()
	tr := f.String("tr", "0", "")
	rows := f.String("rows", "auto", "")
	f.StringVar(&s.Files.Variable, "variable", "", "")
	raw := f.Bool("raw", false, "")
	pairs := f.String("pairs", "", "")
	var set list
	f.Var(&set, "set", "")
	asJSON := f.Bool("json", false, "")
	names, err := parse(f, args)
	if err != nil {
		return err
	}
	if *raw {
		s.Steps.Raw()
	}
	for _, pair := range append(list{"tr=" + *tr, "rows=" + *rows}, set...) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return &property.Error{Field: "-set", Found: strconv.Quote(pair), Expected: "name=value"}
		}
		if err := s.Set(name, value); err != nil {
			return err
		}
	}
	files, done, err := openFiles(names)
	defer done()
	if err != nil {
		return err
	}
	in, err := connectome.Open(files, &s.Files)
	if err != nil {
		return err
	}
	c, err := in.Compute(&s.Steps)
	if err != nil {
		return err
	}
	out := &connectomeOutput{Regions: c.M(), Frames: c.Quality.Frames, Pairs: shares{c.Quality.Positive, c.Quality.Negative}, R: [][3]float64{},
		Skewness: append([]float64{}, c.Skewness...), Kurtosis: append([]float64{}, c.Kurtosis...), Quality: c.Quality, Steps: c.Steps, Notes: append([]string{}, c.Notes...),
		Layers: map[string]connectomeLayer{"co": summary(c.Co), "anti": summary(c.Anti)}}
	if in.Series != nil && in.Series.TR > 0 {
		out.TR = &in.Series.TR
	}
	if *pairs != "" {
		if out.R, err = correlations(c, *pairs); err != nil {
			return err
		}
	}
	if *asJSON {
		return printJSON(stdout, out)
	}
	return printConnectome(stdout, out)
}

func summary(l *connectome.Layer) connectomeLayer {
	return connectomeLayer{len(l.Edges), len(l.Isolates), append([][2]int{}, l.Added...)}
}

// correlations returns those of the pairs i:j,i:j,...
func correlations(c *connectome.Connectome, pairs string) ([][3]float64, error) {
	r := [][3]float64{}
	for pair := range strings.SplitSeq(pairs, ",") {
		first, second, _ := strings.Cut(strings.TrimSpace(pair), ":")
		i, wrong := strconv.Atoi(first)
		j, alsoWrong := strconv.Atoi(second)
		if wrong != nil || alsoWrong != nil || min(i, j) < 0 || max(i, j) >= c.M() {
			return nil, &property.Error{Field: "-pairs", Found: strconv.Quote(pair), Expected: fmt.Sprintf("i:j,i:j,... with regions from 0 to %d", c.M()-1)}
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
	for _, name := range []string{"co", "anti"} {
		l := o.Layers[name]
		fmt.Fprintf(&b, "%s-activation: %d edges, %d isolated nodes, %d of them linked\n", name, l.Edges, l.IsolatedBefore, len(l.AddedLinks))
	}
	for _, r := range o.R {
		fmt.Fprintf(&b, "r(%.0f, %.0f) = %.6f\n", r[0], r[1], r[2])
	}
	b.WriteString("\n" + strings.Join(append(o.Steps, o.Notes...), "\n") + "\n")
	_, err := io.WriteString(out, b.String())
	return err
}
