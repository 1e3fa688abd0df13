package drive

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Usage is the resource use of the page's process, in which its workers run, too.
type Usage struct {
	// Bytes that it has of its own in memory: those of files that it maps, and those that it has given back, the kernel takes when it likes.
	Now  int64
	Most int64         // the most bytes that there have been, those of files among them
	CPU  time.Duration // of all its threads
}

// Usage asks the kernel. It knows the processes of Chromium and Firefox.
func (b *Browser) Usage() (u Usage, err error) {
	if b.Name == "webkit" {
		return u, ErrUnsupported
	}
	list, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return u, err
	}
	group := strconv.Itoa(b.group.guard.Process.Pid)
	for _, dir := range list {
		// A process may end meanwhile: then these are empty.
		stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		status, _ := os.ReadFile(filepath.Join(dir, "status"))
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(f) < 13 || f[2] != group || !strings.Contains(string(args), content[b.Name]) {
			continue
		}
		if n := bytesOf(string(status), "VmHWM:"); n > u.Most {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			const tick = time.Second / 100 // USER_HZ, which Linux fixes
			rollup, _ := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
			own := bytesOf(string(status), "RssAnon:") + bytesOf(string(status), "RssShmem:") - bytesOf(string(rollup), "LazyFree:")
			u = Usage{own, n, time.Duration(user+system) * tick}
		}
	}
	if u.Most == 0 {
		return u, fmt.Errorf("drive: found no process of the page of %s", b.Name)
	}
	return u, nil
}

// CollectGarbage has the page give back what it does not hold any more, before what it holds is measured.
func (b *Browser) CollectGarbage() error {
	switch b.Name {
	case "chromium":
		return b.cdp("HeapProfiler.collectGarbage", map[string]any{})
	case "firefox":
		err := b.chrome("Services.obs.notifyObservers(null, 'child-mmu-request')") // as the button of about:memory does
		time.Sleep(3 * time.Second)                                                // nothing tells when it is done
		return err
	}
	return ErrUnsupported
}

// bytesOf reads a line of /proc/PID/status.
func bytesOf(status, field string) int64 {
	_, rest, _ := strings.Cut(status, field)
	text, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n << 10
}
