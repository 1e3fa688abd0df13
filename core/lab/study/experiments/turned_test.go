package experiments

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
)

// stored reads a document with its lines joined, so that sentences are whole.
func stored(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(b)), " ")
}

// turned exchanges the signs of all effects of a text.
func turned(text string) string { return strings.NewReplacer("−0", "+0", "+0", "−0").Replace(text) }

var (
	sentenced = regexp.MustCompile(`The paper says: (the (?:further )?losses [^.]+)\. This ([a-z ]+ here): (\S+) after (\d+) epochs(.*?trainings\))\. ?[*A-Z\n]`)
	effects   = regexp.MustCompile(`(layer from [a-zA-Z ]+, by a [a-z]+ probe) [0-9.]+, [a-z ]+ [0-9.]+, difference \S+ \(95 % interval (\S+) to (\S+),`)
)

// effectsOf are the intervals of a stored sentence, by reader.
func effectsOf(t *testing.T, text string) (readers []string, list []*study.Pairing) {
	t.Helper()
	for _, m := range effects.FindAllStringSubmatch(text, -1) {
		var ends [2]float64
		for k, s := range m[2:4] {
			v, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(s), 64)
			if err != nil {
				t.Fatal(err)
			}
			ends[k] = v
		}
		p := &study.Pairing{}
		p.Pairs, p.Low, p.High = 10, min(ends[0], ends[1]), max(ends[0], ends[1])
		readers, list = append(readers, m[1]), append(list, p)
	}
	return readers, list
}

// Every stored verdict on the losses is what its intervals give. With the signs of the effects turned it is another one, or none of its readers is
// above 0: then nothing was found in either direction.
func TestStoredVerdictsTurn(t *testing.T) {
	text := stored(t, "docs/length.md")
	found := sentenced.FindAllStringSubmatch(text, -1)
	if len(found) != 8 {
		t.Fatalf("%d sentences, expected 2 for each of two data sets and two lengths", len(found))
	}
	for _, m := range found {
		_, pairs := effectsOf(t, m[5])
		_, other := effectsOf(t, turned(m[5]))
		if len(pairs) != len(readers) {
			t.Fatalf("%d readers of %s", len(pairs), m[0])
		}
		if got := verdictOf(pairs); got != m[2] {
			t.Errorf("%s, %s after %s: the document says that it %s, its intervals that it %s", m[1], m[3], m[4], m[2], got)
		}
		if m[2] == holds && verdictOf(other) == holds {
			t.Errorf("%s, %s after %s: it %s with the signs turned, too", m[1], m[3], m[4], m[2])
		}
	}
}

// Sentences of documents and lessons that rest on stored effects stand there as long as these do: where an effect turns, this fails, and the
// sentence has to go.
func TestSentencesRestOnEffects(t *testing.T) {
	verdict := func(says, data, epochs string) func(text string) bool {
		return func(text string) bool {
			for _, m := range sentenced.FindAllStringSubmatch(text, -1) {
				if _, pairs := effectsOf(t, m[5]); m[1] == says && m[3] == data && m[4] == epochs {
					return verdictOf(pairs) == holds
				}
			}
			return false
		}
	}
	taken := "the losses take the layer out of the common embeddings"
	better := func(text string) bool { // a quadratic reader after training
		for _, m := range sentenced.FindAllStringSubmatch(text, -1) {
			if m[1] != taken || m[3] != "syn1" || m[4] != "140" {
				continue
			}
			for k, p := range second(effectsOf(t, m[5])) {
				if k%2 == 1 && p.Low <= 0 {
					return false
				}
			}
			return true
		}
		return false
	}
	falls := func(text string) bool { // the classes of Syn1, after a longer training
		_, text, _ = strings.Cut(text, "### Syn1, as published")
		m := regexp.MustCompile(
			`\|all losses\|classes from S and all P, by a linear probe\|[0-9.]+\|[0-9.]+\|[0-9.]+\|\S+?\|(\S+) to (\S+?)\|`,
		).FindStringSubmatch(text)
		return m != nil && strings.HasPrefix(m[1], "−") && strings.HasPrefix(m[2], "−")
	}
	slower := func(text string) bool { // C is further from S with all losses, after as many epochs
		for _, m := range sentenced.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "the further") && m[3] == "syn1" && m[4] == "140" {
				for _, p := range second(effectsOf(t, m[5])) {
					if p.Low <= 0 {
						return false
					}
				}
				return true
			}
		}
		return false
	}
	text := stored(t, "docs/length.md")
	for _, c := range []struct {
		document, says string
		rests          func(text string) bool
	}{
		{"README.md", "neither linear nor quadratic probes read the layer from common embeddings of Syn1 and the town", verdict(taken, "syn1", "1000")},
		{"README.md", "neither linear nor quadratic probes read the layer from common embeddings of Syn1 and the town", verdict(taken, "town", "1000")},
		{"README.md", "at Syn1's usual length a quadratic probe reads it better than untrained", better},
		{"README.md", "Longer training lowers Syn1's scores to about the untrained level", falls},
		{"docs/length.md", "At the usual length of Syn1 a quadratic probe reads it from C better than before training", better},
		{"docs/length.md", "at 1,000 epochs no reader finds it on either data set", verdict(taken, "syn1", "1000")},
		{"docs/length.md", "The further losses slow the matching", slower},
		{"RATIONALE.md", "They only slowed the matching", slower},
		{"www/index.html", "Trained until matching is done, neither it nor a quadratic one finds the layer on Syn1", verdict(taken, "syn1", "1000")},
	} {
		if !strings.Contains(stored(t, c.document), c.says) {
			t.Errorf("%s does not say %q", c.document, c.says)
		}
		if !c.rests(text) {
			t.Errorf("%s: the stored effects do not bear out %q", c.document, c.says)
		}
		if c.rests(turned(text)) {
			t.Errorf("%s: %q would stand with all effects turned", c.document, c.says)
		}
	}
}

func second(_ []string, list []*study.Pairing) []*study.Pairing { return list }

// What README.md counts is what the stored board counts.
func TestCountsOfTheBoard(t *testing.T) {
	m := regexp.MustCompile(`Of (\d+) printed figures (\d+) match.*? Of the \d+ that match, (\d+) are at chance.*? (\d+) are matched by untrained.*? ` +
		`Of the (\d+) that differ.*? and (\d+) are unknown\. (\d+) hypotheses`).FindStringSubmatch(stored(t, "docs/reproduced.md"))
	if m == nil {
		t.Fatal("the board has no such sentences")
	}
	text := stored(t, "README.md")
	for _, want := range []string{"Of " + m[1] + " printed figures " + m[2] + " match, " + m[3] + " of them at chance and " + m[4] +
		" more without training; " + m[5] + " differ", "holds " + m[7] + " hypotheses", m[6] + " that differ fit none"} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q, as the board does", want)
		}
	}
}
