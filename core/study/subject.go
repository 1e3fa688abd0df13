package study

import (
	"slices"

	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/property"
)

// brainDefaults are the weights and sizes that the paper gives for brains, with an
// evaluation like that of other data of one's own.
var brainDefaults = map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.01, "weight_causal": 0.01, "eval_epochs": 100, "eval_lr": 0.1}

// OpenSubject makes a graph of two layers of the files of one subject's brain, by the usual
// steps; the notes tell what was done. It returns nil for files that are something else.
func OpenSubject(files []formats.File) (*Dataset, error) {
	if !connectome.Recognize(files) {
		return nil, nil
	}
	in, err := connectome.Open(files, nil)
	if err != nil && len(files) > 1 && !slices.ContainsFunc(files, connectome.IsCIFTI) {
		return nil, nil // a wide table may also be one of features beside edges
	}
	if err != nil {
		return nil, err
	}
	o := &connectome.Options{}
	property.Defaults(o)
	notes := slices.Clone(in.Notes)
	if in.Series != nil && in.Series.TR == 0 {
		o.Filter = "none"
		notes = append(notes, "The file does not say how long a frame takes, so there is no band-pass: filter the series before, or open a .ptseries.nii.")
	}
	in.Notes = nil
	c, err := in.Compute(o)
	if err != nil {
		return nil, err
	}
	g, err := c.Graph()
	if err != nil {
		return nil, err
	}
	if in.Atlas != nil {
		in.Atlas.Annotate(g)
	}
	d, err := own(g, slices.Concat(notes, c.Notes, c.Steps))
	if err == nil {
		d.Defaults = brainDefaults
	}
	return d, err
}
