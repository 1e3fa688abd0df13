package cadem

import (
	"slices"
	"strconv"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
)

// Options of a run. The zero value is not usable; take [Released] or [Preset].
type Options struct {
	Epochs     int    `name:"epochs" symbol:"E" label:"Outer epochs" group:"Training" min:"1" max:"100000" default:"200" paper:"140 (Syn1), 200 (Syn2-4, HCP), 400 (others)" doc:"How often the consensus S is recomputed and the encoders are trained towards it."`
	InnerSteps int    `name:"inner_steps" symbol:"I" label:"Steps per epoch" group:"Training" min:"1" max:"1000" default:"5" printed:"1" program:"5 (15 for Syn1)" doc:"Optimiser steps between two updates of the consensus."`
	Streams    string `name:"streams" label:"Random streams" group:"Training" choices:"own|authors" default:"own" program:"authors, with model seed 15 for Syn1, 10 for Freebase, 0 for the others" doc:"Whether all that is random comes from this project's own streams, or is drawn as the authors' program draws it, initial weights to folds, so that their model seeds mean what they mean there."`

	Weights

	LRHeads       float64 `name:"lr_heads" symbol:"η₁" label:"Learning rate, heads" group:"Optimiser" min:"0" max:"10" default:"0.01" live:"true" paper:"0.01" doc:"Step size of the two layer predictors."`
	LREncoders    float64 `name:"lr_encoders" symbol:"η₂" label:"Learning rate, encoders" group:"Optimiser" min:"0" max:"10" default:"0.0001" live:"true" paper:"0.0001 (HCP 0.01)" doc:"Step size of the encoders."`
	DecayHeads    float64 `name:"decay_heads" label:"Weight decay, heads" group:"Optimiser" min:"0" max:"1" default:"0.0001" paper:"0.0001" doc:"Pull of the layer predictors' weights towards zero."`
	DecayEncoders float64 `name:"decay_encoders" label:"Weight decay, encoders" group:"Optimiser" min:"0" max:"1" default:"0" paper:"0" doc:"Pull of the encoders' weights towards zero."`
	EarlyStop     string  `name:"early_stop" label:"Stop early" group:"Optimiser" choices:"on|off" default:"on" printed:"off" program:"on" doc:"Whether the run ends when the total loss no longer improves."`
	Patience      int     `name:"patience" label:"Patience" unit:"epochs" group:"Optimiser" min:"1" max:"100000" default:"20" program:"20" doc:"Epochs without a better total loss before the run may end early."`
	PatienceAfter int     `name:"patience_after" label:"Not before epoch" unit:"epochs" group:"Optimiser" min:"0" max:"100000" default:"100" program:"100" doc:"The run never ends early before this epoch is over."`

	Dim         int     `name:"dim" symbol:"d" label:"Embedding size" group:"Encoder" min:"1" max:"256" default:"8" paper:"8" doc:"Numbers per node in each embedding."`
	Hidden      int     `name:"hidden" symbol:"H" label:"Hidden units" group:"Encoder" min:"1" max:"4096" default:"256" program:"256 (Freebase 512)" doc:"Width between the two linear maps of an encoder."`
	Propagation string  `name:"propagation" label:"Propagation" group:"Encoder" choices:"twice|kipf" default:"twice" printed:"kipf" program:"twice" doc:"How features spread over edges: by the adjacency normalised twice, or normalised once after a self loop is added to every node."`
	Features    string  `name:"features" label:"Features of nodes without any" group:"Encoder" choices:"identity|spectral:#|random:#|degree" max:"4096" default:"identity" paper:"identity" doc:"What nodes without features get where inputs are neither trimmed nor split: a column each, K leading directions of all links, K columns of a random projection of the links, or degrees. All but the first suit many nodes."`
	DropoutRate float64 `name:"dropout_rate" symbol:"p" label:"Feature dropout" group:"Encoder" min:"0" max:"0.95" default:"0.1" refined:"0" evidence:"0" paper:"0.1 (HCP 0)" doc:"Share of the features that each layer loses once, before training."`
	Dropout     string  `name:"dropout" label:"What is dropped" group:"Encoder" choices:"columns|entries" default:"columns" printed:"entries" program:"columns" doc:"Whether whole feature columns or single entries are dropped."`

	Augmented    int     `name:"augmented" symbol:"n_aug" label:"Augmented graphs per layer" group:"Augmentation" min:"0" max:"1000" default:"20" paper:"5 (Syn1), 20, 30 (Freebase)" doc:"How many node-sampled copies of each layer the predictors see."`
	NodeRatio    float64 `name:"node_ratio" symbol:"r" label:"Nodes kept" group:"Augmentation" min:"0.01" max:"1" default:"0.6" paper:"0.6" doc:"Share of the nodes that an augmented graph keeps."`
	Noise        float64 `name:"noise" symbol:"σ" label:"Noise" group:"Augmentation" min:"0" max:"100" default:"0.1" paper:"0.1" doc:"Standard deviation of the noise on every kept node's embedding."`
	Augmentation string  `name:"augmentation" label:"Drawn" group:"Augmentation" choices:"fixed|fresh" default:"fixed" printed:"fresh" program:"fixed" doc:"Whether samples and noise are drawn once per run or anew in every step."`
	Graphs       string  `name:"graphs" label:"Graphs shown" group:"Augmentation" choices:"both|augmented" default:"both" printed:"augmented" program:"both" doc:"Whether the predictors also see the complete layers."`
	Batch        int     `name:"batch" label:"Batch" unit:"graphs" group:"Augmentation" min:"1" max:"100000" default:"64" paper:"64" doc:"Graphs per batch; the means of the batches are added."`
	Average      string  `name:"average" label:"Average" group:"Augmentation" choices:"batches|all" default:"batches" printed:"all" program:"batches" doc:"Whether losses are means over batches, added, or one mean over all augmented graphs and one over the complete layers, added."`

	TargetScale string `name:"target_scale" label:"Scale of the consensus" group:"Method" choices:"nodes|one" default:"nodes" printed:"one" program:"nodes" doc:"Whether every direction of the consensus has the squared length M, the number of nodes, or 1."`
	Matching    string `name:"matching" label:"Matching loss" group:"Method" choices:"mean|sum" default:"mean" printed:"sum" program:"mean" doc:"Whether the squared distance to the consensus is divided by the number of nodes."`
	Completion  string `name:"completion" label:"Missing directions" group:"Method" choices:"none|centred|arbitrary" default:"none" program:"arbitrary, by rounding noise" doc:"What fills the directions of the consensus that the data do not determine."`
	Pairing     string `name:"pairing" label:"Pairing" group:"Method" choices:"permutation|all|own|sampled:#" max:"1000" default:"permutation" printed:"all" program:"permutation" doc:"Which common parts a private part is paired with: one, by a random permutation; all; that of its own graph, which adjusts for nothing; or K drawn at random with repetition."`
	Combine     string `name:"combine" label:"Combination" group:"Method" choices:"add|concat" default:"add" printed:"concat" program:"add" doc:"How private and common part enter the causal predictor: added or side by side."`

	FeatureScale string  `name:"feature_scale" label:"Feature columns" group:"Inputs" choices:"none|columns" default:"none" refined:"columns" paper:"none" doc:"Whether every column of Z is divided by its length, where inputs are trimmed or split. Nothing is scaled that has no features of its own."`
	RowScale     string  `name:"row_scale" label:"Feature rows" group:"Inputs" choices:"sum|unit" default:"sum" paper:"sum" doc:"Whether the rows of features are as they come, where they sum to 1, or have the length 1."`
	Trim         string  `name:"trim" label:"Trimming" group:"Inputs" choices:"off|noise" default:"off" refined:"noise" paper:"none" doc:"Whether each layer keeps only the directions of Z that stand above noise, s > σ(√M + √F) (the noise edge of Bai and Yin)."`
	Directions   int     `name:"kept" label:"Directions kept" group:"Inputs" min:"1" max:"256" default:"64" paper:"none" doc:"How many directions of Z a layer keeps at most, where inputs are trimmed or split."`
	Split        string  `name:"split" label:"Split" group:"Inputs" choices:"off|agreement|evidence" default:"off" refined:"agreement" evidence:"evidence" paper:"none" doc:"Whether common encoders see only the directions on which the layers agree, J J'Z, and private encoders only the rest (principal angles, as in AJIVE); or, without features, those that explain links of layers they were not estimated from, and private encoders those that explain held-out links of their layer."`
	Agreement    float64 `name:"agreement" symbol:"τ" label:"Agreement" group:"Inputs" min:"0" max:"1" default:"0.5" paper:"none" doc:"Directions are shared when the layers agree by more than this, (N q² − 1)/(N − 1) > τ, and by more than independent layers would by chance."`
	Private      string  `name:"private" label:"Private part" group:"Inputs" choices:"orthogonal|own" default:"orthogonal" refined:"own" evidence:"own" paper:"none" doc:"Whether the private part stays orthogonal to what is shared, or takes one more hop through its layer, which restores the layer's own structure."`
	Target       string  `name:"target" label:"Consensus of" group:"Inputs" choices:"polar|power" default:"polar" refined:"power" evidence:"power" paper:"polar" doc:"Whether the consensus is taken from the sum of the common embeddings, or of one power step of each, Σ Z(Z'C), which turns it to the leading directions."`
}

// Released returns the options that produced the paper's published numbers, with the
// settings most of its data sets share.
func Released() Options {
	var o Options
	property.Defaults(&o)
	return o
}

// Presets lists the names [Preset] knows.
var Presets = []string{"released", "printed", "refined", "evidence"}

// Preset returns the options of that name: "released"; "printed", which follows the paper's
// equations to the letter; "refined", which gives every encoder the part of its input that it is
// to learn from (package split) and is not in the paper; or "evidence", which does so by links alone, for sparse
// layers without features (package evidence). The error of another name is a [*diag.Error] that lists these.
func Preset(name string) (Options, error) {
	o := Released()
	switch name {
	case "released":
	case "printed", "refined", "evidence":
		property.Preset(&o, name)
	default:
		return o, property.Unknown("preset", strconv.Quote(name), name, Presets)
	}
	return o, nil
}

// Has reports whether the loss has a term, on data with that number of features.
func (o Options) Has(t Term, features int) bool {
	values := property.Values(&o)
	return t.Needs == nil || features > o.Dim && slices.ContainsFunc(t.Needs, func(name string) bool { return values[name] != "off" })
}

// Check reports whether the options can be used; the error is a [*diag.Error].
func (o Options) Check() error {
	if err := property.Check(&o); err != nil {
		return err
	}
	if o.Graphs == "augmented" && o.Augmented == 0 {
		return diag.Option("augmented", "0", `at least 1 when graphs is "augmented"`)
	}
	return nil
}
