package worker

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

func ints(s bridge.Slab) []int {
	x := make([]int, len(s.Data)/4)
	for i := range x {
		x[i] = int(int32(binary.LittleEndian.Uint32(s.Data[4*i:])))
	}
	return x
}

func TestRegions(t *testing.T) {
	c := start(t)
	m := c.call("open", `"data":{"example":"cohort","options":{"regions":60,"frames":80},"data_seed":2}`)
	if s := m.slabs["places"]; !slices.Equal(s.Shape, []int{60, 3}) {
		t.Fatalf("places of shape %v", s.Shape)
	}
	network := ints(m.slabs["labels:0"])
	c.event(c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`), "progress")
	m = c.call("regions", `"share":10`)
	var r struct {
		Step   int
		Layers []struct {
			Name      string
			Networks  []connectome.NetworkCount
			Untrained []int
		}
	}
	m.read(t, &r)
	if len(r.Layers) != 2 || r.Layers[0].Name != "co-activation" || r.Layers[1].Name != "anti-activation" {
		t.Fatalf("%+v", r)
	}
	for l, name := range []string{"0", "1"} {
		values, top := floats(m.slabs["values:"+name]), ints(m.slabs["top:"+name])
		if len(values) != 60 || len(top) != 6 {
			t.Fatalf("layer %s: %d values, %d of them chosen", name, len(values), len(top))
		}
		counts := make([]int, 7)
		for k, i := range top {
			counts[network[i]]++
			if k > 0 && values[i] > values[top[k-1]] {
				t.Errorf("layer %s: region %d is larger than the one before", name, i)
			}
		}
		for i, v := range values {
			if !slices.Contains(top, i) && v > values[top[5]] {
				t.Errorf("layer %s: region %d is missing", name, i)
			}
		}
		for k, n := range r.Layers[l].Networks {
			if n.Count != r.Layers[l].Untrained[k] {
				t.Errorf("layer %s, network %d: before the first step %d, untrained %d", name, k, n.Count, r.Layers[l].Untrained[k])
			}
			if n.Count != counts[k] {
				t.Errorf("layer %s, network %d: %d, want %d", name, k, n.Count, counts[k])
			}
		}
		edges := ints(m.slabs["edges:"+name])
		for k := 0; k < len(edges); k += 2 {
			if !slices.Contains(top, edges[k]) || !slices.Contains(top, edges[k+1]) {
				t.Errorf("layer %s: an edge of %d and %d, which are not both chosen", name, edges[k], edges[k+1])
			}
		}
	}
	if e := c.fail("regions", `"share":0`); e.Code != "bad-option" || e.Field != "share" {
		t.Errorf("share 0: %+v", e)
	}
	c.call("open", syn1)
	c.event(c.send("train", short), "progress") // it stands
	if e := c.fail("regions", `"share":10`); e.Code != "no-data" {
		t.Errorf("a graph that is no brain: %+v", e)
	}
}

func TestEdgesAmong(t *testing.T) {
	a, err := multiplex.FromEdges(5,
		[]multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 3}, {I: 2, J: 3, Weight: 2}, {I: 3, J: 4, Weight: 9}, {I: 1, J: 3, Weight: 3},
			{I: 2, J: 2, Weight: 5}})
	if err != nil {
		t.Fatal(err)
	}
	if got := edgesAmong(a, []int{3, 1, 2}); !slices.Equal(got, []int{3, 1, 1, 2, 3, 2}) {
		t.Errorf("%v", got)
	}
	if got := edgesAmong(a, []int{0}); len(got) != 0 {
		t.Errorf("one node: %v", got)
	}
}

// One subject's files are read once, when they are inspected, and leave nothing to choose.
func TestSubject(t *testing.T) {
	o := &cohort.Options{}
	property.Defaults(o)
	o.Regions, o.Frames = 60, 100 // as long as half a cycle of the band
	cohort, err := cohort.New(o, 4)
	if err != nil {
		t.Fatal(err)
	}
	s := cohort.Series(1, 2)
	text := strings.Join(s.Regions, ",") + "\n"
	for frame := range s.Frames {
		for i := range s.M() {
			text += fmt.Sprintf("%s%.4f", []string{"", ","}[min(i, 1)], s.Row(i)[frame])
		}
		text += "\n"
	}
	data := []byte(text)
	c := start(t)
	var found struct {
		Plain   bool
		Subject struct {
			Ask   []string
			Files []struct{ File, As string }
		}
	}
	c.call("inspect", filesArgument("s.csv", data, ""), bridge.Bytes("file:0", data)).read(t, &found)
	if found.Plain || !slices.Equal(found.Subject.Ask, []string{"tr"}) || len(found.Subject.Files) != 1 ||
		found.Subject.Files[0].As != "series of 60 regions x 100 frames" {
		t.Errorf("inspected: %+v", found)
	}
	if e := c.fail("estimate", `"choice":{}`); e.Code != "no-data" {
		t.Errorf("there is nothing to estimate: %+v", e)
	}
	var opened struct {
		Summary struct {
			Nodes, Features int
			Layers          []struct{ Edges int }
			Subject         struct {
				TR    float64
				Steps []string
			}
		}
	}
	c.call("open", filesArgument("s.csv", data, "")).read(t, &opened)
	if opened.Summary.Nodes != 60 || opened.Summary.Features != 2 || strings.Contains(strings.Join(opened.Summary.Subject.Steps, " "), "band-pass") {
		t.Errorf("opened: %+v", opened)
	}
	// Other steps, of the files that are open.
	edges := opened.Summary.Layers[0].Edges
	with := strings.TrimSuffix(filesArgument("s.csv", data, ""), "}") + `,"options":{"tr":0.72,"keep":5}}`
	c.call("open", with).read(t, &opened)
	if s := opened.Summary; s.Layers[0].Edges >= edges || s.Subject.TR != 0.72 ||
		!strings.Contains(strings.Join(s.Subject.Steps, " "), "band-pass 0.008-0.08 Hz") {
		t.Errorf("with other steps: %+v", s)
	}
	if e := c.fail("open", strings.Replace(with, "0.72", "-1", 1)); e.Code != "bad-option" || e.Field != "tr" {
		t.Errorf("a negative time: %+v", e)
	}
	// A series with a mistake is refused with its name.
	data = append(data, "1,2\n"...)
	if e := c.fail("inspect", filesArgument("s.csv", data, ""), bridge.Bytes("file:0", data)); e.Code != "bad-data" || e.File != "s.csv" {
		t.Errorf("a short row: %+v", e)
	}
}

// A surface is read beside whatever is open.
func TestSurface(t *testing.T) {
	part := func(intent, kind string, text string) string {
		return `<DataArray Intent="NIFTI_INTENT_` + intent + `" DataType="NIFTI_TYPE_` + kind +
			`" ArrayIndexingOrder="RowMajorOrder" Dimensionality="2" Dim0="4" Dim1="3" Encoding="ASCII" Endian="LittleEndian"><Data>` + text + "</Data></DataArray>"
	}
	mesh := []byte(`<GIFTI Version="1.0">` + part("POINTSET", "FLOAT32", "0 0 0 9 0 0 0 9 0 0 0 9") + part("TRIANGLE", "INT32", "0 1 2 0 1 3 0 2 3 1 2 3") +
		"</GIFTI>")
	table := []byte("2\n0\n1\n1\n")
	c := start(t)
	files := fmt.Sprintf(`"data":{"files":[{"name":"a.surf.gii","size":%d},{"name":"a.csv","size":%d}]}`, len(mesh), len(table))
	slabs := []bridge.Slab{bridge.Bytes("file:0", mesh), bridge.Bytes("file:1", table)}
	m := c.call("surface", files+`,"regions":2`, slabs...)
	if got := ints(m.slabs["region"]); !slices.Equal(got, []int{1, -1, 0, 0}) || !slices.Equal(m.slabs["vertices"].Shape, []int{4, 3}) ||
		!slices.Equal(ints(m.slabs["triangles"])[9:], []int{1, 2, 3}) {
		t.Errorf("%v", got)
	}
	if e := c.fail("surface", files+`,"regions":2,"names":["one"]`, slabs...); e.Code != "bad-option" {
		t.Errorf("too few names: %+v", e)
	}
	if e := c.fail("surface", files+`,"regions":2`, slabs[0], bridge.Bytes("file:1", []byte("1\n"))); e.Code != "bad-data" || e.File != "a.csv" {
		t.Errorf("too few numbers: %+v", e)
	}
}
