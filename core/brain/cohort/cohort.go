// Package cohort draws a cohort of invented brains: the series of many subjects in three
// conditions, whose networks couple differently in each, and graphs made of them in the usual
// steps.
package cohort

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/multiplex"
)

// Options are the settings of a synthetic cohort.
type Options struct {
	Subjects    int     `name:"subjects" min:"2" max:"2000" default:"150" group:"data" doc:"Number of invented subjects; each is measured once in every condition."`
	Regions     int     `name:"regions" symbol:"M" min:"60" max:"1000" default:"360" group:"data" doc:"Number of regions, half of them in each hemisphere; an odd number is rounded up."`
	Frames      int     `name:"frames" symbol:"T" min:"60" max:"5000" default:"300" group:"data" doc:"Length of every series."`
	TR          float64 `name:"tr" unit:"s" min:"0.1" max:"5" default:"0.72" group:"data" doc:"Time from one frame to the next."`
	Effect      float64 `name:"effect" min:"0" max:"5" default:"1" group:"data" doc:"How much the conditions differ. At 0 they do not differ at all, and a classifier must be at chance."`
	Variability float64 `name:"variability" min:"0" max:"2" default:"0.3" group:"data" doc:"How much subjects differ from each other, in every condition alike."`
	Smoothness  float64 `name:"smoothness" symbol:"φ" min:"0" max:"0.95" default:"0.6" group:"data" doc:"Correlation of neighbouring frames of the signals, AR(1)."`
}

// Conditions of a synthetic cohort, named after those of the paper.
var Conditions = []string{"rest", "emotion", "working memory"}

// A Cohort draws the series of invented subjects in three conditions. No number of it comes
// from a brain; every name says that it is synthetic.
//
// Regions follow signals of their network, of their partner in the other hemisphere and of
// their own. How networks are coupled is the subject's, and changes with the condition;
// in the two tasks, networks rise or fall with blocks of a course of their own, which
// shows in the moments. Only these two depend on Effect.
type Cohort struct {
	Options Options
	Atlas   *connectome.Atlas

	seed uint64
}

// Networks, and how the signals of each mix those behind all of them, in every condition. A
// network has a weight of 1 on its own.
const networks = 7

type coupling [networks][networks]float64

var sharedCoupling = coupling{
	visual:         {somatomotor: .3, dorsal: .2},
	somatomotor:    {visual: .3, ventral: .2},
	dorsal:         {visual: .2, frontoparietal: .3, defaultMode: -.4},
	ventral:        {somatomotor: .2, limbic: .1, defaultMode: -.3},
	limbic:         {defaultMode: .3},
	frontoparietal: {dorsal: .3, defaultMode: -.1},
	defaultMode:    {limbic: .2, dorsal: -.5, ventral: -.2},
}

// Additions of a condition to the coupling, multiplied by the effect.
var addedCoupling = [3]coupling{
	1: {limbic: {visual: .4}, ventral: {limbic: .4}, visual: {ventral: .2}},
	2: {frontoparietal: {dorsal: .4, defaultMode: -.4}, defaultMode: {frontoparietal: -.4}, dorsal: {visual: .3}},
}

// A task's blocks: the networks that follow them, and their course.
type blocks struct {
	weight           [networks]float64
	period, duration float64 // seconds
}

var tasks = [3]blocks{
	1: {[networks]float64{visual: .9, limbic: .9, ventral: .5, defaultMode: -.2}, 42, 9},
	2: {[networks]float64{frontoparietal: .9, dorsal: .7, defaultMode: -.8, visual: .2}, 56, 30},
}

// New returns a cohort of that seed. Options out of range come back as a
// [*diag.Error].
func New(o *Options, seed uint64) (*Cohort, error) {
	if err := property.Check(o); err != nil {
		return nil, err
	}
	c := &Cohort{Options: *o, seed: seed}
	c.Options.Regions += o.Regions % 2
	c.Atlas = NewAtlas(c.Options.Regions)
	return c, nil
}

// Series draws the series of a subject in a condition, both numbered from 0. It depends on the options, the seed and these two alone,
// and may be called in any order. It panics if there is no such subject or condition.
func (c *Cohort) Series(subject, condition int) *connectome.Series {
	o, m, n := &c.Options, c.Options.Regions, c.Options.Frames
	if subject < 0 || subject >= o.Subjects || condition < 0 || condition >= len(Conditions) {
		panic(diag.Misuse("cohort: no such subject or condition"))
	}
	name := fmt.Sprintf("synthetic subject %d", subject+1)
	who := rng.New(c.seed, "cohort/"+name)
	// The subject's own: its coupling, and how far each region follows its network.
	mix := sharedCoupling
	for a := range networks {
		mix[a][a] = 1
		for b := range networks {
			mix[a][b] += float64(o.Effect*addedCoupling[condition][a][b]) + float64(0.5*float64(o.Variability*who.Norm()))
		}
	}
	follow := make([]float64, m)
	for i := range follow {
		follow[i] = 0.8 + float64(o.Variability*float64(0.5*who.Norm()))
	}
	response := 1 + float64(o.Variability*float64(0.5*who.Norm()))

	s := &connectome.Series{Name: name + ", " + Conditions[condition], Regions: c.Atlas.Names, Frames: n, TR: o.TR, Values: make([]float64, m*n)}
	run := rng.New(c.seed, "cohort/"+s.Name)
	hidden := make([]float64, networks*n)
	for a := range networks {
		c.autoregressive(run, hidden[a*n:(a+1)*n])
	}
	course := make([]float64, n)
	task := &tasks[condition]
	onset := run.Float64()
	if task.period > 0 {
		task.course(course, o.TR, onset)
	}
	signals := make([]float64, networks*n)
	for a := range networks {
		x := signals[a*n : (a+1)*n]
		for b := range networks {
			for t, v := range hidden[b*n : (b+1)*n] {
				x[t] += float64(mix[a][b] * v)
			}
		}
		rise := float64(3 * float64(o.Effect*float64(response*task.weight[a])))
		for t, v := range course {
			x[t] += float64(rise * v)
		}
	}
	// Raw units, a mean and a drift, as a scanner gives them.
	const unit, partner, own = 40, 0.6, 0.8
	pair := make([]float64, m/2*n)
	for p := range m / 2 {
		c.autoregressive(run, pair[p*n:(p+1)*n])
	}
	private := make([]float64, n)
	for i := range m {
		c.autoregressive(run, private)
		network := signals[c.Atlas.Network[i]*n:][:n]
		twin := pair[i%(m/2)*n:][:n]
		mean, drift := 10000+float64(500*run.Norm()), float64(0.2*run.Norm())
		x := s.Row(i)
		for t := range x {
			v := float64(follow[i]*network[t]) + float64(partner*twin[t]) + float64(own*private[t])
			x[t] = mean + float64(drift*float64(t)) + float64(unit*v)
		}
	}
	return s
}

// autoregressive fills x with a stationary AR(1) series of variance 1.
func (c *Cohort) autoregressive(s *rng.Stream, x []float64) {
	phi := c.Options.Smoothness
	fresh := math.Sqrt(1 - float64(phi*phi))
	last := s.Norm()
	for t := range x {
		x[t] = last
		last = float64(phi*last) + float64(fresh*s.Norm())
	}
}

// course writes the response to the task's blocks at each frame, between 0 and 1 less its
// mean. The first block begins at the given share of a period. The blood's response is that
// of two leaky stores in a row, of two seconds each.
func (b *blocks) course(x []float64, tr, onset float64) {
	const store, steps = 2.0, 8 // seconds; steps from one frame to the next
	leak := kernel.Exp(-tr / (steps * store))
	first, second, mean := 0.0, 0.0, 0.0
	at := float64(onset * b.period)
	for t := range x {
		x[t] = second
		mean += second
		for range steps {
			on := 0.0
			if at < b.duration {
				on = 1
			}
			first = on + float64(leak*(first-on))
			second = first + float64(leak*(second-first))
			if at += float64(tr / steps); at >= b.period {
				at -= b.period
			}
		}
	}
	mean /= float64(len(x))
	for t := range x {
		x[t] -= mean
	}
}

// Graph returns the graph of a subject in a condition: its series cleaned and correlated by
// the given options. Its truth holds the condition as the class and the subject as the
// group, its labels the networks. The error is a [*diag.Error], as for a layer without an edge.
func (c *Cohort) Graph(subject, condition int, o *connectome.Options) (*multiplex.Graph, error) {
	made, err := connectome.Compute(c.Series(subject, condition), nil, o)
	if err != nil {
		return nil, err
	}
	g, err := made.Graph()
	if err != nil {
		return nil, err
	}
	c.Atlas.Annotate(g)
	g.Truth = &multiplex.Truth{Class: condition, Classes: Conditions, Group: subject}
	return g, nil
}
