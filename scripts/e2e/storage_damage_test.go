package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cadem/scripts/e2e/drive"
)

// plant writes a saved run with a record of any kind into the page's database, behind its back.
func (v *Visit) plant(run, record string) {
	v.t.Helper()
	text := fmt.Sprintf(`{"format":1,"run":%q,"generation":1,"record":%s,"slabs":[]}`, run, record)
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
	var bytes []int
	for _, b := range append(sum, text...) {
		bytes = append(bytes, int(b))
	}
	v.Read(nil, `const db = await new Promise((done, failed) => {
	const r = indexedDB.open(new URL('.', document.baseURI).pathname + 'cadem');
	r.onsuccess = () => done(r.result);
	r.onerror = () => failed(r.error);
});
const t = db.transaction(['manifests'], 'readwrite');
t.objectStore('manifests').put(Uint8Array.from(args[1]), args[0]);
await new Promise((done, failed) => { t.oncomplete = done; t.onabort = () => failed(t.error); });
db.close();`, run+"/1", bytes)
}

// TestBadSavedRuns puts runs into the database that no page could have written. They hide none of the others: each is listed
// as damaged, by its key if it has no name, and can be deleted.
func TestBadSavedRuns(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, run := keepEpoch(t, engine, NewSite(t))
		v.Until("cadem.state().owner")
		v.plant("numbered", `{"run":"numbered","name":5,"state":"paused","created":"2025-01-31T12:00:00Z","updated":"2025-01-31T12:00:00Z",`+
			`"data":{"example":"syn2"},"options":{},"preset":"released","model_seed":0}`)
		v.plant("nameless", `{"run":"nameless"}`)
		v.plant("empty", `null`)
		v.plant("study:x", `{"run":"study:x","kind":"study","name":"gamma","order":null}`)
		v.Load("")
		v.Until("document.querySelectorAll('#runs-list li[data-run]').length === 5")
		for id, want := range map[string]string{"numbered": "numbered", "nameless": "nameless", "empty": "empty", "study:x": "gamma"} {
			v.Want(fmt.Sprintf("#runs-list li[data-run=%q]", id), want, "damaged", "cannot be opened", "expected")
		}
		v.Want("#runs-list li[data-run=numbered]", "name: found 5, expected a text")
		v.Want(fmt.Sprintf("#runs-list li[data-run=%q]", run), "paused", "Continue")
		Axe(t, v.Browser)
		for n, id := range []string{"numbered", "nameless", "empty", "study:x"} {
			v.Push(fmt.Sprintf("#runs-list li[data-run=%q] [data-act=delete]", id))
			v.Until(fmt.Sprintf("document.querySelectorAll('#runs-list li[data-run]').length === %d", 4-n))
		}
		v.Load("")
		v.Until("document.querySelectorAll('#runs-list li[data-run]').length === 1")
		v.Push(fmt.Sprintf("[data-run=%q] [data-act=continue]", run))
		v.Until(finished)
		v.Check()
	})
}

// TestBadRunFiles imports runs that no page could have exported. What is wrong is said, and nothing is stored.
func TestBadRunFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		v.Push("#epoch")
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 5 && " + kept)
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
		v.Until("cadem.state().owner")
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
			v.Until(untouch)
			v.Until("cadem.state().owner")
			v.Push("#epoch")
			v.Until("cadem.state().phase === 'paused' && cadem.state().step === 5 && " + kept)
			var name string
			v.Read(&name, "return document.querySelector('#runs-list strong').textContent")
			// What the page notes of its runs is on the disk some seconds later.
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
			v.Until("document.querySelector('[data-notice=missing]')")
			v.Want("[data-notice=missing]", name, "Missing", "imported again")
			if file == "CURRENT" {
				v.Want("[data-notice=storage]", "could not be opened; it may be damaged", "export")
			}
			v.Check()
			v.Kill()
		}
	})
}
