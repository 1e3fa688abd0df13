package evaluate

// A Finding says how the classes were found that a metric compares with the labels.
type Finding int

const (
	// Classifier: classes that are predicted for items held out, fold by fold.
	Classifier Finding = iota
	// Clusters: K-means clusters of all items, run by run.
	Clusters
	// Pairs: which of two nodes that are asked for are linked, split by split of the links.
	Pairs
)

// Spread names what the standard deviation of a score is taken over.
func (s Finding) Spread() string {
	return [...]string{Classifier: "folds", Clusters: "K-means runs", Pairs: "splits of the links"}[s]
}

// A Metric says how well found classes agree with the true ones, or links with what was said of them. The larger, the better, but for
// those that are Lower: 1 is perfect.
type Metric struct {
	Name  string // as in scores and files
	Label string // as in tables
	Doc   string // what it measures, to stand behind the label
	From  Finding
	Of    func(truth, found []int) float64
	Lower bool // the lower, the better: 0 is perfect
}

// Metrics lists every metric of labels, in the order of the rows of [Table]. All code that shows,
// names or computes metrics uses this list.
var Metrics = []Metric{
	{"macro_f1", "Macro-F1", "classifying each target from each embedding, mean over the classes", Classifier, MacroF1, false},
	{"micro_f1", "Micro-F1", "the share of nodes that are classified rightly", Classifier, MicroF1, false},
	{"ari", "ARI", "agreement of K-means clusters with each target, 0 by chance", Clusters, ARI, false},
	{"nmi", "NMI", "information that K-means clusters share with each target", Clusters, NMI, false},
}

// LinkMetrics lists those of links that were held out, which package links computes.
var LinkMetrics = []Metric{
	{"auc", "AUC", "how often a link that was held out scores higher than two nodes that are not linked, 0.5 by chance", Pairs, nil, false},
	{"auc_degrees", "AUC, degrees matched", "the same with nodes that are drawn by their degrees", Pairs, nil, false},
	{"auc_fitted", "AUC, fitted", "the same of a logistic fit to scores and degrees, on pairs that it has not seen", Pairs, nil, false},
	{"auc_degrees_fitted", "AUC, fitted, degrees matched", "the same with nodes that are drawn by their degrees", Pairs, nil, false},
	{"ap_fitted", "AP, fitted", "average precision of that fit", Pairs, nil, false},
	{"log_loss", "Log-loss, fitted", "mean log-loss of that fit, the lower the better", Pairs, nil, true},
}

// MetricOf returns the metric of that name; nil if there is none.
func MetricOf(name string) *Metric {
	for _, list := range [][]Metric{Metrics, LinkMetrics} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// values holds, for each of [Metrics] from one source, the values of every fold or run.
type values [][]float64

// add appends the value of every metric from the source.
func (v *values) add(from Finding, truth, found []int) {
	if *v == nil {
		*v = make(values, len(Metrics))
	}
	for i, m := range Metrics {
		if m.From == from {
			(*v)[i] = append((*v)[i], m.Of(truth, found))
		}
	}
}

// of returns the values of a metric; nil if nothing was added.
func (v values) of(metric int) []float64 {
	if v == nil {
		return nil
	}
	return v[metric]
}
