// Package study joins the parts to whole runs, the same on the command line and in the
// browser: data sets with the settings that suit them, training, scores beside an
// untrained model, and the description of all settings that forms and documentation are
// made from.
//
//	d, err := study.OpenExample("syn1", nil, 0)
//	s, err := study.NewSettings("released", d)
//	r, err := study.Train(d, s, cadem.Single, nil)
//
// The paper's experiments are data, too: [Plan] makes tasks of an order, a [Scheduler] or
// the page's workers run them in any order, and [Assemble] makes reports of what they found.
package study
