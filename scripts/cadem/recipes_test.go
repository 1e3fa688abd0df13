package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A foreign file is one that another program writes, and how the line that its refusal names is run.
type foreign struct {
	file string
	by   string // what makes it
	make string // how, FILE being its name
	with string // what runs the line
	line string // what is run where the line is a part of it, LINE
	want string // in what inspect prints of what was saved
}

// What the makers share: two layers of twelve nodes.
const (
	ofPython = "import warnings; warnings.simplefilter('ignore'); import json, pickle, numpy, scipy.io, scipy.sparse\n" +
		"A = numpy.zeros((12, 12)); A[range(11), range(1, 12)] = 1; A += A.T; B = 2 * A; S = ['n%d' % k for k in range(12)]\n" +
		"E = [(S[i], S[i + 1], layer, 1.5) for layer in ('work', 'lunch') for i in range(11)]\n"
	ofNetworkx = ofPython + "import networkx as nx\ng = nx.MultiGraph()\nfor i, j, layer, w in E: g.add_edge(i, j, key=layer, layer=layer, weight=w)\n"
	ofPandas   = ofPython + "import pandas; e = pandas.DataFrame(E, columns=['source', 'target', 'layer', 'weight'])\n"
	ofR        = "suppressMessages(library(igraph)); g <- make_ring(12); V(g)$name <- paste0('n', 1:12); E(g)$layer <- rep(c('work', 'lunch'), 6); " +
		"E(g)$weight <- 1.5; m <- as.matrix(as_adjacency_matrix(g));"
	ofOctave = "A = zeros(12); A(1, :) = 1; A(:, 1) = 1; B = 2 * A; "
	loaded   = ofNetworkx + "matrix = frame = graph = pickle.load(open('FILE', 'rb'))\n"
)

var foreigners = map[string]foreign{
	".rds, a graph":    {"g.rds", "R", ofR + "saveRDS(g, 'FILE')", "R", "", "12 nodes"},
	".rds, a table":    {"t.rds", "R", ofR + "saveRDS(as_data_frame(g), 'FILE')", "R", "", "12 nodes"},
	".RData, a graph":  {"g.RData", "R", ofR + "save(g, file = 'FILE')", "R", "", "12 nodes"},
	".RData, a matrix": {"m.RData", "R", ofR + "g <- m; save(g, file = 'FILE')", "R", "", "12 nodes"},
	"SPSS": {"e.sav", "sh",
		"printf '%s\\n' 'data list list /source target layer (a8) weight (f8.2).' 'begin data' 'a b work 1' 'b c lunch 2' 'c a work 1' 'end data.' " +
			`"save outfile='FILE'." > e.sps; pspp e.sps`, "R", "", "3 nodes"},
	"Stata":  {"e.dta", "python", ofPandas + "e.to_stata('FILE', write_index=False)", "python", "", "12 nodes"},
	"SQLite": {"e.sqlite", "python", ofPandas + "import sqlite3; e.to_sql('g', sqlite3.connect('FILE'), index=False)", "sh", "", "12 nodes"},
	"HDF5":   {"a.h5", "python", ofPython + "import h5py; f = h5py.File('FILE', 'w'); f['A'] = A; f['B'] = B; f.close()", "python", "", "12 nodes"},
	"NetCDF 4": {"x.nc", "python",
		ofPython + "import xarray; xarray.Dataset({'A': (('i', 'j'), A), 'B': (('i', 'j'), B)}).to_netcdf('FILE')", "python", "", "12 nodes"},
	"NetCDF 3": {"x3.nc", "python",
		ofPython + "import xarray; xarray.Dataset({'A': (('i', 'j'), A)}).to_netcdf('FILE', engine='scipy')", "python", "", "12 nodes"},
	"PyTorch": {"t.pt", "python",
		ofPython + "import torch; torch.save({'A': torch.tensor(A), 'B': torch.tensor(B)}, 'FILE')", "python", "", "12 nodes"},
	"text of Octave":   {"o.txt", "octave", ofOctave + "save('-text', 'FILE', 'A', 'B')", "octave", "", "12 nodes"},
	"binary of Octave": {"o.bin", "octave", ofOctave + "save('-binary', 'FILE', 'A', 'B')", "octave", "", "12 nodes"},
	"MATLAB 4":         {"m4.mat", "python", ofPython + "scipy.io.savemat('FILE', {'A': A, 'B': B}, format='4')", "octave", "", "12 nodes"},
	"complex numbers": {"c.mat", "octave", ofOctave + "A = A + i; B = B + i; save('FILE', '-v7', 'A', 'B')", "octave",
		"load('FILE'); A = LINE(A); B = LINE(B); save('FILE.mat', '-v7')", "12 nodes"},
	"LEDA":            {"g.lgr", "R", ofR + "write_graph(g, 'FILE', format = 'leda')", "python", "", "12 nodes"},
	"DOT of networkx": {"g.dot", "python", ofNetworkx + "nx.nx_pydot.write_dot(g, 'FILE')", "sh", "", "12 nodes"},
	"DOT of igraph":   {"r.dot", "R", ofR + "write_graph(g, 'FILE', format = 'dot')", "sh", "", "12 nodes"},
	"graph-tool": {"g.gt", "python", "import warnings; warnings.simplefilter('ignore'); import graph_tool.generation as g; g.lattice([3, 4]).save('FILE')",
		"python", "", "12 nodes"},
	"AnnData": {"a.h5ad", "python", ofPython + "import anndata; a = anndata.AnnData(A.astype('float32')); a.obsp['near'] = scipy.sparse.csr_matrix(A); " +
		"a.obsp['far'] = B; a.write_h5ad('FILE')", "python", "", "12 nodes"},
	"an old pickle":   {"p0.pkl", "python", ofPython + "pickle.dump({'A': A, 'B': B}, open('FILE', 'wb'), protocol=0)", "python", "", "12 nodes"},
	"a pickled table": {"f.pkl", "python", ofPandas + "pandas.DataFrame(A, S, S).to_pickle('FILE')", "python", loaded + "LINE", "12 nodes"},
	"a pickled graph": {"i.pkl", "python", "import igraph; igraph.Graph.Ring(12).write_pickle('FILE')", "python", loaded + "LINE", "12 nodes"},
	"tuples as nodes": {"t.pkl", "python",
		ofNetworkx + "pickle.dump(nx.grid_graph([3, 4]), open('FILE', 'wb'))", "python", loaded + "pickle.dump(LINE, open('FILE.pkl', 'wb'))", "12 nodes"},
	"a sparse pickle": {"s.pkl", "python",
		ofPython + "pickle.dump(scipy.sparse.bsr_matrix(A), open('FILE', 'wb'))", "python", loaded + "pickle.dump(LINE, open('FILE.pkl', 'wb'))", "12 nodes"},
	"graphs in an array": {"g.npy", "python",
		ofNetworkx + "h = numpy.empty(2, object); h[:] = [nx.Graph(g), nx.Graph(g)]; numpy.save('FILE', h)",
		"python", ofNetworkx + "graphs = list(numpy.load('FILE', allow_pickle=True)); LINE", "12 nodes"},
	"CIFTI-1": {"old.ptseries.nii", "sh", `/usr/bin/python3 -c "import numpy as n, nibabel as b; c = b.cifti2
p = c.ParcelsAxis(['n%d' % k for k in range(12)], [n.array([[k, 0, 0]]) for k in range(12)], [{}] * 12, n.eye(4), (12, 1, 1))
c.Cifti2Image(n.eye(30, 12, dtype='f4'), c.Cifti2Header.from_axes((c.SeriesAxis(0, 1, 30), p))).to_filename('new.ptseries.nii')"
wb_command -file-convert -cifti-version-convert new.ptseries.nii 1 FILE`, "sh", "", "12 regions x 30 frames"},
}

// Every line that a refusal names, as docs/files.md lists them, saves a file of its program as something that is read.
func TestRecipes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (.+) \\| `(.+)` \\| (.+ [\\d.]+) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(foreigners) {
		t.Errorf("docs/files.md has %d lines, expected %d", len(rows), len(foreigners))
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			t.Chdir(t.TempDir())
			f, known := foreigners[row[1]]
			if !known {
				t.Fatal("nothing here makes such a file")
			}
			named := strings.NewReplacer("FILE", f.file, "NAME", "g", "OLD", f.file, "NEW", "newer.ptseries.nii").Replace
			if made := runBy(t, f.by, named(f.make)); made == nil {
				return
			}
			said, line := refusal(t, f.file), strings.ReplaceAll(row[2], "FILE", f.file)
			if !strings.Contains(said, line) && !strings.Contains(said, row[2]) {
				t.Fatalf("the refusal names another line: %s", said)
			}
			before, _ := filepath.Glob("*")
			if f.line != "" {
				line = strings.ReplaceAll(f.line, "LINE", row[2])
			}
			if runBy(t, f.with, named(line)) == nil {
				return
			}
			after, _ := filepath.Glob("*")
			args := []string{"inspect"}
			for _, name := range after {
				if !strings.Contains("\n"+strings.Join(before, "\n")+"\n", "\n"+name+"\n") {
					args = append(args, name)
				}
			}
			out, log, err := command(t, args...)
			if !strings.Contains(out+log, f.want) {
				t.Errorf("%q: %v: %s%s", args, err, out, log)
			}
		})
	}
}

// refusal returns why a file is not read.
func refusal(t *testing.T, name string) string {
	t.Helper()
	out, log, err := command(t, "inspect", name)
	if err == nil {
		t.Fatalf("it is read: %s%s", out, log)
	}
	return err.Error()
}

// runBy has a program do what the code says, and returns what it prints; nil if it is not there.
func runBy(t *testing.T, program, code string) []byte {
	t.Helper()
	args := map[string][]string{"python": {"/usr/bin/python3", "-c"}, "R": {"Rscript", "-e"}, "octave": {"octave", "--no-gui", "-q", "--eval"},
		"sh": {"sh", "-ec"}}[program]
	out, err := exec.Command(args[0], append(args[1:], code)...).CombinedOutput()
	missing := regexp.MustCompile(`executable file not found|ModuleNotFoundError|there is no package called|not found\n$`)
	if err != nil && missing.MatchString(err.Error()+string(out)) {
		t.Skipf("not run: %v %s", err, bytes.TrimSpace(out))
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", code, err, out)
	}
	return append(out, '\n')
}
