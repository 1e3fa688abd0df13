package cadem

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/frugal"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/precision"
	"cadem.example/core/multiplex"
)

// seal makes a checkpoint of a header and arrays, with the checksum that belongs to them.
func seal(header, arrays []byte) []byte {
	var out bytes.Buffer
	numbers := make([]float32, len(arrays)/4)
	kernel.TakeBytes(numbers, arrays[:4*len(numbers)])
	if err := checkpoint.WriteFile(&out, header, []checkpoint.Array[float32]{{Here: numbers}}); err != nil {
		panic(err) // memory takes all that is written
	}
	return out.Bytes()
}

// unseal returns header and arrays of a checkpoint.
func unseal(file []byte) (header, arrays []byte) {
	const magic = 8 // bytes before the length of the header
	rest := file[magic+4 : len(file)-8]
	n := binary.LittleEndian.Uint32(file[magic:])
	return rest[:n], rest[n:]
}

// A header that no run wrote is refused, with the checksum in order and before anything of
// the size it claims is allocated.
func TestForgedCheckpointsAreRefused(t *testing.T) {
	g := []*multiplex.Graph{blocks(t, 20, 2, 8)}
	r := start(t, g[0], small(), 1, precision.Single)
	r.Step()
	header, arrays := unseal(r.Checkpoint())
	if _, err := resume(g, seal(header, arrays)); err != nil {
		t.Fatal(err)
	}
	option := func(name string, v any) func(h map[string]any) {
		return func(h map[string]any) { h["options"].(map[string]any)[name] = v }
	}
	field := func(name string, v any) func(h map[string]any) {
		return func(h map[string]any) { h[name] = v }
	}
	for name, edit := range map[string]func(h map[string]any){
		"no version":             field("version", 0),
		"no precision":           field("precision", 0),
		"odd precision":          field("precision", 36),
		"a negative precision":   field("precision", -32),
		"another precision":      field("precision", 64),
		"a negative step":        field("step", -1),
		"a step after the last":  field("step", 31),
		"a huge step":            field("step", int64(1)<<62),
		"negative epochs":        field("worse", -1),
		"no shape":               field("shape", nil),
		"a negative shape":       field("shape", []int{-1}),
		"negative rank":          field("ranks", []int{-1}),
		"too high a rank":        field("ranks", []int{5}),
		"ranks of other graphs":  field("ranks", []int{1, 1}),
		"an unknown option":      option("temperature", 1),
		"an option out of range": option("dim", -4),
		"another size":           option("hidden", 4096),
		"a list for an option":   option("dim", []int{4}),
		"too many pairs":         option("pairing", "sampled:1000000000000"),
		"another layout":         option("combine", "concat"),
	} {
		var h map[string]any
		d := json.NewDecoder(bytes.NewReader(header))
		d.UseNumber()
		if err := d.Decode(&h); err != nil {
			t.Fatal(err)
		}
		edit(h)
		forged, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		var e *ErrCheckpoint
		if _, err := resume(g, seal(forged, arrays)); !errors.As(err, &e) || e.Newer {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A checkpoint of a later version may not even parse here; the error names the version.
	later := strings.Replace(string(header), `"version":2`, `"version":3`, 1)
	var e *ErrCheckpoint
	for _, header := range []string{later, strings.Replace(later, `"step":1`, `"step":"one"`, 1)} {
		if _, err := resume(g, seal([]byte(header), arrays)); !errors.As(err, &e) || !e.Newer {
			t.Errorf("a later version: %v", err)
		}
	}
}

// Any checkpoint is refused with a reason, or gives a run that steps, or says why not, and writes a
// good checkpoint itself. The fuzzer replaces a piece of the header of a good one, and a number in
// its arrays; its checksum is right.
func FuzzResume(f *testing.F) {
	g := []*multiplex.Graph{blocks(f, 6, 2, 8)}
	var headers, arrays [][]byte
	for _, preset := range Presets {
		for _, p := range precisions() {
			o, _ := Preset(preset)
			o.Epochs, o.InnerSteps, o.Hidden, o.Dim, o.Augmented = 3, 2, 2, 2, 1
			r := start(f, g[0], o, 7, p)
			for range 3 {
				r.Step()
			}
			if err := r.SetLive("lr_heads", .1); err != nil {
				f.Fatal(err)
			}
			h, a := unseal(r.Checkpoint())
			headers, arrays = append(headers, h), append(arrays, a)
		}
	}
	nan := math.Float64bits(math.NaN())
	for which := range headers {
		for _, c := range [][2]string{
			{"", ""}, {`"step":3`, `"step":6`}, {`"step":3`, `"step":-3`}, {`"worse":0`, `"worse":1e9`}, {`"early":false`, `"early":true`},
			{`"bits":[`, `"bits":[9218868437227405313,`}, {`"shape":[`, `"shape":[-1,`}, {`"ranks":[`, `"ranks":[9`}, {`"precision":`, `"precision":1`},
			{`"seed":"7"`, `"seed":"-7"`}, {`"dim":2`, `"dim":256`}, {`"hidden":2`, `"hidden":1e3`}, {`"inner_steps":`, `"inner_steps":0.`},
			{`"node_ratio":`, `"node_ratio":1e-`}, {`"noise":0.1`, `"noise":1e400`}, {`"completion":"none"`, `"completion":"centred"`},
			{`"pairing":"`, `"pairing":"sampled:`}, {`"augmented":1`, `"augmented":20`}, {`"batch":64`, `"batch":1`}, {`"lr_heads":0.1`, `"lr_heads":null`},
		} {
			f.Add(uint8(which), c[0], c[1], uint(8*which), nan)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, from, to string, at uint, word uint64) {
		header, array := headers[int(which)%len(headers)], slices.Clone(arrays[int(which)%len(headers)])
		if from != "" {
			header = bytes.Replace(header, []byte(from), []byte(to), 1)
		}
		binary.LittleEndian.PutUint64(array[at%uint(len(array)-7):], word)
		file := seal(header, array)
		var r *Trainer
		var err error
		frugal.Check(t, len(file), func() { r, err = resume(g, file) })
		if err != nil {
			var e *ErrCheckpoint
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if o := r.Options(); o.Augmented > 20 || o.Epochs > 1000 {
			return // valid, but slow
		}
		for range 4 {
			var lost *NonFinite
			if err := r.Step(); err != nil && err != ErrDone && !errors.As(err, &lost) {
				t.Fatal(err)
			}
		}
		again, err := resume(g, r.Checkpoint())
		if err != nil {
			t.Fatal(err)
		}
		if a, b := again.Hash(), r.Hash(); a != b {
			t.Fatalf("its checkpoint gives %s, not %s", a, b)
		}
	})
}
