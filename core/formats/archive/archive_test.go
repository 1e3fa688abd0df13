package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/base/json"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

func ExampleWrite() {
	var b bytes.Buffer
	err := Write(&b, &Archive{Run: json.RawMessage(`{"seed":7}`), Blobs: map[string][]byte{"checkpoint.bin": {1, 2, 3}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := Read(b.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %v\n", a.Run, a.Blobs["checkpoint.bin"])
	_, err = Read(b.Bytes()[:100])
	fmt.Println(err)
	// Output:
	// {"seed":7} [1 2 3]
	// found an archive that is cut off or altered, expected a complete zip archive
}

func archived(t testing.TB, a *Archive) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var sample = &Archive{
	Run: json.RawMessage("{ \"name\": \"a <b> & c\",\n \"x\": 1e-3 }"),
	Blobs: map[string][]byte{
		"checkpoint.bin": bytes.Repeat([]byte("state"), 1000), "common.npy": {0}, "data/my file é.edges": []byte("1 1 2\n"), "empty": {},
	},
}

func TestArchiveRoundTrip(t *testing.T) {
	data := archived(t, sample)
	got, err := Read(data)
	if err != nil || !reflect.DeepEqual(got, sample) {
		t.Errorf("%v, %v", got, err)
	}
	for range 5 {
		if !bytes.Equal(data, archived(t, sample)) {
			t.Fatal("the same archive gave other bytes")
		}
	}
	got, err = Read(archived(t, &Archive{Run: json.RawMessage("null")}))
	if err != nil || string(got.Run) != "null" || len(got.Blobs) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestArchiveCutOffOrAltered(t *testing.T) {
	data := archived(t, sample)
	for n := range data {
		if a, err := Read(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes gave %v", n, len(data), a)
		}
	}
	// A changed bit is noticed, or it is one that means nothing, such as a time.
	for k := range data {
		for bit := range 8 {
			bent := bytes.Clone(data)
			bent[k] ^= 1 << bit
			if a, err := Read(bent); err == nil && !reflect.DeepEqual(a, sample) {
				t.Fatalf("bit %d of byte %d changed what was read", bit, k)
			}
		}
	}
}

func TestArchiveRefused(t *testing.T) {
	run := func(s string, more ...string) []byte {
		return formatstest.Zip(t, zip.Deflate, append([]string{"run.json", s}, more...)...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "found an empty file, expected a run archive"},
		{"text", []byte("1 1 2\n"), "found a file that does not begin as zip archives do, expected a zip archive"},
		{"another zip", formatstest.Zip(t, zip.Store, "x.npy", ""), "found an archive without run.json, expected a run archive"},
		{"not JSON", run("hello"), "run.json: found no format number, expected a format number from 1 to 1"},
		{"no format", run(`{"run":1}`), "run.json: found no format number, expected a format number from 1 to 1"},
		{"format 0", run(`{"format":0}`), "run.json: found no format number, expected a format number from 1 to 1"},
		{"newer", run(`{"format":2,"blobs":{"of":"another shape"}}`), "made by a newer version: format 2, this one reads up to 1"},
		{"no run", run(`{"format":1}`), "run.json: found a description that is not of a run, expected format, blobs and run"},
		{"wrong blobs", run(`{"format":1,"blobs":7,"run":1}`), "run.json: found a description that is not of a run, expected format, blobs and run"},
		{"missing blob", run(`{"format":1,"blobs":[{"name":"a"}],"run":1}`), "a: found nothing, expected the member that run.json lists"},
		{"other size", run(`{"format":1,"blobs":[{"name":"a","size":3}],"run":1}`, "a", "hi"),
			"a: found other content than run.json lists: the file was altered or damaged, expected 3 bytes as they were written"},
		{"other content", run(`{"format":1,"blobs":[{"name":"a","size":2}],"run":1}`, "a", "hi"),
			"a: found other content than run.json lists: the file was altered or damaged, expected 2 bytes as they were written"},
		{"path up", run(`{"format":1,"blobs":[{"name":"../a"}],"run":1}`),
			`run.json: found the blob name "../a", expected a relative path of printable characters without .. \ or :, other than run.json; each once`},
		{"unlisted", run(`{"format":1,"run":1}`, "a", "hi"), "a: found a member that run.json does not list, expected only those it lists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.data)
			formatstest.CheckError(t, err, c.want)
			var v *VersionError
			if errors.As(err, &v) != (c.name == "newer") {
				t.Errorf("%T", err)
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		archive *Archive
		want    string
	}{
		{&Archive{}, "run.json: found a description of the run that is not JSON, expected a JSON value"},
		{&Archive{Run: json.RawMessage("{")}, "run.json: found a description of the run that is not JSON, expected a JSON value"},
		{&Archive{Run: json.RawMessage(strings.Repeat("[", 1000) + strings.Repeat("]", 1000))},
			"run.json: found a description of the run that is nested too deeply, expected a JSON value"},
	} {
		formatstest.CheckError(t, Write(&bytes.Buffer{}, c.archive), c.want)
	}
	for _, name := range []string{"", ".", "..", "/a", "a/", "a//b", "a/../b", `a\b`, "c:a", "a\nb", "run.json", strings.Repeat("a", 256)} {
		formatstest.CheckError(t, Write(&bytes.Buffer{}, &Archive{Run: json.RawMessage("1"), Blobs: map[string][]byte{name: nil}}),
			"blobs: found the name "+input.Quote(name)+", expected "+wantBlobName)
	}
}

func TestIs(t *testing.T) {
	for want, data := range map[bool][]byte{true: formatstest.Zip(t, 8, "run.json", "{}"), false: formatstest.Zip(t, 8, "a.npy", "x")} {
		if Is(&input.File{Data: data}) != want {
			t.Errorf("expected %v", want)
		}
	}
	if Is(&input.File{}) || Is(&input.File{Data: []byte("PK\x03\x04")}) {
		t.Error("no archive at all")
	}
}

// FuzzArchive reads any bytes as a run archive, and packs any run and blob into one.
func FuzzArchive(f *testing.F) {
	f.Add(archived(f, sample), "a.bin")
	f.Add(archived(f, &Archive{Run: json.RawMessage(`{"seed":7}`)}), "data/é.edges")
	f.Add(formatstest.Zip(f, zip.Store, "run.json", `{"format":2}`), "../a")
	f.Add([]byte(`{"a":[1,2,{"b":null}]}`), "run.json")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		check := func(a *Archive) {
			again, err := Read(archived(t, a))
			if err != nil || !reflect.DeepEqual(again, a) {
				t.Fatalf("%v became %v, %v", a, again, err)
			}
		}
		var a *Archive
		var err error
		if frugal.Check(t, len(data), func() { a, err = Read(data) }); err == nil {
			check(a)
		}
		a = &Archive{Run: bytes.TrimSpace(data), Blobs: map[string][]byte{name: append([]byte{}, data...)}}
		if err := Write(&bytes.Buffer{}, a); err == nil {
			check(a)
		}
	})
}
