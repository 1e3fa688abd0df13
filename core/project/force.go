package project

import (
	"math"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// A ForceDirected layout puts the nodes of a multiplex graph on the plane, every node at one place
// for all layers. Links attract in proportion to their length and weight; nodes repel each other in
// proportion to the weight of their links and to the inverse of their distance (ForceAtlas: Jacomy,
// Venturini, Heymann and Bastian 2014). Groups with many links inside come apart.
//
//	for !f.Done() {
//		f.Step()
//	}
//
// Layers count alike: the weights of each are divided by their sum. Coordinates have no unit. The
// layout depends on the graph and the random numbers alone, to the last bit.
type ForceDirected struct {
	n         int
	layers    []multiplex.Layer
	scale     []float64 // of each layer's weights
	stride    []int     // of the entries of each layer; every stride-th attracts
	charge    []float64 // share of all weights that is a node's, 1 in all
	at, force []float64 // 2n, node after node
	cell      []int     // of each node
	held      [][]int   // nodes in each cell
	mass      []float64 // charge, and charge-weighted place, of each cell
	iteration int
}

const (
	forceIterations = 120
	mostAttractions = 1 << 20 // entries of a layer that attract in an iteration
	exactUpTo       = 512     // nodes; of more, far ones repel together, and of many more as pyramid.go says
	gravity         = 0.1     // towards the middle, beside an attraction of 1
	loneliest       = 0.2     // least charge, in parts of the mean one: isolated nodes stay in view
	softening       = 1e-4    // of the square of a distance: nodes in one place do not fly apart
)

// NewForceDirected begins the layout of a graph with at least one node, which must not change
// meanwhile, from random places in the unit square.
func NewForceDirected(g *multiplex.Graph, s *rng.Stream) *ForceDirected {
	n := g.M()
	f := &ForceDirected{n: n, layers: g.Layers, charge: make([]float64, n), at: make([]float64, 2*n), force: make([]float64, 2*n), cell: make([]int, n)}
	side := 1
	switch {
	case n > manyNodes:
		side = finest(n)
	case n > exactUpTo:
		for side*side*side < n {
			side++
		}
	}
	f.held, f.mass = make([][]int, side*side), make([]float64, 3*side*side)
	for _, l := range g.Layers {
		a, sum := l.Adjacency, 0.0
		for k := range a.Index {
			sum += weightOf(a, k)
		}
		scale := 0.0
		if sum > 0 {
			scale = 1 / float64(sum*float64(g.N()))
		}
		for i := range n {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				f.charge[i] += float64(scale * weightOf(a, int(k)))
			}
		}
		stride := 1 + a.NNZ()/mostAttractions
		f.stride, f.scale = append(f.stride, stride), append(f.scale, float64(scale*float64(stride)))
	}
	for i := range n {
		f.charge[i] = max(f.charge[i], loneliest/float64(n))
	}
	s.Fill(f.at)
	return f
}

func weightOf(a *multiplex.CSR, k int) float64 {
	if a.Value == nil {
		return 1
	}
	return a.Value[k]
}

// Done reports whether the layout stands.
func (f *ForceDirected) Done() bool { return f.iteration == forceIterations }

// Step does one iteration; nothing once the layout is done.
func (f *ForceDirected) Step() { _ = f.StepIn(nil) }

// StepIn is [ForceDirected.Step] with pauses, of use where there are thousands of nodes; their error ends it, and the layout is of no use then.
func (f *ForceDirected) StepIn(wait pause.Work) error {
	if f.Done() {
		return nil
	}
	clear(f.force)
	f.attract()
	if f.n <= manyNodes {
		f.repel()
	} else if err := f.repelByLevels(wait); err != nil {
		return err
	}
	// The farthest that a node may go shrinks to nothing.
	most := 1 - float64(f.iteration)/forceIterations
	most *= most
	for i := range f.n {
		x, y := f.force[2*i], f.force[2*i+1]
		if d := math.Sqrt(float64(x*x) + float64(y*y)); d > most {
			x, y = x*(most/d), y*(most/d)
		}
		f.at[2*i] += float64(0.5 * x)
		f.at[2*i+1] += float64(0.5 * y)
	}
	f.iteration++
	return nil
}

// attract adds to each node's force what its links and the middle pull, by its own charge.
func (f *ForceDirected) attract() {
	for l, layer := range f.layers {
		a, stride := layer.Adjacency, f.stride[l]
		row := 0
		for k := 0; k < len(a.Index); k += stride {
			for int(a.Start[row+1]) <= k {
				row++
			}
			j := int(a.Index[k])
			w := float64(f.scale[l]*weightOf(a, k)) / f.charge[row]
			f.force[2*row] += float64(w * (f.at[2*j] - f.at[2*row]))
			f.force[2*row+1] += float64(w * (f.at[2*j+1] - f.at[2*row+1]))
		}
	}
	for i, v := range f.at {
		f.force[i] -= float64(gravity * v)
	}
}

// repel adds what all other nodes push: near ones by themselves, those of a far cell together.
func (f *ForceDirected) repel() {
	side := f.sort()
	for i := range f.n {
		x, y := f.at[2*i], f.at[2*i+1]
		row, column := f.cell[i]/side, f.cell[i]%side
		for c, nodes := range f.held {
			if len(nodes) == 0 {
				continue
			}
			if r, q := c/side-row, c%side-column; r*r > 1 || q*q > 1 {
				m := f.mass[3*c : 3*c+3]
				f.push(i, x-m[1]/m[0], y-m[2]/m[0], m[0])
				continue
			}
			for _, j := range nodes {
				if j != i {
					f.push(i, x-f.at[2*j], y-f.at[2*j+1], f.charge[j])
				}
			}
		}
	}
}

// push adds to the force of node i that of a charge at (x, y) before it.
func (f *ForceDirected) push(i int, x, y, charge float64) {
	w := charge / (float64(x*x) + float64(y*y) + softening)
	f.force[2*i] += float64(w * x)
	f.force[2*i+1] += float64(w * y)
}

// sort puts every node into its cell and returns how many cells a side has.
func (f *ForceDirected) sort() (side int) {
	for side*side < len(f.held) {
		side++
	}
	low, high := bounds(f.at)
	clear(f.mass)
	for c := range f.held {
		f.held[c] = f.held[c][:0]
	}
	for i := range f.n {
		c := 0
		for a := range 2 {
			width := max(high[1-a]-low[1-a], 1e-9)
			c = c*side + min(side-1, int(float64(side)*((f.at[2*i+1-a]-low[1-a])/width)))
		}
		f.cell[i], f.held[c] = c, append(f.held[c], i)
		f.mass[3*c] += f.charge[i]
		f.mass[3*c+1] += float64(f.charge[i] * f.at[2*i])
		f.mass[3*c+2] += float64(f.charge[i] * f.at[2*i+1])
	}
	return side
}

// bounds returns the least and the largest coordinates along both axes.
func bounds(at []float64) (low, high [2]float64) {
	low, high = [2]float64{at[0], at[1]}, [2]float64{at[0], at[1]}
	for i, v := range at {
		low[i%2], high[i%2] = min(low[i%2], v), max(high[i%2], v)
	}
	return low, high
}

// Layout stores the coordinates, x and y of node after node, in dst if it is not nil; it must have
// length 2n. They fill the square from -1 to 1 in one direction at least.
func (f *ForceDirected) Layout(dst []float32) []float32 { return fit(dst, f.at) }

// Draw returns where the nodes of a graph are drawn, x and y of node after node: as [Places] says, else laid out by their links,
// always alike. It calls pause between iterations, and within those of many nodes, and ends with its error.
func Draw(g *multiplex.Graph, pause func() error) ([]float32, error) {
	if at := Places(g); at != nil {
		return at, nil
	}
	f := NewForceDirected(g, rng.New(0, "layout"))
	const often = 1 << 21 // multiply-adds, some milliseconds of them
	since := 0
	within := func(work int) error {
		if since += work; since < often {
			return nil
		}
		since = 0
		return pause()
	}
	for !f.Done() {
		if err := f.StepIn(within); err != nil {
			return nil, err
		}
		if err := pause(); err != nil {
			return nil, err
		}
	}
	return f.Layout(nil), nil
}

// Places returns where the data place the nodes of a graph, x and y of node after node as [ForceDirected.Layout] has them:
// regions of a brain as seen from above, electrodes and other nodes with columns x and y, and nodes that were drawn in the plane. It returns nil for
// other graphs.
func Places(g *multiplex.Graph) []float32 {
	at := make([]float64, 2*g.M())
	axes := 0
	for _, c := range g.Columns {
		if c.Name != "x" && c.Name != "y" {
			continue
		}
		axes++
		for i, v := range c.Of {
			at[2*i+int(c.Name[0]-'x')] = v
			if math.IsNaN(v) {
				axes = 3 // there is no place for all
			}
		}
	}
	if axes == 2 && g.Places == nil {
		return fit(nil, at)
	}
	if g.Places != nil {
		at := make([]float64, 0, 2*len(g.Places))
		for _, p := range g.Places {
			at = append(at, p[0], p[1])
		}
		return fit(nil, at)
	}
	if g.Truth != nil && g.Truth.Positions != nil {
		return fit(nil, g.Truth.Positions)
	}
	return nil
}

// fit stores places in dst, centred and scaled by one factor; nil makes one of their length.
func fit(dst []float32, at []float64) []float32 {
	if dst == nil {
		dst = make([]float32, len(at))
	}
	ErrShape.Unless(len(dst) == len(at))
	low, high := bounds(at)
	half := max(high[0]-low[0], high[1]-low[1]) / 2
	for i, v := range at {
		dst[i] = 0
		if half > 0 {
			dst[i] = float32((v - float64((low[i%2]+high[i%2])/2)) / half)
		}
	}
	return dst
}
