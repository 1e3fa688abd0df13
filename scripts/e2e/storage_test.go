package e2e

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"cadem/scripts/e2e/drive"
)

// refuseStorage makes the database of a worker answer as a browser does that
// keeps nothing, in a private window or by its settings.
const refuseStorage = `Object.defineProperty(self, 'indexedDB', {value: {open() {
	throw new DOMException('The operation is insecure.', 'SecurityError');
}}});`

// TestStorageRefused trains where nothing can be kept.
func TestStorageRefused(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, refuseStorage)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("document.querySelector('[data-notice=storage]')")
		v.Want("[data-notice=storage]", "does not let this page keep anything", "export")
		v.Push("#play")
		v.Until(finished)
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

// refuseBlobs makes the database of a worker take no Blobs, as WebKit's does in private windows.
const refuseBlobs = `const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function(value, ...key) {
	const request = put.call(this, value instanceof Blob ? 0 : value, ...key), t = this.transaction;
	if (!(value instanceof Blob)) return request;
	Object.defineProperty(t, 'error', {value: new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError')});
	request.addEventListener('success', () => t.abort());
	return request;
};`

// TestBlobsRefused keeps a run where the database takes no Blobs, and continues it after a reload.
func TestBlobsRefused(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, refuseBlobs)
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
		v := Open(t, engine, NewSite(t), drive.Options{Profile: filepath.Join(disk, "profile")}, c.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		v.Until(`document.querySelector('#offline-state').textContent.includes('without network')`)
		v.Push("#epoch")
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 5 && " + kept)

		filler := filepath.Join(disk, "filler")
		fill(t, filler, 2<<20)
		v.Push("#epoch")
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 10")
		v.Until("document.querySelector('[data-notice=full]')")
		v.Want("[data-notice=full]", "Storage is full", "Export this run", "Try again")
		if st := v.State(); st.Saved != 5 || st.Pending == 0 {
			t.Errorf("with the disk full: %+v", st)
		}
		v.Push("#play")
		v.Until(finished)
		st, want := v.State(), c.Train(t)
		if st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}

		if err := os.Remove(filler); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		v.Push("[data-notice=full] .actions button:nth-of-type(2)") // Try again
		v.Until("cadem.state().pending === 0 && cadem.state().saved === 40")
		v.Until("!document.querySelector('[data-notice=full]')")
		v.Load("")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until(finished)
		if again := v.State(); again.Hash != st.Hash || again.Scores != st.Scores {
			t.Errorf("kept late: %+v, was %+v", again, st)
		}
		v.Check()
	})
}
