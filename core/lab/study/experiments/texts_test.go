package experiments

import (
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
)

// plain returns the visible text of a file of the page, or of the texts of an example.
func plain(t *testing.T, name string) string {
	t.Helper()
	for _, e := range examples.All() {
		if e.Name == name {
			return e.Sentence + " " + e.Expect
		}
	}
	b, err := os.ReadFile("../../../../www/" + name)
	if err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(b), ""))
	return strings.Join(strings.Fields(strings.ReplaceAll(text, `\u2019`, "’")), " ")
}

// A claim is a phrase of a text and the figures that it rests on, each with the bounds within
// which the phrase is true.
type claim struct {
	text, phrase string
	figures      []bounded
}

type bounded struct {
	name          string
	value, lo, hi float64
}

// near is a figure that is printed with two digits: seeds of other machines do not move it, but
// a change of the example or the method does.
func near(name string, value, printed float64) bounded {
	const loose = 0.06
	return bounded{name, value, printed - loose, printed + loose}
}

// rounded is a figure rounded to two digits. It is the same on all machines, and not truncated.
func rounded(name string, value, printed float64) bounded {
	const half = 0.005
	return bounded{name, value, printed - half, printed + half}
}

func (c *claim) check(t *testing.T) {
	t.Helper()
	if !strings.Contains(plain(t, c.text), c.phrase) {
		t.Errorf("%s does not say %q", c.text, c.phrase)
	}
	for _, f := range c.figures {
		if math.IsNaN(f.value) || f.value < f.lo || f.value > f.hi {
			t.Errorf("%s says %q, but %s is %.3f, outside %.2f to %.2f", c.text, c.phrase, f.name, f.value, f.lo, f.hi)
		}
	}
}

// measured is a training of an example with its usual seeds, and its results.
func measured(t *testing.T, example string, data, options map[string]any, measure ...measure.Spec) (found *measure.Result,
	of func(embedding, target string) *evaluate.Score) {
	t.Helper()
	task := study.Task{Data: run.DataSpec{Example: example, Options: data, DataSeed: run.UsualSeeds.Data}, Preset: "released", Options: options,
		ModelSeed: run.UsualSeeds.Model, EvalSeed: run.UsualSeeds.Eval, Measure: measure}
	found, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found, func(embedding, target string) *evaluate.Score {
		t.Helper()
		for _, metric := range []string{"ari", "macro_f1"} {
			if s := found.Score(embedding, target, metric); s != nil {
				return s
			}
		}
		t.Fatalf("no score of %s on %s", embedding, target)
		return nil
	}
}

// probes returns how often a probe names the layer from common embeddings, after the first step
// and at the end.
func probes(r *measure.Result) (first, last float64) {
	a := r.Array("posterior")
	k, wide := slices.Index(measure.PosteriorColumns, "probe_C"), len(measure.PosteriorColumns)
	return a.Data[k], a.Data[len(a.Data)-wide+k]
}

// tenRuns spares time: clusters of ten runs tell what those of fifty do.
func tenRuns() map[string]any { return map[string]any{"kmeans_runs": 10} }

// Measured results in the texts of the page are true: nothing on the page may claim a result that
// its own examples do not have.
func TestTextsSayWhatIsMeasured(t *testing.T) {
	for name, claims := range map[string]func(t *testing.T) []claim{
		"Syn2":              claimsOnSyn2,
		"Syn1":              claimsOnSyn1,
		"a small firm":      claimsOnSmallFirm,
		"latent directions": claimsOnLatent,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range claims(t) {
				c.check(t)
			}
		})
	}
}

func claimsOnLatent(t *testing.T) []claim {
	_, of := measured(t, "latent", nil, nil, rowsOf("common", "private_1"))
	shared, leak, own := of("common", "shared"), of("common", "private_1"), of("private_1", "private_1")
	return []claim{
		{"latent", "(macro-F1 0.80, untrained 0.60)", []bounded{near("macro-F1", shared.Value, 0.80), near("untrained", shared.Untrained, 0.60)}},
		{"latent", "little better than chance (0.56)", []bounded{near("macro-F1", leak.Value, 0.56)}},
		{"latent", "at 0.61, trained or not", []bounded{near("macro-F1", own.Value, 0.61), near("untrained", own.Untrained, 0.61)}},
	}
}

func rowsOf(embeddings ...string) measure.Spec {
	return measure.Spec{Kind: measure.Scores, Embeddings: embeddings}
}

func claimsOnSyn2(t *testing.T) []claim {
	found, of := measured(t, "syn2", nil, tenRuns(), rowsOf("common", "private_1"), measure.Spec{Kind: measure.Posterior})
	shared, own, common := of("private_1", "shared"), of("private_1", "private_1"), of("common", "shared")
	first, last := probes(found)
	leak := []bounded{rounded("a probe of S on private_1", of("common", "private_1").Probe, 0.95)}
	all := slices.Clone(leak)
	for l := 1; l <= 3; l++ {
		name := fmt.Sprintf("private_%d", l)
		all = append(all, bounded{"a probe of S on " + name, of("common", name).Probe, 0.9, 1})
	}
	return []claim{
		{"syn2", "its ARI climbs from 0.03 to 0.9", []bounded{near("ARI untrained", common.Untrained, 0.03), {"ARI", common.Value, 0.8, 1}}},
		{"syn2", "an ARI of 0.18 and with the shared ones at 0.27, trained or not",
			[]bounded{near("ARI", own.Value, 0.18), near("ARI untrained", own.Untrained, 0.18), near("ARI", shared.Value, 0.27),
				near("ARI untrained", shared.Untrained, 0.27)}},
		{"syn2", "reads every layer's own communities from it at 0.9 and more", all},
		{"index.html", "reads layer 1's own groups from S with an ARI of 0.95", leak},
		{"index.html", "at an ARI of 0.18, and so does the trained one", []bounded{near("ARI", own.Value, 0.18), near("ARI untrained", own.Untrained, 0.18)}},
		{"index.html", "in 0.73 of the cases on Syn2, up from 0.62 after the first step",
			[]bounded{rounded("the probe", last, 0.73), rounded("the probe after a step", first, 0.62), {"the rise", last - first, 0.03, 1}}},
	}
}

func claimsOnSyn1(t *testing.T) []claim {
	found, of := measured(t, "syn1", nil, nil, rowsOf(), measure.Spec{Kind: measure.Posterior})
	first, last := probes(found)
	var own, before, others, common []bounded
	for l := 1; l <= 3; l++ {
		for k := 1; k <= 3; k++ {
			s := of(fmt.Sprintf("private_%d", l), fmt.Sprintf("layer_%d", k))
			if l == k {
				own = append(own, bounded{"macro-F1", s.Value, 0.65, 0.95})
				before = append(before, bounded{"what training adds", s.Value - s.Untrained, -0.1, 0.05})
			} else {
				others = append(others, bounded{"macro-F1 on another layer", s.Value, 0.1, 0.45})
			}
		}
		common = append(common, near("macro-F1 of S", of("common", fmt.Sprintf("layer_%d", l)).Value, 1))
	}
	return []claim{
		{"syn1", "its own layer's communities (macro-F1 0.7 to 0.9) and is near chance on the others'", append(own, others...)},
		{"syn1", "Untrained ones do as well on a layer's own labels", before},
		{"syn1", "the common embedding tells the communities of all three at 1.00", common},
		{"index.html", "in 0.49 on Syn1, down from 0.77; guessing gives 0.33",
			[]bounded{rounded("the probe", last, 0.49), rounded("the probe after a step", first, 0.77), {"the fall", first - last, 0.1, 1}}},
	}
}

func claimsOnSmallFirm(t *testing.T) []claim {
	found, _ := measured(t, "social", nil, tenRuns(), rowsOf())
	f1 := func(embedding, target string) *evaluate.Score { return found.Score(embedding, target, "macro_f1") }
	team, circle := f1("common", "team"), f1("common", "friends_circle")
	var own []bounded
	for l, target := range []string{"lunch_table", "friends_circle", "work_project", "online_channel"} {
		s := f1(fmt.Sprintf("private_%d", l+1), target)
		own = append(own, bounded{"macro-F1 on " + target, s.Value, 0.3, 0.65}, bounded{"untrained", s.Untrained, 0.3, 0.65})
	}
	return []claim{
		{"social", "(macro-F1 0.32 before, 0.56 after), without clear groups to see (ARI 0.14)",
			[]bounded{near("macro-F1 untrained", team.Untrained, 0.32), near("macro-F1", team.Value, 0.56),
				near("ARI", found.Score("common", "team", "ari").Value, 0.14)}},
		{"social", "the circles of friends (0.64)", []bounded{near("macro-F1", circle.Value, 0.64)}},
		{"social", "leans towards the circles of its own layer, trained or not", own},
	}
}

// Visible texts on the page are short: the page and saved reports fold a text after 60 words, in whole sentences, so no sentence may be long.
func TestTextsAreShort(t *testing.T) {
	const most, longest = 60, 45
	end := regexp.MustCompile(`[.?!] `)
	check := func(where, text string, whole bool) {
		t.Helper()
		if n := len(strings.Fields(text)); whole && n > most {
			t.Errorf("%s has %d words, expected at most %d", where, n, most)
		}
		for _, sentence := range end.Split(text, -1) {
			if n := len(strings.Fields(sentence)); n > longest {
				t.Errorf("%s: a sentence of %d words, expected at most %d: %s", where, n, longest, sentence)
			}
		}
	}
	for _, s := range All() {
		check(s.Name+", shows", s.Shows, true)
		check(s.Name+", learn", s.Learn, true)
		check(s.Name, s.Text, false)
	}
	for _, e := range examples.All() {
		check(e.Name, e.Sentence, true)
		check(e.Name+", expect", e.Expect, false)
	}
	check("the legend of tables", study.Legend, false)
}
