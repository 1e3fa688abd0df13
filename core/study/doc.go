// Package study joins the parts to whole runs, the same on the command line and in the
// browser: data sets with the settings that suit them, training, scores beside an
// untrained model, and the description of all settings that forms and documentation are
// made from.
//
//	d, err := study.OpenExample("syn1", nil, 0)
//	s := study.NewSettings(d)
//	r, err := study.Train(d, s, cadem.Single, nil)
package study
