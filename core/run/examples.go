package run

import (
	"maps"
	"slices"

	"cadem/core/property"
	"cadem/core/synth/generators"
)

// An Example is a data set that is drawn, with the settings it is best trained with and
// what there is to see.
type Example struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Sentence string         `json:"sentence"` // what it is
	Expect   string         `json:"expect"`   // what one should see
	Task     Scoring        `json:"task"`
	Defaults map[string]any `json:"defaults"`
}

// examples in the order in which to show them. Settings are the published ones of each
// data set where there are some.
var examples = []Example{
	{
		Name: "syn2", Title: "Syn2: shared and private communities", Task: Clustering,
		Sentence: "1000 nodes in three layers; every layer mixes communities that all layers share with communities of its own, here at gamma 0.6: " +
			"60 % of the weight is on the shared ones.",
		Expect: "The common embedding starts as one cloud and parts into three groups, the shared communities: its ARI climbs from 0.03 to 0.9. " +
			"The private embeddings hardly change: the first agrees with its layer's own communities at an ARI of 0.18 and with the shared ones at " +
			"0.27, trained or not. Nor is the common embedding free of what is private: a linear probe reads every layer's own communities from it at 0.9 and more.",
		Defaults: map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.5, "weight_causal": 0.5},
	},
	{
		Name: "syn1", Title: "Syn1: unrelated communities", Task: Classification,
		Sentence: "100 nodes in three layers whose communities have nothing to do with each other; the final label mostly copies the first layer.",
		Expect: "Each private embedding tells its own layer's communities (macro-F1 0.7 to 0.9) and is near chance on the others'. Untrained " +
			"ones do as well on a layer's own labels, because the communities are there before training. The layers share nothing, yet the common " +
			"embedding tells the communities of all three at 1.00.",
		Defaults: map[string]any{"epochs": 140, "inner_steps": 15, "augmented": 5, "weight_matching": 0.9, "weight_selfsupervised": 1.5, "weight_causal": 3.4,
			"eval_epochs": 50, "eval_lr": 0.3},
	},
	{
		Name: "syn3", Title: "Syn3: signals on a spiral", Task: Clustering,
		Sentence: "600 nodes on a spiral, joined to their neighbours, the same edges in both layers; each layer has one number a node: smooth " +
			"noise that both share, and three bumps of its own.",
		Expect: "Each private embedding finds the foreground of its own layer, the surroundings of its bumps, and not the other's. So does " +
			"K-means on the signals without any training, as well: the untrained scores say so. With one number a node the common embedding has two " +
			"directions at most, and they show a private foreground, too.",
		Defaults: map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.05, "weight_causal": 0.05,
			"kmeans_restarts": 20},
	},
	{
		Name: "syn4", Title: "Syn4: states of dynamics", Task: Classification,
		Sentence: "100 nodes with the same random edges in both layers; each layer holds the end state of a process that runs on the network. One " +
			"of 90 graphs of three classes.",
		Expect: "One graph by itself has nothing to score: what counts is how the embeddings of 90 graphs, each trained from the same weights, " +
			"tell their classes. Table IV, under Experiments, trains them all. Every picture is centred and scaled by itself, so that another sample " +
			"looks much the same.",
		Defaults: map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.5, "weight_causal": 0.5,
			"eval_epochs": 400, "eval_lr": 0.1},
	},
	{
		Name: "cohort", Title: "A brain (synthetic)", Task: Both,
		Sentence: "360 regions of one invented subject: those that rise and fall together (co-activation), and those of which one falls when the " +
			"other rises (anti-activation). No number comes from a brain.",
		Expect: "The brain view below marks the regions whose private embeddings are largest, and counts their networks against chance. Change " +
			"the condition under Data and other networks come to the fore; change the subject and they do as well, so one subject shows no effect of a condition.",
		Defaults: BrainDefaults,
	},
	{
		Name: "social", Title: "A small firm (synthetic)", Task: Both,
		Sentence: "An invented firm of 72 people: who has lunch, is friends, works and chats with whom. Nobody in it is real.",
		Expect: "Teams shape every layer, and training brings them out in the common embedding (macro-F1 0.32 before, 0.56 after), without clear " +
			"groups to see (ARI 0.14). It also tells the circles of friends (0.64), which a single layer has. Each private embedding leans towards " +
			"the circles of its own layer, trained or not. Some people are isolated in a layer and sit together at one point.",
		Defaults: map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.5, "weight_causal": 0.5,
			"eval_epochs": 100, "eval_lr": 0.1},
	},
}

// Examples returns the examples in the order in which to show them.
func Examples() []Example { return slices.Clone(examples) }

// DefaultsOf returns the settings that an example is best trained with.
func DefaultsOf(name string) map[string]any {
	if name == CohortData {
		return BrainDefaults
	}
	for _, e := range examples {
		if e.Name == name {
			return e.Defaults
		}
	}
	return nil
}

// OpenExample draws an example; options are those of its generator by name, the rest being
// defaults.
func OpenExample(name string, options map[string]any, seed uint64) (*Dataset, error) {
	generator, err := generators.Lookup(name)
	if err != nil {
		return nil, err
	}
	o := generator.Options()
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if err := property.Set(o, key, property.Text(options[key])); err != nil {
			return nil, err
		}
	}
	g, err := generators.Generate(name, o, seed)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Name: name, Graph: g}
	for _, e := range examples {
		if e.Name == name {
			d.Defaults, d.Expect = e.Defaults, e.Expect
			d.Cluster, d.Classify = e.Task != Classification, e.Task != Clustering
		}
	}
	return d, nil
}

// BrainDefaults are the settings of every graph that is made of a brain: the example, a subject
// and a cohort of one's own, the synthetic cohort. They are the paper's for its cohort, HCP.
var BrainDefaults = map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.01,
	"weight_causal": 0.01,
	"lr_heads":      0.01, "lr_encoders": 0.01, "dropout_rate": 0.0, "eval_epochs": 400, "eval_lr": 0.1}

// CohortData is the example of a data set of scans that are drawn.
const CohortData = "cohort of scans"
