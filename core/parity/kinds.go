package parity

import (
	"strings"
)

// A kind of golden files.
type kind struct {
	of     string // the package that it tests
	names  string // what files of the kind have, as "hyper", or "method=vgae"; or the end of their path, after "/"
	replay func(g *golden)
}

// kinds are all of them. A file is of the first that its names tell.
var kinds = []kind{
	{"core/synth", "/" + sums, published},
	{"core/baseline", "method=vgae cases", cases(vgae)},
	{"core/baseline", "method=dgi cases", ruled("dgi", 1, dgi)},
	{"core/baseline", "method=mvgrl_node cases", ruled("mvgrl", 1, mvgrl)},
	{"core/baseline", "method=mvgrl_graph cases", ruled("mvgrl-graph", 2, mvgrlGraph)},
	{"core/baseline", "method=graphmae cases", ruled("graphmae", 1, graphMAE, scaledCosine)},
	{"core/baseline", "method=hdmi cases", ruled("hdmi", 1, hdmi)},
	{"core/baseline", "method=dmg cases", ruled("dmg", 1, dmg, correlations)},
	{"core/baseline", "method=random_encoder cases", cases(randomEncoder)},
	{"core/baseline", "method=closed cases", cases(closedForm)},
	{"core/baseline", "method=deepwalk cases", cases(walked("deepwalk", "epochs hs=tree"))},
	{"core/baseline", "method=node2vec cases", cases(walked("node2vec", "epochs hs:off p q"))},
	{"core/baseline", "method=graph2vec cases", cases(graph2vec)},
	{"core/baseline", "method=mcgc cases", cases(mcgc)},
	{"core/baseline", "method=mne cases", cases(mne)},
	{"", "runs note", nil}, // scores that were measured, beside the cases
	{"core/baseline/skipgram", "huffman updates", skipGramParts},
	{"core/baseline/skipgram", "graphs corpus", walkers},
	{"core/cadem", "hyper expect", training},
	{"core/cadem", "hyper arrays", training},
	{"core/evaluate", "init heads tokens", combiner},
	{"core/evaluate", "kmeans partitions", metrics},
	{"core/linalg", "cases/0/S_on_range", cases(polar)},
	{"core/graphsignal", "blobs functions", spectral},
	{"core/graphsignal", "dynamics spectral_radius", dynamics},
	{"core/connectome", "confounds from_fft from_butter", signals},
}

func (k kind) tells(g *golden) bool {
	if strings.HasPrefix(k.names, "/") {
		return strings.HasSuffix(g.path, k.names)
	}
	for word := range strings.FieldsSeq(k.names) {
		name, text, ok := strings.Cut(word, "=")
		if !g.has(name) || ok && g.text(name) != text {
			return false
		}
	}
	return true
}

// cases replays each case of a file.
func cases(replay func(c *golden)) func(g *golden) {
	return func(g *golden) { g.cases(replay) }
}

// ruled replays cases of a method with gradients after the rules of its first values and what else the file has.
func ruled(method string, graphs int, replay func(c *golden), more ...func(g *golden)) func(g *golden) {
	return func(g *golden) {
		if g.has("init_rules") {
			g.try("initial values", func() { g.rules(method, graphs) })
		}
		for _, other := range more {
			other(g)
		}
		g.cases(replay)
	}
}
