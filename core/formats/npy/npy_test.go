package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

func ExampleWrite() {
	var b bytes.Buffer
	if err := Write(&b, &Array{Shape: []int{2, 3}, Data: []float32{1, 2, 3, 4, 5, 6}}); err != nil {
		fmt.Println(err)
		return
	}
	a, err := Read(input.File{Name: "common.npy", Data: b.Bytes()})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Shape, a.Data)
	_, err = Read(input.File{Name: "common.npy", Data: b.Bytes()[:130]})
	fmt.Println(err)
	// Output:
	// [2 3] [1 2 3 4 5 6]
	// common.npy: shape: found [2 3] of 4-byte entries and 2 bytes of data, expected data of that shape
}

func npy(t testing.TB, a *Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNPYRoundTrip(t *testing.T) {
	for _, a := range []*Array{
		{[]int{2, 2}, []float64{0, math.Pi, math.Inf(-1), -1e-300}}, {[]int{3}, []float32{1.5, -2, math.MaxFloat32}},
		{[]int{}, []int64{math.MinInt64}}, {[]int{1, 2, 2}, []int32{1, -2, math.MaxInt32, 4}}, {[]int{2}, []int16{-32768, 5}},
		{[]int{2}, []int8{-128, 127}}, {[]int{2}, []uint8{0, 255}}, {[]int{2, 1}, []bool{true, false}}, {[]int{0, 5}, []float32{}},
	} {
		b := npy(t, a)
		got, err := Read(input.File{Name: "a.npy", Data: b})
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Errorf("%v: %v, %v", a, got, err)
		}
		if start := 10 + int(binary.LittleEndian.Uint16(b[8:])); start%64 != 0 || b[start-1] != '\n' {
			t.Errorf("%v: data begin at byte %d", a, start)
		}
	}
}

func TestNPYAsWrittenElsewhere(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		want *Array
	}{
		{"fortran", formatstest.RawNPY(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", "\x01\x04\x02\x05\x03\x06"),
			&Array{[]int{2, 3}, []uint8{1, 2, 3, 4, 5, 6}}},
		{"fortran, three dimensions", formatstest.RawNPY(1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 1, 2), }", "\x01\x03\x02\x04"),
			&Array{[]int{2, 1, 2}, []int8{1, 2, 3, 4}}},
		{"big-endian", formatstest.RawNPY(1, "{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }", "\x00\x00\x01\x02"), &Array{[]int{1}, []int32{258}}},
		{"version 2", formatstest.RawNPY(2, "{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }", "\x02\x01"), &Array{[]int{1}, []int16{258}}},
		{"version 3", formatstest.RawNPY(3, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "\x01"), &Array{[]int{}, []bool{true}}},
		{"other order, quotes, long", formatstest.RawNPY(1, `{"shape":(2L,),"descr":"?","fortran_order":False}`, "\x00\x02"), &Array{[]int{2}, []bool{false, true}}},
		{"no entries", formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 0), }", ""),
			&Array{[]int{1 << 62, 0}, []float64{}}},
	} {
		got, err := Read(input.File{Name: "a.npy", Data: c.file})
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestFloat64s(t *testing.T) {
	for _, c := range []struct {
		data any
		want []float64
	}{
		{[]int16{-1, 0, 7}, []float64{-1, 0, 7}}, {[]bool{true, false}, []float64{1, 0}}, {[]uint8{255}, []float64{255}}, {[]float32{-1.5}, []float64{-1.5}},
	} {
		if x := (&Array{[]int{len(c.want)}, c.data}).Float64s(); !slices.Equal(x, c.want) {
			t.Errorf("%T %v: %v", c.data, c.data, x)
		}
	}
}

func TestTexts(t *testing.T) {
	dtype, packed := Encode([]string{"Zoë", "", strings.Repeat("x", 3)})
	if want := "Z\x00\x00\x00o\x00\x00\x00\xeb\x00\x00\x00" + strings.Repeat("\x00", 12) + strings.Repeat("x\x00\x00\x00", 3); dtype != "<U3" ||
		string(packed) != want {
		t.Errorf("%s %q", dtype, packed)
	}
	if dtype, packed := Encode([]string{strings.Repeat("é", 1001)}); dtype != "<U1000" || len(packed) != 4000 {
		t.Errorf("%s, %d bytes", dtype, len(packed))
	}
	if dtype, packed := Encode([]string{""}); dtype != "<U1" || len(packed) != 4 {
		t.Errorf("%s, %d bytes", dtype, len(packed))
	}
}

func TestBadNPY(t *testing.T) {
	const want = "expected {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } or the like"
	head := func(s string) []byte { return formatstest.RawNPY(1, s, "") }
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "a.npy: found a file that does not begin as .npy files do, expected a NumPy array"},
		{"text", []byte("1,2,3"), "a.npy: found a file that does not begin as .npy files do, expected a NumPy array"},
		{"magic alone", []byte(input.NPYMagic), "a.npy: found a file cut off in its header, expected a complete .npy file"},
		{"version", formatstest.RawNPY(9, "{}          ", ""), "a.npy: version: found 9, expected 1, 2 or 3"},
		{"short header", formatstest.RawNPY(1, "{'descr': '<f8'", "")[:20], "a.npy: found a file cut off in its header, expected a complete .npy file"},
		{"claims a huge header", append([]byte(input.NPYMagic), 2, 0, 255, 255, 255, 255), "a.npy: header: found 4294967295 bytes, expected at most 65536"},
		{"no order", head("{'descr': '<f8', 'shape': (1,), }"), `a.npy: header: found "{'descr': '<f8', 'shape': (1,), }", ` + want},
		{"key twice", head("{'shape': (), 'shape': (), 'descr': 'f'}"), `a.npy: header: found "{'shape': (), 'shape': (), 'descr': 'f'}", ` + want},
		{"unknown key", head("{'shape': (), 'more': 1}"), `a.npy: header: found "{'shape': (), 'more': 1}", ` + want},
		{"negative", head("{'shape': (-1,)}"), `a.npy: header: found "{'shape': (-1,)}", ` + want},
		{"huge size", head("{'shape': (99999999999999999999,)}"), `a.npy: header: found "{'shape': (99999999999999999999,)}", ` + want},
		{"33 dimensions", head("{'shape': (" + strings.Repeat("1,", 33) + ")}"),
			`a.npy: header: found "{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1…" (79 characters), ` + want},
		{"something after", head("{'descr': '<f8', 'fortran_order': False, 'shape': (), } x"),
			`a.npy: header: found "{'descr': '<f8', 'fortran_order': False,…" (57 characters), ` + want},
		{"complex", head("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }"), `a.npy: descr: found "<c16", expected one of f4, f8, i1, u1, i2, i4, i8, b1`},
		{"text", head("{'descr': '<U5', 'fortran_order': False, 'shape': (1,), }"), `a.npy: descr: found "<U5", expected one of f4, f8, i1, u1, i2, i4, i8, b1`},
		{"too little", formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "12345678"),
			"a.npy: shape: found [2] of 8-byte entries and 8 bytes of data, expected data of that shape"},
		{"too much", formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "123456789"),
			"a.npy: shape: found [] of 8-byte entries and 9 bytes of data, expected data of that shape"},
		{"overflow", formatstest.RawNPY(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""),
			"a.npy: shape: found [4294967296 4294967296] of 1-byte entries and 0 bytes of data, expected data of that shape"},
	} {
		_, err := Read(input.File{Name: "a.npy", Data: c.file})
		t.Run(c.name, func(t *testing.T) { formatstest.CheckError(t, err, c.want) })
	}
	_, err := Read(input.File{Name: "a.npy", Size: 5e9, Reader: formatstest.Endless{}})
	formatstest.CheckError(t, err, "a.npy: found 5.0 GB, expected at most 1.1 GB for an array")
}

func TestWriteNPYRefusesWrongShapes(t *testing.T) {
	for _, a := range []*Array{{[]int{2}, []float32{1}}, {[]int{-1, -1}, []float32{1}}, {[]int{1}, "a"}, {[]int{1}, []int{1}}} {
		func() {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("%v: panicked with %v", a, r)
				}
			}()
			t.Errorf("%v: written, %v", a, Write(&bytes.Buffer{}, a))
		}()
	}
}

func TestNPZ(t *testing.T) {
	x, y := &Array{[]int{2}, []int32{7, -7}}, &Array{[]int{1, 1}, []float64{0.5}}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		data := formatstest.Zip(t, method, "x.npy", string(npy(t, x)), "a.b.npy", string(npy(t, y)))
		got, err := ReadNPZ(input.File{Name: "a.npz", Data: data})
		if err != nil || !reflect.DeepEqual(got, map[string]*Array{"x": x, "a.b": y}) {
			t.Errorf("%v, %v", got, err)
		}
		for _, n := range []int{0, 1, 30, len(data) / 2, len(data) - 1} {
			if got, err := ReadNPZ(input.File{Name: "a.npz", Data: data[:n]}); err == nil {
				t.Errorf("the first %d of %d bytes gave %v", n, len(data), got)
			}
		}
	}
	bent := formatstest.Zip(t, zip.Store, "x.npy", string(npy(t, x)))
	bent[bytes.IndexByte(bent, '\n')+1] ^= 1 // the first entry of x
	for _, c := range []struct {
		data []byte
		want string
	}{
		{[]byte("hello"), "a.npz: found a file that does not begin as zip archives do, expected a zip archive"},
		{[]byte("PK\x03\x04 and no more"), "a.npz: found an archive that is cut off or altered, expected a complete zip archive"},
		{bent, "a.npz: x.npy: found a wrong checksum: the file was altered or damaged, expected the content that was written"},
		{formatstest.Zip(t, zip.Store, "x.txt", ""), `a.npz: found a member "x.txt", expected arrays, whose names end in .npy`},
		{formatstest.Zip(t, zip.Store, "x.npy", "", "x.npy", ""), "a.npz: x.npy: found a second member of that name, expected one"},
		{formatstest.Zip(t, zip.Store, "x.npy", "hi"), "a.npz: x.npy: found a file that does not begin as .npy files do, expected a NumPy array"},
	} {
		_, err := ReadNPZ(input.File{Name: "a.npz", Data: c.data})
		formatstest.CheckError(t, err, c.want)
	}
}

func TestGoldenNPZ(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/golden/syn1_train.npz")
	if os.IsNotExist(err) {
		t.Skip("the golden data is not there: ../shared/golden/syn1_train.npz")
	}
	if err != nil {
		t.Fatal(err)
	}
	arrays, err := ReadNPZ(input.File{Name: "syn1_train.npz", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	s, edges := arrays["S_final"], arrays["edges_l0"]
	if s == nil || !slices.Equal(s.Shape, []int{100, 8}) || edges == nil || edges.Shape[1] != 2 {
		t.Fatalf("S_final %v, edges %v", s, edges)
	}
	// S = sqrt(M) U V' of full rank: S'S = M I.
	x := s.Float64s()
	for a := range 8 {
		for b := range 8 {
			sum, want := 0.0, 0.0
			if a == b {
				want = 100
			}
			for i := range 100 {
				sum += x[i*8+a] * x[i*8+b]
			}
			if math.Abs(sum-want) > 1e-9 {
				t.Errorf("S'S[%d,%d] = %v", a, b, sum)
			}
		}
	}
	pairs := edges.Float64s()
	for k := 0; k < len(pairs); k += 2 {
		if pairs[k] < 0 || pairs[k] >= pairs[k+1] || pairs[k+1] >= 100 {
			t.Fatalf("edge %d joins %v and %v", k/2, pairs[k], pairs[k+1])
		}
	}
}
func addNPY(f *testing.F, add func([]byte)) {
	for _, a := range []*Array{{[]int{2, 2}, []float64{0, 1, 2, 3}}, {[]int{3}, []float32{1.5, -2, 3}}, {[]int{}, []int64{-1}},
		{[]int{2}, []bool{true, false}}, {[]int{0, 5}, []int32{}}} {
		add(npy(f, a))
	}
	add(formatstest.RawNPY(2, "{'descr': '>i2', 'fortran_order': True, 'shape': (1, 2), }", "\x01\x02\x03\x04"))
	add(formatstest.RawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""))
	add(append([]byte(input.NPYMagic), 2, 0, 255, 255, 255, 255))
}

// checkArray writes an array and reads it back.
func checkArray(t *testing.T, a *Array) {
	t.Helper()
	if n := len(a.Float64s()); n != a.Len() {
		t.Fatalf("shape %v with %d entries", a.Shape, n)
	}
	b := npy(t, a)
	again, err := read("again", b)
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
		if frugal.Check(t, len(data), func() { a, err = Read(input.File{Name: "a.npy", Data: data}) }); err == nil {
			checkArray(t, a)
		}
	})
}

func FuzzNPZ(f *testing.F) {
	addNPY(f, func(b []byte) {
		f.Add(formatstest.Zip(f, zip.Store, "x.npy", string(b)))
		f.Add(formatstest.Zip(f, zip.Deflate, "x.npy", string(b), "y.npy", string(b)))
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		var arrays map[string]*Array
		var err error
		if frugal.Check(t, len(data), func() { arrays, err = ReadNPZ(input.File{Name: "a.npz", Data: data}) }); err != nil {
			return
		}
		for _, a := range arrays {
			checkArray(t, a)
		}
	})
}
