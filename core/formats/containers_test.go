package formats

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/base/json"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

func ExampleRead() {
	// Two layers that numpy.savez would write as one file.
	pair := func(x ...uint8) *npy.Array { return &npy.Array{Shape: []int{3, 3}, Data: x} }
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for _, layer := range []struct {
		name string
		*npy.Array
	}{{"lunch", pair(1, 1, 0, 1, 1, 0, 0, 0, 1)}, {"work", pair(0, 0, 1, 0, 0, 1, 1, 1, 0)}} {
		w, _ := z.Create(layer.name + ".npy")
		if err := npy.Write(w, layer.Array); err != nil {
			fmt.Println(err)
		}
	}
	z.Close()
	content, err := Read([]File{{Name: "office.npz", Data: file.Bytes()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range content.Variables {
		fmt.Println(v.Name, v.Form, v.Shape, v.Type)
	}
	g, report, err := content.Graph(Choice{Layers: []string{"work", "lunch"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.M(), g.Layers[0].Name, report.Notes[0])
	// Output:
	// lunch dense [3 3] uint8
	// work dense [3 3] uint8
	// 3 work Layer lunch has 3 self loops; they were kept.
}

func npyOf(t testing.TB, a *npy.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Types of data elements and classes of arrays of MAT-files, as their description numbers them.
const (
	miInt8, miInt32, miUint32                    = 1, 5, 6
	miMatrix, miCompressed                       = 14, 15
	mxCell, mxStruct, mxChar, mxSparse, mxDouble = 1, 2, 4, 5, 6
	flagComplex, flagLogical                     = 0x0800, 0x0200
)

// A matFile writes MAT-files.
type matFile struct {
	order binary.AppendByteOrder
	b     []byte
}

func newMAT(big bool) *matFile {
	m := &matFile{order: binary.LittleEndian}
	mark := "IM"
	if big {
		m.order, mark = binary.BigEndian, "MI"
	}
	m.b = append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte(" "), 105)...)
	m.b = append(m.order.AppendUint16(m.b, 0x0100), mark...)
	return m
}

func (m *matFile) element(kind uint32, data []byte) []byte {
	var b []byte
	if len(data) <= 4 && kind != miMatrix {
		b = m.order.AppendUint32(b, uint32(len(data))<<16|kind)
		b = append(b, data...)
		return append(b, make([]byte, 8-len(b))...)
	}
	b = m.order.AppendUint32(m.order.AppendUint32(b, kind), uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

func (m *matFile) ints(kind uint32, x ...int) []byte {
	var b []byte
	for _, v := range x {
		switch kind {
		case 1, 2:
			b = append(b, byte(v))
		case 9:
			b = m.order.AppendUint64(b, math.Float64bits(float64(v)))
		default:
			b = m.order.AppendUint32(b, uint32(v))
		}
	}
	return m.element(kind, b)
}

func (m *matFile) matrix(name string, flags int, shape []int, parts ...[]byte) []byte {
	body := slices.Concat(m.ints(miUint32, flags, 0), m.ints(miInt32, shape...), m.element(miInt8, []byte(name)))
	return m.element(miMatrix, slices.Concat(append([][]byte{body}, parts...)...))
}

func (m *matFile) add(packed bool, b []byte) {
	if packed {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(b)
		w.Close()
		m.b = m.order.AppendUint32(m.order.AppendUint32(m.b, miCompressed), uint32(z.Len()))
		b = z.Bytes()
	}
	m.b = append(m.b, b...)
}

// sampleMAT holds two layers, one sparse in a cell, features, labels, a structure, text, and
// unusable variables.
func sampleMAT(big, packed bool) []byte {
	m := newMAT(big)
	m.add(packed, m.matrix("A", mxDouble, []int{3, 3}, m.ints(2, 0, 1, 0, 1, 0, 0, 0, 0, 1)))
	inner := m.matrix("", mxSparse|flagLogical, []int{3, 3}, m.ints(5, 1, 0, 2, 7), m.ints(5, 0, 1, 3, 3), m.ints(2, 1, 1, 1, 9))
	m.add(packed, m.matrix("adj", mxCell, []int{1, 2}, inner, m.matrix("", mxDouble, []int{0, 0}, m.ints(9))))
	m.add(packed, m.matrix("X", 12, []int{3, 2}, m.ints(5, 1, 2, 3, -4, 5, 6)))
	m.add(packed, m.matrix("label", mxDouble, []int{3, 1}, m.ints(9, 1, 2, 2)))
	m.add(packed,
		m.matrix("info", mxStruct, []int{1, 1}, m.ints(miInt32, 8), m.element(miInt8, []byte("n\x00\x00\x00\x00\x00\x00\x00m\x00\x00\x00\x00\x00\x00\x00")),
			m.matrix("", mxDouble, []int{1, 1}, m.ints(9, 7)), m.matrix("", mxChar, []int{1, 2}, m.ints(2, 'h', 'i'))))
	m.add(packed, m.matrix("z", mxDouble|flagComplex, []int{1, 1}, m.ints(9, 7), m.ints(9, 7)))
	return m.b
}

func TestMAT(t *testing.T) {
	for k := range 4 {
		c, err := Read([]File{{Name: "a.mat", Data: sampleMAT(k&1 == 1, k&2 == 2)}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range c.Variables {
			got = append(got, fmt.Sprint(v.Name, v.Form, v.Shape, v.Type))
		}
		want := []string{"Adense[3 3]float64", "adj{1}sparse[3 3]bool", "adj{2}dense[0 0]float64", "Xdense[3 2]int32", "labeldense[3 1]float64",
			"info.ndense[1 1]float64", "info.mtext[1 2]text", "zother[1 1]complex"}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		g, r, err := c.Graph(Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if g.N() != 2 || !slices.Equal(g.Layers[0].Adjacency.Index, []int32{1, 0, 2}) || !slices.Equal(g.Layers[1].Adjacency.Index, []int32{1, 0, 2, 1}) ||
			g.Layers[1].Name != "adj{1}" {
			t.Errorf("%+v", g.Layers)
		}
		if x := g.Layers[0].Features.Dense; !slices.Equal(x, []float64{1, -4, 2, 5, 3, 6}) { // not normalised: one is negative
			t.Errorf("features %v", x)
		}
		if !slices.Equal(g.Labels[0].Of, []int{0, 1, 1}) || r.Nodes != 3 {
			t.Errorf("%+v %+v", g.Labels, r)
		}
	}
}

// A pickled is a pickle that is put together.
type pickled struct{ bytes.Buffer }

func (p *pickled) op(s string) *pickled { p.WriteString(s); return p }
func (p *pickled) text(s string) *pickled {
	return p.op("X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s)
}
func (p *pickled) int(x int) *pickled {
	return p.op("J" + string(binary.LittleEndian.AppendUint32(nil, uint32(int32(x)))))
}
func (p *pickled) bytes(s string) *pickled {
	return p.op("B" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s)
}
func (p *pickled) ints(x ...int) *pickled {
	p.op("(")
	for _, v := range x {
		p.int(v)
	}
	return p.op("t")
}

// array puts an array as NumPy does.
func (p *pickled) array(dtype, data string, shape ...int) *pickled {
	p.op("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n").ints(0).bytes("b").op("tR(").int(1).ints(shape...)
	p.op("cnumpy\ndtype\n(").text(dtype).op("\x89\x88tR(").int(3).text("<").op("NNN").int(-1).int(-1).int(0).op("tb\x89")
	return p.bytes(data).op("tb")
}

// samplePickle holds a dense layer, a CSR layer, links, features of format lil and labels.
func samplePickle() []byte {
	p := &pickled{}
	p.op("\x80\x03}(")
	p.text("A").array("u1", "\x00\x01\x00\x01\x00\x00\x00\x00\x01", 3, 3)
	p.text("B").op("cscipy.sparse.csr\ncsr_matrix\n)\x81}(").text("_shape").ints(3, 3).text("data").array("f4", "\x00\x00\x80\x3f\x00\x00\x80\x3f", 2)
	p.text("indices").array("i1", "\x02\x00", 2).text("indptr").array("i1", "\x00\x01\x01\x02", 4).op("ub")
	p.text("adjs").op("}").text("C").op("(").array("i1", "\x00\x01", 2).array("i1", "\x01\x02", 2).op("ts")
	p.text("feats").op("cscipy.sparse._lil\nlil_matrix\n)\x81}(").text("_shape").ints(3, 5)
	lists := func(rows ...[]int) {
		p.op("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n").ints(0).bytes("b").op("tR(").int(1).ints(3)
		p.op("cnumpy\ndtype\n(").text("O8").op("\x89\x88tR(").int(3).text("|").op("NNN").int(-1).int(-1).int(63).op("tb\x89](")
		for _, row := range rows {
			p.op("](")
			for _, v := range row {
				p.int(v)
			}
			p.op("e")
		}
		p.op("etb")
	}
	p.text("rows")
	lists([]int{0, 4}, nil, []int{3})
	p.text("data")
	lists([]int{1, 1}, nil, []int{2})
	p.op("ub").text("labels").op("](").int(1).int(0).int(1).op("e")
	p.text("note").text("hello").text("none").op("N").op("u.")
	return p.Bytes()
}

func TestPickle(t *testing.T) {
	g, _, err := openChoice([]File{{Name: "a.pkl", Data: samplePickle()}}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range g.Layers {
		names = append(names, fmt.Sprint(l.Name, l.Adjacency.Index))
	}
	if want := []string{"A[1 0 2]", "B[2 0]", "C[1 0 2 1]"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	x := g.Layers[0].Features.Sparse
	if x == nil || !slices.Equal(x.Index, []int32{0, 4, 3}) || !slices.Equal(x.Value, []float64{.5, .5, 1}) || x.Cols != 5 {
		t.Errorf("features %+v", x)
	}
	if !slices.Equal(g.Labels[0].Of, []int{1, 0, 1}) {
		t.Errorf("labels %+v", g.Labels)
	}
}

// A pickle that is cut off anywhere names the entry of its dictionary that was being read,
// whatever texts that entry is made of.
func TestCutPickleNamesEntries(t *testing.T) {
	p := &pickled{}
	p.op("\x80\x02}(")
	p.text("names").op("](").text("x").text("y").text("z").op("e")
	p.text("code").op("c_codecs\nencode\n").text("abc").text("latin1").op("\x86R")
	p.text("labels").op("](").int(0).int(1).op("eu.")
	whole := p.Bytes()
	keys := []string{"", "names", "code", "labels"}
	last := 0
	for n := 3; n < len(whole)-1; n++ { // with its last byte but one the dictionary is complete
		var e *diag.Error
		if _, err := Read([]File{{Name: "a.pkl", Data: whole[:n]}}); !errors.As(err, &e) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		at := slices.Index(keys, e.Where)
		if at < last {
			t.Fatalf("%d bytes: %v, after what was about %q", n, e, keys[last])
		}
		last = at
	}
	if last != len(keys)-1 {
		t.Errorf("no cut was in %q", keys[last+1])
	}
}

func samples(t testing.TB) map[string][]byte {
	csr := func(format string) []byte {
		return formatstest.Zip(t, zip.Deflate, "format.npy", string(formatstest.RawNPY(1, "{'descr': '|S3', 'fortran_order': False, 'shape': (), }", format)),
			"shape.npy", string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []int64{3, 3}})),
			"data.npy", string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []float32{1, 2}})), "indices.npy",
			string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []int32{1, 0}})), "indptr.npy", string(npyOf(t, &npy.Array{Shape: []int{4}, Data: []int32{0, 1, 2, 2}})))
	}
	graphs, err := os.ReadFile("../internal/pickle/testdata/layers3.pkl")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"c.npz": npzOf(t, "net", &npy.Array{Shape: []int{2, 2, 2}, Data: []uint8{0, 1, 1, 0, 0, 1, 1, 1}}, "layer_names", objectNPY(words("w", "l"), 2)),
		"c.pkl": graphs, "a.mtx": []byte("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 3 2"),
		"a.mat": sampleMAT(false, false), "b.mat": sampleMAT(true, true), "a.pkl": samplePickle(), "b.pkl.gz": formatstest.Gzip(t, samplePickle()),
		"a.npz": csr("csr"), "b.npz": csr("csc"),
		"c.npy":     formatstest.RawNPY(1, "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }", "a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00\x00\x00"),
		"a.graphml": []byte(office),
		"a.zip":     formatstest.Zip(t, zip.Deflate, "lunch.txt", "1 2\n2 3\n", "work.txt", "1 3\n"),
	}
}

// A file cut off at any byte is refused; one with any byte changed is refused or read, and
// neither takes more memory than its bytes allow.
func TestCutOffAndAltered(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(2000)) // most of the time would be collections of a small heap
	for name, data := range samples(t) {
		if _, err := Read([]File{{Name: name, Data: data}}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for n := range data {
			c, err := Read([]File{{Name: name, Data: data[:n]}})
			// A MAT-file ends where a variable does.
			if err == nil && !strings.HasSuffix(name, ".mat") {
				t.Fatalf("%s: the first %d of %d bytes gave %v", name, n, len(data), c.Variables)
			}
		}
		for k := range data {
			for _, flip := range []byte{1, 0xff} {
				bent := bytes.Clone(data)
				bent[k] ^= flip
				use(t, name, bent)
			}
		}
	}
}

// use does with a file all that can be done with it.
func use(t *testing.T, name string, data []byte) {
	t.Helper()
	frugal.Check(t, len(data), func() {
		c, err := Read([]File{{Name: name, Data: data}})
		if err != nil {
			return
		}
		if d, err := c.Describe(Choice{}); err == nil && d.Nodes > 0 && len(d.Layers) > 1 {
			if g, _, err := c.Graph(Choice{}); err == nil {
				if err := g.Check(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// sized names a file of known size; a stream's is unknown.
var sized = regexp.MustCompile(`(an unknown binary file) of [\d.]+ \w+`)

// same finds in a file the same in memory, in places and from front to back.
func same(t *testing.T, name string, data []byte) {
	t.Helper()
	said := make([]string, 3)
	for k, f := range []File{{Data: data}, {At: bytes.NewReader(data), Size: int64(len(data))}, {Reader: bytes.NewReader(data)}} {
		f.Name = name
		frugal.Check(t, len(data), func() {
			c, err := Read([]File{f})
			if err != nil {
				said[k] = err.Error()
				return
			}
			s, err := c.Survey(Choice{}, func() error { return nil })
			text, bad := json.Marshal(s)
			if bad != nil {
				t.Fatal(bad)
			}
			said[k] = fmt.Sprintf("%s %v", text, err)
		})
	}
	if said[0] != said[1] || sized.ReplaceAllString(said[0], "$1") != said[2] {
		t.Fatalf("in memory, in places, from front to back:\n%s", strings.Join(said, "\n"))
	}
}

// Files that unpack to much take little memory, or are refused.
func TestBombs(t *testing.T) {
	zeros := bytes.Repeat([]byte{0}, 1<<20)
	m := newMAT(false)
	m.add(true, bytes.Repeat(zeros, 20))
	files := map[string][]byte{
		"bomb.mat": m.b,
		"bomb.npz": formatstest.Zip(t, zip.Deflate, "a.npy",
			string(formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1280, 2048), }", string(bytes.Repeat(zeros, 20)))), "b.npy", "x"),
		"ones.npz": formatstest.Zip(t, zip.Deflate, "a.npy",
			string(formatstest.RawNPY(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (5000, 5000), }", strings.Repeat("\x01", 5000*5000)))),
		"text.gz":   formatstest.Gzip(t, bytes.Repeat([]byte("1 1 2\n"), 1<<20)),
		"memo.pkl":  append([]byte("\x80\x04]"), bytes.Repeat([]byte("\x94"), 1<<20)...),
		"dicts.pkl": append([]byte("\x80\x04"), bytes.Repeat([]byte("}"), 1<<21)...),
		"nones.pkl": append([]byte("\x80\x04"), bytes.Repeat([]byte("N"), 1<<21)...),
		"words.pkl": append([]byte("\x80\x04"), bytes.Repeat([]byte("\x8c\x01x"), 1<<20)...),
	}
	for name, data := range files {
		var err error
		took := frugal.Allocated(func() {
			var c *Content
			if c, err = Read([]File{{Name: name, Data: data}}); err == nil {
				_, err = c.Describe(Choice{})
			}
			if err == nil {
				t.Errorf("%s was read: %v", name, c.Variables)
			}
		})
		t.Logf("%s: %d bytes, %d allocated: %v", name, len(data), took, err)
		if took > uint64(2*input.RoomFor(int64(len(data)))) { // what grows is copied while it does
			t.Errorf("%s: %d bytes took %d", name, len(data), took)
		}
	}
}

func TestSymmetry(t *testing.T) {
	a, err := multiplex.NewCSR(3, 3, []int32{0, 2, 3, 4}, []int32{0, 1, 2, 1}, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	s := a.Symmetrized()
	if a.IsSymmetric() || !s.IsSymmetric() || !slices.Equal(s.Index, []int32{0, 1, 0, 2, 1}) || !slices.Equal(s.Value, []float64{1, 2, 2, 4, 4}) {
		t.Errorf("%v %v", s.Index, s.Value)
	}
}

// Pairs of nodes are links whichever way they lie.
func TestEdgeIndex(t *testing.T) {
	for _, b := range [][]byte{
		npyOf(t, &npy.Array{Shape: []int{3, 2}, Data: []int64{0, 1, 1, 2, 3, 0}}), npyOf(t, &npy.Array{Shape: []int{2, 3}, Data: []int16{0, 1, 3, 1, 2, 0}}),
		formatstest.RawNPY(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 2), }", "\x00\x01\x03\x01\x02\x00"),
		formatstest.RawNPY(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "\x00\x01\x01\x02\x03\x00"),
	} {
		c, err := Read([]File{{Name: "edge_index.npy", Data: b}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Variables[0].Matrix(4, 4)
		if err != nil {
			t.Fatal(err)
		}
		want := []int32{1, 2, 0}
		if c.Variables[0].Form != Links || !slices.Equal(a.Index, want) || !slices.Equal(a.Start, []int32{0, 1, 2, 2, 3}) {
			t.Errorf("%+v: %v %v", c.Variables[0], a.Start, a.Index)
		}
	}
}
