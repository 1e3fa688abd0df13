package parity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cadem/core/baseline"
	"cadem/core/baseline/tape"
	"cadem/core/multiplex"
)

// named hands over the first values of a network of all layers.
func (g given) named(init map[string]tensor) {
	for name, x := range init {
		g[key(name, 0)] = x.data
	}
}

// hdmiBlock is what a block of HDMI computes first.
type hdmiBlock struct {
	Terms  struct{ Ext, Int, Joint float64 }
	Logits struct{ Ext, Int, Joint tensor }
	CC     tensor `json:"cc"`
	F, Q   tensor
}

// hdmi replays high-order deep multiplex infomax.
func (r *Report) hdmi(file string, data []byte) error {
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			networkCase
			Hyper struct {
				LR       float64 `json:"lr"`
				Epochs   int
				Patience int
				Loop     float64    `json:"self_loop"`
				Layer    [3]float64 `json:"layer_weights"`
				Fused    [3]float64 `json:"fused_weights"`
				H        int
			}
			Perms  []tensor
			Expect struct {
				networkExpect
				Propagation []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "hdmi", 1, f.Rules)
	for _, c := range f.Cases {
		g, err := c.graph(false)
		if err != nil {
			return err
		}
		draws, e, h := given{}, &c.Expect, c.Hyper
		draws.named(c.Init)
		for t, x := range c.Perms {
			draws[key("permutation", t)] = x.data
		}
		stopped, all, err := stoppedAndNot("hdmi", []*multiplex.Graph{g}, draws, func(patience, epochs int) any {
			return &baseline.HDMIOptions{Dim: h.H, Epochs: epochs, Patience: patience, Rate: h.LR, LayerExternal: h.Layer[0], LayerInternal: h.Layer[1],
				LayerJoint: h.Layer[2], FusedExternal: h.Fused[0], FusedInternal: h.Fused[1], FusedJoint: h.Fused[2]}
		}, h.Patience, h.Epochs, e.Record.Updates)
		if err != nil {
			return err
		}
		for l, p := range e.Propagation {
			r.operator(file, c.Name, &g.Layers[l], h.Loop, p, e.XNormalised)
		}
		r.fitted(file, c.Name, stopped, all, 0, &e.networkExpect)
		r.compare(file, c.Name+": embedding", 64, stopped.list[0][0].X.RawMatrix().Data, e.Embedding.data, 1e-9)
		var first struct{ Blocks []hdmiBlock }
		if err := json.Unmarshal(e.First, &first); err != nil {
			return err
		}
		r.blocks(file, c.Name, stopped.first[0].Values, first.Blocks, [2][3]float64{h.Layer, h.Fused})
	}
	return nil
}

// blocks compares terms, logits and inner values of the blocks, of which those of weight 0 are left out.
func (r *Report) blocks(file, name string, got map[string][]float64, blocks []hdmiBlock, weights [2][3]float64) {
	var terms, logits, cc, f, q []float64
	for k, b := range blocks {
		w := weights[0]
		if k == len(blocks)-1 {
			w = weights[1]
		}
		for i, x := range []struct {
			term   float64
			logits tensor
		}{{b.Terms.Ext, b.Logits.Ext}, {b.Terms.Int, b.Logits.Int}, {b.Terms.Joint, b.Logits.Joint}} {
			if w[i] != 0 {
				terms, logits = append(terms, x.term), append(logits, x.logits.data...)
			}
		}
		if w[2] != 0 {
			cc, f, q = append(cc, b.CC.data...), append(f, b.F.data...), append(q, b.Q.data...)
		}
	}
	for key, want := range map[string][]float64{"term": terms, "logits": logits, "cc": cc, "f": f, "q": q} {
		r.compare(file, name+": "+key, 64, got[key], want, 1e-10)
	}
}

// dmgDraw is what a step of DMG draws, for each layer.
type dmgDraw struct {
	Drop  []tensor
	Pairs [][][2]int
}

type dmgHyper struct {
	LR            float64 `json:"lr"`
	LRCritic      float64 `json:"lr_critic"`
	WD            float64 `json:"wd"`
	WDCritic      float64 `json:"wd_critic"`
	Outer, Inner  int
	Patience      int
	StopAfter     int `json:"stop_after"`
	Alpha, Beta   float64
	Tau, Lambda   float64
	Loop          float64 `json:"self_loop"`
	Dropout       float64 `json:"input_dropout"`
	ListLength    int     `json:"list_length"`
	Neighbours    int
	NeighbourRule string `json:"neighbour_rule"`
	Consensus     string
	H, D, E       int
	DecoderWidth  int `json:"decoder_width"`
	DecoderLayers int `json:"decoder_layers"`
	CriticWidth   int `json:"critic_width"`
}

func (h *dmgHyper) options() *baseline.DMGOptions {
	return &baseline.DMGOptions{Common: h.D, Private: h.E, Hidden: h.H, DecoderWidth: h.DecoderWidth, DecoderLayers: h.DecoderLayers, CriticWidth: h.CriticWidth,
		Outer: h.Outer, Inner: h.Inner, Patience: h.Patience, PatienceAfter: h.StopAfter, Rate: h.LR, RateCritic: h.LRCritic, DecayCritic: h.WDCritic,
		Alpha: h.Alpha, Beta: h.Beta, Lambda: h.Lambda, Tau: h.Tau, SelfLoop: h.Loop, DropColumns: 0.1, DropEntries: h.Dropout, Neighbours: h.Neighbours,
		NeighbourList: h.ListLength, NeighbourRule: h.NeighbourRule, Consensus: h.Consensus}
}

// dmg replays disentangled multiplex graph learning.
func (r *Report) dmg(file string, data []byte) error {
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			networkCase
			Hyper     dmgHyper
			Tolerance float64
			Columns   []tensor
			Draws     []dmgDraw
			Expect    struct {
				networkExpect
				Propagation []json.RawMessage
				Terms       tensor
				Outer       []tensor `json:"S_outer"`
				Record      struct {
					Outer int `json:"outer_run"`
					Steps int
					Early bool `json:"stopped_early"`
				}
				Final struct{ S tensor }
			}
		}
		Correlation []struct {
			Kind  string
			A, B  tensor
			Value float64
			GradA tensor `json:"grad_a"`
			GradB tensor `json:"grad_b"`
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "dmg", 1, f.Rules)
	for _, c := range f.Correlation {
		x, y := tape.NewParam[float64]("a", len(c.A.data), 1), tape.NewParam[float64]("b", len(c.B.data), 1)
		copy(x.Value, c.A.data)
		copy(y.Value, c.B.data)
		t := tape.New[float64]()
		v := t.Correlation(t.Param(x), t.Param(y))
		t.Backward(v)
		r.compare(file, "correlation, "+c.Kind, 64, []float64{t.Number(v)}, []float64{c.Value}, 1e-10)
		r.compare(file, "correlation, "+c.Kind+": gradients", 64, slices.Concat(x.Grad, y.Grad), slices.Concat(c.GradA.data, c.GradB.data), 1e-10)
	}
	m, err := baseline.Lookup("dmg")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		if h := c.Hyper; h.WD != 0 || h.NeighbourRule != "mean" && h.NeighbourRule != "released" || h.Consensus != "all" && h.Consensus != "first_two" {
			r.Skipped = append(r.Skipped, file+": "+c.Name)
			continue
		}
		g, err := c.graph(false)
		if err != nil {
			return err
		}
		draws, e := given{}, &c.Expect
		draws.named(c.Init)
		for l := range g.Layers {
			draws[key(fmt.Sprintf("layer %d/columns", l+1), 0)] = c.Columns[l].data
			for t, d := range c.Draws {
				draws.dmg(l, t, g, c.Hyper.Loop, &d)
			}
		}
		o := c.Hyper.options()
		o.Pairs = len(c.Draws[0].Pairs[0])
		var outer []float64
		got, err := follow(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: draws, Double: true},
			func(_ int, i *baseline.Inspected) {
				if (i.Updates-1)%c.Hyper.Inner == 0 {
					outer = append(outer, i.Values["S"]...)
				}
			})
		if err != nil {
			return err
		}
		for l, p := range e.Propagation {
			r.operator(file, c.Name, &g.Layers[l], c.Hyper.Loop, p, e.XNormalised)
		}
		var want []float64
		for _, s := range e.Outer {
			want = append(want, s.data...)
		}
		r.compare(file, c.Name+": S", 64, outer, want, c.Tolerance)
		r.compare(file, c.Name+": terms", 64, slices.Concat(got.losses[0]...), e.Terms.data, c.Tolerance)
		r.values(file, c.Name, got.first[0].Values, e.First, 1e-10)
		r.params(file, c.Name+": gradients", got.first[0].Gradients, e.Grads, 1e-10)
		idle(got.after[0], e.After)
		r.afterUpdates(file, c.Name, got, 0, e.After, c.Tolerance)
		i := got.now[0]
		r.compare(file, c.Name+": record", 64, []float64{float64(i.Epochs), float64(i.Updates), truth(i.Early)},
			[]float64{float64(e.Record.Outer), float64(e.Record.Steps), truth(e.Record.Early)}, 0)
		r.compare(file, c.Name+": embedding", 64, got.list[0][0].X.RawMatrix().Data, e.Embedding.data, c.Tolerance)
	}
	return nil
}

// dmg hands over what layer l draws in a step: marks of stored features, and numbers of entries.
func (g given) dmg(l, step int, graph *multiplex.Graph, loop float64, d *dmgDraw) {
	marks := d.Drop[l].data
	if graph.Layers[0].Features.IsIdentity() {
		diagonal := make([]float64, graph.M())
		for i := range diagonal {
			diagonal[i] = marks[i*graph.M()+i]
		}
		marks = diagonal
	}
	p := baseline.SymNorm(graph.Layers[l].Adjacency, loop)
	var entries []float64
	for _, pair := range d.Pairs[l] {
		from := p.Start[pair[0]]
		k := slices.Index(p.Index[from:p.Start[pair[0]+1]], int32(pair[1]))
		entries = append(entries, float64(int(from)+k))
	}
	g[key(fmt.Sprintf("layer %d/drop", l+1), step)] = marks
	g[key(fmt.Sprintf("layer %d/pairs", l+1), step)] = entries
}

// idle leaves out the biases that change nothing: the last of a critic, whose output is centred, and those
// before a batch normalisation. Their gradients are rounding noise, which Adam magnifies.
func idle(got map[int]map[string][]float64, want map[string]map[string]tensor) {
	none := func(name string, has func(string) bool) bool {
		bias := strings.TrimPrefix(name[strings.Index(name, ".")+1:], "dec.")
		return strings.HasSuffix(name, ".phi.b3") || strings.HasSuffix(name, ".psi.b3") ||
			strings.Contains(name, ".dec.b") && has(strings.Replace(name, ".dec."+bias, ".dec.g"+bias[1:], 1))
	}
	for _, params := range got {
		for name := range params {
			if none(name, func(s string) bool { return params[s] != nil }) {
				delete(params, name)
			}
		}
	}
	for _, params := range want {
		for name := range params {
			if none(name, func(s string) bool { _, ok := params[s]; return ok }) {
				delete(params, name)
			}
		}
	}
}
