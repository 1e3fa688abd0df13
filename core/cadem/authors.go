package cadem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/rng/numpy"
	"cadem.example/core/base/rng/torch"
	"cadem.example/core/multiplex"
)

// authors makes the draws of the authors' program, with its generators and seeds and in its order: PyTorch's on the CPU for
// weights, dropout and batches, NumPy's for nodes, noise and partners. Draws that the program does not make come from the
// streams of [seeded], and a note says so: dropped entries, fresh augmentation, sampled partners, missing directions, and the
// graphs after the first, since it trains one.
type authors struct {
	*seeded
	features int              // of the layer whose weights are drawn
	partners *numpy.Generator // of the whole run
	sizes    []int            // of the batches of a step, in order
	first    []int            // of each set: its first batch among them
	drawn    int              // permutations so far
}

// Where the seed of each draw begins, counted from the run's.
const (
	seedColumns  = 10
	seedEncoders = 1000
	seedHeads    = 2000 // of partners, too
	seedNodes    = 10000
	seedNoise    = 20000 // of augmented graphs
	seedBatches  = 40000 // likewise
	seedComplete = 30000 // how much later those of complete layers come
	seedPrivate  = 10000 // how much later the noise of private embeddings comes
)

func (a *authors) torch(offset int) *torch.Generator { return torch.New(a.seed + uint64(offset)) }
func (a *authors) numpy(offset int) *numpy.Generator {
	return numpy.NewGenerator(a.seed + uint64(offset))
}

func (a *authors) Features(graph, layer int, x *multiplex.Features) *multiplex.Features {
	if a.o.DropoutRate == 0 || a.o.Dropout == "entries" {
		return a.seeded.Features(graph, layer, x)
	}
	g := a.torch(seedColumns + layer)
	return a.columns(graph, layer, x, func() bool { return g.Float32() >= float32(a.o.DropoutRate) })
}

// Weights draws a tensor as it comes in its layer: both first matrices, each filled twice, C's after P's; then second ones as
// PyTorch begins them, and filled anew, C's before P's. Matrices are there out x in.
func (a *authors) Weights(name string, w []float64, rows, cols int) {
	var g *torch.Generator
	fill := (*torch.Generator).Xavier
	layer, part, _ := strings.Cut(name, ".")
	switch l, _ := strconv.Atoi(layer[1:]); {
	case layer == "Wphi":
		g = a.torch(seedHeads)
		g.Linear(rows, cols)
		g.Linear(a.joined(), cols)
	case layer == "Wpsi":
		g = a.torch(seedHeads)
		g.Linear(a.o.Dim, cols)
		g.Linear(rows, cols)
		g.Skip(a.o.Dim * cols) // phi
	case part == "W1p" || part == "W1c":
		a.features = rows
		g, fill = a.torch(seedEncoders+2*l), (*torch.Generator).Glorot
		if g.Skip(len(w)); part == "W1c" {
			g.Skip(2 * len(w))
		}
	case part == "W2p" || part == "W2c":
		g = a.torch(seedEncoders + 2*l)
		g.Skip(4 * a.features * rows)
		g.Linear(rows, cols)
		g.Linear(rows, cols)
		if part == "W2p" {
			g.Skip(len(w)) // C
		}
	default: // biases begin at 0
		return
	}
	t := make([]float64, len(w))
	fill(g, t, rows, cols)
	for i := range rows {
		for j := range cols {
			w[i*cols+j] = t[j*rows+i]
		}
	}
}

// joined is the number of inputs of psi.
func (a *authors) joined() int {
	if a.o.Combine == "concat" {
		return 2 * a.o.Dim
	}
	return a.o.Dim
}

func (a *authors) Sets(graph int) []PooledGraphs {
	if graph > 0 {
		return a.seeded.Sets(graph)
	}
	sets := a.inBatches(graph, func(complete bool, order []int) {
		offset := seedBatches
		if complete {
			offset += seedComplete
		}
		copy(order, a.torch(offset).Loaded(len(order)))
	})
	a.sizes, a.first = nil, nil
	for i := range sets {
		a.first = append(a.first, len(a.sizes))
		for _, batch := range sets[i].Batches {
			a.sizes = append(a.sizes, len(batch))
		}
		a.Refresh(graph, i, 0, &sets[i])
	}
	return sets
}

func (a *authors) Refresh(graph, set, step int, g *PooledGraphs) {
	if graph > 0 || a.o.Augmentation == "fresh" {
		a.seeded.Refresh(graph, set, step, g)
		return
	}
	m := a.graphs.Graph(graph).M()
	for k, nodes := range g.Nodes {
		l := g.Layer[k]
		offset := seedNoise + seedComplete + l
		if nodes != nil {
			number := 100*l + k - slices.Index(g.Layer, l)
			offset = seedNoise + number
			copy(nodes, a.numpy(seedNodes+number).Choice(m, len(nodes)))
			slices.Sort(nodes)
		}
		a.noise(g.NoiseC[k], offset, g.Size(k, m))
		a.noise(g.NoiseP[k], offset+seedPrivate, g.Size(k, m))
	}
}

// noise adds up the noise of that number of nodes.
func (a *authors) noise(sum []float64, offset, nodes int) {
	g := a.numpy(offset)
	clear(sum)
	for range nodes {
		for i := range sum {
			sum[i] += float64(a.o.Noise * g.Norm())
		}
	}
}

// Pair takes the next permutation of the one stream that all steps share. A run that goes on from a checkpoint draws those of
// the steps before again.
func (a *authors) Pair(graph, set, batch, step int, partners []int) {
	if graph > 0 || a.o.sampled() > 0 {
		a.seeded.Pair(graph, set, batch, step, partners)
		return
	}
	at := step*len(a.sizes) + a.first[set] + batch
	if a.partners == nil || at < a.drawn {
		a.partners, a.drawn = a.numpy(seedHeads), 0
	}
	for ; a.drawn < at; a.drawn++ {
		a.partners.Permutation(a.sizes[a.drawn%len(a.sizes)])
	}
	copy(partners, a.partners.Permutation(len(partners)))
	a.drawn++
}

func (a *authors) Notes() []string {
	var other []string
	for _, of := range []struct {
		is   bool
		what string
	}{
		{a.o.DropoutRate > 0 && a.o.Dropout == "entries", "dropped entries"},
		{a.o.Augmentation == "fresh", "fresh augmentation"},
		{a.o.sampled() > 0, "sampled partners"},
		{a.o.Completion != "none", "missing directions"},
		{a.graphs.Len > 1, "the graphs after the first"},
	} {
		if of.is {
			other = append(other, of.what)
		}
	}
	notes := a.seeded.Notes()
	if len(other) > 0 {
		notes = append(slices.Clone(notes), fmt.Sprintf("the authors' program does not draw %s: these come from streams of our own", strings.Join(other, ", ")))
	}
	return notes
}
