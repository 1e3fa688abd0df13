package drive

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Memory returns what the page's process holds in memory and the most that it has held so
// far, in bytes: workers run in the same process. It asks the kernel, and knows the processes
// of Chromium only.
func (b *Browser) Memory() (now, most int64, err error) {
	if b.Name != "chromium" {
		return 0, 0, ErrUnsupported
	}
	list, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, 0, err
	}
	group := strconv.Itoa(b.group.guard.Process.Pid)
	for _, dir := range list {
		// A process may end meanwhile: then these are empty.
		stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		status, _ := os.ReadFile(filepath.Join(dir, "status"))
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(f) < 3 || f[2] != group || !strings.Contains(string(args), "--type=renderer") {
			continue
		}
		if n := bytesOf(string(status), "VmHWM:"); n > most {
			now, most = bytesOf(string(status), "VmRSS:"), n
		}
	}
	if most == 0 {
		return 0, 0, fmt.Errorf("drive: found no process of the page of %s", b.Name)
	}
	return now, most, nil
}

// bytesOf reads a line of /proc/PID/status.
func bytesOf(status, field string) int64 {
	_, rest, _ := strings.Cut(status, field)
	text, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n << 10
}
