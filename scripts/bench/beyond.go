package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/scripts/cadem/console"
)

// beyondLinks are the sizes of graphs that no machine here trains, with as many links a node as the measured ones.
var beyondLinks = []float64{1e8, 1e9}

// wire is the speed of a network between machines that the projection takes, in bytes a second: 10 Gbit/s.
const wire = 10e9 / 8

// mostEntries is the largest number of entries that a layer may have: rows begin at numbers of 32 bits.
const mostEntries = math.MaxInt32

// A projected is what training a larger graph would take.
type projected struct {
	Links, Nodes    float64
	List, Graph     float64            // GB of the file, and of the graph
	Hours, GB       map[string]float64 // of every phase
	Fraction        float64            // of the entries that a layer may have
	Exchange, Epoch float64            // seconds that the exchange of an epoch takes on the wire, and those of the epoch itself
}

// beyond projects the largest graph that refined was trained on: memory in proportion to links, times by the exponents over all sizes, two at least. These
// count as 1 at least, but for scores, which are learned from a sample of one size.
func beyond(list []largeFit, links float64, o *cadem.Options) projected {
	f := list[len(list)-1]
	times := links / float64(f.Links)
	p := projected{Links: links, Nodes: float64(f.Nodes) * times, List: f.ListMB * times / 1e3, Graph: f.GraphMB * times / 1e3,
		Hours: map[string]float64{}, GB: map[string]float64{}}
	for _, phase := range largePhases {
		power := growth(list, ofPhase(phase))
		if phase != "score" {
			power = max(1, power)
		}
		p.Hours[phase] = f.Seconds[phase] * math.Pow(times, power) / 3600
		if phase == "steps" {
			p.Hours[phase] *= thousand / float64(f.Steps)
		}
		p.GB[phase] = f.MB[phase] * times / 1e3
	}
	p.Fraction = 2 * links / largeLayers / mostEntries
	// Layers on machines of their own would send their C_l and fetch S once an epoch, M x d numbers of four bytes each.
	p.Exchange = 2 * 4 * p.Nodes * float64(o.Dim) / wire
	p.Epoch = p.Hours["steps"] * 3600 / thousand * float64(o.InnerSteps)
	return p
}

// thousand is the number of steps that are projected.
const thousand = 1000

// broken names the limits that a graph exceeds.
func (p *projected) broken() string {
	var list []string
	for _, l := range []struct {
		what        string
		value, most float64
	}{{"bytes of a list", p.List * 1e9, formats.MaxText}, {"nodes of a list", p.Nodes, formats.MaxListed}, {"entries of a layer", p.Fraction, 1}} {
		if l.value > l.most {
			list = append(list, fmt.Sprintf("%s, %.2g times", l.what, l.value/l.most))
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, "; ")
}

// writeBeyond writes the projection, computed from what was measured.
func (b *bench) writeBeyond(w io.Writer) {
	list := b.largeOf("refined")
	if len(list) < 2 { // one size tells nothing of others
		return
	}
	f, o := list[len(list)-1], must(cadem.Preset("refined"))
	about := fmt.Sprintf("Beyond one machine, on paper: `refined` on larger graphs with as many links a node, from the figures of %d nodes and %d links "+
		"above. The graph takes %.3g bytes a link, ids and groups of nodes among them, and a line of the list %.3g. Memory grows with the links, and times by "+
		"their exponents over all sizes, at least 1 but for scores. Nothing here was run.",
		f.Nodes, f.Links, f.GraphMB*1e6/float64(f.Links), f.ListMB*1e6/float64(f.Links))
	writef(w, "\n%s\n\n| links |", console.Fill(about, ""))
	var all []projected
	for _, links := range beyondLinks {
		p := beyond(list, links, &o)
		all = append(all, p)
		writef(w, " %.0g |", links)
	}
	writef(w, "\n|---|%s\n", strings.Repeat("---:|", len(all)))
	line := func(what, format string, of func(p *projected) any) {
		writef(w, "| %s |", what)
		for k := range all {
			writef(w, " "+format+" |", of(&all[k]))
		}
		writef(w, "\n")
	}
	line("nodes", "%.0g", func(p *projected) any { return p.Nodes })
	line("list, GB", "%.3g", func(p *projected) any { return p.List })
	line("graph, GB", "%.3g", func(p *projected) any { return p.Graph })
	for _, phase := range []struct{ name, what string }{{"read", "read"}, {"prepare", "prepared"}, {"steps", "1,000 steps"}, {"score", "scored from a sample"}} {
		line(phase.what+", hours", "%.3g", func(p *projected) any { return p.Hours[phase.name] })
		line(phase.what+", GB", "%.3g", func(p *projected) any { return p.GB[phase.name] })
	}
	line("limits of this program that it exceeds", "%s", func(p *projected) any { return p.broken() })
	line("an epoch, s", "%.3g", func(p *projected) any { return p.Epoch })
	line("the exchange of an epoch between machines of a layer each, 10 Gbit/s, s", "%.3g", func(p *projected) any { return p.Exchange })
	most := all[len(all)-1]
	verdict := "more, so one large machine comes before many"
	if most.Exchange < most.Epoch {
		verdict = "less, so layers could have machines of their own where one has too little memory"
	}
	writef(w, "\n%s\n", console.Fill(fmt.Sprintf("Between machines of a layer each, every epoch would exchange the C_l and S. At %.0g links that takes %.3g s "+
		"beside %.3g s of work on one processor: %s. Many graphs need no exchange: `cadem study -shard` gives them to as many machines as there are.",
		most.Links, most.Exchange, most.Epoch, verdict), ""))
}
