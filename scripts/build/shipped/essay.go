package main

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
)

const essayFile = "www/essay/runs.json"

// essayRuns is the input of www/essay/runs.ts: the town, drawn so that its groupings can be seen, and what both presets
// find in it. Places are base64 of pairs of int8, 127 for the edge of a picture.
type essayRuns struct {
	Names  []string              `json:"names"`
	Layers []string              `json:"layers"`
	Groups [][]int               `json:"groups"` // by label set: the shared one, then each layer's
	Sheet  string                `json:"sheet"`
	Own    []string              `json:"own"` // by layer: everybody beside the others of their own group there
	Runs   map[string]*essayRun  `json:"runs"`
	Shares []essayShare          `json:"shares"`
	Syn1   map[string][2]float64 `json:"syn1"` // by embedding: macro-F1 untrained and trained
	Longer essayLonger           `json:"longer"`
}

// An essayLonger is what docs/length.md has of the town with all losses: what a linear probe reads untrained, at the usual length and at
// the end.
type essayLonger struct {
	Epochs    [3]int     `json:"epochs"`
	Trainings int        `json:"trainings"`
	Own       [3]float64 `json:"own"`    // own communities, from S
	Shared    [3]float64 `json:"shared"` // the shared groups, from S and all P
}

// An essayRun is a training of one preset. Its frames hold S, P_1, P_2, P_3, as they lie in the last.
type essayRun struct {
	Hash   string         `json:"hash"`
	Epochs []int          `json:"epochs"`
	Frames []string       `json:"frames"`
	Ari    [][]float64    `json:"ari"`    // of clusters: embedding x label set
	Before [][]float64    `json:"before"` // untrained
	Sums   []string       `json:"sums,omitempty"`
	Bags   [][][3]float64 `json:"bags,omitempty"`
	Filled [][]int        `json:"filled,omitempty"` // the people in the first bag of each layer
}

// An essayShare is the town with another weight of its shared groups.
type essayShare struct {
	Gamma float64               `json:"gamma"`
	Links []string              `json:"links"` // by layer: base64 of pairs of uint8
	S     map[string]essayProbe `json:"s"`     // by preset
}

type essayProbe struct {
	Hash   string    `json:"hash"`
	Rank   int       `json:"rank"`
	Probe  []float64 `json:"probe"` // agreement of a linear probe of S with each label set
	Before []float64 `json:"before"`
	Places string    `json:"places"`
}

var (
	essayPresets = []string{"released", "refined"}
	essayGammas  = []float64{0, 0.25, 0.5, 0.75, 1}
)

const (
	usualGamma = 0.5
	bagsEach   = 8 // bags of each layer
)

// A point is a place in a picture from -1 to 1.
type point [2]float64

// sharedAt and ownAt are the middles of the groups in the sheets, and of a layer's own groups.
var (
	sharedAt = []point{{0, -.5}, {-.49, .47}, {.49, .47}}
	ownAt    = [][]point{{{-.5, -.45}, {.5, -.45}, {0, .5}}, {{-.6, -.55}, {0, 0}, {.6, .55}}, {{.55, -.5}, {-.55, 0}, {.45, .52}}}
)

// sheet places everybody: a block is a shared group, in it a column is one of friends, a row one of work, and a
// place along the diagonal one of lunch.
func sheet(groups [][]int) []point {
	at := make([]point, len(groups[0]))
	for i := range at {
		before, same := 0, 0
		for j := range at {
			if slices.ContainsFunc(groups, func(g []int) bool { return g[i] != g[j] }) {
				continue
			}
			same++
			if j < i {
				before++
			}
		}
		c := sharedAt[groups[0][i]]
		along := float64(groups[3][i]-1) * .068
		step := (float64(before) - float64(same-1)/2) * .05
		at[i] = point{c[0] + float64(groups[1][i]-1)*.3 + along + step, c[1] + float64(groups[2][i]-1)*.3 - along + step}
	}
	return at
}

// apart places everybody in a disc of their own group, the shared groups from its middle outwards.
func apart(shared, own []int, middles []point) []point {
	at := make([]point, len(own))
	for g, c := range middles {
		var members []int
		for i, of := range own {
			if of == g {
				members = append(members, i)
			}
		}
		slices.SortStableFunc(members, func(a, b int) int { return shared[a] - shared[b] })
		for k, i := range members {
			r, turn := .36*math.Sqrt((float64(k)+.5)/float64(len(members))), float64(k)*2.39996
			at[i] = point{c[0] + r*math.Cos(turn), c[1] + r*math.Sin(turn)}
		}
	}
	return at
}

func flat(at []point) []float32 {
	var xy []float32
	for _, p := range at {
		xy = append(xy, float32(p[0]), float32(p[1]))
	}
	return xy
}

// packed writes coordinates as bytes, after drawing the largest of a picture at the given distance; 0: as they are.
func packed(xy []float32, reach float64) string {
	largest := 0.0
	for _, v := range xy {
		largest = max(largest, math.Abs(float64(v)))
	}
	scale := 127.0
	if reach > 0 {
		if scale = 0; largest > 1e-9 {
			scale = 127 * reach / largest
		}
	}
	var raw []byte
	for _, v := range xy {
		raw = append(raw, eighth(scale*float64(v)))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// eighth rounds a number to one in eight bits.
func eighth(v float64) byte { return byte(int8(math.Round(max(-127, min(127, v))))) }

// reach of the outermost of a map.
const reach = .88

func trainEssay() (*essayRuns, error) {
	e := &essayRuns{Runs: map[string]*essayRun{}, Syn1: map[string][2]float64{}}
	var onto []float32 // where S, P_1, ... of every picture turn to
	for _, gamma := range essayGammas {
		d, err := run.OpenExample("town", map[string]any{"gamma": gamma}, run.UsualSeeds.Data)
		if err != nil {
			return nil, err
		}
		share := essayShare{Gamma: gamma, S: map[string]essayProbe{}}
		for _, l := range d.Graph.Layers {
			var raw []byte
			pairs, _ := l.Adjacency.Links(math.MaxInt)
			for _, i := range pairs {
				raw = append(raw, byte(i))
			}
			share.Links = append(share.Links, base64.StdEncoding.EncodeToString(raw))
		}
		if onto == nil {
			onto = e.place(d)
		}
		for _, preset := range essayPresets {
			found, err := e.train(d, preset, onto, gamma)
			if err != nil {
				return nil, err
			}
			share.S[preset] = *found
		}
		e.Shares = append(e.Shares, share)
	}
	return e, nil
}

// place notes the people and where they stand, and returns the places that maps turn to. A town's groups do not depend
// on their weight.
func (e *essayRuns) place(d *run.Dataset) (onto []float32) {
	e.Names = d.Graph.Nodes
	for _, s := range d.Graph.Labels {
		e.Groups = append(e.Groups, s.Of)
	}
	at := sheet(e.Groups)
	e.Sheet, onto = packed(flat(at), 0), flat(at)
	for l, layer := range d.Graph.Layers {
		own := apart(e.Groups[0], e.Groups[l+1], ownAt[l])
		e.Layers, e.Own, onto = append(e.Layers, layer.Name), append(e.Own, packed(flat(own), 0)), append(onto, flat(own)...)
	}
	return onto
}

// train trains a preset, at the usual share with its pictures on the way.
func (e *essayRuns) train(d *run.Dataset, preset string, onto []float32, gamma float64) (*essayProbe, error) {
	whole := gamma == usualGamma
	s, err := run.NewSettings(preset, d)
	if err != nil {
		return nil, err
	}
	first, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
	if err != nil {
		return nil, err
	}
	r, film := &essayRun{}, &film{}
	take := func(t *cadem.Trainer) error {
		r.Epochs = append(r.Epochs, t.Progress().Epoch)
		if preset == "released" {
			r.fill(run.LayerProbe(t), s.ModelSeed)
		}
		return film.take(t)
	}
	if err := take(first); err != nil {
		return nil, err
	}
	var last *cadem.Trainer
	trained, err := run.Train(d, s, precision.Single, run.Watch{Each: func(now *run.Run) error {
		last = now.Trainer()
		n := last.Progress().Step
		if last.Done() || whole && n%s.CaDeM().InnerSteps == 0 && run.Kept(n/s.CaDeM().InnerSteps) {
			return take(last)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	scores, err := run.Score(d, trained.Scored, trained.ScoredBefore, s.Scoring(), s.EvalSeed, nil)
	if err != nil {
		return nil, err
	}
	r.Hash = trained.Hash
	ends := len(onto)
	run.Turn(film.xy[len(film.xy)-ends:], onto, film.of)
	run.Turn(film.xy[:len(film.xy)-ends], film.xy[len(film.xy)-ends:], film.of)
	places := film.xy[len(film.xy)-ends:]
	size := ends / film.of
	probe := &essayProbe{Hash: trained.Hash, Rank: trained.Trained.Rank, Places: packed(places[:size], reach)}
	if preset == "released" && gamma == 0 {
		probe.Places = packed(parting(last.Embeddings(0).Consensus, e.Groups[1], onto[:size]), reach)
	}
	r.Ari, r.Before = make([][]float64, film.of), make([][]float64, film.of)
	for k := range film.of {
		for i := range d.Graph.Labels {
			at := slices.IndexFunc(scores, func(q evaluate.Score) bool {
				return q.Metric == "ari" && q.Target == d.Graph.Labels[i].Name && q.Embedding == trained.Scored[k+1].Name
			})
			q := scores[at]
			r.Ari[k], r.Before[k] = append(r.Ari[k], hundredth(float64(q.Value))), append(r.Before[k], hundredth(float64(q.Untrained)))
			if k == 0 {
				probe.Probe = append(probe.Probe, hundredth(float64(q.Probe)))
				probe.Before = append(probe.Before, hundredth(float64(q.UntrainedProbe)))
			}
		}
	}
	for k := range r.Epochs {
		var frame []byte
		for m := range film.of {
			part, _ := base64.StdEncoding.DecodeString(packed(film.xy[k*ends+m*size:k*ends+(m+1)*size], reach))
			frame = append(frame, part...)
		}
		r.Frames = append(r.Frames, base64.StdEncoding.EncodeToString(frame))
	}
	if whole {
		e.Runs[preset] = r
		if preset == "refined" {
			r.Sums, err = e.sums(last, d, places)
		}
	}
	return probe, err
}

// sums writes what makes each place in each map, in bytes: the steps that the groups of the map's own grouping make, then the five people who
// make most of it, each with a share of the place in 500ths.
func (e *essayRuns) sums(t *cadem.Trainer, d *run.Dataset, places []float32) (list []string, err error) {
	g := d.Graph
	m, err := frozen.New(t, []*multiplex.Graph{g}, nil)
	if err != nil {
		return nil, err
	}
	now := t.Embeddings(0)
	for k, x := range append([]*mat.Dense{now.Consensus}, now.Private...) {
		xy, largest := places[2*g.M()*k:][:2*g.M()], 0.0
		for _, v := range xy {
			largest = max(largest, math.Abs(float64(v)))
		}
		draw, _ := project.Fit(x, xy)
		of, raw := frozen.P, []byte{}
		if k == 0 {
			of = frozen.S
		}
		for i := range g.M() {
			why, err := m.Why(of, max(0, k-1), 0, i)
			if err != nil {
				return nil, err
			}
			groups := why.ByGroup([][]int{e.Groups[k]})
			slices.SortFunc(groups, func(a, b frozen.Term) int { return a.Node - b.Node })
			for _, c := range groups {
				for _, v := range draw.Along(c.X) {
					raw = append(raw, eighth(v*127*reach/largest))
				}
			}
			people := why.ByNode()
			slices.SortStableFunc(people, func(a, b frozen.Term) int {
				return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share))
			})
			for _, c := range people[:5] {
				raw = append(raw, byte(c.Node), eighth(500*c.Share))
			}
		}
		list = append(list, base64.StdEncoding.EncodeToString(raw))
	}
	return list, nil
}

func hundredth(v float64) float64 { return math.Round(100*v) / 100 }

// fill has phi answer about bags as it was trained on: as many people of a layer, with as much noise. The bags of every
// epoch are the same.
func (r *essayRun) fill(p *evaluate.LayerProbe, seed uint64) {
	m, dim := p.Private[0].Dims()
	var bags [][3]float64
	r.Filled = nil
	for l, x := range p.Private {
		src := rng.New(seed, "essay/bags/"+string(rune('0'+l)))
		for b := range bagsEach {
			nodes := make([]int, p.Keep)
			src.Sample(nodes, m)
			if b == 0 {
				r.Filled = append(r.Filled, nodes)
			}
			sum := make([]float64, dim)
			for k := range sum {
				for _, i := range nodes {
					sum[k] += x.At(i, k)
				}
				sum[k] += p.Noise * src.Norm()
			}
			var logits [3]float64
			for n := range logits {
				logits[n] = p.Phi.B[n]
				for k, v := range sum {
					logits[n] += v * p.Phi.W[k*len(logits)+n]
				}
				logits[n] = math.Round(1000*logits[n]) / 1000
			}
			bags = append(bags, logits)
		}
	}
	r.Bags = append(r.Bags, bags)
}

// parting draws S from the side that parts groups best. Its columns are orthonormal, so that this is the plane of the
// groups' middles.
func parting(s *mat.Dense, groups []int, onto []float32) []float32 {
	m, d := s.Dims()
	middle, counts := mat.NewDense(len(sharedAt), d, nil), make([]float64, len(sharedAt))
	for i, g := range groups {
		counts[g]++
		for k := range d {
			middle.Set(g, k, middle.At(g, k)+s.At(i, k))
		}
	}
	for g, n := range counts {
		for k := range d {
			middle.Set(g, k, middle.At(g, k)/math.Sqrt(n))
		}
	}
	var factor mat.SVD
	if !factor.Factorize(middle, mat.SVDThin) {
		panic("shipped: no singular values of the middles of groups")
	}
	var v mat.Dense
	factor.VTo(&v)
	xy := make([]float32, 2*m)
	for a := range 2 {
		mean := 0.0
		for i := range m {
			x := 0.0
			for k := range d {
				x += s.At(i, k) * v.At(k, a)
			}
			xy[2*i+a] = float32(x)
			mean += x / float64(m)
		}
		for i := range m {
			xy[2*i+a] -= float32(mean)
		}
	}
	project.Align(xy, onto)
	return xy
}

// essayOf is the file, with the scores of the run of Syn1 that ships.
func essayOf(root string) (*essayRuns, error) {
	e, err := trainEssay()
	if err == nil {
		err = e.readSyn1(filepath.Join(root, "www", "finished", "syn1.json"))
	}
	if err == nil {
		err = e.Longer.read(root)
	}
	return e, err
}

var longest = regexp.MustCompile(`all losses: after (\d+) epochs, .*? After (\d+) it is .*?, (\d+) trainings`)

// read reads the paragraph about all losses of the town, and two rows of its table.
func (e *essayLonger) read(root string) error {
	b, err := os.ReadFile(filepath.Join(root, verdicts))
	if err != nil {
		return err
	}
	_, text, _ := strings.Cut(string(b), "### Town\n")
	text, _, _ = strings.Cut(text, "\n### ")
	m := longest.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return fmt.Errorf("%s, Town: found no lengths with all losses, expected what cadem study length wrote", verdicts)
	}
	for i, to := range []*int{&e.Epochs[1], &e.Epochs[2], &e.Trainings} {
		*to, _ = strconv.Atoi(m[i+1])
	}
	for reading, to := range map[string]*[3]float64{
		"own communities from S": &e.Own, "classes from S and all P, by a linear probe": &e.Shared,
	} {
		_, row, _ := strings.Cut(text, "|all losses|"+reading+"|")
		for k, cell := range strings.SplitN(row, "|", 4)[:min(3, strings.Count(row, "|"))] {
			if to[k], err = strconv.ParseFloat(cell, 64); err != nil {
				return fmt.Errorf("%s, Town, %s: found %q, expected a number", verdicts, reading, cell)
			}
		}
	}
	return nil
}

func (e *essayRuns) readSyn1(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var r struct {
		Scores []struct {
			Embedding, Target, Metric string
			Value, Untrained          float64
		}
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return err
	}
	for _, s := range r.Scores {
		if own := s.Embedding[max(0, len(s.Embedding)-1):]; s.Metric == "macro_f1" && (s.Target == "layer_"+own && s.Embedding == "private_"+own ||
			s.Embedding == "combined" && s.Target == "final") {
			e.Syn1[s.Embedding] = [2]float64{hundredth(s.Untrained), hundredth(s.Value)}
		}
	}
	return nil
}
