package formats

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// python returns a Python with NumPy and SciPy, which some tests compare with.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy, scipy.io, scipy.sparse").Run() == nil {
			return name
		}
	}
	t.Skip("there is no Python with NumPy and SciPy here")
	return ""
}

func runPython(t *testing.T, dir, program string) string {
	t.Helper()
	c := exec.Command(python(t), "-c", program)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// The same graph in every container that NumPy, SciPy and pickle write.
const writeAll = `
import numpy as np, scipy.io, scipy.sparse as sp, pickle, gzip
r = np.random.RandomState(3)
n = 70
def layer(p):
    a = np.triu(r.rand(n, n) < p, 1)
    return (a | a.T | np.eye(n, dtype=bool))
A, B = layer(.1), layer(.4)
X = (r.rand(n, 9) * (r.rand(n, 9) < .4)).round(3)
y = r.randint(0, 3, n)
onehot = np.eye(3)[y]
def variants(f):
    for t in ('?', 'i1', 'u1', '>i2', 'u2', 'i4', '>u4', 'i8', 'u8', 'f4', '>f8'):
        f(t.replace('>', 'b').replace('?', 'bool'), lambda m: m.astype(t))
def npz(name, cast): np.savez_compressed('dense_' + name + '.npz', A=cast(A), B=np.asfortranarray(cast(B)), X=X, y=y)
variants(npz)
def mat(name, cast):
    if name[0] != 'b' or name == 'bool': scipy.io.savemat('mat_' + name + '.mat',
    	dict(A=cast(A), B=cast(B), X=sp.csc_matrix(X), y=y.astype('u1' if name == 'bool' else cast(A).dtype)), do_compression=name[0] == 'i')
variants(mat)
cell = np.empty((1, 2), dtype=object); cell[0, 0] = sp.csc_matrix(A.astype(float)); cell[0, 1] = sp.csc_matrix(B.astype(float))
scipy.io.savemat('mat_cells.mat', dict(adj=cell, X=X, info=dict(y=y + 1, name='x')), do_compression=True)
for p in (2, 3, 4, 5):
    for form in ('csr', 'csc', 'coo', 'lil'):
        conv = lambda m: getattr(sp.csr_matrix(m), 'to' + form)()
        pickle.dump(dict(adj=[conv(A.astype('f4')), conv(B)], feature=conv(X), label=onehot), open('sparse_%d_%s.pkl' % (p, form), 'wb'), protocol=p)
    pickle.dump(dict(A=A, B=np.asfortranarray(B.astype(float)), X=X, y=list(map(int, y)), n=n, k=y[0]), gzip.open('dense_%d.pkl.gz' % p, 'wb'), protocol=p)
    i = np.nonzero(np.triu(A, 1)); j = np.nonzero(np.triu(B, 1))
    pickle.dump(dict(adjs=dict(A=i, B=tuple(v.astype('i2') for v in j)), X=X, labels=y), open('links_%d.pkl' % p, 'wb'), protocol=p)
for form in ('csr', 'csc', 'coo'):
    import os
    os.mkdir(form)
    for name, m in (('A', A), ('B', B.astype('i8'))): sp.save_npz(form + '/' + name + '.npz', getattr(sp.csr_matrix(m), 'to' + form)(),
    	compressed=form != 'csc')
    sp.save_npz(form + '/feat.npz', getattr(sp.csr_matrix(X), 'to' + form)())
    np.save(form + '/labels.npy', y.astype(float))
# duplicates add up, zeros do not count
sp.save_npz('twice.npz', sp.coo_matrix((np.array([1., 2., 0., 4.]), ([0, 0, 1, 2], [1, 1, 2, 0])), shape=(3, 3)))
np.savez('words.npz', y=np.array(['b', 'a', 'b']))
`

func TestWrittenByNumPy(t *testing.T) {
	dir := t.TempDir()
	runPython(t, dir, writeAll)
	sets, err := filepath.Glob(filepath.Join(dir, "*_*"))
	if err != nil || len(sets) != 11+8+1+16+4+4 {
		t.Fatalf("%d files, %v", len(sets), err)
	}
	for _, form := range []string{"csr", "csc", "coo"} {
		sets = append(sets, filepath.Join(dir, form))
	}
	hashes := []string{}
	var features []float64
	for _, set := range sets {
		names := []string{set}
		if info, err := os.Stat(set); err == nil && info.IsDir() {
			names, _ = filepath.Glob(filepath.Join(set, "*"))
		}
		var files []File
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, File{Name: filepath.Base(name), Reader: bytes.NewReader(data)})
		}
		name := filepath.Base(set)
		c, err := Read(files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d, err := c.Describe(Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, l := range d.Guess.Layers {
			v, _ := c.find("layers", l)
			got = append(got, d.Layers[c.short(v)].Hash)
		}
		g, _, err := c.Graph(Choice{Raw: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x := make([]float64, 70*9)
		if s := g.Layers[0].Features.Sparse; s != nil {
			for i := range s.Rows {
				for k := s.Start[i]; k < s.Start[i+1]; k++ {
					x[i*9+int(s.Index[k])] = s.Value[k]
				}
			}
		} else {
			copy(x, g.Layers[0].Features.Dense)
		}
		if len(hashes) == 0 {
			hashes, features = got, x
		}
		if len(got) != 2 || !slices.Equal(got, hashes) || !slices.Equal(x, features) {
			t.Errorf("%s: layers %v, want %v; features equal: %v", name, got, hashes, slices.Equal(x, features))
		}
		if classes, _ := g.Labels[0].Counts(); len(classes) != 3 || classes[0]+classes[1]+classes[2] != 70 {
			t.Errorf("%s: classes %v", name, classes)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "twice.npz"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read([]File{{Name: "twice.npz", Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Variables[0].Matrix(3, 3)
	if err != nil || !slices.Equal(a.Index, []int32{1, 0}) || !slices.Equal(a.Value, []float64{3, 4}) {
		t.Errorf("%+v, %v", a, err)
	}
}
