//go:build unix

package builder

import (
	"os"
	"syscall"
)

// flock waits until no other program holds an open folder. It is free again when it is closed, or its program has ended.
func flock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
