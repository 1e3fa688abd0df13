package formats

import (
	"archive/zip"
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

// A badChoice is files that cannot be read, or do not fit together, and the error.
type badChoice struct {
	name  string
	files []File
	want  string
}

// checkRefused opens every choice: none gives a graph, and every error is one that tells what
// was found and expected, except for those of the reader itself.
func checkRefused(t *testing.T, list []badChoice) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			g, r, err := openChoice(c.files, Choice{})
			if g != nil || r != nil {
				t.Errorf("read %+v", r)
			}
			var e *diag.Error
			if c.name != "read fault" && !errors.As(err, &e) {
				t.Errorf("%T", err)
			}
			if c.want != "" {
				formatstest.CheckError(t, err, c.want)
			}
		})
	}
}

func matOf(parts ...[]byte) []byte {
	return slices.Concat(append([][]byte{newMAT(false).b}, parts...)...)
}

func TestBadMATs(t *testing.T) {
	m := newMAT(false)
	checkRefused(t, []badChoice{
		{"HDF5", []File{{Name: "a.mat", Data: append([]byte("MATLAB 7.3 MAT-file"), make([]byte, 600)...)}},
			"a.mat: found an HDF5 file, as MATLAB saves with '-v7.3', expected " + strings.ReplaceAll(input.WantMAT, "FILE", "a.mat")},
		{"byte order", []File{{Name: "a.mat", Data: bytes.Replace(matOf(), []byte("IM"), []byte("XX"), 1)}},
			`a.mat: header: found the byte order mark "XX", expected "IM" or "MI"`},
		{"mark of the other order", []File{{Name: "a.mat", Data: bytes.Replace(sampleMAT(false, false), []byte("IM"), []byte("MI"), 1)}},
			`a.mat: header: found the byte order mark "MI" beside a version in the other order, bytes 00 01, expected "IM" beside 00 01 or "MI" beside 01 00`},
		{"content of the other order", []File{{Name: "a.mat", Data: slices.Concat(newMAT(true).b, sampleMAT(false, true)[128:])}},
			`a.mat: variable 1: found an element whose type is 15 in the other byte order, expected the order that the mark "MI" in the header tells`},
		{"unknown element", []File{{Name: "a.mat", Data: matOf([]byte{19, 0, 0, 0, 0, 0, 0, 0})}},
			"a.mat: variable 1: found an element of type 19, expected a type from 1 to 18"},
		{"cut off in a variable", []File{{Name: "a.mat", Data: sampleMAT(false, false)[:180]}}, "a.mat: A: found a file that is cut off, expected a complete one"},
		{"cut off in a packed variable", []File{{Name: "a.mat", Data: sampleMAT(false, true)[:180]}},
			"a.mat: variable 1: found a file that is cut off, expected a complete one"},
		{"nothing", []File{{Name: "a.mat", Data: matOf()}}, "a.mat: found a MAT-file that ends before its first variable, expected matrices"},
		{"sizes that lie", []File{{Name: "a.mat", Data: matOf(m.matrix("A", mxDouble, []int{3, 4}, m.ints(2, 0, 1, 0, 1, 0, 0, 0, 0, 1)))}},
			"a.mat: A: found sizes [3 4] and 9 entries, expected as many entries as the sizes say"},
		{"product of sizes", []File{{Name: "a.mat", Data: matOf(m.matrix("A", mxDouble, []int{1 << 30, 1 << 30}, m.ints(2, 0)))}},
			"a.mat: A: found a size of 1073741824, expected sizes whose product is below 2^31"},
		{"negative size", []File{{Name: "a.mat", Data: matOf(m.matrix("A", mxDouble, []int{-1, 1}, m.ints(2, 0)))}},
			"a.mat: A: found a size of -1, expected sizes whose product is below 2^31"},
		{"longer than its variable",
			[]File{{Name: "a.mat",
				Data: bytes.Replace(matOf(m.matrix("A", mxDouble, []int{3, 3}, m.ints(2, 0, 1, 0, 1, 0, 0, 0, 0, 1))), []byte{2, 0, 0, 0, 9, 0, 0, 0},
					[]byte{2, 0, 0, 0, 9, 0, 0, 9}, 1)}},
			"a.mat: A: found an element of 150994953 bytes where 16 are left, expected one that fits into its variable"},
		{"column starts", []File{{Name: "a.mat", Data: matOf(m.matrix("S", mxSparse, []int{3, 3}, m.ints(5, 1), m.ints(5, 0, 2, 1, 1), m.ints(9, 1)))}},
			"a.mat: S: found a row or column that begins at entry 2 after 0, expected increasing numbers from 0 to 1"},
		{"many cells", []File{{Name: "a.mat", Data: matOf(m.matrix("c", mxCell, []int{1, 1 << 20}))}}, "a.mat: c: found 1048576 cells, expected at most 4096"},
	})
}

// squares returns an NPY file of a ring of n nodes that begins with x.
func squares(t *testing.T, n int, x ...float64) []byte {
	t.Helper()
	a := &npy.Array{Shape: []int{n, n}, Data: make([]float64, n*n)}
	for i := range n {
		a.Data.([]float64)[i*n+(i+1)%n] = 1
	}
	copy(a.Data.([]float64), x)
	return npyOf(t, a)
}

func withRing(t *testing.T, b []byte) []File {
	t.Helper()
	return []File{{Name: "a.npy", Data: squares(t, 3)}, {Name: "b.npy", Data: b}}
}

// coo returns a 3 x 3 matrix of two entries as SciPy saves it.
func coo(t *testing.T, row, col string) []byte {
	t.Helper()
	return formatstest.Zip(t, zip.Deflate,
		"format.npy", string(formatstest.RawNPY(1, "{'descr': '|S3', 'fortran_order': False, 'shape': (), }", "coo")),
		"shape.npy", string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []int64{3, 3}})), "data.npy",
		string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []bool{true, true}})),
		"row.npy", string(formatstest.RawNPY(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", row)),
		"col.npy", string(formatstest.RawNPY(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", col)))
}

func TestBadArrays(t *testing.T) {
	checkRefused(t, []badChoice{
		{"not square", []File{{Name: "a.npy", Data: squares(t, 3)}, {Name: "b.npy", Data: npyOf(t, &npy.Array{Shape: []int{3, 4}, Data: make([]float64, 12)})}},
			"layers: found 1 among a (may be one), b (3 x 4, not square), expected at least 2: square matrices of numbers >= 0 or lists of links"},
		{"endless feature", append(withRing(t, squares(t, 3)), File{Name: "feat.npy", Data: squares(t, 3, math.Inf(1))}),
			"feat.npy: feat: found +Inf in row 0, column 0, expected finite numbers"},
		{"other size", withRing(t, squares(t, 4)), "b.npy: b: found a layer of 4 nodes, expected 3 as in a"},
		{"NaN", withRing(t, squares(t, 3, math.NaN())), "b.npy: b: found NaN in row 0, column 0, expected finite numbers"},
		{"huge weight", withRing(t, squares(t, 3, 1e300)), "b.npy: b: found the weight 1e+300 in row 0, column 0, expected 0 or a number from 1e-12 to 1e+12"},
		{"row out of range", append(withRing(t, nil)[:1], File{Name: "b.npz", Data: coo(t, "\x00\x03", "\x01\x02")}),
			"b.npz: b: found an entry in row 3, column 2, expected rows below 3 and columns below 3"},
		{"labels, length", append(withRing(t, squares(t, 3)), File{Name: "labels.npy", Data: npyOf(t, &npy.Array{Shape: []int{4}, Data: make([]int32, 4)})}),
			"labels.npy: labels: found labels of shape [4], expected 3 labels, one a node"},
		{"labels, part", append(withRing(t, squares(t, 3)), File{Name: "labels.npy", Data: npyOf(t, &npy.Array{Shape: []int{3}, Data: []float64{0, .5, 1}})}),
			"labels.npy: labels: found the label 0.5 of node 1, expected whole numbers"},
		{"two classes",
			append(withRing(t, squares(t, 3)),
				File{Name: "labels.npy", Data: npyOf(t, &npy.Array{Shape: []int{3, 2}, Data: []bool{true, false, true, true, false, false}})}),
			"labels.npy: labels: found 2 classes in row 1, expected at most one column that is not 0 in a row"},
		{"features, length", append(withRing(t, squares(t, 3)), File{Name: "features.npy", Data: npyOf(t, &npy.Array{Shape: []int{4, 2}, Data: make([]int32, 8)})}),
			"features.npy: features: found a dense array of shape [4 2] and type int32, expected features: a matrix of numbers with 3 rows, one a node"},
		{"objects", []File{{Name: "a.npy", Data: formatstest.RawNPY(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "\x80\x04N.")}},
			"a.npy: a: found an array of Python objects, expected numbers or text: NAME.astype(float) or NAME.astype(str) makes them of an array"},
		{"complex", []File{{Name: "a.npy", Data: formatstest.RawNPY(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678")}},
			`a.npy: a: found entries of type "<c8", expected numbers, truth values or text: numpy.abs or .real makes numbers of complex ones, ` +
				".astype(float) of others"},
		{"shape that lies",
			[]File{{Name: "a.npy", Data: formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (9000, 9000), }", "12345678")}},
			"a.npy: a: found a file that is cut off, expected a complete one"},
		{"shape beyond all",
			[]File{{Name: "a.npy", Data: formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000, 9000000000), }", "")}},
			"a.npy: a: found a shape of [9000000000 9000000000], expected at most 2.1 GB of entries"},
		{"no row", []File{{Name: "b.npz", Data: formatstest.Zip(t, zip.Store, "format.npy", string(formatstest.RawNPY(1, "{'descr': '|S3', "+
			"'fortran_order': False, 'shape': (), }", "csr")), "shape.npy", string(npyOf(t, &npy.Array{Shape: []int{2}, Data: []int64{3, 3}})), "data.npy",
			string(npyOf(t, &npy.Array{Shape: []int{1}, Data: []bool{true}})))}},
			"b.npz: b: found a sparse matrix without indices, expected data, indices and indptr"},
	})
}

func pickleOf(s string) []byte { return []byte("\x80\x04" + s) }

func TestBadPickles(t *testing.T) {
	checkRefused(t, []badChoice{
		{"a function", []File{{Name: "a.pkl", Data: pickleOf("cos\nsystem\n(X\x02\x00\x00\x00lstR.")}},
			`a.pkl: a: found an object of "os.system", which is not read because reading it could run a program, expected a pickle of lists, ` +
				`dictionaries, numbers, NumPy arrays, SciPy matrices and graphs of networkx`},
		{"a class", []File{{Name: "a.pkl", Data: pickleOf("\x8c\x05torch\x8c\x06Tensor\x93.")}},
			`a.pkl: a: found an object of "torch.Tensor", which is not read because reading it could run a program, expected arrays: ` +
				`tensor.numpy() makes one of a tensor, and numpy.savez keeps them`},
		{"protocol 1", []File{{Name: "a.pkl", Data: []byte("\x80\x01N.")}},
			"a.pkl: found a pickle of protocol 1, expected protocol 2 to 5: pickle.dump(..., protocol=4)"},
		{"list in itself", []File{{Name: "a.pkl", Data: pickleOf("]q\x00h\x00a.")}},
			"a.pkl: a[0][0][0][0][0][0][0][0]: found values inside of values, deeper or more than can be, or inside of themselves, expected at most 8 " +
				"levels and 4096 variables"},
		{"widely in itself", []File{{Name: "a.pkl", Data: pickleOf("]q\x00(" + strings.Repeat("h\x00", 100) + "e.")}}, ""},
		{"empty stack", []File{{Name: "a.pkl", Data: pickleOf("a.")}}, "a.pkl: found an operation without its operand, expected a complete pickle"},
		{"no end", []File{{Name: "a.pkl", Data: pickleOf("]q\x00")}}, "a.pkl: found a file that is cut off, expected a complete one"},
		{"cut off in an array", []File{{Name: "a.pkl", Data: samplePickle()[:bytes.Index(samplePickle(), []byte("indptr"))+40]}},
			"a.pkl: B: found a file that is cut off, expected a complete one"},
		{"cut off in a member",
			[]File{{Name: "a.zip", Data: formatstest.Zip(t, zip.Deflate, "set/a.npy", string(squares(t, 3)), "set/b.pkl", string(samplePickle()[:60]))}},
			"a.zip/set/b.pkl: A: found a file that is cut off, expected a complete one"},
		{"unknown reference", []File{{Name: "a.pkl", Data: pickleOf("h\x07.")}},
			"a.pkl: found a reference to value 7, which was not stored, expected a complete pickle"},
		{"text of 4 GB", []File{{Name: "a.pkl", Data: pickleOf("X\xff\xff\xff\xff")}}, "a.pkl: found 4.3 GB once unpacked, expected at most 2.1 GB in a file"},
	})
}
