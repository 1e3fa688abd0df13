package formats

import (
	"archive/zip"
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem/core/json"
	"cadem/core/multiplex"
)

// FuzzEdges opens any text as an edge list, alone and with a node file. What opens
// passes the graph's own checks and agrees with its report.
func FuzzEdges(f *testing.F) {
	for _, name := range []string{"office_multiplex.edges", "office_nodes.txt", "office_layers.txt", "labels.csv"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte("nodeID nodeLabel x\n1 Ana 1\n2 Bo 1\n3 Bo 2\n4 a b c 2\n"))
	}
	for _, s := range []string{
		"1 1 2 1\n2 1 2 1\n", "layer,source,target\na,\"x, y\",z\nb,z,z\n", "0;1;2\r\n1;1;2\r", "\ufeff# c\n1\t1\t2\n", "\xff\xfe1\x00", "1 1 2 1e999\n", "1 1 2 -0\n2 0001 +2 1e-12\n",
		"layer,from,to\n1,1,2\n1,1,2\n1,2,1\n2,2,2\n", ",,,\n", "1 1 2 NaN", strings.Repeat("9", 400) + " 1 2",
	} {
		f.Add([]byte(s), []byte("id\n1\n2\n"))
	}
	f.Fuzz(func(t *testing.T, edges, nodes []byte) {
		for _, files := range [][]File{{{Name: "a.edges", Data: edges}}, {{Name: "a.edges", Data: edges}, {Name: "a_nodes.txt", Data: nodes}}} {
			var g *multiplex.Graph
			var r *Report
			var err error
			frugal(t, len(edges)+len(nodes), func() { g, r, err = Open(files) })
			if err != nil {
				if g != nil || r != nil || err.Error() == "" {
					t.Fatalf("a graph beside the error %v", err)
				}
				continue
			}
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			if r.Nodes != g.M() || len(g.Nodes) != g.M() || len(r.Layers) != g.N() {
				t.Fatalf("%d nodes, %d names, %d layers, report %+v", g.M(), len(g.Nodes), g.N(), r)
			}
			for l, c := range r.Layers {
				// Every row is an edge, a loop, the way back, a repetition.
				if c.LayerSummary != g.Layers[l].Summary() || c.Arcs != c.Edges+c.SelfLoops+c.Mutual+c.Repeated {
					t.Fatalf("layer %d: %+v, %+v", l, c, g.Layers[l].Summary())
				}
			}
		}
	})
}

// FuzzLabels reads any text as labels. What reads is written and reads the same.
func FuzzLabels(f *testing.F) {
	for _, s := range []string{
		"name,x\nAna,1\nBo,2\n", "name;x;y\n\"a,b\";NA;1\n\"say \"\"hi\"\"\";2;\n", "id\tx y\n=1\tA\nAna\tB\n", "# c\nnode x\nBo 1\nAna 01\n", "name,\"a\nb\"\n\"two\nlines\",\"c\n\"\nBo,d\n", "name,x\nAna,\"\n",
	} {
		f.Add([]byte(s))
	}
	names := []string{"Ana", "Bo", "a,b", `say "hi"`, "=1", "two\nlines", "7", "# no"}
	f.Fuzz(func(t *testing.T, data []byte) {
		g := named(t, names)
		var sets []multiplex.LabelSet
		var err error
		frugal(t, len(data), func() { sets, _, err = ReadLabels(File{Name: "l.csv", Data: data}, g) })
		if err != nil || len(sets) == 0 {
			return
		}
		g.Labels = sets
		var b bytes.Buffer
		if err := WriteLabels(&b, g); err != nil {
			t.Fatal(err)
		}
		again, _, err := ReadLabels(File{Name: "l.csv", Data: b.Bytes()}, g)
		if err != nil || !reflect.DeepEqual(again, sets) {
			t.Fatalf("%v became\n%q\n%v %v", sets, b.String(), again, err)
		}
	})
}

func addNPY(f *testing.F, add func([]byte)) {
	for _, a := range []*Array{{[]int{2, 2}, []float64{0, 1, 2, 3}}, {[]int{3}, []float32{1.5, -2, 3}}, {[]int{}, []int64{-1}}, {[]int{2}, []bool{true, false}}, {[]int{0, 5}, []int32{}}} {
		add(npy(f, a))
	}
	add(rawNPY(2, "{'descr': '>i2', 'fortran_order': True, 'shape': (1, 2), }", "\x01\x02\x03\x04"))
	add(rawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""))
	add(append([]byte(npyMagic), 2, 0, 255, 255, 255, 255))
}

// checkArray writes an array and reads it back.
func checkArray(t *testing.T, a *Array) {
	t.Helper()
	if _, n := descr(a.Data); n != a.Len() {
		t.Fatalf("shape %v with %d entries", a.Shape, n)
	}
	a.Ints()
	a.Float64s()
	b := npy(t, a)
	again, err := readNPY("again", b)
	// Bytes are compared, since NaN differs from itself.
	if err != nil || !slices.Equal(again.Shape, a.Shape) || !bytes.Equal(npy(t, again), b) {
		t.Fatalf("%v %T: %v, %v", a.Shape, a.Data, again, err)
	}
}

func FuzzNPY(f *testing.F) {
	addNPY(f, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, data []byte) {
		var a *Array
		var err error
		if frugal(t, len(data), func() { a, err = ReadNPY(File{Name: "a.npy", Data: data}) }); err == nil {
			checkArray(t, a)
		}
	})
}

func FuzzNPZ(f *testing.F) {
	addNPY(f, func(b []byte) {
		f.Add(zipped(f, zip.Store, "x.npy", string(b)))
		f.Add(zipped(f, zip.Deflate, "x.npy", string(b), "y.npy", string(b)))
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		var arrays map[string]*Array
		var err error
		if frugal(t, len(data), func() { arrays, err = ReadNPZ(File{Name: "a.npz", Data: data}) }); err != nil {
			return
		}
		for _, a := range arrays {
			checkArray(t, a)
		}
	})
}

// FuzzArchive reads any bytes as a run archive, and packs any run and blob into one.
func FuzzArchive(f *testing.F) {
	f.Add(archived(f, sample), "a.bin")
	f.Add(archived(f, &Archive{Run: json.RawMessage(`{"seed":7}`)}), "data/é.edges")
	f.Add(zipped(f, zip.Store, "run.json", `{"format":2}`), "../a")
	f.Add([]byte(`{"a":[1,2,{"b":null}]}`), "run.json")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		check := func(a *Archive) {
			again, err := ReadArchive(archived(t, a))
			if err != nil || !reflect.DeepEqual(again, a) {
				t.Fatalf("%v became %v, %v", a, again, err)
			}
		}
		var a *Archive
		var err error
		if frugal(t, len(data), func() { a, err = ReadArchive(data) }); err == nil {
			check(a)
		}
		a = &Archive{Run: bytes.TrimSpace(data), Blobs: map[string][]byte{name: append([]byte{}, data...)}}
		if err := WriteArchive(&bytes.Buffer{}, a); err == nil {
			check(a)
		}
	})
}

// FuzzContainer reads any bytes as a file of any kind, and makes of it what can be made.
func FuzzContainer(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		use(t, "a", data)
		same(t, "a", data)
	})
}

// FuzzMAT, FuzzPickle and FuzzGraphML begin as files of their kind do.
func FuzzMAT(f *testing.F) {
	for _, big := range []bool{false, true} {
		f.Add(sampleMAT(big, false)[128:], big)
	}
	f.Fuzz(func(t *testing.T, data []byte, big bool) { use(t, "a.mat", append(newMAT(big).b, data...)) })
}

func FuzzPickle(f *testing.F) {
	f.Add(samplePickle()[2:])
	f.Add([]byte("]q\x00(h\x00h\x00e."))
	f.Add([]byte("\x8c\x05numpy\x8c\x05dtype\x93\x8c\x02f8\x89\x88\x87R."))
	f.Fuzz(func(t *testing.T, data []byte) { use(t, "a.pkl", append([]byte("\x80\x05"), data...)) })
}

func FuzzGraphML(f *testing.F) {
	f.Add(office[strings.Index(office, "<key"):])
	f.Fuzz(func(t *testing.T, data string) { use(t, "a.graphml", []byte("<graphml>"+data)) })
}

// FuzzTexts reads any two texts together.
func FuzzTexts(f *testing.F) {
	f.Add("1 2\n2 3\n", "from,to\n1,3\n")
	f.Add("a.txt;One;b.txt\n", "1 2\n")
	f.Add("#ACTORS\na\nb\n#EDGES\na,b,x\na,b,y\n", "0.5,1\n2,3\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		var g *multiplex.Graph
		var err error
		frugal(t, len(a)+len(b), func() {
			g, _, err = Open([]File{{Name: "a.txt", Data: []byte(a)}, {Name: "b.txt", Data: []byte(b)}})
		})
		if err == nil && g.Check() != nil {
			t.Fatal(g.Check())
		}
	})
}
