package cohort

import (
	"slices"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth"
	"cadem.example/core/synth/examples"
)

// ExampleOptions are the settings of one graph of a synthetic cohort.
type ExampleOptions struct {
	Condition string  `name:"condition" choices:"rest|emotion|working memory" default:"rest" group:"data" doc:"The condition in which the invented subject is measured."`
	Subject   int     `name:"subject" min:"1" max:"2000" default:"1" group:"data" doc:"Which of many invented subjects."`
	Regions   int     `name:"regions" symbol:"M" min:"60" max:"1000" default:"360" group:"data" doc:"Number of regions, half of them in each hemisphere; an odd number is rounded up."`
	Frames    int     `name:"frames" symbol:"T" min:"60" max:"5000" default:"300" group:"data" doc:"Length of the series."`
	Effect    float64 `name:"effect" min:"0" max:"5" default:"1" group:"data" doc:"How much the conditions differ. At 0 they do not differ at all."`
	Keep      float64 `name:"keep" unit:"%" min:"1" max:"50" default:"10" group:"data" paper:"not printed" doc:"Share of all pairs of regions that become edges in each layer, the strongest."`
}

// NameOfExample is the example's.
const NameOfExample = "cohort"

// Example is one brain. As a variable it would be linked into every program that has this package.
func Example() examples.Example {
	return examples.Example{
		Generator: synth.New(NameOfExample,
			"One subject of an invented cohort: which regions of a made-up brain rise and fall together, and which against each other.", brain),
		Title: "A brain (synthetic)", Task: examples.Both,
		Sentence: "360 regions of one invented subject: those that rise and fall together (co-activation), and those of which one falls when the " +
			"other rises (anti-activation). No number comes from a brain.",
		Expect: "The brain view below marks the regions whose private embeddings are largest, and counts their networks against chance. Change " +
			"the condition under Data and other networks come to the fore; change the subject and they do as well, so one subject shows no effect of a condition.",
		Defaults: examples.BrainDefaults,
	}
}

// brain draws the graph of one subject of a synthetic cohort in one condition, made of its
// series in the usual steps. Truth has condition and subject; the nodes have places.
func brain(o *ExampleOptions, seed uint64) (*multiplex.Graph, error) {
	settings := &Options{}
	property.Defaults(settings)
	settings.Subjects = max(settings.Subjects, o.Subject)
	settings.Regions, settings.Frames, settings.Effect = o.Regions, o.Frames, o.Effect
	c, err := New(settings, seed)
	if err != nil {
		return nil, err
	}
	steps := &connectome.Options{}
	property.Defaults(steps)
	steps.Keep = o.Keep
	return c.Graph(o.Subject-1, slices.Index(Conditions, o.Condition), steps)
}
