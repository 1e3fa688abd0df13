package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/scripts/e2e/drive"
)

// readStored reads one of the files that an earlier version made, or its description.
func readStored(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), "testdata", "stored", name))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// storedRun is the entry of a run in expected.json.
type storedRun struct {
	Run      string
	Steps    int
	PausedAt int `json:"paused_at"`
	Hash     string
	Refused  string
}

// TestStoredRunFiles imports the run files of an earlier version, one after the other. Each stands where it stood, goes on to
// the hash it had then, and is exported as one that says so; or the page says why it cannot train it.
func TestStoredRunFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		var expected struct{ Runs map[string]storedRun }
		readStored(t, "expected.json", &expected)
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		for _, name := range slices.Sorted(maps.Keys(expected.Runs)) {
			want := expected.Runs[name]
			before := v.State().Run
			v.Give("#import-run", filepath.Join(root(t), "testdata", "stored", name))
			if want.Refused != "" {
				v.Until("notices.message", want.Refused)
				continue
			}
			v.Until("!runs.current && lab.at && storage.settled", before, want.PausedAt)
			if want.PausedAt < want.Steps {
				v.Until("lab.paused")
				v.Push("#play")
			}
			v.Until("lab.finished")
			if st := v.State(); st.Hash != want.Hash || st.Step != want.Steps {
				t.Errorf("%s: %+v, expected %+v", name, st, want)
			}
			v.Until("lab.unhinted") // the form has its settings
			v.Push("#export-run")
			a, err := archive.Read(download(t, v, "*-run.zip"))
			if err != nil {
				t.Fatal(err)
			}
			u, err := run.Unpack(a)
			if err != nil {
				t.Fatal(err)
			}
			if u.Record.Hash != want.Hash || u.Of.Step != want.Steps {
				t.Errorf("%s is exported with hash %s after %d steps", name, u.Record.Hash, u.Of.Step)
			}
		}
		v.Check()
	})
}

// storedDatabase is the entry of an earlier version's database in expected.json.
type storedDatabase struct {
	Paused, Finished storedRun
	Lines            [][]string
}

// openStored opens the page where an earlier version kept two runs and an experiment.
func openStored(t *testing.T, engine string) (*Visit, *storedDatabase) {
	t.Helper()
	if engine == "webkit" {
		t.Skip("MiniBrowser takes no Blobs into its database when driven, and stored runs hold some")
	}
	var expected struct{ Database storedDatabase }
	readStored(t, "expected.json", &expected)
	var database any
	readStored(t, "database.json", &database)
	s := NewSite(t)
	s.Stop()
	s.Files["empty.html"] = []byte(`<!doctype html><title>empty</title><link rel="icon" href="data:,">`)
	s.Start()
	v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
	v.must(v.Navigate(s.URL + "empty.html")) // where no program begins a database
	v.Read(nil, "checks.fill", database)
	v.Load("")
	v.Until("storage.owned")
	return v, &expected.Database
}

// holds fails the test unless the page has the two runs and the experiment: a paused run goes on, a finished one opens, and the
// experiment has its report.
func (v *Visit) holds(expected *storedDatabase) {
	v.t.Helper()
	v.Until("runs.count", 2)
	for act, want := range map[string]storedRun{"continue": expected.Paused, "open": expected.Finished} {
		v.Push(fmt.Sprintf("[data-run=%q] [data-act=%s]", want.Run, act))
		v.Until("runs.current && lab.finished", want.Run)
		if st := v.State(); st.Hash != want.Hash || st.Step != 30 {
			v.t.Errorf("%s: %+v, expected %s", act, st, want.Hash)
		}
	}
	v.Until("experiments.storedOnce", "table7", "ablation")
	var lines [][]string
	v.Read(&lines, "experiments.storedLines", "table7", "ablation")
	if !reflect.DeepEqual(lines, expected.Lines) {
		v.t.Errorf("the experiment's table is %q, expected %q", lines, expected.Lines)
	}
	v.Check()
}

// TestStoredDatabase finds in the browser's database what an earlier version kept there.
func TestStoredDatabase(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, expected := openStored(t, engine)
		v.holds(expected)
	})
}

// TestBackup puts all stored data into one file and restores it into an empty database: from this engine's file, and from one
// that Chromium made. Existing entries are not doubled, and a damaged file loses only its damaged parts.
func TestBackup(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, expected := openStored(t, engine)
		v.Until("runs.count", 2)
		v.Push("#back-up")
		own := filepath.Join(t.TempDir(), "own.tar")
		if err := os.WriteFile(own, download(t, v, "cadem-backup-*.tar"), 0o600); err != nil {
			t.Fatal(err)
		}
		v.Until("lab.saysJust", "Backed up 3 runs and experiments.")
		for _, file := range []string{own, filepath.Join(root(t), "testdata", "stored", "backup.tar")} {
			v.must(v.Navigate("about:blank"))
			empty := Open(t, engine, NewSite(t), drive.Options{}, "")
			empty.Until("storage.owned")
			empty.Give("#import-run", file)
			empty.Until("lab.saysJust", "Put back 3 runs and experiments.")
			empty.Give("#import-run", file)
			empty.Until("lab.saysJust", "Put back 0 runs and experiments. 3 were here already.")
			empty.holds(expected)
		}
	})
}

// TestStoredLinks goes to addresses that an earlier version wrote, and finds the settings it read from them.
func TestStoredLinks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		var links []struct {
			Link, Data, Colour, Message string
			Values                      map[string]any
			View                        map[string]any
		}
		readStored(t, "links.json", &links)
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, l := range links {
			v.must(v.Navigate("about:blank")) // so that each is a visit of its own
			v.Load(l.Link)
			v.Until("!lab.phase", "opening")
			var now struct {
				Data         string
				Values, View map[string]any
			}
			v.Read(&now, "settings.all")
			if now.Data != l.Data || !reflect.DeepEqual(now.View, l.View) {
				t.Errorf("%s: data %s, view %v, expected %s, %v", l.Link, now.Data, now.View, l.Data, l.View)
			}
			contained(t, l.Link, l.Values, now.Values)
			if l.Colour != "" { // what a link with files colours by is not there before the files are
				v.Until("see.value", "#colour-by", l.Colour)
			}
			v.Want("#messages", l.Message)
		}
		v.Check()
	})
}

// contained fails the test for everything that one object has and another has not, which may have more.
func contained(t *testing.T, at string, want, got map[string]any) {
	t.Helper()
	for name, value := range want {
		if inner, ok := value.(map[string]any); ok {
			other, _ := got[name].(map[string]any)
			contained(t, at+" "+name, inner, other)
		} else if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s: %s is %v, expected %v", at, name, got[name], value)
		}
	}
}
