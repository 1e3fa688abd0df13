package page

import (
	"encoding/json"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
)

// markup writes a tree down for comparison.
func markup(n *node) string {
	if n.tag == "" {
		return n.text
	}
	var b strings.Builder
	b.WriteString("<" + n.tag)
	for _, p := range n.pairs() {
		b.WriteString(" " + p[0] + "=" + p[1])
	}
	b.WriteString(">")
	for i := range n.children {
		b.WriteString(markup(&n.children[i]))
	}
	return b.String() + "</" + n.tag + ">"
}

func read[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

const twoScores = `[
	{"embedding":"common","target":"final","metric":"macro_f1","value":0.8123,"fold_std":0.05,"untrained":0.551,"untrained_standardised":-0.0004,"probe":1},
	{"embedding":"private_1","target":"layer_1","metric":"macro_f1","value":0.5,"fold_std":null}]`

func TestScoresTree(t *testing.T) {
	tree := scoresTree(read[[]score](t, twoScores))
	got := markup(&tree)
	for _, want := range []string{
		"<tr><th scope=col>Embedding</th><th scope=col>final</th><th scope=col>layer 1</th></tr>",
		"<th scope=row>private 1</th><td>–</td><td>",
		"<span class=value>0.812</span><span class=spread> ± 0.050</span><small>untrained 0.55 · standardised 0.00 · probe of labels 1.00</small>",
		"<span class=value>0.500</span><span class=spread> ± –</span>",
		"<strong>Macro-F1</strong>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Contains(got, "split") || !strings.Contains(got, "; spread over folds.") {
		t.Errorf("%s speaks of splits that there are not", got)
	}
	alone := scoresTree(read[[]score](t, strings.Replace(twoScores, `"private_1"`, `"pooled"`, 1)))
	const bare = "<th scope=row>pooled, no training</th><td>–</td><td><span class=value>0.500</span><span class=spread> ± –</span></td>"
	if s := markup(&alone); !strings.Contains(s, bare) {
		t.Errorf("%s does not say what is not trained", s)
	}
	const own = `"value":0.8123,"protocol":"the data's own split: 6 training, 3 test nodes"`
	split := scoresTree(read[[]score](t, strings.Replace(twoScores, `"value":0.8123`, own, 1)))
	if s := markup(&split); !strings.Contains(s, ", by the data's own split: 6 training, 3 test nodes; spread over splits.") {
		t.Errorf("%s does not say by what split", s)
	}
	sampled := scoresTree(read[[]score](t, strings.Replace(twoScores, `"value":0.8123`, `"value":0.8123,"sampled":5000`, 1)))
	if s := markup(&sampled); !strings.Contains(s, "spread over folds. Learned from at most 5000 nodes; all are tested.") {
		t.Errorf("%s does not say that it is of a sample", s)
	}
	if tree := scoresTree(nil); tree.tag != "p" {
		t.Errorf("without scores: %s", markup(&tree))
	}
}

func TestDecimals(t *testing.T) {
	for v, want := range map[float64]string{-0.0125: "\u22120.013", -0.00001: "0.000", 1: "1.000", 0.9996: "1.000"} {
		if got := decimals(&v, 3); got != want {
			t.Errorf("%v is written %s, expected %s", v, got, want)
		}
	}
}

func TestSameShape(t *testing.T) {
	a := scoresTree(read[[]score](t, twoScores))
	b := scoresTree(read[[]score](t, strings.ReplaceAll(twoScores, "0.8123", "0.9")))
	if !sameShape(&a, &b) {
		t.Error("another value makes another shape")
	}
	ta, tb := a.texts(nil), b.texts(nil)
	differ := 0
	for i := range ta {
		if ta[i] != tb[i] {
			differ++
		}
	}
	if len(ta) != len(tb) || differ != 1 {
		t.Errorf("%d of %d texts differ, expected 1", differ, len(ta))
	}
	c := scoresTree(read[[]score](t, twoScores)[:1])
	if sameShape(&a, &c) {
		t.Error("a row less has the same shape")
	}
}

func TestLossesTree(t *testing.T) {
	tree := lossesTree(read[[]lossRow](t, `[{"step":15,"epoch":1,"matching":2.34567,"selfsupervised":0.000012345,"causal":1,"total":123456}]`))
	got := markup(&tree)
	for _, want := range []string{"<th scope=row>15</th><td>1</td><td>2.346</td><td>1.23e−5</td><td>1</td>", "<td>123500</td></tr>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if cells := strings.Count(got, "<td>"); cells != 1+4 { // the epoch, and the terms that the row has
		t.Errorf("%d cells in %s", cells, got)
	}
}

func TestSummaryTree(t *testing.T) {
	s := read[run.Summary](t,
		`{"name":"AUCS","nodes":61,"features":61,"layers":[{"name":"lunch","edges":193,"self_loops":1,"isolated":1,"weighted":true,"max_degree":15},
			{"name":"advice","edges":2}],
		"labels":[{"name":"group","classes":["G1","G2"],"counts":[30,24],"missing":7}],"notes":["One <b> note"]}`)
	tree := summaryTree(&s)
	got := markup(&tree)
	for _, want := range []string{
		"61 nodes, 2 layers, 61 features each",
		"<th scope=row>lunch<small> weighted, 1 self loop</small></th><td>193</td><td>1</td><td>15</td>",
		"<strong>group</strong>: 2 classes, 7 nodes without",
		"<li>One <b> note</li>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

func TestSubjectTree(t *testing.T) {
	s := read[run.Summary](t, `{"name":"s01","nodes":360,"subject":{"quality":{"frames":1195,"seconds":860.4,"motion":0.123,"moved":0.05,`+
		`"positive":0.6432,"negative":0.3568,"constant":1,"co_isolates":3,"anti_isolates":12},"tr":0.72,"steps":["detrend","FC"]}}`)
	tree := summaryTree(&s)
	got := markup(&tree)
	for _, want := range []string{
		"1195 frames of 0.72 s, 860 s", "0.12 mm a frame in the mean, 5.0 % of the frames", "64.3 % positive, 35.7 % negative",
		"3 in co-activation, 12 in anti-activation",
		"<th scope=row>Regions that do not change</th><td>1</td>", "<ol class=steps small><li>detrend</li><li>FC</li></ol>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	s = read[run.Summary](t, `{"subject":{"quality":{"frames":0,"seconds":0,"motion":null,"moved":null}}}`)
	tree = summaryTree(&s)
	if got := markup(&tree); !strings.Contains(got, "functional connectivity was given") || !strings.Contains(got, "no column framewise_displacement") {
		t.Error(got)
	}
}

func TestMessagesTree(t *testing.T) {
	tree := messagesTree([]message{
		{Level: "error", Message: `a.edges:12: weight: found "x"`, File: "a.edges", Line: 12},
		{Level: "error", Message: "found a picture", File: "b.csv", Line: 3},
		{Level: `info" onclick="x`, Message: "m"},
	})
	got := markup(&tree)
	want := `<div><p class=notice error>a.edges:12: weight: found "x"</p><p class=notice error><strong>b.csv:3</strong>: found a picture</p><p ` +
		`class=notice info>m</p></div>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPairs(t *testing.T) {
	n := el("td", "scope=row data-x=1 class=two words")
	if got := n.pairs(); len(got) != 3 || got[1] != [2]string{"data-x", "1"} || got[2] != [2]string{"class", "two words"} {
		t.Errorf("%v", got)
	}
}
