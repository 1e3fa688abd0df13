// Package examples lists the data sets that can be drawn: each has a generator, the settings it is
// best trained with, and words on what there is to see.
package examples

import (
	"fmt"
	"slices"

	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth"
)

// An Example is a data set that is drawn.
type Example struct {
	Name     string         `json:"name"` // of its generator
	Title    string         `json:"title"`
	Sentence string         `json:"sentence"` // what it is
	Expect   string         `json:"expect"`   // what one should see
	Task     Scoring        `json:"task"`
	Defaults map[string]any `json:"defaults"` // settings of training and evaluation

	Generator synth.Generator `json:"-"`
	// Large says that it takes seconds and gigabytes to draw, unless it is asked for with fewer nodes.
	Large bool `json:"-"`
}

// A Scoring says how the embeddings of a data set are scored.
type Scoring string

const (
	Classification Scoring = "classification"
	Clustering     Scoring = "clustering" // by K-means
	Both           Scoring = "both"
)

// table lists the examples in the order in which to show them; registered ones come before the last. Settings are the published ones of
// each data set, if any.
var table = []Example{
	{
		Generator: synth.Town, Title: "A small town (synthetic)", Task: Clustering,
		Sentence: "120 invented people in three layers: friends, work, lunch. Half of each layer follows groups that all layers share, half " +
			"follows groups of its own.",
		Expect: "The common embedding starts as one cloud and parts into three groups, the shared ones: its ARI (0 by chance, 1 where it " +
			"finds them all) climbs from 0.04 to 0.98. The private embeddings stay clouds. Their agreement with the groups of their own layer is " +
			"below 0.2 before training and after.",
		// With more epochs all directions of S spread alike, and no plane shows the groups best.
		Defaults: defaults(60, 5, 20, 1, 0.5, 0.5, "dim", 4, "lr_encoders", 0.001),
	},
	{
		Generator: synth.SparseTown, Title: "A sparse town (synthetic)", Task: Clustering,
		Sentence: "600 invented people with some 5 links in each of three layers: friends, work, lunch. 60 % of the weight is on groups that all layers " +
			"share, the rest on groups of each layer's own.",
		Expect:   "No picture of a layer shows a group.",
		Defaults: defaults(60, 5, 20, 1, 0.5, 0.5, "dim", 4, "lr_encoders", 0.001),
	},
	{
		Generator: synth.Syn2, Title: "Syn2: shared and private communities", Task: Clustering,
		Sentence: "1000 nodes in three layers; every layer mixes communities that all layers share with communities of its own, here at gamma 0.6: " +
			"60 % of the weight is on the shared ones.",
		Expect: "The common embedding starts as one cloud and parts into three groups, the shared communities: its ARI climbs from 0.03 to 0.9. " +
			"The private embeddings hardly change: the first agrees with its layer's own communities at an ARI of 0.18 and with the shared ones at " +
			"0.27, trained or not. Nor is the common embedding free of what is private: a linear probe reads every layer's own communities from it at 0.9 and more.",
		Defaults: defaults(200, 5, 20, 1, 0.5, 0.5),
	},
	{
		Generator: synth.Syn1, Title: "Syn1: unrelated communities", Task: Classification,
		Sentence: "100 nodes in three layers whose communities have nothing to do with each other; the final label mostly copies the first layer.",
		Expect: "Each private embedding tells its own layer's communities (macro-F1 0.7 to 0.9) and is near chance on the others'. Untrained " +
			"ones do as well on a layer's own labels, because the communities are there before training. The layers share nothing, yet the common " +
			"embedding tells the communities of all three at 1.00.",
		Defaults: defaults(140, 15, 5, 0.9, 1.5, 3.4, "eval_epochs", 50, "eval_lr", 0.3),
	},
	{
		Generator: synth.Syn3, Title: "Syn3: signals on a spiral", Task: Clustering,
		Sentence: "600 nodes on a spiral, joined to their neighbours, the same edges in both layers; each layer has one number a node: smooth " +
			"noise that both share, and three bumps of its own.",
		Expect: "Each private embedding finds the foreground of its own layer, which surrounds its bumps, and not the other layer's. Training " +
			"is not needed for that: K-means on the signals alone does as well, as the untrained scores show. Each node has one number, so the " +
			"common embedding has at most two directions. They also show a private foreground.",
		Defaults: defaults(200, 5, 20, 1, 0.05, 0.05, "kmeans_restarts", 20),
	},
	{
		Generator: synth.Syn4, Title: "Syn4: states of dynamics", Task: Classification,
		Sentence: "100 nodes with the same random edges in both layers; each layer holds the end state of a process that runs on the network. One " +
			"of 90 graphs of three classes.",
		Expect: "One graph by itself has nothing to score: what counts is how the embeddings of 90 graphs, each trained from the same weights, " +
			"tell their classes. Table IV, under Experiments, trains them all. Every picture is centred and scaled by itself, so that another sample " +
			"looks much the same.",
		Defaults: defaults(200, 5, 20, 1, 0.5, 0.5, "eval_epochs", 400, "eval_lr", 0.1),
	},
	{
		Generator: synth.Painted, Title: "Painted layers: your own", Task: Clustering,
		Sentence: "120 invented people in four blocks, in layers that you paint. At first each of the three joins another pair of blocks.",
		Expect:   "As first painted, the common embedding tells the four blocks apart: its ARI climbs from 0.20 to 1.00. Paint others, and see what it tells.",
		Defaults: defaults(60, 5, 20, 1, 0.5, 0.5, "dim", 4, "lr_encoders", 0.001),
	},
	{
		Generator: synth.Social, Title: "A small firm (synthetic)", Task: Both,
		Sentence: "An invented firm of 72 people: who has lunch, is friends, works and chats with whom. Nobody in it is real.",
		Expect: "Teams shape every layer, and training brings them out in the common embedding (macro-F1 0.32 before, 0.56 after), without clear " +
			"groups to see (ARI 0.14). It also tells the circles of friends (0.64), which a single layer has. Each private embedding leans towards " +
			"the circles of its own layer, trained or not. Some people are isolated in a layer and sit together at one point.",
		Defaults: defaults(200, 5, 20, 1, 0.5, 0.5, "eval_epochs", 100, "eval_lr", 0.1),
	},
}

// defaults are epochs, inner steps, augmented graphs, weights of the losses, and others as pairs of name and value. A function takes less code
// than maps, which are made when the program starts.
func defaults(epochs, steps, augmented int, matching, selfSupervised, causal float64, others ...any) map[string]any {
	m := map[string]any{"epochs": epochs, "inner_steps": steps, "augmented": augmented,
		"weight_matching": matching, "weight_selfsupervised": selfSupervised, "weight_causal": causal}
	for i := 0; i < len(others); i += 2 {
		m[others[i].(string)] = others[i+1]
	}
	return m
}

var registered []Example

// Register adds examples to those of the page. The main packages call it.
func Register(list ...Example) { registered = append(registered, list...) }

// OfPage returns the examples that the page offers, in the order in which to show them.
func OfPage() []Example {
	last := len(table) - 1
	return named(slices.Concat(table[:last], registered, table[last:]))
}

// All returns the examples of the page and the testbeds of studies.
func All() []Example { return named(slices.Concat(OfPage(), testbeds)) }

func named(list []Example) []Example {
	for i := range list {
		list[i].Name = list[i].Generator.Name
	}
	return list
}

// Names returns the names of the examples, sorted.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return names
}

// Lookup returns the example of that name. The error, a [*diag.Error], lists the existing names.
func Lookup(name string) (*Example, error) {
	for _, e := range All() {
		if e.Name == name {
			return &e, nil
		}
	}
	return nil, property.Unknown("data", fmt.Sprintf("%q", name), name, Names())
}

// Options returns a pointer to the options of the example's generator, set to their defaults.
func (e *Example) Options() any { return e.Generator.Options() }

// Draw draws the graph of the named example, as [synth.Generator.Draw] does. The error is a [*diag.Error] for a name that is not there, and for
// what that refuses.
func Draw(name string, options any, seed uint64) (*multiplex.Graph, error) {
	e, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return e.Generator.Draw(options, seed)
}

// BrainDefaults are the settings of every graph that is made of a brain: the example, a subject
// and a cohort of one's own, the synthetic cohort. They are the paper's for its cohort, HCP.
var BrainDefaults = defaults(200, 5, 20, 1, 0.01, 0.01, "lr_heads", 0.01, "lr_encoders", 0.01, "dropout_rate", 0.0, "eval_epochs", 400, "eval_lr", 0.1)
