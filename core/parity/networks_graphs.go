package parity

import (
	"encoding/json"
	"fmt"
	"slices"

	"cadem/core/baseline"
	"cadem/core/baseline/descent"
	"cadem/core/baseline/diffusion"
	"cadem/core/baseline/tape"
	"cadem/core/multiplex"
)

// mvgrlGraph replays contrastive multi-view learning of graphs.
func (r *Report) mvgrlGraph(file string, data []byte) error {
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			Name  string
			Sizes []int
			Edges [][][3]float64
			X     []json.RawMessage
			Init  map[string]tensor
			Hyper struct {
				LR       float64 `json:"lr"`
				Epochs   int
				Patience int
				Layers   int
				H        int
				Loop     float64 `json:"self_loop"`
				Alpha    float64
			}
			Draws  [][][]float64
			Expect struct {
				networkExpect
				Propagation []json.RawMessage
				Diffusion   []tensor
				Epochs      []float64   `json:"epoch_losses"`
				Batches     [][]float64 `json:"batch_losses"`
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "mvgrl-graph", 2, f.Rules)
	for _, c := range f.Cases {
		var graphs []*multiplex.Graph
		for g, m := range c.Sizes {
			l, err := layerOf(m, c.Edges[g], c.X[g])
			if err != nil {
				return err
			}
			graphs = append(graphs, &multiplex.Graph{Layers: []multiplex.Layer{l, l}})
			r.operator(file, c.Name, &l, c.Hyper.Loop, c.Expect.Propagation[g], nil)
			s, err := diffusion.Exact(baseline.SymNorm(l.Adjacency, 1), c.Hyper.Alpha, nil)
			if err != nil {
				return err
			}
			r.compare(file, c.Name+": diffusion", 64, s, c.Expect.Diffusion[g].data, 1e-12)
		}
		draws := given{}
		draws.initial(2, c.Init)
		for t, batches := range c.Draws {
			draws.each(2, "order", t, slices.Concat(batches...))
		}
		e := &c.Expect
		batches := len(c.Draws[0])
		stopped, all, err := stoppedAndNot("mvgrl-graph", graphs, draws, func(patience, epochs int) any {
			return &baseline.MVGRLGraphOptions{Dim: c.Hyper.H, Convolutions: c.Hyper.Layers, Epochs: epochs, Batch: len(c.Draws[0][0]), Patience: patience,
				Rate: c.Hyper.LR, Alpha: c.Hyper.Alpha}
		}, c.Hyper.Patience, c.Hyper.Epochs, e.Record.Updates/batches)
		if err != nil {
			return err
		}
		var means []float64
		for t, losses := range e.Batches {
			got := totals(stopped.losses[0][t*batches : (t+1)*batches])
			r.compare(file, c.Name+": batches", 64, got, losses, 1e-10)
			sum := 0.0
			for _, v := range got {
				sum += v
			}
			means = append(means, sum/float64(batches))
		}
		r.compare(file, c.Name+": epochs", 64, means, e.Epochs, 1e-10)
		e.Losses = totals(stopped.losses[0])
		r.fitted(file, c.Name, stopped, all, 0, &e.networkExpect)
		var embedding []float64
		for g := range graphs {
			embedding = append(embedding, stopped.list[g][0].X.RawMatrix().Data...)
		}
		r.compare(file, c.Name+": embedding", 64, embedding, e.Embedding.data, 1e-9)
	}
	return nil
}

// maeDraw is what one epoch of the masked autoencoder draws.
type maeDraw struct {
	U       []int
	Token   []int `json:"token_nodes"`
	Noise   []int `json:"noise_nodes"`
	Sources []int `json:"noise_sources"`
}

// masked hands over the draws of an epoch of one layer, or of two where an only one comes twice.
func (g given) masked(layers []int, epoch, m int, text json.RawMessage) error {
	var d maeDraw
	var marks map[string]json.RawMessage
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &marks); err != nil {
		return err
	}
	order := make([]int, 0, len(d.U))
	for _, i := range d.Token {
		order = append(order, slices.Index(d.U, i))
	}
	for k, i := range d.U { // neither the token nor noise
		if !slices.Contains(d.Token, i) && !slices.Contains(d.Noise, i) {
			order = append(order, k)
		}
	}
	for _, i := range d.Noise {
		order = append(order, slices.Index(d.U, i))
	}
	for _, l := range layers {
		give := func(name string, x []float64) { g[key(fmt.Sprintf("layer %d/%s", l+1, name), epoch)] = x }
		give("masked", floats(complete(d.U, m)))
		give("order", floats(order))
		give("sources", floats(complete(d.Sources, m)))
		for _, name := range []string{"drop_enc0", "att_enc0", "drop_enc1", "att_enc1", "drop_dec", "att_dec"} {
			var x tensor
			if err := json.Unmarshal(marks[name], &x); err != nil {
				return err
			}
			give(name, x.data)
		}
	}
	return nil
}

// complete returns a list of different numbers below n with the others after them.
func complete(list []int, n int) []int {
	all := slices.Clone(list)
	for i := range n {
		if !slices.Contains(list, i) {
			all = append(all, i)
		}
	}
	return all
}

// graphMAE replays the masked graph autoencoder.
func (r *Report) graphMAE(file string, data []byte) error {
	var f struct {
		Rules map[string]json.RawMessage `json:"init_rules"`
		Cases []struct {
			networkCase
			Hyper struct {
				LR        float64 `json:"lr"`
				Decay     float64 `json:"wd"`
				Epochs    int
				Schedule  int     `json:"schedule_epochs"`
				Mask      float64 `json:"mask_rate"`
				Token     float64 `json:"token_rate"`
				Noise     float64 `json:"noise_rate"`
				Features  float64 `json:"feature_dropout"`
				Attention float64 `json:"attention_dropout"`
				Gamma     int
				H, Heads  int
			}
			Draws  [][]json.RawMessage
			Expect struct {
				Layers []struct {
					networkExpect
					Pattern tensor
				}
			}
		}
		SCE struct {
			Reconstruction, Target tensor
			Values                 []struct {
				Gamma    int
				Loss     float64
				Cos      tensor
				Gradient tensor
			}
		} `json:"sce"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	r.rules(file, "graphmae", 1, f.Rules)
	for _, v := range f.SCE.Values {
		y := tape.NewParam[float64]("Y", f.SCE.Reconstruction.shape[0], f.SCE.Reconstruction.shape[1])
		copy(y.Value, f.SCE.Reconstruction.data)
		t := tape.New[float64]()
		cos := t.RowDot(t.NormalizeRows(t.Param(y)), t.NormalizeRows(t.Constant(y.Rows, y.Cols, f.SCE.Target.data)))
		loss := t.MeanPower(cos, v.Gamma)
		t.Backward(loss)
		name := fmt.Sprintf("scaled cosine error, exponent %d", v.Gamma)
		r.compare(file, name, 64, []float64{t.Number(loss)}, []float64{v.Loss}, 1e-10)
		r.compare(file, name+": cos", 64, t.Data(cos), v.Cos.data, 1e-10)
		r.compare(file, name+": gradient", 64, y.Grad, v.Gradient.data, 1e-10)
	}
	for _, c := range f.Cases {
		g, err := c.graph(true)
		if err != nil {
			return err
		}
		draws, h := given{}, c.Hyper
		draws.initial(g.N(), c.Init)
		for l, epochs := range c.Draws {
			layers := []int{l}
			if c.N == 1 {
				layers = []int{0, 1}
			}
			for t, text := range epochs {
				if err := draws.masked(layers, t, c.M, text); err != nil {
					return err
				}
			}
		}
		o := &baseline.GraphMAEOptions{Dim: h.H, Attention: h.Heads, Epochs: h.Epochs, Schedule: h.Schedule, Rate: h.LR, Decay: h.Decay, Masked: h.Mask,
			Token: h.Token, Noise: h.Noise, Dropout: h.Features, DropoutEdge: h.Attention, Gamma: h.Gamma}
		got, _, err := stoppedAndNot("graphmae", []*multiplex.Graph{g}, draws, func(int, int) any { return o }, 0, 0, 0)
		if err != nil {
			return err
		}
		for l := range c.Expect.Layers {
			e, name := &c.Expect.Layers[l], fmt.Sprintf("%s, layer %d", c.Name, l)
			r.compare(file, name+": pattern", 64, pairsOf(descent.WithLoops(g.Layers[l].Adjacency)), e.Pattern.data, 0)
			rows := slices.Clone(got.first[l].Values["reconstruction"]) // of the masked nodes
			delete(got.first[l].Values, "reconstruction")
			var first struct{ Reconstruction tensor }
			var draw maeDraw
			if err := json.Unmarshal(e.First, &first); err != nil {
				return err
			}
			if err := json.Unmarshal(c.Draws[l][0], &draw); err != nil {
				return err
			}
			var want []float64
			for _, i := range draw.U {
				want = append(want, first.Reconstruction.at(i).data...)
			}
			r.compare(file, name+": reconstruction", 64, rows, want, 1e-10)
			r.fitted(file, name, got, got, l, &e.networkExpect)
			r.compare(file, name+": embedding", 64, got.list[0][l].X.RawMatrix().Data, e.Embedding.data, 1e-9)
		}
	}
	return nil
}

// pairsOf lists rows and columns of a pattern.
func pairsOf(p *tape.Pattern) (list []float64) {
	for i := range len(p.Start) - 1 {
		for _, j := range p.Index[p.Start[i]:p.Start[i+1]] {
			list = append(list, float64(i), float64(j))
		}
	}
	return list
}
