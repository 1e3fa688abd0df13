package input_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

func TestUnzipStopsAtItsLimit(t *testing.T) {
	bomb := formatstest.Zip(t, zip.Deflate, "a", strings.Repeat("\x00", 600), "b", strings.Repeat("\x00", 600))
	if m, err := input.Unzip("a.zip", bytes.NewReader(bomb), int64(len(bomb)), 1200); err != nil || len(m) != 2 {
		t.Errorf("%d members, %v", len(m), err)
	}
	_, err := input.Unzip("a.zip", bytes.NewReader(bomb), int64(len(bomb)), 1199)
	formatstest.CheckError(t, err, "a.zip: b: found more than 1199 bytes once unpacked, expected less")
}
