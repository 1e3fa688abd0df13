package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// plant writes a saved run with a record of any kind into the page's database, behind its back.
func (v *Visit) plant(run, record string) {
	v.t.Helper()
	text := fmt.Sprintf(`{"format":1,"run":%q,"generation":1,"record":%s,"slabs":[]}`, run, record)
	sum := crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))
	v.Read(nil, "storage.putManifests", []any{map[string]any{"key": run + "/1", "text": text, "sum": sum}})
}

// TestBadSavedRuns puts runs into the database that no page could have written. They hide none of the others: each is listed
// as damaged, by its key if it has no name, and can be deleted.
func TestBadSavedRuns(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, run := keepEpoch(t, engine, NewSite(t))
		v.Until("storage.owned")
		v.plant("numbered", `{"run":"numbered","name":5,"state":"paused","created":"2025-01-31T12:00:00Z","updated":"2025-01-31T12:00:00Z",`+
			`"data":{"example":"syn2"},"options":{},"preset":"released","model_seed":0}`)
		v.plant("nameless", `{"run":"nameless"}`)
		v.plant("empty", `null`)
		v.plant("study:x", `{"run":"study:x","kind":"study","name":"gamma","order":null}`)
		v.Load("")
		v.Until("runs.count", 5)
		for id, want := range map[string]string{"numbered": "numbered", "nameless": "nameless", "empty": "empty", "study:x": "gamma"} {
			v.Want(fmt.Sprintf("#runs-list li[data-run=%q]", id), want, "damaged", "cannot be opened", "expected")
		}
		v.Want("#runs-list li[data-run=numbered]", "name: found 5, expected a text")
		v.Want(fmt.Sprintf("#runs-list li[data-run=%q]", run), "paused", "Continue")
		Axe(t, v.Browser)
		for n, id := range []string{"numbered", "nameless", "empty", "study:x"} {
			v.Push(fmt.Sprintf("#runs-list li[data-run=%q] [data-act=delete]", id))
			v.Until("runs.count", 4-n)
		}
		v.Load("")
		v.Until("runs.count", 1)
		v.Push(fmt.Sprintf("[data-run=%q] [data-act=continue]", run))
		v.Until("lab.finished")
		v.Check()
	})
}

// TestBadRunFiles imports runs that no page could have exported. The error is reported, and nothing is stored.
func TestBadRunFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Push("#epoch")
		v.Until("lab.pausedAt && lab.kept", 5)
		v.Push("#export-run")
		whole := download(t, v, "*-run.zip")
		before := v.State()
		dir := t.TempDir()
		for n, bad := range []struct{ old, now, want string }{
			{`"state":"paused"`, `"state":"dreaming"`, `record.state: found "dreaming", expected one of`},
			{`"preset":"released"`, `"preset":5`, "record.preset: found 5"},
			{`"epochs":12`, `"epochs":-12`, "record.options.epochs: found -12, expected a whole number"},
			{`"name":"Syn2`, `"nome":"Syn2`, "record.name: found nothing, expected a text"},
		} {
			p := filepath.Join(dir, fmt.Sprintf("bad-%d.cadem", n))
			altered := rezip(t, whole, func(name string, b []byte) []byte {
				if name == "run.json" {
					return bytes.Replace(b, []byte(bad.old), []byte(bad.now), 1)
				}
				return b
			})
			if err := os.WriteFile(p, altered, 0o644); err != nil {
				t.Fatal(err)
			}
			v.refused(before, []string{filepath.Base(p), bad.want}, "#import-run", p)
		}
		v.Load("")
		v.Until("storage.owned")
		if n := v.Count("#runs-list li[data-run]"); n != 1 {
			t.Errorf("%d runs are listed, expected the one that was trained", n)
		}
		v.Check()
	})
}

// TestDamagedDatabase flips bytes in the files of the browser's own database. Where the browser begins an empty one
// instead and tells nobody, or cannot open it, the page says which runs are missing.
func TestDamagedDatabase(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine != "chromium" {
			t.Skip("only Chromium's files are known here")
		}
		s := NewSite(t)
		for _, file := range []string{"MANIFEST-", "CURRENT"} {
			profile := t.TempDir()
			v := Open(t, engine, s, drive.Options{Profile: profile}, Small.Link())
			v.Until("lab.untouched")
			v.Until("storage.owned")
			v.Push("#epoch")
			v.Until("lab.pausedAt && lab.kept", 5)
			var name string
			v.Read(&name, "see.content", "#runs-list strong")
			// Notes of the page on its runs are on the disk some seconds later.
			noted := func() bool {
				found := false
				_ = filepath.WalkDir(profile, func(p string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() && strings.Contains(p, "Local Storage") {
						b, _ := os.ReadFile(p)
						found = found || bytes.Contains(b, []byte(v.State().Run))
					}
					return nil
				})
				return found
			}
			for end := time.Now().Add(patience); !noted(); time.Sleep(100 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the browser never wrote down what the page noted")
				}
			}
			v.Kill()
			spoiled := 0
			_ = filepath.WalkDir(profile, func(p string, d fs.DirEntry, err error) error {
				if err != nil || !strings.Contains(p, ".indexeddb.leveldb") || !strings.HasPrefix(d.Name(), file) {
					return nil
				}
				b, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				for i := range len(b) - 1 { // the end of the line stays: Chromium would begin anew
					b[i] ^= 0x55
				}
				spoiled++
				return os.WriteFile(p, b, 0o600)
			})
			if spoiled == 0 {
				t.Fatalf("there is no %s in the profile", file)
			}
			v = Open(t, engine, s, drive.Options{Profile: profile}, "")
			v.Until("notices.there", "missing")
			const shown = 40 // letters of a long name
			v.Want("[data-notice=missing]", name[:min(len(name), shown)], "Missing", "imported again")
			if file == "CURRENT" {
				v.Want("[data-notice=storage]", "could not be opened; it may be damaged", "export")
			}
			v.Check()
			v.Kill()
		}
	})
}

// TestStorageRefused trains where nothing can be kept.
func TestStorageRefused(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("refusestorage"))
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		v.Until("notices.there", "storage")
		v.Want("[data-notice=storage]", "does not let this page keep anything", "export")
		v.Push("#play")
		v.Until("lab.finished")
		st, want := v.State(), Small.Train(t)
		if st.Hash != want.Hash || st.Owner || st.Saved != 0 || st.Pending != 0 {
			t.Errorf("trained without storage: %+v, natively %s", st, want.Hash)
		}
		v.Push("[data-notice=storage] .actions button") // Export this run
		if r := readRecord(t, v); r.Hash != want.Hash || len(r.Scores) != st.Scores {
			t.Errorf("the exported record has the hash %s and %d scores", r.Hash, len(r.Scores))
		}
		v.Want("#runs-list", "Nothing can be kept here")
		v.Check()
	})
}

// TestBlobsRefused keeps a run where the database takes no Blobs, and continues it after a reload.
func TestBlobsRefused(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("refuseblobs"))
		keepAndContinue(t, engine, s)
	})
}

// smallDisk mounts a disk of that many bytes, which no one but this test sees
// used, and skips the test where that is not allowed.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("small disks are made on Linux only")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+strconv.Itoa(size)); err != nil {
		t.Skipf("no small disk can be mounted (root can): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill writes a file that takes all of a disk but the given number of bytes.
func fill(t *testing.T, path string, spare int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	at, err := f.Seek(0, 1)
	if err == nil {
		err = f.Truncate(max(0, at-spare))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestStorageFull fills the disk below the browser in the middle of a run. The
// page says so, trains on, and keeps the run when there is room again.
func TestStorageFull(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("MiniBrowser keeps its storage in memory when driven, so that no disk of it can be full")
		}
		disk := smallDisk(t, 600<<20)
		c := Course{Example: "syn2", Options: map[string]any{"epochs": 8, "kmeans_runs": 2}}
		v := Open(t, engine, NewKeptSite(t), drive.Options{Profile: filepath.Join(disk, "profile")}, c.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		v.Until("page.offline")
		v.Push("#epoch")
		v.Until("lab.pausedAt && lab.kept", 5)

		filler := filepath.Join(disk, "filler")
		fill(t, filler, 2<<20)
		v.fullDisk(c, func() {
			if err := os.Remove(filler); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		})
	})
}

// fullDisk continues a run with one stored epoch on a full disk to its end. Then free makes room.
func (v *Visit) fullDisk(c Course, free func()) {
	v.t.Helper()
	v.Push("#epoch")
	v.Until("lab.pausedAt", 10)
	v.Until("notices.there", "full")
	v.Want("[data-notice=full]", "Storage is full", "Export this run", "Try again")
	if st := v.State(); st.Saved != 5 || st.Pending == 0 {
		v.t.Errorf("without room: %+v", st)
	}
	v.Push("#play")
	v.Until("lab.finished")
	st, want := v.State(), c.Train(v.t)
	if st.Hash != want.Hash {
		v.t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
	}
	free()
	v.Push("[data-notice=full] .actions button:nth-of-type(2)") // Try again
	v.Until("storage.settled && storage.savedAt", 40)
	v.Until("!notices.there", "full")
	v.Load("")
	v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
	v.Until("lab.finished")
	if again := v.State(); again.Hash != st.Hash || again.Scores != st.Scores {
		v.t.Errorf("kept late: %+v, was %+v", again, st)
	}
	v.Check()
}
