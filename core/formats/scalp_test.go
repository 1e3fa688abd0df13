package formats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/project"
)

// Electrodes lie where their names say: rows from the nose backwards, columns from the midline out, odd ones on the left, those around the head
// on one circle, and halves between their neighbours. Other names have no place.
func TestElectrodes(t *testing.T) {
	at := func(name string) (x, y float64) {
		t.Helper()
		x, y, ok := electrode(name)
		if !ok {
			t.Errorf("%s has no place", name)
		}
		return x, y
	}
	for name, want := range map[string][2]float64{"Cz": {0, 0}, "Fpz": {0, 1}, "Oz": {0, -1}, "T7": {-1, 0}, "T8": {1, 0}, "C4": {0.5, 0}, "Nz": {0, 1.25},
		"Iz": {0, -1.25}, "C1h": {-0.125, 0}, "T10": {1.25, 0}, "T3": {-1, 0}, "EEG C3-REF": {-0.5, 0}, "FCCz": {0, 0.125}, "Fz": {0, 0.5}} {
		if x, y := at(name); math.Hypot(x-want[0], y-want[1]) > 1e-12 {
			t.Errorf("%s lies at %g, %g, expected %v", name, x, y, want)
		}
	}
	for _, name := range []string{"Fp1", "Fp2", "AF7", "F8", "FT7", "TP8", "P7", "PO8", "O1", "O2", "TPP7", "FFT8"} {
		if x, y := at(name); math.Abs(math.Hypot(x, y)-1) > 1e-12 {
			t.Errorf("%s lies at a distance of %g from the vertex", name, math.Hypot(x, y))
		}
	}
	before := 2.0
	for _, row := range strings.Fields("Fp AF AFF F FFC FC FCC C CCP CP CPP P PPO PO POO O") {
		left, y := at(row + "1")
		right, z := at(row + "2")
		if left >= 0 || right != -left || y != z || y >= before {
			t.Errorf("%s1 and %s2 lie at %g, %g and %g, %g; the row before is at %g", row, row, left, y, right, z, before)
		}
		before = y
	}
	for _, name := range []string{"", "z", "F", "F0", "F11", "X1", "Fzh", "C1x", "VEOG", "Ada", "F1F"} {
		if _, _, ok := electrode(name); ok {
			t.Errorf("%q has a place", name)
		}
	}
	if scalp([]string{"Fz", "Cz", "Pz", "EOG"}) != nil || scalp([]string{"A1", "B2", "C3", "D4"}) != nil {
		t.Error("names that are none of electrodes have places")
	}
}

var channels = strings.Fields("Fz Cz Pz Oz F3 F4 C3 C4")

// textNPY makes a .npy file of words.
func textNPY(list []string) []byte {
	var runes strings.Builder
	for _, word := range list {
		for k := range 8 {
			runes.WriteString((word + strings.Repeat("\x00", 8))[k:k+1] + "\x00\x00\x00")
		}
	}
	return formatstest.RawNPY(1, fmt.Sprintf("{'descr': '<U8', 'fortran_order': False, 'shape': (%d,), }", len(list)), runes.String())
}

// connectivity holds the same weights between [channels] in three bands as MNE and FieldTrip write them: dense, ravelled, in full and by pairs.
type connectivity struct {
	cube, rows  *npy.Array
	full, pairs []byte
}

func connectivityOf() connectivity {
	const n, bands = 8, 3
	m := newMAT(false)
	char := func(s string) []byte {
		var x []int
		for _, r := range s {
			x = append(x, int(r))
		}
		return m.matrix("", mxChar, []int{1, len(x)}, m.ints(2, x...))
	}
	dense, column := make([]float64, n*n*bands), make([]int, n*n*bands)
	var listed []int // of pairs, band after band, as chan_chan_freq is
	var from, to, all [][]byte
	for f := range bands {
		for i := range n {
			for j := range i {
				x := 1 + (i*j+5*f)%7
				dense[(i*n+j)*bands+f], column[f*n*n+j*n+i] = float64(x), x
				if listed = append(listed, x); f == 0 {
					from, to = append(from, char(channels[i])), append(to, char(channels[j]))
				}
			}
		}
	}
	for _, name := range channels {
		all = append(all, char(name))
	}
	structure := func(fields string, parts ...[]byte) []byte {
		var names []byte
		for _, f := range strings.Fields(fields) {
			names = append(names, append([]byte(f), make([]byte, 12-len(f))...)...)
		}
		return m.matrix("stat", mxStruct, []int{1, 1}, append([][]byte{m.ints(miInt32, 12), m.element(miInt8, names)}, parts...)...)
	}
	freq := m.matrix("", mxDouble, []int{1, 3}, m.ints(2, 6, 10, 20))
	full, pairs := newMAT(false), newMAT(false)
	full.add(false, structure("label dimord freq cohspctrm", m.matrix("", mxCell, []int{n, 1}, all...), char("chan_chan_freq"), freq,
		m.matrix("", mxDouble, []int{n, n, bands}, m.ints(2, column...))))
	pairs.add(true, structure("labelcmb dimord freq cohspctrm", m.matrix("", mxCell, []int{len(from), 2}, slices.Concat(from, to)...),
		char("chancmb_freq"), freq, m.matrix("", mxDouble, []int{len(from), bands}, m.ints(2, listed...))))
	return connectivity{&npy.Array{Shape: []int{n, n, bands}, Data: dense}, &npy.Array{Shape: []int{n * n, bands}, Data: dense}, full.b, pairs.b}
}

// What MNE and FieldTrip write of connectivity between channels by band is read with the names of both, whether pairs are dense, ravelled or named,
// and is drawn on the scalp.
func TestConnectivityOfChannels(t *testing.T) {
	const n, bands = 8, 3
	written := connectivityOf()
	cube, rows := written.cube, written.rows
	mne := []string{"theta", "alpha", "beta"}
	hz := []string{"6 Hz", "10 Hz", "20 Hz"}
	names := File{Name: "ch_names.txt", Data: []byte(strings.Join(channels, "\n") + "\n")}
	var first string
	for _, c := range []struct {
		title  string
		files  []File
		layers []string
		named  bool
	}{
		{"dense with names", []File{{Name: "con.npz", Data: npzOf(t, "con", cube, "ch_names", textNPY(channels), "bands", textNPY(mne))}}, mne, true},
		{"ravelled with names", []File{{Name: "con.npz", Data: npzOf(t, "con", rows, "ch_names", textNPY(channels), "bands", textNPY(mne))}}, mne, true},
		{"ravelled", []File{{Name: "con.npy", Data: npyOf(t, rows)}}, nil, false},
		{"dense beside a list of names", []File{{Name: "con.npy", Data: npyOf(t, cube)}, names}, nil, true},
		{"FieldTrip, full", []File{{Name: "stat.mat", Data: written.full}}, hz, true},
		{"FieldTrip, pairs", []File{{Name: "stat.mat", Data: written.pairs}}, hz, false}, // in the order of the pairs
	} {
		g, _, err := openChoice(c.files, Choice{})
		if err != nil || g.N() != bands || g.M() != n {
			t.Errorf("%s: %v, %+v", c.title, err, g)
			continue
		}
		weight := 0.0
		for _, l := range g.Layers {
			if c.layers != nil && !slices.Contains(c.layers, l.Name) || l.Adjacency.NNZ() != n*(n-1)/2 && l.Adjacency.NNZ() != n*(n-1) {
				t.Errorf("%s: layer %s with %d entries", c.title, l.Name, l.Adjacency.NNZ())
			}
			for _, x := range l.Adjacency.Value {
				weight += x
			}
		}
		if said := fmt.Sprint(weight); first == "" {
			first = said
		} else if first != said {
			t.Errorf("%s: weights of %s, dense they are %s", c.title, said, first)
		}
		if c.named && !slices.Equal(g.Nodes, channels) || g.Nodes != nil && (len(g.Columns) != 2 || project.Places(g) == nil) {
			t.Errorf("%s: nodes %q, columns %v", c.title, g.Nodes, g.Columns)
		}
	}
	// A run that was kept before layers took the names of bands has other ones.
	g, _, err := openChoice([]File{{Name: "con.npz", Data: npzOf(t, "con", cube, "bands", textNPY(mne))}}, Choice{Layers: []string{"con[2]", "con[0]"}})
	if err != nil || g.N() != 2 || g.Layers[0].Name != "beta" {
		t.Errorf("%v, %+v", err, g)
	}
	// Features of 64 nodes are none of 8 channels.
	x := make([]float64, 64*3)
	for k := range x {
		x[k] = float64(k%13) + 1
	}
	if _, _, err := openChoice([]File{{Name: "x.npy", Data: npyOf(t, &npy.Array{Shape: []int{64, 3}, Data: x})}}, Choice{}); err == nil {
		t.Error("any 64 rows are read as pairs")
	}
}

// A table of electrodes places them where it says, in spite of their names.
func TestTableOfElectrodes(t *testing.T) {
	cube := make([]float64, 4*4*2)
	for k := range cube {
		cube[k] = 1
	}
	table := "name\tx\ty\tz\nFz\t3\t60\t60\nCz\t1\t2\t90\nPz\t2\t-60\t60\nT7\t-85\t1\t0\n"
	g, _, err := openChoice([]File{{Name: "con.npy", Data: npyOf(t, &npy.Array{Shape: []int{4, 4, 2}, Data: cube})},
		{Name: "electrodes.tsv", Data: []byte(table)}}, Choice{})
	if err != nil || len(g.Columns) != 3 || g.Columns[0].Of[3] != -85 {
		t.Fatalf("%v, %+v", err, g)
	}
	at := project.Places(g)
	if at == nil || at[6] >= at[2] || at[1] <= at[5] {
		t.Errorf("places %v", at)
	}
}
