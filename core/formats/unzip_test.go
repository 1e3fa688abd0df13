package formats

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

func TestUnzipStopsAtItsLimit(t *testing.T) {
	bomb := zipped(t, zip.Deflate, "a", strings.Repeat("\x00", 600), "b", strings.Repeat("\x00", 600))
	if m, err := unzip("a.zip", bytes.NewReader(bomb), int64(len(bomb)), 1200); err != nil || len(m) != 2 {
		t.Errorf("%d members, %v", len(m), err)
	}
	_, err := unzip("a.zip", bytes.NewReader(bomb), int64(len(bomb)), 1199)
	checkError(t, err, "a.zip: b: found more than 1199 bytes once unpacked, expected less")
}
