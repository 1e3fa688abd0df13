// Package subject opens the files of one subject's brain for the lab: [Opener] is registered with it.
package subject

import (
	"maps"
	"slices"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
)

// Opener makes a graph of the files of one subject's brain, and describes them before. Options are those of [connectome.Settings] by name.
func Opener() *run.Opener {
	return &run.Opener{
		Of: "one subject's brain",
		// CIFTI-2 and CIFTI-1 in both orders of bytes, and arrays.
		Magic: []string{"\x1c\x02\x00\x00", "\x00\x00\x02\x1c", "\x5c\x01\x00\x00", "\x00\x00\x01\x5c", "\x93NUMPY", "MATLAB", "PK"},
		// Tables of motion, which are a series where there is nothing else.
		Names:   []string{"confound", "regressor", "motion", "rp_", ".par", "dfile", "_mcf."},
		Columns: 20, Fractions: 3,
		Survey: survey, Open: open, Place: connectome.Locate,
	}
}

// A Subject says how the graph of one subject's brain was made, and how far it can be trusted.
type Subject struct {
	Quality connectome.Quality `json:"quality"`
	TR      float64            `json:"tr"`    // seconds from one frame to the next; 0 when it is not known
	Steps   []string           `json:"steps"` // what was done, in order
}

// A Survey describes the contents of the files of one subject's brain, and open questions.
type Survey struct {
	Files []connectome.FileUse `json:"files"`
	// Ask names the settings that the files leave open: "tr", "directions", "filter" of a
	// recording that is too short for the usual one, and "rows" with the guess.
	Ask   []string `json:"ask"`
	Guess string   `json:"guess,omitempty"` // "regions" or "frames"
}

// Questions are the settings that the files leave open.
func (s *Survey) Questions() []string { return s.Ask }

func survey(files []formats.File) (run.Survey, error) {
	in, err := connectome.Survey(files)
	if in == nil {
		return nil, err
	}
	s := &Survey{Files: in.Uses, Ask: []string{}}
	if in.Unclear {
		s.Ask, s.Guess = append(s.Ask, "rows"), in.Rows
	}
	if in.Directed != nil {
		s.Ask = append(s.Ask, "directions")
	}
	if in.Series != nil && in.Series.TR == 0 {
		s.Ask = append(s.Ask, "tr")
	} else if in.Series != nil && in.HoldsBand(&connectome.DefaultSettings().Steps) != nil {
		s.Ask = append(s.Ask, "filter")
	}
	return s, nil
}

func open(files []formats.File, options map[string]any) (*run.Dataset, error) {
	s := connectome.DefaultSettings()
	s.Files.OfBrain = len(options) > 0
	var refused error // an option, which concerns files of a brain alone
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if err := s.Set(name, property.Text(options[name])); err != nil && refused == nil {
			refused = err
		}
	}
	in, err := connectome.OpenIfBrain(files, &s.Files)
	switch {
	case in == nil && err == nil:
		return nil, nil
	case refused != nil:
		return nil, refused
	case err != nil:
		return nil, err
	}
	notes := slices.Clone(in.Notes)
	if in.Series != nil && in.Series.TR == 0 && s.Steps.Filter != "none" {
		s.Steps.Filter = "none"
		notes = append(notes, "The file does not say how long a frame takes, so there is no band-pass: say it (tr), filter the series before, or "+
			"open a .ptseries.nii.")
	}
	in.Notes = nil
	c, err := in.Compute(&s.Steps)
	if err != nil {
		return nil, err
	}
	return DatasetOf(in, c, slices.Concat(notes, c.Notes))
}

// DatasetOf makes the data set of the connectome of one subject's brain. The error is that of a graph that does not hold together.
func DatasetOf(in *connectome.Input, c *connectome.Connectome, notes []string) (*run.Dataset, error) {
	g, err := c.Graph()
	if err != nil {
		return nil, err
	}
	if in.Atlas != nil {
		in.Atlas.Annotate(g)
	}
	d, err := run.OfGraph(g, notes)
	if err == nil {
		about := &Subject{Quality: c.Quality, Steps: c.Steps}
		if in.Series != nil {
			about.TR = in.Series.TR
		}
		d.Defaults, d.Subject = run.ForSize(examples.BrainDefaults, g.M()), about
	}
	return d, err
}
