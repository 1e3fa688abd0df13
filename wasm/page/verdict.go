package page

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
)

// small is a change of a score that is not worth a sentence.
const small = 0.05

// verdict says in sentences what the scores of a run show: the effect of training, and differences
// between a probe on the common embedding and others. None without scores.
func verdict(rows []score) []string {
	i := slices.IndexFunc(rows, func(s score) bool { return s.Metric == "ari" || s.Metric == "macro_f1" })
	if i < 0 {
		return nil
	}
	name := rows[i].Metric // clusters, if there are both
	if slices.ContainsFunc(rows, func(s score) bool { return s.Metric == "ari" }) {
		name = "ari"
	}
	var list []string
	for _, part := range []struct{ prefix, whole, moved string }{
		{"common", "the common embedding", "Training moved the %[2]s of the common embedding on %[3]s most: from %[4]s to %[5]s."},
		{"private_", "the private embeddings", "Of the private embeddings, training moved %[1]s most: its %[2]s on %[3]s went from %[4]s to %[5]s."},
	} {
		var most *score
		for i := range rows {
			s := &rows[i]
			if s.Metric == name && strings.HasPrefix(s.Embedding, part.prefix) && s.Value != nil && s.Untrained != nil && (most == nil || change(s) > change(most)) {
				most = s
			}
		}
		switch {
		case most == nil:
		case change(most) < small:
			list = append(list, fmt.Sprintf("Training moved no %s of %s by %s or more.", label(name), part.whole, figure.Fixed(small, 2)))
		default:
			list = append(list, fmt.Sprintf(part.moved, words(most.Embedding), label(name), words(most.Target), decimals(most.Untrained, 2), decimals(most.Value, 2)))
		}
	}
	var read []string
	for _, target := range distinct(rows, func(s *score) string { return s.Target }) {
		common, private := -1.0, -1.0
		for i := range rows {
			s := &rows[i]
			if s.Metric != name || s.Target != target || s.Probe == nil {
				continue
			}
			switch {
			case s.Embedding == "common":
				common = *s.Probe
			case strings.HasPrefix(s.Embedding, "private_"):
				private = max(private, *s.Probe)
			}
		}
		if private >= 0 && common-private >= small {
			read = append(read, fmt.Sprintf("%s (%s, at most %s)", words(target), figure.Fixed(common, 2), figure.Fixed(private, 2)))
		}
	}
	if read != nil {
		list = append(list, "A linear probe reads these better from the common embedding than from any private one: "+strings.Join(read, ", ")+".")
	}
	return list
}

// change returns the effect of training on a score.
func change(s *score) float64 { return max(*s.Value-*s.Untrained, *s.Untrained-*s.Value) }

// verdictTree lists the sentences.
func verdictTree(rows []score) node {
	out := el("ul", "class=prose")
	for _, s := range verdict(rows) {
		out.children = append(out.children, el("li", "", text(s)))
	}
	return out
}
