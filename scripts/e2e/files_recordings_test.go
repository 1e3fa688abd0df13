package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
)

// TestRunFilesWithoutRecordings exports the run of a brain without its recordings, which opens with them beside it and not alone, and with them, which
// opens alone.
func TestRunFilesWithoutRecordings(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir, paths := t.TempDir(), []string(nil)
		series, regions, _ := braintest.Subject(t)
		for _, f := range []formats.File{series, regions} {
			paths = append(paths, filepath.Join(dir, f.Name))
			if err := os.WriteFile(paths[len(paths)-1], f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", paths...)
		v.Until("importing.open")
		v.Enter("#ask-tr", "2")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Enter("#options-epochs", "5")
		v.Until("lab.untouched")
		st := v.Finish()
		exported := func(button, name string) string {
			t.Helper()
			v.Push(button)
			b := download(t, v, "*-run.zip")
			a, err := archive.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			held := 0
			for blob := range a.Blobs {
				held += strings.Count(blob, "data/")
			}
			if want := map[bool]int{true: 2}[button == "#export-whole"]; held != want {
				t.Errorf("%s: %d files of the brain, expected %d", button, held, want)
			}
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		bare, whole := exported("#export-run", "bare.zip"), exported("#export-whole", "whole.zip")
		v.Check()
		for _, list := range [][]string{append([]string{bare}, paths...), {whole}} {
			w := OpenReady(t, engine, Small.Link())
			if len(list) > 1 {
				w.Give("#import-run", bare)
				w.Until("notices.message", "as the run file was written without them")
			}
			w.Give("#import-run", list...)
			w.Until("lab.finished")
			if now := w.State(); now.Hash != st.Hash {
				t.Errorf("%d files: hash %s, was %s", len(list), now.Hash, st.Hash)
			}
		}
	})
}
