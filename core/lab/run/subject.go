package run

import (
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/synth/examples"
)

// A Subject tells how the graph of one subject's brain was made, and how far it can be
// trusted.
type Subject struct {
	Quality connectome.Quality `json:"quality"`
	TR      float64            `json:"tr"`    // seconds from one frame to the next; 0 when it is not known
	Steps   []string           `json:"steps"` // what was done, in order
}

// A SubjectSurvey describes the contents of the files of one subject's brain, and open questions.
type SubjectSurvey struct {
	Files []connectome.FileUse `json:"files"`
	// Ask names the settings that the files leave open: "tr", "directions", "filter" of a
	// recording that is too short for the usual one, and "rows" with the guess.
	Ask   []string `json:"ask"`
	Guess string   `json:"guess,omitempty"` // "regions" or "frames"
}

// SurveySubject looks at the files of one subject's brain. It returns nil for files that are
// something else.
func SurveySubject(files []formats.File) (*SubjectSurvey, error) {
	in, err := connectome.Survey(files)
	if in == nil {
		return nil, err
	}
	s := &SubjectSurvey{Files: in.Uses, Ask: []string{}}
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

// OpenSubject makes a graph of the files of one subject's brain. Options are
// those of [connectome.Settings] by name, the rest being defaults. It returns nil for files
// that are something else.
func OpenSubject(files []formats.File, options map[string]any) (*Dataset, error) {
	s := connectome.DefaultSettings()
	s.Files.Told = len(options) > 0
	var refused error // an option, which concerns files of a brain alone
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if err := s.Set(name, property.Text(options[name])); err != nil && refused == nil {
			refused = err
		}
	}
	in, err := connectome.OpenIfBrain(files, &s.Files)
	switch {
	case in == nil && err == nil:
		return nil, notSubject(options)
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
	return OfConnectome(in, c, slices.Concat(notes, c.Notes))
}

// OfConnectome makes the data set of the connectome of one subject's brain.
func OfConnectome(in *connectome.Input, c *connectome.Connectome, notes []string) (*Dataset, error) {
	g, err := c.Graph()
	if err != nil {
		return nil, err
	}
	if in.Atlas != nil {
		in.Atlas.Annotate(g)
	}
	d, err := own(g, notes)
	if err == nil {
		about := &Subject{Quality: c.Quality, Steps: c.Steps}
		if in.Series != nil {
			about.TR = in.Series.TR
		}
		d.Defaults, d.Subject = ForSize(examples.BrainDefaults, g.M()), about
	}
	return d, err
}

// notSubject refuses options that speak of a brain when the files are something else.
func notSubject(options map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		return diag.Option(name, fmt.Sprintf("%s = %s for files that are not those of one subject's brain", name, property.Text(options[name])),
			"options of training and evaluation alone")
	}
	return nil
}
