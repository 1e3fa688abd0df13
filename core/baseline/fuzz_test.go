package baseline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/base/kernel"
	"cadem.example/core/train"
)

// written returns a checkpoint of a header and arrays, with the checksum that belongs to them.
func written(header, arrays []byte) []byte {
	var out bytes.Buffer
	numbers := make([]float32, len(arrays)/4)
	kernel.TakeBytes(numbers, arrays[:4*len(numbers)])
	if err := checkpoint.WriteFile(&out, header, []checkpoint.Array[float32]{{Here: numbers}}); err != nil {
		panic(err) // memory takes all that is written
	}
	return out.Bytes()
}

// stopped returns header and arrays of the checkpoint of a training after its first step.
func stopped(t testing.TB, m *train.Method, s *train.Setup) (header, arrays []byte) {
	t.Helper()
	run, err := train.Start(m, s)
	if err != nil {
		t.Fatal(err)
	}
	take(t, run, 1)
	var b bytes.Buffer
	if err := m.Format.Write(&b, m, s, run); err != nil {
		t.Fatal(err)
	}
	file, err := checkpoint.Open(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return file.Header, b.Bytes()[b.Len()-8-file.Size() : b.Len()-8]
}

// FuzzResume changes a checkpoint of a method, its checksum in order. It is refused with its reason, or gives a training that steps
// or says why not.
func FuzzResume(f *testing.F) {
	g, methods := blocks(f, 12), train.Methods()
	var headers, arrays [][]byte
	for i := range methods {
		header, array := stopped(f, &methods[i], setupOf(f, &methods[i], g, 3))
		headers, arrays = append(headers, header), append(arrays, array)
		for _, c := range [][2]string{
			{"", ""}, {`"integers":[`, `"integers":[9`}, {`"integers":[`, `"integers":[-`}, {`"integers":[`, `"integers":[1,`},
			{`"bits":[`, `"bits":[9218868437227405312,`},
			{`"seed":"3"`, `"seed":"-3"`}, {`"version":1`, `"version":2`}, {`"double":false`, `"double":true`}, {`"graphs":[`, `"graphs":["",`},
		} {
			f.Add(uint8(i), c[0], c[1], uint(8), math.Float64bits(math.NaN()))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, from, to string, at uint, word uint64) {
		k := int(which) % len(methods)
		header, array := headers[k], slices.Clone(arrays[k])
		if from != "" {
			header = bytes.Replace(header, []byte(from), []byte(to), 1)
		}
		if len(array) >= 8 {
			binary.LittleEndian.PutUint64(array[at%uint(len(array)-7):], word)
		}
		file := written(header, array)
		s := setupOf(t, &methods[k], g, 3)
		var run train.Training
		var err error
		frugal.Check(t, len(file), func() { run, err = Resume(&methods[k], s, bytes.NewReader(file)) })
		for range 2 {
			if err != nil || train.Done(run) {
				break
			}
			err = run.Step(nil)
		}
		var bad *diag.Error
		var refused *checkpoint.Error
		if err != nil && !errors.As(err, &refused) && !errors.As(err, &bad) && run == nil {
			t.Fatalf("%s: %T: %v", methods[k].Name, err, err)
		}
	})
}
