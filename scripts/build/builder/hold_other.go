//go:build !unix

package builder

import "os"

// flock does nothing on a system without such locks: there, no two builds may go into one folder at once.
func flock(*os.File) error { return nil }
