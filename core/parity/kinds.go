package parity

import "strings"

// A kind of golden files.
type kind struct {
	of     string          // the package that it tests
	names  string          // what files of the kind have, as "hyper", or "method=vgae"; or the end of their path, after "/"
	whole  func(g *golden) // replays the file, but for its cases
	replay func(c *golden) // replays one of its cases
}

// kinds are all of them. A file is of the first that its names tell.
var kinds = []kind{
	{"core/synth", "/" + sums, published, nil},
	{"core/baseline", "method=vgae cases", nil, vgae},
	{"core/baseline", "method=dgi cases", nil, dgi},
	{"core/baseline", "method=mvgrl_node cases", nil, mvgrl},
	{"core/baseline", "method=mvgrl_graph cases", nil, mvgrlGraph},
	{"core/baseline", "method=graphmae cases", scaledCosine, graphMAE},
	{"core/baseline", "method=hdmi cases", nil, hdmi},
	{"core/baseline", "method=dmg cases", correlations, dmg},
	{"core/baseline", "method=random_encoder cases", nil, randomEncoder},
	{"core/baseline", "method=closed cases", nil, closedForm},
	{"core/baseline", "method=deepwalk cases", nil, walked("deepwalk", "epochs hs=tree")},
	{"core/baseline", "method=node2vec cases", nil, walked("node2vec", "epochs hs:off p q")},
	{"core/baseline", "method=graph2vec cases", nil, graph2vec},
	{"core/baseline", "method=mcgc cases", nil, mcgc},
	{"core/baseline", "method=mne cases", nil, mne},
	{"", "runs note", nil, nil}, // scores that were measured, beside the cases
	{"core/baseline/skipgram", "huffman updates", skipGramParts, nil},
	{"core/baseline/skipgram", "graphs corpus", walkers, nil},
	{"core/cadem", "hyper expect", training, nil},
	{"core/cadem", "hyper arrays", training, nil},
	{"core/evaluate", "init heads tokens", combiner, nil},
	{"core/evaluate", "kmeans partitions", metrics, nil},
	{"core/linalg", "cases/0/S_on_range", nil, polar},
	{"core/graphsignal", "blobs functions", spectral, nil},
	{"core/graphsignal", "dynamics spectral_radius", dynamics, nil},
	{"core/connectome", "confounds from_fft from_butter", signals, nil},
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
