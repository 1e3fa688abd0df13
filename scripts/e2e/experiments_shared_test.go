package e2e

import (
	"strings"
	"testing"
)

// TestLookAlong sees at once how alike the layers of the open data are, finds what they share, and looks along a direction: the pictures have its
// colours, and the ends of links that it explains are chosen.
func TestLookAlong(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small
		c.Data = map[string]any{"nodes": 90, "gamma": 1}
		v := OpenReady(t, engine, c.Link())
		v.Until("storage.owned && experiments.card", "evidence")
		v.Go("experiments")
		v.Want("[data-study=evidence]", "What the layers share", "You will learn")
		v.Read(nil, "hand.scroll", "[data-study=evidence]")
		v.Until("see.count", "[data-study=evidence] details[open] table", 2)
		v.Want("[data-study=evidence] .report", "links in common", "Jaccard", "components")
		v.Want("[data-study=evidence] .actions", "Run")
		v.Enter(".orders [name=seeds]", "1")
		v.Enter(".orders [name=links]", "1")
		v.Push("[data-study=evidence] .primary")
		v.Until("see.says", "[data-study=evidence] .report", "trained: evidence")
		v.Until("see.there && !experiments.goes && experiments.settled", "[data-study=evidence] .directions button", "evidence") // reports are written anew
		v.Want("[data-study=evidence] .report", " layers share ", "S with P", "trained: evidence")
		if n := v.Count("[data-study=evidence] .charts img"); n != 2 {
			t.Errorf("%d pictures, expected 2", n)
		}
		v.Check()
		v.Push("[data-study=evidence] .directions thead button")
		v.Want("[data-study=evidence] .directions", "Direction 1, of strength", "carried by")
		v.Until("embeddings.colouredBy", "number:column:shared direction 1")
		v.Push("[data-study=evidence] .directions tbody button")
		v.Want("[data-study=evidence] .directions", "it explains these best")
		var said, chosen string
		v.Read(&said, "see.content", "[data-study=evidence] .directions [role=status]")
		v.Read(&chosen, "settings.selected")
		first, _, _ := strings.Cut(said[strings.LastIndex(said, ": ")+2:], " ")
		if chosen == "" || !strings.Contains("."+strings.ReplaceAll(chosen, "-", ".")+".", "."+first+".") {
			t.Errorf("nodes %s are chosen where it says %s", chosen, said)
		}
		if n := v.Count("[data-study=evidence] .directions [aria-pressed=true]"); n != 1 {
			t.Errorf("%d buttons are pressed", n)
		}
		v.Check()
	})
}
