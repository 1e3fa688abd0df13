package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"cadem.example/core/base/precision"
	"cadem.example/core/baseline"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
)

// mostHeld is the largest graph whose links are held out: of ten times as many node2vec takes eight minutes.
const mostHeld = 10_000

// rankOfSVD is the rank of the approximation that `svds` finds: as many directions as a layer may keep.
const rankOfSVD = 64

// A heldFit tells how well a method tells held-out links from pairs without one, over the layers.
type heldFit struct {
	Nodes   int     `json:"nodes"`
	Method  string  `json:"method"`
	Score   string  `json:"score"` // which of its scores of a pair
	Seconds float64 `json:"seconds"`
	MB      float64 `json:"heap_mb,omitempty"` // 0 of another program
	AUC     float64 `json:"auc"`               // against uniform pairs
	Matched float64 `json:"auc_matched"`       // against pairs of the same degrees
}

// heldOut is the seed of the links that are held out, the first split of [run.Links].
const heldOut = 0

// largeLinks trains presets, node2vec and SciPy's svds on the same graph without the same links.
func (b *bench) largeLinks(files []formats.File) (list []heldFit) {
	d := must(run.OpenFiles(files, nil, nil))
	nodes := d.Graph.M()
	own := func(method string, s *run.Settings) {
		b.say("%d nodes, held-out links, %s", nodes, method)
		f := heldFit{Nodes: nodes, Method: method}
		var scores []evaluate.Score
		f.Seconds, f.MB = watchedHeap(func() { scores, _ = must2(run.Links(d, s, precision.Single, 1, nil)) })
		for _, s := range scores {
			switch s.Metric {
			case links.Columns[links.AUC].Name:
				f.Score, f.AUC = s.Embedding, s.Value
			case links.Columns[links.AUCMatched].Name:
				f.Matched = s.Value
			}
			if s.Metric == links.Columns[len(links.Columns)-1].Name { // all of an embedding
				if f.Score != baseline.Common {
					list = append(list, f)
				}
			}
		}
	}
	for _, preset := range []string{"refined", "evidence"} {
		own(preset, largeSettings(d, preset, ""))
	}
	own("node2vec", must(run.MethodSettings("node2vec", baseline.Lite, d)))
	held := must(links.Hold(d.Graph, links.Share, heldOut, nil))
	if f, there := b.svds(held); there {
		list = append(list, f)
	}
	return list
}

func must2[A, B any](a A, b B, err error) (A, B) {
	ok(err)
	return a, b
}

// svds has SciPy approximate the union of layers, where a python3 can import it.
func (b *bench) svds(held *links.Held) (f heldFit, there bool) {
	g := held.Graph
	f = heldFit{Nodes: g.M(), Method: "svds", Score: "rank " + fmt.Sprint(rankOfSVD)}
	b.say("%d nodes, held-out links, svds", f.Nodes)
	dir := must(os.MkdirTemp("", "bench-"))
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder at worst
	var pairs []byte
	for l := range g.Layers {
		list, _ := g.Layers[l].Adjacency.Links(math.MaxInt)
		for _, i := range list {
			pairs = binary.LittleEndian.AppendUint32(pairs, uint32(i))
		}
	}
	in, out := filepath.Join(dir, "pairs"), filepath.Join(dir, "factors")
	ok(os.WriteFile(in, pairs, 0o644))
	var answer struct {
		Seconds float64 `json:"seconds"`
		Version string  `json:"version"`
	}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import scipy.sparse.linalg").Run() != nil {
			continue
		}
		c := exec.Command(name, filepath.Join(b.root, "scripts", "bench", "scipy", "svds.py"), in, fmt.Sprint(f.Nodes), fmt.Sprint(rankOfSVD), out)
		var log bytes.Buffer
		c.Env, c.Stderr = oneThread(), &log
		text, err := c.Output()
		if err != nil {
			ok(fmt.Errorf("%s: %w\n%s", c, err, log.String()))
		}
		ok(json.Unmarshal(text, &answer))
		f.Seconds, f.Method, there = round(answer.Seconds), "svds of SciPy "+answer.Version, true
		break
	}
	if !there {
		b.full.NotHere = append(b.full.NotHere, "SciPy")
		return f, false
	}
	// The factors are U diag(s) and V, M x k each, row by row: the approximation of A_ij is the product of their rows.
	raw := must(os.ReadFile(out))
	factor := make([]float64, len(raw)/8)
	for k := range factor {
		factor[k] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*k:]))
	}
	u, v := factor[:f.Nodes*rankOfSVD], factor[f.Nodes*rankOfSVD:]
	var list []links.Scores
	for l := range held.Pairs {
		list = append(list, must(held.Score(l, 1, func(dst []float64, i, j int) float64 {
			dst[0] = 0
			for k := range rankOfSVD {
				dst[0] += u[i*rankOfSVD+k] * v[j*rankOfSVD+k]
			}
			return dst[0]
		}, nil)))
	}
	mean := links.Mean(list)
	f.AUC, f.Matched = mean[links.AUC], mean[links.AUCMatched]
	return f, true
}

func (b *bench) writeLargeLinks(w io.Writer) {
	if len(b.full.LargeLinks) == 0 {
		return
	}
	writef(w, "\n| nodes | method | score of a pair | s | MB | AUC of held-out links | against pairs of the same degrees |\n|---:|---|---|---:|---:|---:|---:|\n")
	for _, f := range b.full.LargeLinks {
		mb := ""
		if f.MB > 0 {
			mb = fmt.Sprintf("%.0f", f.MB)
		}
		writef(w, "| %d | %s | %s | %.3g | %s | %.3f | %.3f |\n", f.Nodes, f.Method, f.Score, f.Seconds, mb, f.AUC, f.Matched)
	}
	for _, name := range b.full.NotHere {
		if name == "SciPy" {
			writef(w, "\n%s is not installed here, and its row is left out.\n", name)
			break
		}
	}
}
