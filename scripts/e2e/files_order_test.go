package e2e

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
)

// early packs a run of files that was paused after a number of steps, as programs kept it that did not note how they read files.
func early(t *testing.T, c Course, after int) (packed []byte, name string) {
	t.Helper()
	d, s := c.Open(t)
	paused := errors.New("paused")
	var checkpoint bytes.Buffer
	r, err := run.Train(d, s, precision.Single, run.Watch{Each: func(r *run.Run) error {
		if r.Progress().Steps < after {
			return nil
		}
		return errors.Join(paused, r.WriteCheckpoint(&checkpoint))
	}})
	if !errors.Is(err, paused) {
		t.Fatal(err)
	}
	var files []formats.File
	spec := run.DataSpec{}
	for _, path := range c.Files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, formats.File{Name: filepath.Base(path), Data: data})
		spec.Files = append(spec.Files, run.FileSpec{Name: filepath.Base(path), Size: int64(len(data))})
	}
	p := r.Progress
	record := &run.Record{Run: "0a1b2c3d", Name: "before", Created: "2025-01-31T12:00:00Z", Updated: "2025-01-31T12:00:00Z", Data: spec,
		Options: property.Values(s.CaDeM()), Evaluation: property.Values(&s.Evaluation), Preset: s.Level, ModelSeed: s.ModelSeed, State: run.Paused,
		Progress:  run.RecordProgress{State: run.Paused, Epoch: p.Epoch, Epochs: p.Epochs, Step: p.Step, Steps: p.Steps},
		FirstStep: 1, Summary: d.Summary(), Task: string(d.Task()), Expect: d.Expect}
	a, err := run.Pack(record, &run.Contents{Files: files, Checkpoint: checkpoint.Bytes(), Losses: r.Losses}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := archive.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), record.Run
}

// TestEarlyOrder goes on with a run of files from before nodes came in the order of their names: it ends as it would have then,
// also when it is trained anew. The same files are opened in the current order.
func TestEarlyOrder(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		lines := strings.Split(strings.TrimSpace(strings.Replace(typed(), "type", "layer", 1)), "\n")
		lines[1], lines[len(lines)-1] = lines[len(lines)-1], lines[1]
		list := write(t, filepath.Join(dir, "ties.csv"), strings.Join(lines, "\n")+"\n")
		now := Course{Files: []string{list}, Options: map[string]any{"epochs": 12}}
		then := now
		then.Choice = &formats.Choice{Mention: true}
		hash, other := then.Train(t).Hash, now.Train(t).Hash
		if hash == other {
			t.Fatal("both orders end alike")
		}
		packed, name := early(t, then, 30)
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Give("#import-run", write(t, filepath.Join(dir, "before.zip"), string(packed)))
		v.Until("lab.pausedAt && storage.settled", 30)
		v.Push("#play")
		v.Until("lab.trained && lab.kept")
		if st := v.State(); st.Hash != hash {
			t.Errorf("%+v, expected %s", st, hash)
		}
		v.Load("")
		v.Push("[data-run=" + strconv.Quote(name) + "] [data-act=open]")
		v.Until("lab.trained")
		if st := v.State(); st.Hash != hash {
			t.Errorf("after another visit %+v, expected %s", st, hash)
		}
		v.Push("#reset")
		v.Until("lab.untouched")
		v.Push("#play")
		v.Until("lab.trained && lab.kept")
		if st := v.State(); st.Run == name || st.Hash != hash {
			t.Errorf("trained anew %+v, expected %s", st, hash)
		}
		v.Give("#open-files", list)
		v.Until("lab.untouched")
		v.Push("#play")
		v.Until("lab.trained && lab.kept")
		if st := v.State(); st.Hash != other {
			t.Errorf("opened anew %+v, expected %s", st, other)
		}
		v.Check()
	})
}
