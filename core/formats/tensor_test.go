package formats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
)

// layersOf draws n layers of m nodes, symmetric or not.
func layersOf(n, m int, symmetric bool) [][]float64 {
	random := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	layers := make([][]float64, n)
	for k := range layers {
		layers[k] = make([]float64, m*m)
		for i := range m {
			for j := range m {
				x := float64(random.IntN(3))
				layers[k][i*m+j] = x
				if symmetric {
					layers[k][j*m+i] = x
				}
			}
		}
	}
	return layers
}

// stacked puts layers into an array with the layers along the first axis or the last, and the
// first index or the last running fastest.
func stacked(layers [][]float64, last, columns bool) (shape []int, data []float64) {
	n, m := len(layers), 0
	for m*m < len(layers[0]) {
		m++
	}
	shape = []int{n, m, m}
	if last {
		shape = []int{m, m, n}
	}
	data = make([]float64, n*m*m)
	for k := range layers {
		for i := range m {
			for j := range m {
				at := [3]int{k, i, j}
				if last {
					at = [3]int{i, j, k}
				}
				to := (at[0]*shape[1]+at[1])*shape[2] + at[2]
				if columns {
					to = at[0] + shape[0]*(at[1]+shape[1]*at[2])
				}
				data[to] = layers[k][i*m+j]
			}
		}
	}
	return shape, data
}

// tensorNPY makes a .npy file of an array in whichever order.
func tensorNPY(t *testing.T, shape []int, data []float64, columns bool) []byte {
	t.Helper()
	b := npyOf(t, &npy.Array{Shape: shape, Data: data})
	if columns {
		b = []byte(strings.Replace(string(b), "'fortran_order': False, ", "'fortran_order': True,  ", 1))
	}
	return b
}

// checkSlices compares the entries of the variables with the layers.
func checkSlices(t *testing.T, title string, vars []*Variable, layers [][]float64) {
	t.Helper()
	if len(vars) != len(layers) {
		t.Fatalf("%s: %d variables, expected %d", title, len(vars), len(layers))
	}
	for k, v := range vars {
		v.Limit(1 << 30)
		if x, err := v.Values(); err != nil || !slices.Equal(x, layers[k]) {
			t.Fatalf("%s, layer %d: %v\n%v, expected\n%v", title, k, err, x, layers[k])
		}
	}
}

// Each slice of an array in three dimensions is a layer, whichever axis they lie along, in
// whichever order and type it is stored, by NumPy, MATLAB and pickle.
func TestTensors(t *testing.T) {
	for _, size := range [][2]int{{2, 3}, {3, 2}, {5, 40}, {40, 5}, {4, 4}, {1, 3}} {
		for turn := range 4 {
			last, columns := turn&1 == 1, turn&2 == 2
			layers := layersOf(size[0], size[1], size[0] == size[1])
			shape, data := stacked(layers, last, columns)
			title := fmt.Sprintf("%v, last %v, columns %v", shape, last, columns)
			c, err := Read([]File{{Name: "net.npy", Data: tensorNPY(t, shape, data, columns)}})
			if err != nil {
				t.Fatal(err)
			}
			checkSlices(t, title, c.Variables, layers)
			want := "net[0]"
			if size[0] == 1 {
				want = "net"
			}
			if c.Variables[0].Name != want {
				t.Errorf("%s: %s", title, c.Variables[0].Name)
			}
			m := newMAT(false)
			shape, data = stacked(layers, last, true)
			var small []int
			for _, x := range data {
				small = append(small, int(x))
			}
			m.add(turn > 1, m.matrix("net", mxDouble, shape, m.ints(2, small...)))
			if c, err = Read([]File{{Name: "a.mat", Data: m.b}}); err != nil {
				t.Fatal(err)
			}
			checkSlices(t, title+", MAT", c.Variables, layers)
			if v := c.Variables[0]; v.Type != "float64" {
				t.Errorf("%s: %s", title, v.Type)
			}
			shape, data = stacked(layers, last, false)
			var bytes strings.Builder
			for _, x := range data {
				bytes.WriteByte(byte(x))
			}
			p := &pickled{}
			p.op("\x80\x02}").text("net").array("u1", bytes.String(), shape...).op("s.")
			if c, err = Read([]File{{Name: "a.pkl", Data: p.Bytes()}}); err != nil {
				t.Fatal(err)
			}
			checkSlices(t, title+", pickle", c.Variables, layers)
		}
	}
}

// A cube says by its symmetry along which axis its layers lie, or it is refused.
func TestCubes(t *testing.T) {
	shape, data := stacked(layersOf(3, 3, false), false, false)
	files := []File{{Name: "cube.npy", Data: tensorNPY(t, shape, data, false)}}
	_, err := Read(files)
	formatstest.CheckError(t, err, "cube.npy: cube: found an array of 3 x 3 x 3 that may be layers along its first axis or its last: neither are symmetric, "+
		`expected the layers by themselves: numpy.savez("FILE.npz", work=x[0], lunch=x[1], ...)`)
	_, r, err := openChoice(append(files, withRing(t, squares(t, 3))...), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	checkNotes(t, r, "cube was left out: an array of 3 x 3 x 3 that may be layers along its first axis or its last: neither are symmetric.")
	// Features of several kinds are not layers.
	files[0].Name = "features.npy"
	if c, err := Read(append(files, withRing(t, squares(t, 3))...)); err != nil || len(c.Guess().Layers) != 2 {
		t.Errorf("%v", err)
	}
}

// Layers of an array, a list or a cell get the names that come with them.
func TestNamesOfLayers(t *testing.T) {
	shape, data := stacked(layersOf(2, 3, true), false, false)
	tensor := tensorNPY(t, shape, data, false)
	unicode := formatstest.RawNPY(1, "{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }", "w\x00\x00\x00l\x00\x00\x00")
	m := newMAT(false)
	ring := m.matrix("", mxDouble, []int{2, 2}, m.ints(2, 0, 1, 1, 0))
	char := func(s string) []byte { return m.matrix("", mxChar, []int{1, len(s)}, m.element(16, []byte(s))) }
	m.add(false, m.matrix("adj", mxCell, []int{1, 2}, ring, ring))
	m.add(false, m.matrix("relations", mxCell, []int{1, 2}, char("w"), char("l")))
	rows := newMAT(false)
	rows.add(false, m.matrix("adj", mxCell, []int{1, 2}, ring, ring))
	rows.add(false, m.matrix("layer_names", mxChar, []int{2, 2}, m.ints(2, 'w', 'l', ' ', ' ')))
	p := &pickled{}
	p.op("\x80\x02}(").text("adj").op("](")
	for range 2 {
		p.array("u1", "\x00\x01\x01\x00", 2, 2)
	}
	p.op("e").text("view_names").op("](").text("w").text("l").op("eu.")
	for name, c := range map[string]struct {
		files []File
		want  []string
	}{
		"npz":        {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "layer_names", unicode)}}, []string{"w", "l"}},
		"objects":    {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "relations", objectNPY(words("w", "l"), 2))}}, []string{"w", "l"}},
		"two files":  {[]File{{Name: "net.npy", Data: tensor}, {Name: "names.npy", Data: unicode}}, []string{"w", "l"}},
		"cells":      {[]File{{Name: "a.mat", Data: m.b}}, []string{"w", "l"}},
		"characters": {[]File{{Name: "a.mat", Data: rows.b}}, []string{"w", "l"}},
		"pickle":     {[]File{{Name: "a.pkl", Data: p.Bytes()}}, []string{"w", "l"}},
		"other count": {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "layer_names", objectNPY(words("w", "l", "x"), 3))}},
			[]string{"net[0]", "net[1]"}},
		"doubled":   {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "layer_names", objectNPY(words("w", "w"), 2))}}, []string{"net[0]", "net[1]"}},
		"two lists": {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "layers", unicode, "relations", unicode)}}, []string{"net[0]", "net[1]"}},
		"no names":  {[]File{{Name: "a.npz", Data: npzOf(t, "net", tensor, "cities", unicode)}}, []string{"net[0]", "net[1]"}},
	} {
		g, _, err := openChoice(c.files, Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, l := range g.Layers {
			got = append(got, l.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, expected %q", name, got, c.want)
		}
	}
}

// Cells of words are labels.
func TestCellsOfWords(t *testing.T) {
	m := newMAT(false)
	char := func(s string) []byte { return m.matrix("", mxChar, []int{1, len(s)}, m.element(16, []byte(s))) }
	for _, name := range []string{"a", "b"} {
		m.add(false, m.matrix(name, mxDouble, []int{3, 3}, m.ints(2, 0, 1, 0, 1, 0, 0, 0, 0, 1)))
	}
	m.add(true, m.matrix("label", mxCell, []int{3, 1}, char("red"), char("blue"), char("red")))
	g, _, err := openChoice([]File{{Name: "a.mat", Data: m.b}}, Choice{})
	if err != nil || len(g.Labels) != 1 || !slices.Equal(g.Labels[0].Of, []int{1, 0, 1}) || !slices.Equal(g.Labels[0].Classes, []string{"blue", "red"}) {
		t.Errorf("%+v, %v", g, err)
	}
}
