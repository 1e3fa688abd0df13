package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// A run file of an earlier version is imported, stands where it stood then, goes on to the same hash, and is
// exported as a file that can be imported again.
func TestStoredRunsAreImported(t *testing.T) {
	const dir = "../../testdata/stored"
	var expected struct {
		Runs map[string]struct {
			Steps    int
			PausedAt int `json:"paused_at"`
			Hash     string
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range expected.Runs {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			at := want.PausedAt
			for range 2 {
				c := start(t)
				m := c.call("import", fmt.Sprintf(`"name":%q`, name), bridge.Bytes("file", file))
				var imported struct{ Record json.RawMessage }
				m.read(t, &imported)
				var record struct{ Data json.RawMessage }
				var data struct{ Files []struct{} }
				if err := errors.Join(json.Unmarshal(imported.Record, &record), json.Unmarshal(record.Data, &data)); err != nil {
					t.Fatal(err)
				}
				slabs := []bridge.Slab{m.slabs["checkpoint"]}
				for i := range data.Files {
					slabs = append(slabs, m.slabs[fmt.Sprintf("file:%d", i)])
				}
				id := c.send("resume", `"data":`+string(record.Data), slabs...)
				first := c.until(func(m *message) bool {
					return m.ID == id && (m.Event == "progress" || m.Kind == "reply")
				})
				if p := first.progress(t); p.Step != at {
					t.Errorf("it stands at step %d, expected %d", p.Step, at)
				}
				if first.Kind != "reply" {
					first = c.reply(id)
				}
				if p := first.progress(t); p.State != run.Finished || p.Step != want.Steps {
					t.Errorf("it ends with %+v", p)
				}
				var r struct{ Hash string }
				c.call("embeddings", "").read(t, &r)
				if r.Hash != want.Hash {
					t.Errorf("hash %s, expected %s", r.Hash, want.Hash)
				}
				file = c.call("export", `"what":"run","record":`+string(imported.Record), m.slabs["losses"]).slabs["file"].Data
				at = want.Steps
			}
		})
	}
}
