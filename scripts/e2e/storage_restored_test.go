package e2e

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A backup is a backup's members in their order, and the content of backup.json.
type backup struct {
	names   []string
	members map[string][]byte
	head    struct {
		Format int              `json:"format"`
		Made   string           `json:"made"`
		Runs   []map[string]any `json:"runs"`
	}
}

func readBackup(t *testing.T, file []byte) *backup {
	t.Helper()
	b := &backup{members: map[string][]byte{}}
	for r := tar.NewReader(bytes.NewReader(file)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		b.names, b.members[h.Name] = append(b.names, h.Name), data
	}
	if err := json.Unmarshal(b.members["backup.json"], &b.head); err != nil {
		t.Fatal(err)
	}
	return b
}

// record returns the record of an entry.
func (b *backup) record(t *testing.T, i int) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(b.members[b.head.Runs[i]["record"].(map[string]any)["file"].(string)], &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// add appends an entry with the arrays of another one, and another record.
func (b *backup) add(t *testing.T, like int, record any) {
	t.Helper()
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("record-%d", len(b.head.Runs))
	b.names, b.members[name] = append(b.names, name), text
	b.head.Runs = append(b.head.Runs, map[string]any{"run": "any", "name": fmt.Sprintf("entry %d", len(b.head.Runs)), "arrays": b.head.Runs[like]["arrays"],
		"record": map[string]any{"file": name, "size": len(text), "crc32": crc32.ChecksumIEEE(text)}})
}

// write writes the backup into a file.
func (b *backup) write(t *testing.T) (path string) {
	t.Helper()
	var err error
	if b.members["backup.json"], err = json.Marshal(b.head); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range b.names {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(b.members[name])), Mode: 0o644, Format: tar.FormatUSTAR}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b.members[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "altered.tar")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// putBack puts a backup back and waits until the page says so.
func (v *Visit) putBack(path string) (status string) {
	v.t.Helper()
	v.Read(nil, "lab.awaitPutBack")
	v.Give("#import-run", path)
	v.Until("lab.putBack")
	v.Read(&status, "lab.putBack")
	return status
}

// keptBytes are sums of all that the page keeps of some runs, as it puts it into a backup.
func (v *Visit) keptBytes(t *testing.T) map[string]string {
	t.Helper()
	v.Push("#back-up")
	b, sums := readBackup(t, download(t, v, "cadem-backup-*.tar")), map[string]string{}
	for _, e := range b.head.Runs {
		text, err := json.Marshal([]any{e["record"].(map[string]any)["crc32"], e["arrays"]})
		if err != nil {
			t.Fatal(err)
		}
		// Where in the archive it stands is another matter.
		folder, _, _ := strings.Cut(e["record"].(map[string]any)["file"].(string), "/")
		sums[e["run"].(string)] = strings.ReplaceAll(string(text), `"file":"`+folder, `"file":"`)
	}
	return sums
}

// TestAlteredBackups restores backups altered in seeded ways beside stored runs and an experiment. Afterwards these are listed and have
// the same bytes, and entries that were not restored are named.
func TestAlteredBackups(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, expected := openStored(t, engine)
		v.Until("runs.count", 2)
		v.Push("#back-up")
		file := download(t, v, "cadem-backup-*.tar")
		before := v.keptBytes(t)
		random := rand.New(rand.NewSource(1))
		odd := []any{nil, 5, -1, 1e300, "", "x", "constructor", []any{nil}, map[string]any{}, true, strings.Repeat("n", 990)}
		ways := 5
		if long() {
			ways = 20
		}
		for way := range ways {
			b := readBackup(t, file)
			for range 8 {
				i := random.Intn(3)
				r := b.record(t, i)
				fields := []string{"run", "kind", "name", "data", "summary", "frame", "scores", "progress", "order", "updated", "state", "options", "kept"}
				r["updated"] = "2030-01-01T00:00:00Z"
				switch random.Intn(4) {
				case 0: // an experiment in the place of a run
					other := b.record(t, random.Intn(3))
					other["run"] = r["run"]
					r = other
				case 1:
					r["summary"] = map[string]any{"name": "x", "labels": odd[random.Intn(len(odd))]}
				case 2:
					r["data"] = map[string]any{"example": "constructor"}
				}
				r[fields[random.Intn(len(fields))]] = odd[random.Intn(len(odd))]
				b.add(t, i, r)
			}
			random.Shuffle(len(b.head.Runs), func(i, k int) { b.head.Runs[i], b.head.Runs[k] = b.head.Runs[k], b.head.Runs[i] })
			path := b.write(t)
			if way%5 == 4 { // the end is missing
				if err := os.Truncate(path, int64(len(file)/2)); err != nil {
					t.Fatal(err)
				}
			}
			status := v.putBack(path)
			if left := v.Count("[data-notice=backup] li"); strings.Contains(status, "could not") != (left > 0) {
				t.Errorf("%q, and %d lines", status, left)
			}
			after := v.keptBytes(t)
			for run, sum := range before {
				if after[run] != sum {
					t.Errorf("way %d: of %s is kept\n%s\nbefore\n%s", way, run, after[run], sum)
				}
			}
		}
		v.Load("")
		for act, want := range map[string]storedRun{"continue": expected.Paused, "open": expected.Finished} {
			v.Push(fmt.Sprintf("[data-run=%q] [data-act=%s]", want.Run, act))
			v.Until("runs.current && lab.finished", want.Run)
			if st := v.State(); st.Hash != want.Hash {
				t.Errorf("%s: %+v, expected %s", act, st, want.Hash)
			}
		}
		v.Check()
	})
}

// TestEveryField lists runs and experiments with every field replaced by every type, in make test by two of six. Those that cannot be read
// are set aside, counted and named; a sound one among them is listed, opened, exported and deleted.
func TestEveryField(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, expected := openStored(t, engine)
		v.Until("runs.count", 2)
		v.Push("#back-up")
		b, n, fields := readBackup(t, download(t, v, "cadem-backup-*.tar")), 0, 0
		v.must(v.Navigate(v.Site.URL + "empty.html"))
		var planted [][2]string
		plant := func(record map[string]any) {
			n++
			id := fmt.Sprintf("odd%d", n)
			if _, ok := record["run"].(string); ok {
				record["run"] = id
			}
			text, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			planted = append(planted, [2]string{id, string(text)})
		}
		for i := range 3 {
			record := b.record(t, i)
			delete(record, "hash")
			var visit func(holder map[string]any)
			visit = func(holder map[string]any) {
				for _, key := range slices.Sorted(maps.Keys(holder)) {
					was := holder[key]
					fields++
					for k, value := range []any{nil, 5, "x", true, []any{nil}, map[string]any{"x": 5}} {
						if long() || k%3 == fields%3 {
							holder[key] = value
							plant(record)
						}
					}
					holder[key] = was
					if inner, ok := was.(map[string]any); ok && key != "options" && key != "evaluation" {
						visit(inner)
					}
				}
			}
			visit(record)
		}
		v.plantAll(planted)
		v.Load("")
		v.Until("runs.stored", 2+n/2)
		damaged := v.Count("#runs-list li.damaged")
		v.Want("[data-notice=aside]", fmt.Sprintf("%d saved runs and experiments are damaged and set aside", damaged), "and ", " more")
		if listed := v.Count("#runs-list li[data-run]"); damaged < n/4 || listed < damaged+2 {
			t.Errorf("of %d altered ones %d are set aside, and %d are listed", n, damaged, listed)
		}
		run := fmt.Sprintf("[data-run=%q] ", expected.Finished.Run)
		v.Push(run + "[data-act=open]")
		v.Until("runs.current && lab.finished", expected.Finished.Run)
		if st := v.State(); st.Hash != expected.Finished.Hash {
			t.Errorf("opened: %+v", st)
		}
		v.Push("#export-run")
		download(t, v, "*-run.zip")
		v.Push("#runs-list li.damaged [data-act=export]")
		if rest := readBackup(t, download(t, v, "cadem-set-aside-*.tar")); len(rest.head.Runs) != 1 {
			t.Errorf("what is left of a damaged run is %v", rest.names)
		}
		v.Push(run + "[data-act=delete]")
		v.Until("see.gone", `[data-run="`+expected.Finished.Run+`"]`)
		v.Check()
	})
}

// plantAll is [Visit.plant] of many, on any page of the site.
func (v *Visit) plantAll(runs [][2]string) {
	v.t.Helper()
	type value struct {
		Key  string `json:"key"`
		Text string `json:"text"`
		Sum  uint32 `json:"sum"`
	}
	var values []value
	for _, r := range runs {
		text := fmt.Sprintf(`{"format":1,"run":%q,"generation":1,"record":%s,"slabs":[]}`, r[0], r[1])
		values = append(values, value{r[0] + "/1", text, crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))})
	}
	v.Read(nil, "storage.putManifests", values)
}

// TestDeletedWhileItTrains deletes the run on screen. It is written no more, which the page says, until it is kept again.
func TestDeletedWhileItTrains(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 400, "early_stop": "off"})
		v := OpenReady(t, engine, c.Link())
		v.Until("storage.owned")
		if v.Read(nil, "runs.nothingToBackUp"); t.Failed() {
			return
		}
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.running && storage.saved")
		v.Until("!see.disabled", "#back-up") // as soon as a run is kept
		run := v.State().Run
		item := fmt.Sprintf("#runs-list [data-run=%q]", run)
		v.Push(item + " [data-act=delete]")
		v.Until("notices.there", "unkept")
		v.Want("[data-notice=unkept]", "was deleted", "not kept")
		epoch := v.State().Epoch
		v.Until("lab.pastEpoch && see.gone", epoch+20, "#runs-list [role=status] button") // it is gone for good
		if v.Count(item) != 0 {
			t.Error("the run has come back")
		}
		v.Push("#play") // pauses
		v.Until("lab.paused")
		v.Push("[data-notice=unkept] .actions button") // Keep it
		v.Until("!notices.there && lab.kept && see.there", "unkept", item)
		step := v.State().Step
		v.Load("")
		v.Push(item + " [data-act=open]")
		v.Until("lab.pausedAt", step)
		// Undo of a deletion, after a restore and another deletion.
		v.Push("#back-up")
		path := filepath.Join(t.TempDir(), "own.tar")
		if err := os.WriteFile(path, download(t, v, "cadem-backup-*.tar"), 0o600); err != nil {
			t.Fatal(err)
		}
		v.Push(item + " [data-act=delete]")
		v.Until("see.there", "#runs-list [role=status] button")
		v.putBack(path)
		v.Push("#runs-list [role=status] button")
		v.Until("runs.count", 2)
		v.Check()
	})
}

// TestSpeedOfRestoring puts 26 runs of 2 MB back where others are kept.
func TestSpeedOfRestoring(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, _ := openStored(t, engine)
		v.Until("runs.count", 2)
		v.Push("#back-up")
		b := readBackup(t, download(t, v, "cadem-backup-*.tar"))
		run := 0
		for b.record(t, run)["kind"] != nil {
			run++
		}
		big := make([]byte, 2<<20)
		rand.New(rand.NewSource(1)).Read(big)
		b.names, b.members["big"] = append(b.names, "big"), big
		record := b.record(t, run)
		for n := range 26 {
			record["run"], record["name"] = fmt.Sprintf("big%d", n), fmt.Sprintf("Big %d", n)
			b.add(t, run, record)
			arrays := append([]any{map[string]any{"name": "more", "kind": "u8", "file": "big", "size": len(big), "crc32": crc32.ChecksumIEEE(big)}},
				b.head.Runs[run]["arrays"].([]any)...)
			b.head.Runs[len(b.head.Runs)-1]["arrays"] = arrays
		}
		began := time.Now()
		status := v.putBack(b.write(t))
		took := time.Since(began)
		t.Logf("26 runs of 2 MB: %v", took.Round(time.Millisecond))
		if !strings.HasPrefix(status, "Put back 26 runs") {
			t.Errorf("%q", status)
		}
		v.Check()
	})
}
