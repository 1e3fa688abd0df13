package evaluate

import (
	"fmt"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
)

// Options are the settings of the evaluation protocol. The defaults are those that
// produced the published numbers on the synthetic example Syn1.
type Options struct {
	// Score says whether scores are taken, and of how many nodes: see [Options.Sample].
	Score string `name:"score" label:"scores at the end" group:"evaluation" choices:"all|sample:#|none" max:"10000000" default:"all" paper:"all" doc:"Whether scores are taken when a run ends. Of a sample, readers learn from K nodes of every fold, and K-means finds its centres from K; all nodes are tested and assigned."`
	// Epochs of full-batch training of the combiner and the classifier, each time.
	Epochs int `name:"eval_epochs" label:"evaluation epochs" group:"evaluation" min:"1" max:"10000" default:"50" paper:"50 for Syn1, 400 for Syn4, HCP, DBLP, IMDB, ACM and Freebase" doc:"How many epochs the combiner and the classifier are trained in every fold. Of more than 8,192 nodes each epoch sees a part of some 512."`
	// Rate of Adam for both; wide embeddings need a smaller one.
	Rate float64 `name:"eval_lr" symbol:"η" label:"evaluation learning rate" group:"evaluation" min:"1e-06" max:"10" default:"0.3" paper:"0.3 for Syn1, 0.1 for Syn4, HCP, DBLP, IMDB, ACM and Freebase" doc:"The learning rate of the combiner and the classifier."`
	// Folds of the stratified cross-validation.
	Folds int `name:"folds" label:"folds" group:"evaluation" min:"2" max:"20" default:"5" paper:"5" doc:"In how many parts the labelled nodes are dealt, each of which is the test part once."`
	// FoldDeal says who deals: streams of the seed, or the published program's generator.
	FoldDeal string `name:"fold_deal" label:"folds dealt" group:"evaluation" choices:"drawn|published" default:"drawn" program:"published, with evaluation seed 1 for Syn1 and 10 for the others" doc:"Whether folds are drawn from this project's own streams or dealt as the published program does for that evaluation seed."`
	// Authors says that the run draws as the authors' program does: folds are dealt as published, and combiners begin with its weights.
	Authors bool `name:"-"`
	// NestedSelect lets inner folds choose epochs and rate; off, only the outer folds are run.
	NestedSelect string `name:"nested_select" label:"nested selection" group:"evaluation" choices:"off|on" default:"off" program:"off, where inner folds are run but select nothing" doc:"Whether inner folds choose the learning rate (0.003 to 0.3) and the epochs (50, 200 or 400) of each outer fold in place of the fixed ones. Off, only the outer folds are run."`
	// Heads of the combiner's attention.
	Heads int `name:"heads" label:"attention heads" group:"evaluation" min:"1" max:"64" default:"4" paper:"4" doc:"How many attention heads fuse the common and the private embeddings; it must divide the embedding size."`
	// HeadsMerge says how the heads become one vector: concatenated and projected, or
	// averaged, which leaves a vector of d/heads numbers.
	HeadsMerge string `name:"heads_merge" label:"merging of heads" group:"evaluation" choices:"concatenated|averaged" default:"concatenated" printed:"averaged" doc:"Whether the outputs of the attention heads are put side by side and projected, or averaged."`
	// LayerTag lets the combiner learn a vector a layer that is added to its tokens.
	LayerTag string `name:"layer_tag" label:"layer tag" group:"evaluation" choices:"off|on" default:"off" refined:"on" evidence:"on" paper:"off" doc:"Whether the combiner may learn a mark for each layer; without one it cannot tell which layer an embedding comes from."`
	// KMeansRuns are independent runs whose scores are averaged.
	KMeansRuns int `name:"kmeans_runs" label:"K-means runs" group:"evaluation" min:"1" max:"1000" default:"50" paper:"50" doc:"How many K-means runs a clustering score is the mean of."`
	// KMeansRestarts of each run, the best by inertia counting.
	KMeansRestarts int `name:"kmeans_restarts" label:"K-means restarts" group:"evaluation" min:"1" max:"100" default:"1" paper:"1 for Syn2, 20 for Syn3" doc:"How many starts each K-means run chooses its best clustering from: one by the paper's protocol, ten for data of one's own."`
}

// Defaults returns the default options.
func Defaults() Options {
	var o Options
	property.Defaults(&o)
	return o
}

// Above SampleAbove nodes a sample of UsualSample is scored by default.
const (
	SampleAbove = 20_000
	UsualSample = 5_000
)

// UsualScore returns the default of the option score for n nodes.
func UsualScore(n int) string {
	if n <= SampleAbove {
		return "all"
	}
	return "sample:" + strconv.Itoa(UsualSample)
}

// Sample returns the largest number of n nodes that a combiner or a probe learns from, and K-means finds its centres in. If the option is none
// but scores are requested, they are the default ones.
func (o *Options) Sample(n int) int {
	score := o.Score
	if score == "none" {
		score = UsualScore(n)
	}
	if k, ok := strings.CutPrefix(score, "sample:"); ok {
		if most, err := strconv.Atoi(k); err == nil {
			return min(n, most)
		}
	}
	return n
}

// Check validates the options for embeddings of size d. The error is a
// [*diag.Error].
func (o *Options) Check(d int) error {
	if err := property.Check(o); err != nil {
		return err
	}
	if d%o.Heads != 0 {
		return diag.Option("heads", fmt.Sprint(o.Heads), fmt.Sprintf("a divisor of the embedding size %d", d))
	}
	return nil
}
