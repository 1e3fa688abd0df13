package study

import (
	"fmt"
	"strings"
	"testing"

	_ "cadem.example/core/baseline/all"
)

func TestLinesAndCSV(t *testing.T) {
	r := &Report{Rows: []Row{{Dataset: "d", Method: "a,b", Metric: "ari", Ours: new(0.12345)}, {Method: "c", Metric: "ari"}}}
	if got := fmt.Sprint(r.Lines(3)); got != "[[data method metric here] [d a,b ari 0.123] [ c ari ]]" {
		t.Error(got)
	}
	if got := CSV([]*Report{r}); got != "data,method,metric,here\nd,\"a,b\",ari,0.12345\n,c,ari,\n" {
		t.Errorf("%q", got)
	}
}

// People read counts without a fraction, a true minus sign and a bound for a tiny chance;
// programs read all digits.
func TestNumbersOfReports(t *testing.T) {
	r := &Report{Rows: []Row{
		{Metric: "ari", Gamma: new(0.1), Ours: new(-0.055), Paper: new(0.1), RankS: new(8.0)},
		{Metric: "regions of 36", Counts: true, Ours: new(17.0), Untrained: new(16.0), Chance: new(5.5), P: new(0.0000004), RankS: new(7.6)},
	}}
	if got := fmt.Sprint(r.Lines(3)); got != "[[metric gamma here paper difference untrained by chance p rank of S] [ari 0.1 −0.055 0.100 "+
		"−0.155    8] [regions of 36  17   16 5.5 <\u00a00.001 7.6]]" {
		t.Errorf("%q", got)
	}
	if got := CSV([]*Report{r}); !strings.Contains(got, "ari,0.1,-0.055,0.1,-0.155,") || !strings.Contains(got, ",17,,,16,5.5,0.0000004,7.6") {
		t.Errorf("%q", got)
	}
	r.Find("a fall of %.2f", -0.25)
	if r.Findings[0] != "a fall of −0.25" {
		t.Errorf("%q", r.Findings)
	}
}

// Reports of different columns make one table.
func TestCSVOfSeveralReports(t *testing.T) {
	a := &Report{Rows: []Row{{Table: "I", Dataset: "d", Metric: "ari", Ours: new(0.5)}}}
	b := &Report{Rows: []Row{{Dataset: "e", Metric: "nmi", Variant: "v", Trivial: new(0.25)}}}
	if got := CSV([]*Report{a, b}); got != "table,data,variant,metric,here,trivial\nI,d,,ari,0.5,\n,e,v,nmi,,0.25\n" {
		t.Errorf("%q", got)
	}
	row := &b.Rows[0]
	row.Names, row.Keys, row.Folds = []string{"e, seed 0", "e, seed 1"}, []string{"a", "b"}, [][]float64{{0.5, 0.25}, {1}}
	row.done = []*Done{{DataSeed: 7, EvalSeed: 1, Seconds: 0.5, Parameters: 3}, {ModelSeed: 1<<32 + 1, DataSeed: 7, EvalSeed: 1}}
	if got := CSV([]*Report{b}); got != "data,variant,metric,trivial,trainings,keys,model seeds,data seeds,evaluation seeds,seconds each,parameters each,folds\n"+
		"e,v,nmi,0.25,\"e, seed 0; e, seed 1\",\"a; b\",\"0; 4294967297\",\"7; 7\",\"1; 1\",\"0.5; 0\",\"3; 0\",\"0.5 0.25; 1\"\n" {
		t.Errorf("%q", got)
	}
}
