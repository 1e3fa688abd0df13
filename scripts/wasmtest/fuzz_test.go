package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/lab/study/experiments"
)

// A reader runs the page's own readers under node, with 64 MB for what they keep: one that takes more ends it.
type reader struct {
	in  io.Writer
	out *bufio.Reader
}

func newReader(t testing.TB) *reader {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	options := filepath.Join(t.TempDir(), "options.json")
	if err := os.WriteFile(options, experiments.NewCatalogue().JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "--max-old-space-size=64", "hostile.mjs")
	c.Dir = filepath.Join(transpiled(t), "scripts", "wasmtest")
	c.Env = append(os.Environ(), "CADEM_OPTIONS="+options)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.Wait() // ends with its input
	})
	return &reader{in, bufio.NewReader(out)}
}

// read has node read something and returns the result.
func (r *reader) read(t *testing.T, asked map[string]any, answer any) {
	t.Helper()
	line, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err = r.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var failed struct{ Failed string }
	if err := json.Unmarshal(line, &failed); err != nil || failed.Failed != "" {
		t.Fatalf("%s %v", failed.Failed, err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		t.Fatal(err)
	}
}

// FuzzLink reads any text as the fragment of an address, which holds settings. Accepted settings are written as a link that says the same,
// without complaints; rejected ones are reported in few words.
func FuzzLink(f *testing.F) {
	for _, link := range []string{
		"#v=1&data=syn2&d.nodes=90&o.epochs=12&e.kmeans_runs=2&model_seed=3",
		"#v=7&data=syn1&preset=best&o.hidden=many&d.layers=99", "#data=files&method=random&level=lite",
		"#show=losses&place=runs&select=0-9.12&pace=0.5&hide=learn.tabs&lock=1&embed=1&at=5",
		"#view.color=clusters%3Acommon&view.k=3&view.axes=columns:1.2&view.of=C",
		"#o.__proto__=1&constructor=x&view.study=gamma&o.pairing=sampled:3", "#o.epochs=%zz&%00=%ff&model_seed=1e3&data_seed=-0", "#a=b=c&&=&o.=1&.epochs=2",
		"#view.color=" + strings.Repeat("\xde", 9000), "#view.lesson=" + strings.Repeat("9", 300),
	} {
		f.Add(link)
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, link string) {
		var got struct {
			Messages, Complaints []string
			Again                string
			Same                 bool
		}
		r.read(t, map[string]any{"link": link}, &got)
		if got.Again == "" {
			return
		}
		if !got.Same || len(got.Complaints) > 0 {
			t.Errorf("%q is written %q, which is read as something else: %q", link, got.Again, got.Complaints)
		}
		if len(got.Messages) > 10 {
			t.Errorf("%d messages", len(got.Messages))
		}
		for _, m := range got.Messages {
			if len(m) > 1000 {
				t.Errorf("a message of %d bytes: %.200s", len(m), m)
			}
		}
	})
}

// archived returns a tar archive of a backup of one run with one array; an empty head is that of these.
func archived(t testing.TB, head, record string, array []byte, kind string) []byte {
	t.Helper()
	if head == "" {
		member := func(name string, data []byte) map[string]any {
			return map[string]any{"file": name, "size": len(data), "crc32": crc32.ChecksumIEEE(data), "name": "x", "kind": kind}
		}
		b, err := json.Marshal(map[string]any{"format": 1, "runs": []any{map[string]any{"run": "r", "name": "R", "record": member("1/record.json", []byte(record)),
			"arrays": []any{member("1/1-x", array)}}}})
		if err != nil {
			t.Fatal(err)
		}
		head = string(b)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range []struct {
		name string
		data []byte
	}{{"backup.json", []byte(head)}, {"1/record.json", []byte(record)}, {"1/1-x", array}} {
		err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644})
		if err == nil {
			_, err = w.Write(m.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzBackup restores any bytes as a backup, and sound archives of any contents. They are refused with a reason, or restored whole.
func FuzzBackup(f *testing.F) {
	record := `{"run":"r","name":"R","state":"paused","updated":"1"}`
	for _, kind := range []string{"u8", "f32", "f64", "i32", "blob", "__proto__", "toString"} {
		f.Add(archived(f, "", record, []byte("12345678"), kind), "", record, []byte("12345678"), kind)
	}
	f.Add([]byte(strings.Repeat("\x00", 512)), `{"format":1,"runs":[null,{},{"record":{}},7]}`, `null`, []byte(nil), "f32")
	f.Add([]byte(nil), `{"format":2}`, `{"run":1}`, []byte("123"), "f64")
	r := newReader(f)
	f.Fuzz(func(t *testing.T, raw []byte, head, record string, array []byte, kind string) {
		for _, data := range [][]byte{raw, archived(t, head, record, array, kind)} {
			var got struct {
				Refused               string
				Restored, There, Left []string
				Kept                  int
				Sizes                 [][]int
			}
			r.read(t, map[string]any{"backup": data}, &got)
			if got.Refused == "" && got.Kept != len(got.Restored) {
				t.Errorf("%d are kept, %q are said to be", got.Kept, got.Restored)
			}
			for _, sizes := range got.Sizes {
				for _, n := range sizes {
					if n > len(data) {
						t.Errorf("%d bytes of an archive of %d", n, len(data))
					}
				}
			}
		}
	})
}

// FuzzCell writes any text as a cell of a table that the page makes: it reads back the same, and does not begin as formulas do.
func FuzzCell(f *testing.F) {
	for _, s := range []string{"", "a,b", `say "hi"`, "=1+1", "\r\n=1", "-2", "-2+3", "@x", "\t=1", "＝A1", "+1e5", "'x'"} {
		f.Add(s)
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\ufffd")
		var got struct{ Cell string }
		r.read(t, map[string]any{"cell": text}, &got)
		row, err := csv.NewReader(strings.NewReader(fmt.Sprintf("a,%s\n", got.Cell))).Read()
		if err != nil || len(row) != 2 {
			t.Fatalf("%q is written %q: %v", text, got.Cell, err)
		}
		read := row[1]
		if strings.ContainsAny(read[:min(len(read), 1)], "=+-@\t\r\n") {
			if _, err := strconv.ParseFloat(strings.TrimSpace(read), 64); err != nil {
				t.Errorf("%q is written %q, which spreadsheets run", text, got.Cell)
			}
		}
		// Apostrophes stand before what could be run, at the beginning or behind what separates cells somewhere.
		bare := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "'", "") }
		if want := bare(text); bare(read) != want {
			t.Errorf("%q is written %q, which reads %q", text, got.Cell, read)
		}
	})
}
