package parity

import (
	"encoding/json"
	"fmt"

	"cadem/core/baseline"
	"cadem/core/baseline/descent"
	"cadem/core/baseline/diffusion"
	"cadem/core/multiplex"
)

// initial hands over the first values of the networks of all layers.
func (g given) initial(layers int, init map[string]tensor) {
	for l := range layers {
		for name, x := range init {
			g[key(fmt.Sprintf("layer %d/%s", l+1, name), 0)] = x.data
		}
	}
}

// each hands over a draw to the networks of all layers.
func (g given) each(layers int, name string, round int, x []float64) {
	for l := range layers {
		g[key(fmt.Sprintf("layer %d/%s", l+1, name), round)] = x
	}
}

// vgae replays the variational graph autoencoder.
func (r *Report) vgae(file string, data []byte) error {
	var f struct {
		Cases []struct {
			networkCase
			Variant  string
			Edges    [][3]float64
			Settings struct {
				Hidden, Size, Epochs int
				LR                   float64 `json:"lr"`
				Limit                float64 `json:"logstd_max"`
			}
			Eps      []tensor
			NonEdges []tensor `json:"non_edges"`
			Expect   struct {
				Propagation json.RawMessage
				XNormalised json.RawMessage `json:"X_normalised"`
				Edges       float64         `json:"off_diagonal_entries"`
				Target      *tensor
				Terms       tensor
				Step1       json.RawMessage
				After       map[string]tensor `json:"params_after"`
				Embedding   tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup("vgae")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		if c.Variant != "dense" && c.Variant != "sampled" || c.Settings.Limit != 10 {
			r.Skipped = append(r.Skipped, file+": "+c.Name)
			continue
		}
		c.networkCase.N, c.networkCase.Edges = 1, [][][3]float64{c.Edges}
		if c.Features = "given"; string(c.X) == `"identity"` {
			c.Features = "identity"
		}
		g, err := c.graph(false)
		if err != nil {
			return err
		}
		draws := given{}
		draws.initial(2, c.Init)
		for t, x := range c.Eps {
			draws.each(2, "noise", t, x.data)
		}
		for t, x := range c.NonEdges {
			draws.each(2, "pairs", t*baseline.PairRounds, x.data)
		}
		e, o := &c.Expect, &baseline.VGAEOptions{Dim: c.Settings.Size, Hidden: c.Settings.Hidden, Epochs: c.Settings.Epochs, Rate: c.Settings.LR, Decoder: c.Variant}
		got, err := follow(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: draws, Double: true}, nil)
		if err != nil {
			return err
		}
		r.operator(file, c.Name, &g.Layers[0], 1, e.Propagation, e.XNormalised)
		pattern := descent.WithLoops(g.Layers[0].Adjacency)
		r.compare(file, c.Name+": edges", 64, []float64{float64(len(pattern.Index) - c.M)}, []float64{e.Edges}, 0)
		if e.Target != nil {
			target := make([]float64, c.M*c.M)
			for k := range target {
				target[k] = truth(pattern.Has(k/c.M, k%c.M))
			}
			r.compare(file, c.Name+": target", 64, target, e.Target.data, 0)
		}
		var terms []float64
		for _, t := range got.losses[0] {
			terms = append(terms, t...)
		}
		r.compare(file, c.Name+": terms", 64, terms, e.Terms.data, 1e-10)
		r.values(file, c.Name, got.first[0].Values, e.Step1, 1e-10)
		var grads struct{ Grad map[string]tensor }
		if err := json.Unmarshal(e.Step1, &grads); err != nil {
			return err
		}
		r.params(file, c.Name+": gradients", got.first[0].Gradients, grads.Grad, 1e-10)
		for k := range got.now { // the layer comes twice
			r.params(file, c.Name+": parameters", got.now[k].Params, e.After, 1e-9)
			r.compare(file, c.Name+": embedding", 64, got.list[0][k].X.RawMatrix().Data, e.Embedding.data, 1e-9)
		}
	}
	return nil
}

// stoppedAndNot follows a training with early stopping and one that makes so many updates without.
func stoppedAndNot(
	method string, g []*multiplex.Graph, draws given, options func(patience, epochs int) any, patience, epochs, updates int,
) (a, b *follower, err error) {
	m, err := baseline.Lookup(method)
	if err != nil {
		return nil, nil, err
	}
	setup := func(o any) *baseline.Setup {
		return &baseline.Setup{Graphs: g, Options: o, Source: draws, Double: true}
	}
	if a, err = follow(m, setup(options(patience, epochs)), nil); err != nil || patience == 0 {
		return a, a, err
	}
	b, err = follow(m, setup(options(0, updates)), nil)
	return a, b, err
}

// dgi replays deep graph infomax.
func (r *Report) dgi(file string, data []byte) error {
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			networkCase
			Hyper struct {
				LR       float64 `json:"lr"`
				Epochs   int
				Patience int
				Loss     string
				H        int
				Loop     float64 `json:"self_loop"`
			}
			Perms  []tensor
			Expect struct{ Layers []networkExpect }
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "dgi", 1, f.Rules)
	for _, c := range f.Cases {
		variant := map[string]string{"bce": "released", "log_sigma": "pyg"}[c.Hyper.Loss]
		if variant == "" || c.Hyper.Loop != 1 {
			r.Skipped = append(r.Skipped, file+": "+c.Name)
			continue
		}
		g, err := c.graph(true)
		if err != nil {
			return err
		}
		draws := given{}
		draws.initial(g.N(), c.Init)
		for t, x := range c.Perms {
			draws.each(g.N(), "permutation", t, x.data)
		}
		for l := range c.Expect.Layers {
			e, name := &c.Expect.Layers[l], fmt.Sprintf("%s, layer %d", c.Name, l)
			stopped, all, err := stoppedAndNot("dgi", []*multiplex.Graph{g}, draws, func(patience, epochs int) any {
				return &baseline.DGIOptions{Dim: c.Hyper.H, Epochs: epochs, Patience: patience, Rate: c.Hyper.LR, Variant: variant}
			}, c.Hyper.Patience, c.Hyper.Epochs, e.Record.Updates)
			if err != nil {
				return err
			}
			r.operator(file, name, &g.Layers[l], 1, e.Propagation, e.XNormalised)
			r.fitted(file, name, stopped, all, l, e)
			r.compare(file, name+": embedding", 64, stopped.list[0][l].X.RawMatrix().Data, e.Embedding.data, 1e-9)
		}
	}
	return nil
}

// mvgrl replays contrastive multi-view learning of nodes.
func (r *Report) mvgrl(file string, data []byte) error {
	type hyper struct {
		LR        float64 `json:"lr"`
		Epochs    int
		Patience  int
		H         int
		Loop      float64 `json:"self_loop"`
		Alpha     float64
		Diffusion string
		Terms     int
		Top       int
		Window    int
	}
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			networkCase
			Hyper  hyper
			Draws  []struct{ Perm, Starts tensor }
			Expect struct {
				Layers []struct {
					networkExpect
					Diffusion tensor
				}
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "mvgrl", 1, f.Rules)
	for _, c := range f.Cases {
		h := c.Hyper
		o := baseline.MVGRLOptions{Dim: h.H, Rate: h.LR, Alpha: h.Alpha, Diffusion: map[string]string{"exact": "exact", "neumann": "series"}[h.Diffusion],
			Terms: h.Terms, Top: h.Top, Window: 2000, Windows: 4}
		if o.Diffusion == "" || h.Loop != 2 {
			r.Skipped = append(r.Skipped, file+": "+c.Name)
			continue
		}
		if h.Window > 0 {
			o.Window = h.Window
		}
		g, err := c.graph(true)
		if err != nil {
			return err
		}
		draws := given{}
		draws.initial(g.N(), c.Init)
		for t, x := range c.Draws {
			draws.each(g.N(), "permutation", t, x.Perm.data)
			draws.each(g.N(), "starts", t, x.Starts.data)
		}
		for l := range c.Expect.Layers {
			e, name := &c.Expect.Layers[l], fmt.Sprintf("%s, layer %d", c.Name, l)
			p := baseline.SymNorm(g.Layers[l].Adjacency, 1)
			s, err := diffusion.Exact(p, h.Alpha, nil)
			if o.Diffusion == "series" {
				var sum *multiplex.CSR
				if sum, err = diffusion.Series(p, h.Alpha, h.Terms, h.Top, nil); err == nil {
					s = sum.Dense()
				}
			}
			if err != nil {
				return err
			}
			r.compare(file, name+": diffusion", 64, s, e.Diffusion.data, 1e-12)
			stopped, all, err := stoppedAndNot("mvgrl", []*multiplex.Graph{g}, draws, func(patience, epochs int) any {
				o := o
				o.Patience, o.Epochs = patience, epochs
				return &o
			}, h.Patience, h.Epochs, e.Record.Updates)
			if err != nil {
				return err
			}
			r.operator(file, name, &g.Layers[l], 2, e.Propagation, nil)
			r.fitted(file, name, stopped, all, l, &e.networkExpect)
			r.compare(file, name+": embedding", 64, stopped.list[0][l].X.RawMatrix().Data, e.Embedding.data, 1e-9)
		}
	}
	return nil
}
