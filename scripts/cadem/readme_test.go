package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cadem.example/core/formats/npy"
)

const root = "../.."

// makeProgram builds the program as a user does, once, and returns its path.
func makeProgram(t *testing.T) string {
	t.Helper()
	program, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var made = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "a folder")
	c := exec.Command("make", "-s", "cadem", "BIN="+dir)
	c.Dir = root
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make cadem: %w\n%s", err, text)
	}
	return filepath.Join(dir, "cadem"), nil
})

// scratch is a folder for what several tests use.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "cadem-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch) // a temporary folder at worst
	os.Exit(code)
}

// writeDocumentedData writes files of the names that documents have to the current folder.
func writeDocumentedData(t *testing.T) {
	t.Helper()
	writeCollection(t, ".")
	const nodes, regions, frames = 12, 24, 200
	writeLayersOfRegions(t, regions)
	edges, names, labels := "", "nodeID nodeLabel\n", "node,group\n"
	ring, pairs, features, classes := make([]float64, nodes*nodes), make([]float64, nodes*nodes), make([]float64, 2*nodes), make([]float64, nodes)
	for i := range nodes {
		edges += fmt.Sprintf("1 %d %d 1\n2 %d %d 1\n", i, (i+1)%nodes, i, (i+nodes/2)%nodes)
		names += fmt.Sprintf("%d node%d\n", i, i)
		labels += fmt.Sprintf("%d,%c\n", i, 'a'+i%2)
		for _, j := range []int{(i + 1) % nodes, (i + nodes - 1) % nodes} {
			ring[i*nodes+j] = 1
		}
		pairs[i*nodes+(i+nodes/2)%nodes] = 1
		features[i], features[nodes+i], classes[i] = float64(1+i), 1, float64(i%2)
	}
	table, confounds, parcels := "name,network\n", "trans_x\ttrans_y\n", ""
	series := make([]float32, regions*frames)
	for k := range frames {
		confounds += fmt.Sprintf("%v\t%v\n", math.Sin(float64(k)), math.Cos(float64(2*k)))
		for r := range regions {
			series[r*frames+k] = float32(math.Sin(float64(k*(1+r%5))/7) + 0.3*math.Cos(float64(k*k*(r+1))))
		}
	}
	for r := range regions {
		table += fmt.Sprintf("R%d,N%d\n", r, r%3)
		parcels += fmt.Sprintf(`<Parcel Name="R%d"><Vertices BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">%d</Vertices></Parcel>`, r, r)
	}
	if err := os.CopyFS("FOLDER", os.DirFS(writeScans(t))); err != nil {
		t.Fatal(err)
	}
	// FOLDER has one recording a subject.
	second, err := filepath.Glob("FOLDER/*/*emotion*")
	if err != nil || len(second) == 0 {
		t.Fatalf("scans %q, %v", second, err)
	}
	for _, name := range append(second, "FOLDER/scans.csv") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	square := func(x []float64) []byte {
		return zipped(t, "arr_0.npy", arrayOf(t, &npy.Array{Shape: []int{nodes, nodes}, Data: x}))
	}
	part := func(list ...float64) []byte { return arrayOf(t, &npy.Array{Shape: []int{len(list)}, Data: list}) }
	feature, target := zipped(t, "arr_0.npy", arrayOf(t, &npy.Array{Shape: []int{nodes, 2}, Data: features})), part(classes...)
	train, val, test := part(0, 1, 2, 3), part(4, 5), part(6, 7, 8, 9, 10, 11)
	group, city := strings.ReplaceAll(labels, "node,", "id,"), strings.ReplaceAll(labels, "group", "nodeCity")
	// Regions of the array have no names: those of the table are in its order.
	for name, data := range map[string][]byte{
		"contacts.csv": []byte("from,to,type,hours\nann,bob,work,2\nbob,cy,work,1\nann,cy,lunch,3\ncy,dee,lunch,1\n"),
		"my.edges":     []byte(edges), "my_nodes.txt": []byte(names), "labels.csv": []byte(labels), "regions.csv": []byte(table), "confounds.tsv": []byte(confounds),
		"s01.npy":          arrayOf(t, &npy.Array{Shape: []int{regions, frames}, Data: series}),
		"s01.ptseries.nii": cifti(regions, frames, parcels, series),
		"ACM3025.mat": matFile([]matrixOfMAT{{"PLP", nodes, nodes, ring}, {"PAP", nodes, nodes, pairs}, {"feature", nodes, 2, features},
			{"label", nodes, 1, classes}}),
		"mdm.npz": square(ring), "mam.npz": square(pairs), "mwm.npz": square(ring),
		"feature.npz": feature, "labels.npy": target,
		"imdb.zip": zipped(t, "mdm.npz", square(ring), "mam.npz", square(pairs), "feature.npz", feature, "labels.npy", target, "train_idx.npy", train,
			"val_idx.npy", val, "test_idx.npy", test),
		"freebase.zip": zipped(t, "mam.npz", square(pairs), "mdm.npz", square(ring), "mwm.npz", square(ring), "labels.npy", target, "train_20.npy", train,
			"val_20.npy", val, "test_20.npy", test, "train_40.npy", part(0, 1, 2, 3, 4), "val_40.npy", part(5), "test_40.npy", test),
		"aucs.zip":   zipped(t, "aucs.edges", []byte(edges), "labels.csv", []byte(group)),
		"eu_air.zip": zipped(t, "eu_air.edges", []byte(edges), "labels.csv", []byte(group)),
		"ckm.zip":    zipped(t, "ckm.edges", []byte(edges), "labels.csv", []byte(city)),
	} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// cifti writes a series of regions, which the elements of XML name.
func cifti(regions, frames int, parcels string, series []float32) []byte {
	text := `<CIFTI Version="2"><Matrix><MatrixIndicesMap AppliesToMatrixDimension="0" ` +
		`IndicesMapToDataType="CIFTI_INDEX_TYPE_SERIES" NumberOfSeriesPoints="` + fmt.Sprint(frames) +
		`" SeriesExponent="-3" SeriesStart="0" SeriesStep="720" SeriesUnit="SECOND"/><MatrixIndicesMap AppliesToMatrixDimension="1" ` +
		`IndicesMapToDataType="CIFTI_INDEX_TYPE_PARCELS">` +
		`<Surface BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT" SurfaceNumberOfVertices="100"/>` + parcels + `</MatrixIndicesMap></Matrix></CIFTI>`
	text += strings.Repeat("\x00", 16-(len(text)+8)%16)
	le := binary.LittleEndian
	head := make([]byte, 544)
	le.PutUint32(head, 540)
	copy(head[4:], "n+2\x00\r\n\x1a\n")
	le.PutUint16(head[12:], 16)
	le.PutUint64(head[16:], 6)
	for k, d := range []int{1, 1, 1, 1, frames, regions} {
		le.PutUint64(head[24+8*k:], uint64(d))
	}
	head[540] = 1
	b := append(le.AppendUint32(le.AppendUint32(head, uint32(len(text)+8)), 32), text...)
	le.PutUint64(b[168:], uint64(len(b)))
	for _, v := range series {
		b = le.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// A matrixOfMAT is a matrix of a MAT file, column by column.
type matrixOfMAT struct {
	name       string
	rows, cols int
	values     []float64
}

// matFile writes matrices as MATLAB's version 5 does.
func matFile(list []matrixOfMAT) []byte {
	le := binary.LittleEndian
	b := append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte(" "), 105)...)
	b = append(b, 0, 1, 'I', 'M')
	element := func(kind uint32, data []byte) []byte {
		e := append(le.AppendUint32(le.AppendUint32(nil, kind), uint32(len(data))), data...)
		return append(e, make([]byte, -len(e)&7)...)
	}
	for _, m := range list {
		var values []byte
		for _, v := range m.values {
			values = le.AppendUint64(values, math.Float64bits(v))
		}
		parts := [][]byte{element(6, []byte{6, 0, 0, 0, 0, 0, 0, 0}), element(5, le.AppendUint32(le.AppendUint32(nil, uint32(m.rows)), uint32(m.cols))),
			element(1, []byte(m.name)), element(9, values)}
		b = append(b, element(14, bytes.Join(parts, nil))...)
	}
	return b
}

// The program that make builds says what it is; a signal ends a training, which is kept.
func TestMadeProgram(t *testing.T) {
	program := makeProgram(t)
	text, err := exec.Command(program, "version").Output()
	kernels := "scalar"
	if cpu, err := os.ReadFile("/proc/cpuinfo"); err == nil && runtime.GOARCH == "amd64" && strings.Contains(string(cpu), " avx2 ") {
		if kernels = "AVX2"; strings.Contains(string(cpu), " avx512vl ") {
			kernels = "AVX-512"
		}
	}
	if err != nil || !strings.Contains(string(text), "\ntags: noasm\n") || !strings.Contains(string(text), "\nkernels: "+kernels+"\n") {
		t.Errorf("version: %v, %s", err, text)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := exec.Command(program, "train", "-data", "syn1", "-set", "epochs=100000")
		c.Dir = t.TempDir()
		pipe, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		said := ""
		for s := bufio.NewScanner(pipe); s.Scan(); {
			if strings.HasPrefix(s.Text(), "training: ") {
				if err := c.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
			}
			said += s.Text() + "\n"
		}
		_ = c.Wait() // the code is checked below
		if c.ProcessState.ExitCode() != 130 || !strings.Contains(said, "\ntraining: ") || !strings.Contains(said, "the run is kept in syn1-seed0-step") {
			t.Errorf("%v: exit code %d, said %q", signal, c.ProcessState.ExitCode(), said)
		}
		if kept, err := filepath.Glob(c.Dir + "/syn1-seed0-step*.zip"); err != nil || len(kept) != 1 {
			t.Errorf("%v: kept %v, %v", signal, kept, err)
		}
	}
}

func TestVersionText(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"cadem development version\n": {},
		"cadem development version, commit 0123456789ab with changes\n": {Main: debug.Module{Version: "v0.0.0-20260101000000-0123456789ab+dirty"},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}, {Key: "-tags", Value: "noasm"}}},
		"cadem v1.2.0\n": {Main: debug.Module{Version: "v1.2.0"}, Settings: []debug.BuildSetting{{Key: "-tags", Value: "simd,noasm"}}},
	} {
		text := versionText(info)
		if tagged := len(info.Settings) > 0; !strings.HasPrefix(text, want) || strings.Contains(text, "last digits may differ") == tagged {
			t.Errorf("%s\nexpected %s", text, want)
		}
	}
}
