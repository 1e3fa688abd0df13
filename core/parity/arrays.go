package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"cadem/core/formats"
	"cadem/core/formats/npy"
)

// readArrays reads a training case whose arrays are in the .npz file beside the JSON.
func readArrays(fsys fs.FS, name string, data []byte) (*training, error) {
	t := &training{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, err
	}
	file := strings.TrimSuffix(name, ".json") + ".npz"
	raw, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	arrays, err := npy.ReadNPZ(formats.File{Name: file, Data: raw})
	if err != nil {
		return nil, err
	}
	missing := ""
	get := func(key string) tensor {
		a := arrays[key]
		if a == nil {
			missing = key
			return tensor{}
		}
		return tensor{a.Shape, a.Float64s()}
	}
	prefixed := func(prefix string) map[string]tensor {
		m := map[string]tensor{}
		for key := range arrays {
			if rest, ok := strings.CutPrefix(key, prefix); ok {
				m[rest] = get(key)
			}
		}
		return m
	}
	layers := func(key string) (list []tensor) {
		for l := range t.N {
			list = append(list, get(key+strconv.Itoa(l)))
		}
		return list
	}
	t.Edges = layers("edges_l")
	keep := get("keep_cols")
	for l := range t.N {
		x := tensor{[]int{t.M, t.F}, make([]float64, t.M*t.F)}
		for j, v := range keep.at(l).data {
			if t.M != t.F || len(keep.at(l).data) != t.F {
				return nil, fmt.Errorf("kept columns of %d features for %d nodes", t.F, t.M)
			}
			x.data[j*t.F+j] = v
		}
		t.X = append(t.X, x)
	}
	t.Init = prefixed("init.")
	for i := 0; arrays[fmt.Sprintf("g%d.layer", i)] != nil; i++ {
		at := func(key string) tensor { return get(fmt.Sprintf("g%d.%s", i, key)) }
		g := rawGroup{Layer: at("layer").ints(), NoiseC: at("noise_c"), NoiseP: at("noise_p"), Batches: [][]int{at("order").ints()}}
		for k := range g.Layer {
			g.Nodes = append(g.Nodes, at("nodes").at(k).ints())
		}
		t.RawGroups = append(t.RawGroups, g)
		perms := at("perms")
		for step := range perms.len() {
			if step == len(t.Perms) {
				t.Perms = append(t.Perms, nil)
			}
			t.Perms[step] = append(t.Perms[step], perms.at(step).ints())
		}
	}
	e := &t.Expect
	e.Propagation, e.CFinal, e.PFinal = layers("propagation_l"), layers("C_final_l"), layers("P_final_l")
	e.Terms, e.SFinal, e.Grads = get("terms"), get("S_final"), prefixed("grad1.")
	for o := range get("S_outer").len() {
		e.SOuter = append(e.SOuter, get("S_outer").at(o))
	}
	e.After = map[string]map[string]tensor{}
	for key := range arrays {
		step, _, ok := strings.Cut(strings.TrimPrefix(key, "after"), ".")
		if ok && strings.HasPrefix(key, "after") && e.After[step] == nil {
			e.After[step] = prefixed("after" + step + ".")
		}
	}
	if missing != "" {
		return nil, fmt.Errorf("%s has no array %s", file, missing)
	}
	return t, t.check()
}
