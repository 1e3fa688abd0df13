package evaluate

// A Finding says how the classes were found that a metric compares with the labels.
type Finding int

const (
	// Classifier: classes that are predicted for items held out, fold by fold.
	Classifier Finding = iota
	// Clusters: K-means clusters of all items, run by run.
	Clusters
)

// Spread names what the standard deviation of a score is taken over.
func (s Finding) Spread() string {
	if s == Clusters {
		return "K-means runs"
	}
	return "folds"
}

// A Metric says how well found classes agree with the true ones. The larger, the better: 1 is
// perfect.
type Metric struct {
	Name  string // as in scores and files
	Label string // as in tables
	Doc   string // what it measures, to stand behind the label
	From  Finding
	Of    func(truth, found []int) float64
}

// Metrics lists every metric, in the order of the rows of [Table]. What shows, names or
// computes metrics follows this list.
var Metrics = []Metric{
	{"macro_f1", "Macro-F1", "classifying each target from each embedding, mean over the classes", Classifier, MacroF1},
	{"micro_f1", "Micro-F1", "the share of nodes that are classified rightly", Classifier, MicroF1},
	{"ari", "ARI", "agreement of K-means clusters with each target, 0 by chance", Clusters, ARI},
	{"nmi", "NMI", "information that K-means clusters share with each target", Clusters, NMI},
}

// MetricOf returns the metric of that name; nil if there is none.
func MetricOf(name string) *Metric {
	for i := range Metrics {
		if Metrics[i].Name == name {
			return &Metrics[i]
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
