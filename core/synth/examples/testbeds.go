//go:build !lean

package examples

import "cadem.example/core/synth"

// testbeds are data of studies and the command line. The program of a first visit leaves them out.
var testbeds = []Example{
	{
		Generator: synth.Latent, Title: "Latent directions, all known", Task: Classification,
		Sentence: "400 nodes whose features in three layers are mixed, with noise, from two directions that all layers share and two of each layer's own.",
		Expect: "The common embedding tells on which side of the first shared direction a node lies (macro-F1 0.80, untrained 0.60), and the halves along " +
			"the first layer's own direction little better than chance (0.56). The first private embedding tells these at 0.61, trained or not. Every node is " +
			"linked to itself alone, so that nothing but the features counts.",
		Defaults: map[string]any{"epochs": 200, "inner_steps": 5, "augmented": 20, "weight_matching": 1.0, "weight_selfsupervised": 0.5, "weight_causal": 0.5,
			"eval_epochs": 100, "eval_lr": 0.1},
	},
	{
		Generator: synth.StandIn, Title: "A stand-in for DBLP (drawn)", Task: Classification, Large: true,
		Sentence: "7907 invented nodes in three layers with as many links, features and classes as the paper prints of DBLP, which is not to be had. " +
			"No number comes from DBLP.",
		Expect: "The time and memory that such a graph takes: its last layer joins nine pairs of ten. Half of the links, as far as there are pairs, join nodes " +
			"of one class, and half of a node's features are those that its class prefers. So scores say nothing about DBLP.",
		Defaults: defaults(400, 5, 20, 1, 0.05, 0.05, "hidden", 256, "eval_epochs", 400, "eval_lr", 0.1),
	},
}
