package study

import (
	"strings"
	"testing"
)

func TestLaTeX(t *testing.T) {
	p := 0.01
	r := &Report{Title: "50% of A & B", Setting: "One seed.", Tests: []Test{{What: "Macro-F1 on final", A: "CaDeM", B: "DGI (lite)", Corrected: &p}}, Rows: []Row{
		{Dataset: "Syn1", Method: "DGI", Level: "lite", Embedding: "combined", Target: "final", Metric: "macro_f1", Ours: new(.5), FoldStd: new(.25)},
		{Dataset: "Syn1", Method: "CaDeM", Embedding: "combined", Target: "final", Metric: "macro_f1", Ours: new(.75)},
		{Dataset: "Syn1", Method: "CaDeM", Embedding: "combined", Target: "final", Metric: "micro_f1", Ours: new(.875), FoldStd: new(.125),
			Word: "the readers disagree"},
		{Dataset: "Syn1", Method: "not run", Embedding: "combined", Target: "final", Metric: "micro_f1", Paper: new(.9)},
	}}
	text := LaTeX([]*Report{r, {Title: "empty"}})
	for _, want := range []string{
		"% One seed.\n\\begin{table}", `\caption{50\% of A \& B: means $\pm$ the spread over folds or splits.`, "\nBold: best, underlined: second.",
		`$^\dagger$: differs from CaDeM, $p < 0.05$ corrected (Holm). $^\ddagger$:`, ` a well-fitted reader differs by more than 0.1. $^*$: lite settings.}`,
		`\begin{tabular}{lcc}`, `\toprule`, `\midrule`, `\bottomrule`,
		`Method & Syn1, final, macro\_f1 & Syn1, final, micro\_f1 \\`,
		`DGI$^*$ & \underline{0.5000}$^\dagger$ $\pm$ 0.2500 & -- \\`, `CaDeM & \textbf{0.7500} & 0.8750$^\ddagger$ $\pm$ 0.1250 \\`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "not run") || strings.Count(text, `\begin{table}`) != 1 {
		t.Error(text)
	}
}
